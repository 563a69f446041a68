"""Moving under the rules: how far, to where there is room, on which floor; refusals with figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as changed
from typing import Any

import pytest
from msgspec.structs import replace

from server.engine.contract import seated
from server.engine.core.movement import left_to_move, on_the_ground
from server.engine.interpreter import Game
from server.engine.questions import Barred
from server.engine.refusals import NotYours, Refused, Unknown
from server.engine.scene import Scene
from server.engine.system import AnySystem
from server.geometry.shapes import Rectangle, Round
from server.geometry.units import Bearing, Length, Pose, degrees, inches, mm
from server.table.facts import ModelsRemoved, StatusesSet
from server.table.fold import apply
from server.table.model import Model, ModelId, Seat, Terrain, TerrainId
from tests.engine.games import refused
from tests.engine.toy import SOLDIER, TOY, board, soldier

BASE = 25 / 25.4
"""The width of a soldier's base in inches."""


def step(
    model: str, x: float, y: float, facing: float = 0, z: float = 0, via: Sequence[tuple[float, float]] = ()
) -> Any:
    pose = {"x": inches(x), "y": inches(y), "facing": degrees(facing), "z": inches(z)}
    return {"model": model, "pose": pose, "via": [{"x": inches(bx), "y": inches(by)} for bx, by in via]}


def moved(game: Game, *steps: Any, seat: Seat = "south", action: str = "move") -> None:
    game.do(seat, action, args={"moves": list(steps)}, at=10)


def field(*models: Model, terrain: Sequence[Terrain] = (), system: AnySystem = TOY) -> Game:
    """A game in south's phase of movement: s1 at (5, 5), s2 at (8, 5), n1 at (5, 15), and these."""
    three = (soldier("s1", "south", 5, 5), soldier("s2", "south", 8, 5), soldier("n1", "north", 5, 15))
    table = board(*three, *models, phase="move")
    return seated(system, replace(table, terrain={piece.id: piece for piece in terrain}))


def piece(kind: str, x: float, y: float, width: float = 4, **more: Any) -> Terrain:
    shape = Rectangle(mm(width * 25.4), mm(width * 25.4), inches(3))
    return Terrain(
        TerrainId(kind), kind, shape, Pose(inches(x), inches(y), Bearing(0), more.pop("z", Length(0))), **more
    )


def hill(x: float, y: float, z: float = 0) -> Terrain:
    return piece("hill", x, y, z=inches(z), floors=(inches(3),))


def where(game: Game, model: str = "s1") -> Pose:
    return game.table.models[ModelId(model)].pose


def used(game: Game, model: str = "s1") -> object:
    return game.table.models[ModelId(model)].status.get("moved")


# How far


def test_a_model_moves_as_far_as_it_may() -> None:
    game = field()
    moved(game, step("s1", 5, 9, facing=45))
    assert where(game) == Pose(inches(5), inches(9), degrees(45))
    assert used(game) == inches(4)
    assert [type(logged.event).__name__ for logged in game.log[-4:]] == ["Started", "Changed", "Changed", "Finished"]


def test_a_move_that_is_too_long_is_refused_with_both_figures() -> None:
    game = field()
    with refused(game, Refused, r"^6\.40 inches; s1 may move 4\.00\.$"):
        moved(game, step("s1", 5, 11.4))


def test_a_model_without_a_label_is_called_by_its_unit() -> None:
    game = field(replace(soldier("x", "south", 15, 5), label=""))
    with refused(game, Refused, r"^6\.40 inches; South may move 4\.00\.$"):
        moved(game, step("x", 15, 11.4))


def test_the_last_ten_thousandth_of_an_inch_is_forgiven() -> None:
    game = field()
    with refused(game, Refused, r"^4\.00 inches; s1 may move 4\.00\.$"):
        moved(game, step("s1", 5, 9.0002))
    moved(game, step("s1", 5, 9.0001))


