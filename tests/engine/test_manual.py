"""Free play: what the umpire does not judge is possible in the open, with one's own things and within bounds."""

from __future__ import annotations

from dataclasses import replace as changed
from typing import Any

import pytest
from msgspec.structs import replace

from server.engine.contract import seated
from server.engine.core.manual import MANUAL, MARKERS, MODELS
from server.engine.events import Noted, Rolled, Started
from server.engine.interpreter import Game
from server.engine.profiles import Profile
from server.engine.refusals import Busy, NotYours, Refused, Unknown
from server.engine.system import AnySystem, StatusKind
from server.geometry.shapes import Rectangle, footprint, overlap
from server.geometry.units import Bearing, Length, Pose, inches, mm
from server.table.facts import ModelsRemoved, TerrainSet
from server.table.fold import apply
from server.table.model import Marker, Model, ModelId, Seat, Terrain, TerrainId, Unit, UnitId
from tests.engine.games import acted, dice, events, loaded, refused, toy_game
from tests.engine.toy import SOLDIER, TOY, board, skirmish, soldier

BLOCK = Profile(name="Block", base=Rectangle(mm(20), mm(30), Length(0)))
KINDS = (
    *TOY.statuses,
    StatusKind("oath", "oath", "model", "text"),
    StatusKind("secret", "secret", "model", "flag", manual=False),
    StatusKind("fleeing", "fleeing", "unit", "flag"),
)
FREE: AnySystem = changed(TOY, statuses=KINDS, profiles={**TOY.profiles, "Block": BLOCK})


def free() -> Game:
    return seated(FREE, skirmish())


def did(game: Game, action: str, seat: Seat = "south", **args: Any) -> None:
    game.do(seat, action, args=args, at=10)


def flag(name: str = "flag", by: Seat = "south", points: int = 1, text: str = "", **more: Any) -> dict[str, Any]:
    spots = [{"x": 10 * number, "y": 10} for number in range(points)]
    return {"id": name, "by": by, "kind": "flag", "points": spots, "text": text, **more}


# All of it


@pytest.mark.parametrize("action", MANUAL, ids=lambda action: action.name)
def test_every_action_of_free_play_is_marked_manual(action: Any) -> None:
    assert action.manual
    known: dict[str, dict[str, Any]] = {
        "free_move": {"moves": [{"model": "s1", "pose": {"x": 50_000, "y": 60_000}}]},
        "free_roll": {"sides": 6},
        "set_status": {"model": "s1", "key": "wounds", "value": 2},
        "set_unit_status": {"unit": "south-1", "key": "fleeing", "value": True},
        "remove": {"models": ["s1"]},
        "restore": {"models": ["s9"]},
        "add": {"profile": "Block", "at": {"x": 200_000, "y": 200_000}, "facing": 0},
        "mark": {"marker": flag()},
        "unmark": {"id": "old"},
        "score": {"score": 5},
    }
    table = apply(board(*skirmish().models.values(), soldier("s9", "south", 20, 5)), ModelsRemoved((ModelId("s9"),)))
    table = replace(table, markers={"old": Marker("old", "south", "note", ())})
    game = seated(FREE, table)
    game.do("south", action.name, args=known[action.name], at=10)
    (started,) = events(game, Started)
    assert started.manual
    assert game.at_rest
    assert loaded(game, FREE).table == game.table


@pytest.mark.parametrize("action", MANUAL, ids=lambda action: action.name)
@pytest.mark.parametrize("args", [[], 3, "x", {"nonsense": 1}, {"models": "s1"}, {"sides": None}])
def test_arguments_of_another_shape_are_refused(action: Any, args: object) -> None:
    game = free()
    with refused(game, Refused, f"^{action.label}: "):
        game.do("south", action.name, args=args, at=10)


def test_free_play_needs_no_turn() -> None:
    game = free()
    did(game, "score", "north", score=3)
    did(game, "set_status", "north", model="n1", key="wounds", value=1)
    assert game.table.scores == {"north": 3}


def test_free_play_waits_for_an_open_question() -> None:
    game = free()
    game.do("south", "duel", "s1", at=10)
    with refused(game, Busy, "A question is open"):
        did(game, "score", "north", score=3)


# Dice


def test_a_free_roll_says_what_it_was_for_and_its_sum() -> None:
    game = free()
    did(game, "free_roll", sides=20, count=3, why="the weather")
    (rolled,) = events(game, Rolled)
    (noted,) = events(game, Noted)
    assert (rolled.die, len(rolled.faces), rolled.purpose) == ("d20", 3, "the weather")
    faces = [int(face) for face in rolled.faces]
    assert noted.text == f"the weather: {', '.join(map(str, faces))} (sum {sum(faces)})."
    assert dice(game) == [0, 1, 2]


@pytest.mark.parametrize("bounds", [{"sides": 2, "count": 1}, {"sides": 100, "count": 100, "why": "x" * 80}])
def test_free_rolls_at_their_bounds(bounds: dict[str, Any]) -> None:
    did(free(), "free_roll", **bounds)


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"sides": 1},
        {"sides": 101},
        {"sides": 6, "count": 0},
        {"sides": 6, "count": 101},
        {"sides": 6.0},
        {"sides": True},
        {"sides": 6, "why": "x" * 81},
    ],
)
def test_free_rolls_beyond_their_bounds(args: dict[str, Any]) -> None:
    game = free()
    with refused(game, Refused, "^Roll dice: "):
        did(game, "free_roll", **args)


# Statuses


@pytest.mark.parametrize(("key", "value"), [("tired", True), ("wounds", 0), ("wounds", 999), ("oath", "x" * 80)])
def test_a_status_takes_values_of_its_type(key: str, value: int | str | bool) -> None:
    game = free()
    did(game, "set_status", model="s1", key=key, value=value)
    assert game.table.models[ModelId("s1")].status == {key: value}
    did(game, "set_status", model="s1", key=key, value=None)
    assert game.table.models[ModelId("s1")].status == {}


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("tired", 1, "tired takes a flag."),
        ("tired", "yes", "tired takes a flag."),
        ("wounds", True, "wounds takes a number."),
        ("wounds", -1, "wounds takes a number."),
        ("wounds", 1000, "wounds takes a number."),
        ("oath", 3, "oath takes a text."),
        ("oath", "x" * 81, "oath takes a text."),
    ],
)
def test_a_status_takes_no_other_values(key: str, value: int | str | bool, why: str) -> None:
    game = free()
    with pytest.raises(Refused) as refusal:
        did(game, "set_status", model="s1", key=key, value=value)
    assert refusal.value.message.lower() == why


@pytest.mark.parametrize("key", ["secret", "fleeing", "moved", "", "__class__"])
def test_only_statuses_that_are_set_by_hand_can_be(key: str) -> None:
    game = free()
    with refused(game, Unknown, "no such status"):
        did(game, "set_status", model="s1", key=key, value=True)


def test_a_unit_has_statuses_of_its_own() -> None:
    game = free()
    did(game, "set_unit_status", unit="south-1", key="fleeing", value=True)
    assert game.table.units[UnitId("south-1")].status == {"fleeing": True}
    with refused(game, Unknown, "no such status"):
        did(game, "set_unit_status", unit="south-1", key="wounds", value=1)


# Whose


def masked() -> Game:
    """North has a hidden model on the table, one beside it, and a hidden unit."""
    table = board(soldier("s1", "south", 5, 5), soldier("n1", "north", 5, 15), soldier("n2", "north", 9, 15))
    hidden = {name: soldier(name, "north", 20, 20, ("north",)) for name in ("spy", "gone")}
    nest = Unit(UnitId("nest"), "north", "Nest", seen_by=("north",))
    models = {**table.models, ModelId("spy"): hidden["spy"]}
    removed = {ModelId("gone"): hidden["gone"], ModelId("n9"): soldier("n9", "north", 1, 1)}
    return seated(FREE, replace(table, models=models, removed=removed, units={**table.units, nest.id: nest}))