def test_the_path_counts_with_its_bends() -> None:
    game = field()
    with refused(game, Refused, r"^7\.00 inches; s1 may move 4\.00\.$"):
        moved(game, step("s1", 5, 6, via=[(2, 5), (2, 6)]))
    moved(game, step("s1", 6, 6, via=[(6, 5)]))
    assert used(game) == inches(2)


def test_a_path_that_comes_back_still_counts() -> None:
    game = field()
    moved(game, step("s1", 5, 5, via=[(5, 7)]))
    assert where(game).point == Pose(inches(5), inches(5)).point
    assert used(game) == inches(4)


def test_what_was_moved_in_this_turn_adds_up() -> None:
    game = field()
    moved(game, step("s1", 5, 7.5))
    with refused(game, Refused, r"^4\.50 inches; s1 may move 4\.00\.$"):
        moved(game, step("s1", 5, 9.5))
    moved(game, step("s1", 5, 9))
    assert used(game) == inches(4)
    with refused(game, Refused, r"^4\.50 inches"):
        moved(game, step("s1", 5, 9.5))
    assert used(game, "s2") is None


def test_a_mere_turn_counts_as_the_smallest_move() -> None:
    game = field()
    moved(game, step("s1", 5, 5, facing=90))
    assert used(game) == 1
    moved(game, step("s1", 5, 9, facing=180))
    assert used(game) == inches(4) + 1


def test_standing_still_is_no_move() -> None:
    game = field()
    moved(game, step("s1", 5, 5))
    assert used(game) == 0


def test_each_of_several_models_has_its_own_limit() -> None:
    game = field()
    with refused(game, Refused, r"^5\.00 inches; s2"):
        moved(game, step("s1", 5, 9), step("s2", 8, 10))
    moved(game, step("s1", 5, 9), step("s2", 8, 7))
    assert (used(game, "s1"), used(game, "s2")) == (inches(4), inches(2))


def test_a_free_move_is_not_counted_and_has_no_limit() -> None:
    game = field()
    moved(game, step("s1", 5, 22), action="free_move")
    assert used(game) is None
    assert where(game).y == inches(22)


def rooted(scene: Scene[Any, Any], model: Model) -> Length:
    if model.id == "s2":
        raise Refused("A machine that fires stays where it is.", "TOY-9")
    return inches(6) if model.id == "s1" else inches(0)


def test_a_system_says_how_far_each_model_may_move() -> None:
    game = field(system=changed(TOY, allowance=rooted))
    limits, barred = left_to_move(game.system or TOY, game.scene("south"))
    assert limits == {"s1": inches(6)}
    assert barred == (Barred("s2", "TOY-9", "A machine that fires stays where it is."),)
    with refused(game, Refused, "A machine that fires stays"):
        moved(game, step("s2", 8, 6))
    moved(game, step("s1", 5, 11))


def test_what_is_left_to_move_shrinks_and_is_never_less_than_nothing() -> None:
    game = field()
    moved(game, step("s1", 5, 8))
    assert left_to_move(TOY, game.scene("south"))[0] == {"s1": inches(1), "s2": inches(4)}

    far = apply(game.table, StatusesSet("moved", {ModelId("s1"): inches(9)}))
    scene: Scene[Any, Any] = Scene(lambda: far, game.options, game.profiles, "south")
    assert left_to_move(TOY, scene)[0][ModelId("s1")] == 0


# Where there is room


def test_bases_do_not_overlap() -> None:
    game = field(soldier("wall", "north", 5, 8))
    with refused(game, Refused, r"^s1 would stand on wall\.$"):
        moved(game, step("s1", 5, 8 - BASE + 0.01))


def test_bases_may_touch() -> None:
    game = field(soldier("wall", "north", 5, 8))
    moved(game, step("s1", 5, 8 - BASE))


def test_a_path_may_lead_through_others() -> None:
    game = field(soldier("wall", "north", 5, 7))
    moved(game, step("s1", 5, 9))