def about(action: str, thing: str) -> dict[str, Any]:
    said: dict[str, dict[str, Any]] = {
        "free_move": {"moves": [{"model": thing, "pose": {"x": 100_000, "y": 100_000}}]},
        "set_status": {"model": thing, "key": "wounds", "value": 1},
        "set_unit_status": {"unit": thing, "key": "fleeing", "value": True},
        "remove": {"models": [thing]},
        "restore": {"models": [thing]},
    }
    return said[action]


ACTIONS = ("free_move", "set_status", "remove", "set_unit_status", "restore")
OTHERS = tuple(zip(ACTIONS, ("n1", "n1", "n1", "north-1", "n9"), strict=True))
UNSEEN = tuple(zip(ACTIONS, ("spy", "spy", "spy", "nest", "gone"), strict=True))


@pytest.mark.parametrize(("action", "thing"), OTHERS)
def test_other_peoples_things_are_not_touched(action: str, thing: str) -> None:
    game = masked()
    with refused(game, NotYours, "is not yours"):
        did(game, action, **about(action, thing))


@pytest.mark.parametrize(("action", "thing"), UNSEEN)
def test_a_hidden_thing_is_as_unknown_as_one_that_is_not_there(action: str, thing: str) -> None:
    game = masked()
    said = []
    for name in (thing, "nothing-of-the-kind"):
        with pytest.raises(Unknown) as refusal:
            did(game, action, **about(action, name))
        said.append((refusal.value.message, refusal.value.rule))
    assert said[0] == said[1]


def test_one_foreign_model_among_ones_own_refuses_all() -> None:
    game = free()
    with refused(game, NotYours):
        did(game, "remove", models=["s1", "n1"])


# Off the table and back


def test_models_are_taken_off_and_returned_as_they_were() -> None:
    game = free()
    did(game, "set_status", model="s1", key="wounds", value=2)
    before = game.table
    did(game, "remove", models=["s2", "s1"])
    assert set(game.table.removed) == {"s1", "s2"}
    did(game, "restore", models=["s1", "s2"])
    assert game.table == before


def test_nobody_returns_to_where_another_stands() -> None:
    game = free()
    did(game, "remove", models=["s1"])
    did(game, "free_move", moves=[{"model": "s2", "pose": {"x": 50_000, "y": 54_000}}])
    with refused(game, Refused, "another model stands in the way"):
        did(game, "restore", models=["s1"])


def test_two_who_stood_in_one_place_do_not_both_return() -> None:
    game = free()
    did(game, "remove", models=["s1"])
    did(game, "free_move", moves=[{"model": "s2", "pose": {"x": 50_000, "y": 50_000}}])
    did(game, "remove", models=["s2"])
    with refused(game, Refused, "another model stands in the way"):
        did(game, "restore", models=["s1", "s2"])
    did(game, "restore", models=["s2"])


@pytest.mark.parametrize("action", ["remove", "restore"])
@pytest.mark.parametrize("models", [["s1", "s1"], [], [f"s{number}" for number in range(401)]])
def test_lists_of_models_are_checked(action: str, models: list[str]) -> None:
    game = free()
    with refused(game):
        did(game, action, models=models)


def test_what_is_on_the_table_cannot_return_and_what_is_off_cannot_be_removed() -> None:
    game = free()
    with refused(game, Unknown, "beside the table"):
        did(game, "restore", models=["s1"])
    did(game, "remove", models=["s1"])
    with refused(game, Unknown, "on the table"):
        did(game, "remove", models=["s1"])


# New models


def new(game: Game) -> list[Model]:
    return [model for key, model in sorted(game.table.models.items()) if key not in skirmish().models]


def test_new_models_stand_in_ranks_base_to_base() -> None:
    game = free()
    did(game, "add", profile="Block", at={"x": 120_000, "y": 120_000}, facing=0, count=7, wide=3, label="Pikes")
    added = new(game)
    assert [model.id for model in added] == [f"unit-003-{number:03}" for number in range(1, 8)]
    assert game.table.units[UnitId("unit-003")] == Unit(UnitId("unit-003"), "south", "Pikes")
    assert {(model.owner, model.profile, model.label) for model in added} == {("south", "Block", "Pikes")}
    assert [model.pose.x for model in added[:3]] == [120_000 - 7874, 120_000, 120_000 + 7874]
    assert [model.pose.y for model in added[::3]] == [120_000, 120_000 - 11811, 120_000 - 2 * 11811]
    assert added[6].pose.x == 120_000
    shapes = [footprint(model.base, model.pose) for model in added]
    assert not any(overlap(a, b) for place, a in enumerate(shapes) for b in shapes[:place])


@pytest.mark.parametrize("facing", [0, 9000, 13_337, 27_000])
@pytest.mark.parametrize("profile", ["Soldier", "Block"])
def test_ranks_face_any_way_without_overlap(profile: str, facing: int) -> None:
    game = free()
    did(game, "add", profile=profile, at={"x": 140_000, "y": 100_000}, facing=facing, count=10, wide=4)
    shapes = [footprint(model.base, model.pose) for model in new(game)]
    assert len(shapes) == 10
    assert not any(overlap(a, b) for place, a in enumerate(shapes) for b in shapes[:place])
    assert {model.pose.facing for model in new(game)} == {facing}


def test_a_new_model_starts_with_what_its_profile_says() -> None:
    class Hero(Profile, frozen=True, kw_only=True):
        def status(self) -> dict[str, int | str | bool]:
            return {"wounds": 3}

    hero = Hero(name="Hero", base=SOLDIER.base)
    game = seated(changed(FREE, profile=Hero, profiles={"Soldier": SOLDIER, "Hero": hero}), skirmish())
    did(game, "add", profile="Hero", at={"x": 120_000, "y": 120_000}, facing=0)
    assert new(game)[0].status == {"wounds": 3}
    assert new(game)[0].label == "Hero"


def test_new_models_stand_on_the_ground_there() -> None:
    top, slope = (inches(2),), Rectangle(mm(100), mm(100), inches(2))
    hill = Terrain(TerrainId("hill"), "hill", slope, Pose(inches(12), inches(12)), floors=top)
    game = seated(FREE, apply(skirmish(), TerrainSet(hill.id, hill)))
    did(game, "add", profile="Soldier", at={"x": 120_000, "y": 120_000}, facing=0)
    assert new(game)[0].pose.z == inches(2)


@pytest.mark.parametrize("at", [{"x": 50_000, "y": 50_000}, {"x": 50_000, "y": 54_000}, {"x": 80_000, "y": 150_000}])
def test_new_models_need_room(at: dict[str, int]) -> None:
    game = free()
    with refused(game, Refused, "another model stands in the way"):
        did(game, "add", profile="Soldier", at=at, facing=0)


def test_new_models_stand_on_the_table() -> None:
    game = free()
    with refused(game, Refused, "it would leave the table"):
        did(game, "add", profile="Soldier", at={"x": 1_000, "y": 50_000}, facing=0)
    with refused(game, Refused, "it would leave the table"):
        did(game, "add", profile="Soldier", at={"x": 120_000, "y": 20_000}, facing=0, count=20, wide=2)


def test_a_new_model_where_one_is_hidden_gives_nothing_away() -> None:
    game = masked()
    did(game, "add", profile="Soldier", at={"x": 200_000, "y": 200_000}, facing=0)


def test_a_table_bears_only_so_many_models() -> None:
    crowd = {ModelId(f"c{n}"): soldier(f"c{n}", "north", 1, 1) for n in range(MODELS - 2)}
    game = seated(FREE, replace(board(), models=crowd))
    with refused(game, Refused, f"at most {MODELS} models"):
        did(game, "add", profile="Soldier", at={"x": 120_000, "y": 120_000}, facing=0, count=3)
    did(game, "add", profile="Soldier", at={"x": 120_000, "y": 120_000}, facing=0, count=2)