def test_models_that_move_together_do_not_block_each_other() -> None:
    game = field()
    moved(game, step("s1", 8, 5), step("s2", 5, 5))
    assert where(game, "s1").x == inches(8)


def test_models_that_move_together_do_not_end_on_each_other() -> None:
    game = field()
    with refused(game, Refused, "would stand on"):
        moved(game, step("s1", 6.5, 5), step("s2", 6.6, 5))


def test_models_that_climb_together_do_not_end_on_each_other() -> None:
    game = field(terrain=[hill(6.5, 6)])
    with refused(game, Refused, "would stand on"):
        moved(game, step("s1", 6.5, 6, z=3), step("s2", 6.6, 6, z=3))


def test_models_do_not_leave_the_table() -> None:
    game = field(soldier("edge", "south", 22, 5))
    with refused(game, Refused, r"^edge would leave the table\.$"):
        moved(game, step("edge", 23.6, 5))
    moved(game, step("edge", 24 - BASE / 2, 5))


def test_solid_terrain_is_not_entered() -> None:
    game = field(
        terrain=[piece("rock", 5, 9, width=2, solid=True), piece("tower", 12, 12, solid=True, label="Old tower")]
    )
    with refused(game, Refused, r"^s1 cannot stand in the rock\.$"):
        moved(game, step("s1", 5, 8))
    moved(game, step("s1", 5, 8 - BASE / 2 - 0.001))
    with refused(game, Refused, r"^s2 cannot stand in the Old tower\.$"):
        moved(game, step("s2", 12, 12), action="free_move")


def test_a_model_whom_the_mover_may_not_know_of_does_not_give_itself_away() -> None:
    game = field(soldier("spy", "north", 5, 7, ("north",)))
    moved(game, step("s1", 5, 7))
    assert where(game).y == inches(7)


def test_one_who_may_know_of_a_hidden_model_does_not_stand_on_it() -> None:
    game = field(soldier("mole", "south", 5, 7, ("south",)))
    with refused(game, Refused, "would stand on mole"):
        moved(game, step("s1", 5, 7))


# Floors


def test_a_model_stands_on_the_hill_it_moves_onto() -> None:
    game = field(terrain=[hill(5, 8)])
    moved(game, step("s1", 5, 8))
    assert where(game).z == inches(3)
    moved(game, step("s2", 8, 7, z=3))
    assert where(game, "s2").z == 0


def test_a_model_stands_on_the_floor_it_names() -> None:
    house = piece("house", 5, 8, building=True, floors=(Length(0), inches(3), inches(6)))
    for named, stood in ((0, 0), (3, 3), (6, 6), (4, 0), (-1, 0), (99, 0)):
        game = field(terrain=[house])
        moved(game, step("s1", 5, 8, z=named))
        assert where(game).z == inches(stood)


def test_models_on_different_floors_may_stand_over_each_other() -> None:
    house = piece("house", 5, 8, building=True, floors=(Length(0), inches(3)))
    game = field(terrain=[house])
    moved(game, step("s1", 5, 8))
    moved(game, step("s2", 5, 8, z=3), action="free_move")
    with refused(game, Refused, "would stand on"):
        moved(game, step("s2", 5, 8, z=0), action="free_move")


@pytest.mark.parametrize(
    ("under", "named", "stood"),
    [
        ([], 0, 0),
        ([], 5, 0),
        ([hill(5, 5)], 0, 3),
        ([hill(5, 5), piece("wood", 5, 5)], 0, 3),
        ([hill(5, 5, z=1)], 0, 4),
        ([piece("house", 5, 5, z=inches(3), floors=(Length(0), inches(3))), hill(5, 5)], 6, 6),
        ([piece("house", 5, 5, z=inches(3), floors=(Length(0), inches(3))), hill(5, 5)], 0, 3),
        ([piece("rock", 5, 5, solid=True, floors=(inches(3),))], 3, 0),
        ([hill(15, 5)], 3, 0),
    ],
)
def test_the_ground_is_the_highest_of_what_lies_there(under: list[Terrain], named: float, stood: float) -> None:
    table = replace(board(), terrain={one.id: one for one in under})
    pose = on_the_ground(table, Pose(inches(5), inches(5), Bearing(0), inches(named)))
    assert pose.z == inches(stood)


# Whose, when, and what is no move at all


def test_only_ones_own_models_move() -> None:
    game = field()
    with refused(game, NotYours, r"^That model is not yours\.$"):
        moved(game, step("n1", 5, 14))


@pytest.mark.parametrize("action", ["move", "free_move"])
def test_a_hidden_model_is_as_unknown_as_one_that_is_not_there(action: str) -> None:
    game = field(soldier("spy", "north", 12, 15, ("north",)))
    for name in ("spy", "nobody"):
        with refused(game, Unknown, r"^There is no such model on the table\.$"):
            moved(game, step(name, 5, 14), action=action)


def test_a_removed_model_does_not_move() -> None:
    table = board(soldier("s1", "south", 5, 5), phase="move")

    game = seated(TOY, apply(table, ModelsRemoved((ModelId("s1"),))))
    with refused(game, Unknown):
        moved(game, step("s1", 5, 6))


def test_a_model_is_named_once() -> None:
    game = field()
    with refused(game, Refused, "only once at a time"):
        moved(game, step("s1", 5, 6), step("s1", 5, 7))


def test_models_move_in_their_own_turn_and_phase() -> None:
    game = field()
    with refused(game, NotYours, "other side's turn"):
        moved(game, step("n1", 5, 14), seat="north")
    game.do("south", "pass", at=10)
    with refused(game, Refused, r"Models do not move in this phase \(Fight\)"):
        moved(game, step("s1", 5, 6))
    moved(game, step("n1", 5, 14), seat="north", action="free_move")


def test_nothing_moves_once_the_battle_is_over() -> None:
    table = board(soldier("s1", "south", 5, 5), phase="move")
    game = seated(TOY, replace(table, clock=replace(table.clock, over=True)))
    with refused(game, Refused, "The battle is over"):
        moved(game, step("s1", 5, 6))


FLAT = {"x": 1, "y": 1}
ODD: tuple[Any, ...] = (
    None,
    {},
    [],
    {"moves": []},
    {"moves": [{"model": "s1"}]},
    {"moves": [step("s1", 5, 6)], "force": True},
    {"moves": [step("s1", 5, 6) | {"pose": {"x": 1.5, "y": 1}}]},
    {"moves": [step("s1", 5, 6) | {"pose": {"x": 10**9, "y": 1}}]},
    {"moves": [step("s1", 5, 6) | {"pose": FLAT | {"facing": 36000}}]},
    {"moves": [step("s1", 5, 6) | {"pose": FLAT | {"facing": -1}}]},
    {"moves": [step("s1", 5, 6) | {"pose": FLAT | {"z": float("nan")}}]},
    {"moves": [step("s1", 5, 6) | {"via": [FLAT | {"z": 1}]}]},
    {"moves": [step("s1", 5, 6) | {"via": [{"x": 10**12, "y": 0}]}]},
    {"moves": [step(f"s{number}", 5, 6) for number in range(401)]},
)


@pytest.mark.parametrize("args", ODD)
@pytest.mark.parametrize("action", ["move", "free_move"])
def test_what_is_no_move_is_refused(action: str, args: Any) -> None:
    game = field()
    with refused(game):
        game.do("south", action, args=args, at=10)


def test_a_broader_base_needs_more_room() -> None:
    ogre = replace(soldier("ogre", "south", 15, 5), base=Round(mm(60), SOLDIER.base.height))
    game = field(ogre, soldier("n2", "north", 15, 8))
    with refused(game, Refused, "ogre would stand on n2"):
        moved(game, step("ogre", 15, 6.5))