def test_an_unknown_profile_is_refused() -> None:
    game = free()
    with refused(game, Unknown, "no such profile"):
        did(game, "add", profile="Dragon", at={"x": 120_000, "y": 120_000}, facing=0)


@pytest.mark.parametrize(
    "odd",
    [{"count": 0}, {"count": 101}, {"wide": 0}, {"wide": 51}, {"facing": 36_000}, {"facing": -1}, {"label": "x" * 81}],
)
def test_new_models_are_asked_for_within_bounds(odd: dict[str, Any]) -> None:
    game = free()
    with refused(game, Refused, "^Add models: "):
        args = {"profile": "Soldier", "at": {"x": 120_000, "y": 120_000}, "facing": 0} | odd
        game.do("south", "add", args=args, at=10)


def test_a_new_unit_takes_no_name_that_is_taken() -> None:
    game = free()
    for place in range(3):
        did(game, "add", profile="Soldier", at={"x": 120_000 + 20_000 * place, "y": 120_000}, facing=0)
    assert [model.unit for model in new(game)] == ["unit-003", "unit-004", "unit-005"]


# Markers and scores


def test_a_marker_is_put_down_changed_and_taken_away() -> None:
    game = free()
    did(game, "mark", marker=flag(text="here"))
    did(game, "mark", marker=flag(text="there", points=64))
    assert game.table.markers["flag"].text == "there"
    did(game, "unmark", id="flag")
    assert game.table.markers == {}
    with refused(game, Unknown, "no such marker"):
        did(game, "unmark", id="flag")


def test_markers_are_put_down_in_ones_own_name() -> None:
    game = free()
    with refused(game, NotYours, "one's own name"):
        did(game, "mark", marker=flag(by="north"))


def test_other_peoples_markers_are_not_touched() -> None:
    game = free()
    did(game, "mark", "north", marker=flag(by="north"))
    with refused(game, NotYours, "not yours"):
        did(game, "mark", marker=flag())
    with refused(game, NotYours, "not yours"):
        did(game, "unmark", id="flag")


@pytest.mark.parametrize(
    "marker",
    [flag(points=0), flag(points=65), flag(text="x" * 201), flag(name=""), flag(name="x" * 41), flag(kind="bomb"), {}],
)
def test_markers_have_their_bounds(marker: dict[str, Any]) -> None:
    game = free()
    with refused(game):
        did(game, "mark", marker=marker)


def test_each_side_has_only_so_many_markers() -> None:
    game = free()
    for number in range(MARKERS):
        did(game, "mark", marker=flag(f"flag-{number}"))
    with refused(game, Refused, f"{MARKERS} markers on the table: take one away first"):
        did(game, "mark", marker=flag("one-more"))
    did(game, "mark", marker=flag("flag-0", text="changed"))
    did(game, "mark", "north", marker=flag("theirs", by="north"))
    did(game, "unmark", id="flag-7")
    did(game, "mark", marker=flag("one-more"))


@pytest.mark.parametrize("score", [-9999, 0, 9999])
def test_a_side_sets_its_own_score(score: int) -> None:
    game = free()
    did(game, "score", "north", score=score)
    assert game.table.scores == {"north": score}


@pytest.mark.parametrize("score", [-10_000, 10_000, True, 1.5, "3", None])
def test_scores_have_their_bounds(score: object) -> None:
    game = free()
    with refused(game, Refused, "^Set the score: "):
        did(game, "score", score=score)


def test_pivoting_where_one_stands_is_a_free_move() -> None:
    game = free()
    did(game, "free_move", moves=[{"model": "s1", "pose": {"x": 50_000, "y": 50_000, "facing": 18_000}}])
    assert game.table.models[ModelId("s1")].pose.facing == Bearing(18_000)


def test_free_play_is_there_in_every_game() -> None:
    for game in (toy_game(), acted(_nothing)):
        did(game, "score", score=1)


async def _nothing(scene: object, model: ModelId) -> None:
    pass
