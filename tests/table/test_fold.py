"""What each fact does to a table, and that nothing else changes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.geometry.shapes import Round
from server.geometry.units import Length, Point, Pose, inches, mm
from server.table import facts
from server.table.fold import NoSuchThing, apply, fold
from server.table.model import (
    Clock,
    Marker,
    Model,
    ModelId,
    Table,
    Template,
    Terrain,
    TerrainId,
    Unit,
    UnitId,
)

A, B, C = ModelId("a"), ModelId("b"), ModelId("c")
UNIT = UnitId("u")
BASE = Round(mm(25), inches(1.25))
SPOT = Point(Length(0), Length(0))
HILL = Terrain(TerrainId("hill"), "hill", Round(mm(100), inches(2)), Pose(Length(0), Length(0)))
FLAG = Marker("flag", "south", "flag", (SPOT,))
SHOT = Template("shot", SPOT, inches(1.5), Length(984))


def model(name: str, x: int = 0) -> Model:
    return Model(ModelId(name), UNIT, "south", "soldier", BASE, Pose(Length(x), Length(0)), status={"wounds": 3})


TABLE = Table(
    inches(72),
    inches(48),
    Clock(1, 6, "south", "movement"),
    models={A: model("a"), B: model("b", 20_000)},
    removed={C: model("c", 40_000)},
    units={UNIT: Unit(UNIT, "south", "Us", {"ranked": True})},
    terrain={HILL.id: HILL},
    templates={"shot": SHOT},
    markers={"flag": FLAG},
    scores={"south": 1},
)


def test_models_come_onto_the_table() -> None:
    after = apply(TABLE, facts.ModelsPlaced((model("d"),)))
    assert set(after.models) == {"a", "b", "d"}
    assert after.removed == TABLE.removed


def test_a_removed_model_comes_back_and_is_no_longer_removed() -> None:
    after = apply(TABLE, facts.ModelsPlaced((model("c", 1),)))
    assert after.models[C].pose.x == 1
    assert after.removed == {}


def test_models_are_removed_and_remembered_as_they_were() -> None:
    after = apply(TABLE, facts.ModelsRemoved((A, B)))
    assert after.models == {}
    assert after.removed == {**TABLE.removed, A: TABLE.models[A], B: TABLE.models[B]}


def test_removing_and_placing_again_leaves_the_table_as_it_was() -> None:
    assert fold(TABLE, [facts.ModelsRemoved((A,)), facts.ModelsPlaced((TABLE.models[A],))]) == TABLE


def test_models_move_together_and_nothing_else_of_them_changes() -> None:
    there = Pose(Length(5), Length(6), z=Length(7))
    after = apply(TABLE, facts.ModelsMoved((facts.Moved(A, there, (SPOT,)), facts.Moved(B, there))))
    assert after.models == {A: replace(TABLE.models[A], pose=there), B: replace(TABLE.models[B], pose=there)}


def test_a_status_is_set_changed_and_taken_away() -> None:
    fired = apply(TABLE, facts.StatusSet(A, "fired", True))
    assert fired.models[A].status == {"wounds": 3, "fired": True}
    assert apply(fired, facts.StatusSet(A, "wounds", 2)).models[A].status == {"wounds": 2, "fired": True}
    assert apply(fired, facts.StatusSet(A, "fired", None)).models[A].status == {"wounds": 3}
    assert fired.models[B] == TABLE.models[B]


def test_taking_away_a_status_that_is_not_there_changes_nothing() -> None:
    assert apply(TABLE, facts.StatusSet(A, "fired", None)) == TABLE


def test_one_status_of_many_models_changes_at_once() -> None:
    after = apply(TABLE, facts.StatusesSet("wounds", {A: 1, B: None}))
    assert after.models[A].status == {"wounds": 1}
    assert after.models[B].status == {}


def test_a_unit_is_set_and_its_status_changes() -> None:
    new = Unit(UnitId("v"), "north", "They")
    after = fold(TABLE, [facts.UnitSet(new), facts.UnitStatusSet(UNIT, "fleeing", True)])
    assert after.units == {UNIT: Unit(UNIT, "south", "Us", {"ranked": True, "fleeing": True}), new.id: new}
    assert apply(after, facts.UnitStatusSet(UNIT, "fleeing", None)).units[UNIT] == TABLE.units[UNIT]


def test_terrain_markers_and_templates_come_and_go() -> None:
    wood = replace(HILL, id=TerrainId("wood"))
    assert set(apply(TABLE, facts.TerrainSet(wood.id, wood)).terrain) == {"hill", "wood"}
    assert apply(TABLE, facts.TerrainSet(HILL.id, None)).terrain == {}
    assert apply(TABLE, facts.MarkerSet("flag", None)).markers == {}
    assert apply(TABLE, facts.MarkerSet("note", FLAG)).markers == {"flag": FLAG, "note": FLAG}
    slid = replace(SHOT, centre=Point(Length(1), Length(1)))
    assert apply(TABLE, facts.TemplateLaid(slid)).templates == {"shot": slid}
    assert apply(TABLE, facts.TemplateLifted("shot")).templates == {}


def test_the_clock_and_the_scores_are_set() -> None:
    late = Clock(6, 6, "north", "combat", over=True)
    assert apply(TABLE, facts.ClockSet(late)).clock == late
    assert apply(TABLE, facts.ScoreSet("north", 5)).scores == {"south": 1, "north": 5}


@pytest.mark.parametrize(
    "fact",
    [
        facts.ModelsMoved((facts.Moved(A, Pose(Length(0), Length(0))), facts.Moved(C, Pose(Length(0), Length(0))))),
        facts.ModelsRemoved((C,)),
        facts.StatusSet(C, "wounds", 1),
        facts.StatusesSet("wounds", {A: 1, C: 1}),
        facts.UnitStatusSet(UnitId("v"), "fleeing", True),
    ],
)
def test_a_fact_about_what_is_not_on_the_table_is_refused(fact: facts.Fact) -> None:
    with pytest.raises(NoSuchThing, match="which is not on the table"):
        apply(TABLE, fact)


def test_a_kind_of_fact_that_nobody_knows_is_refused() -> None:
    with pytest.raises(TypeError, match="no way to apply Fact"):
        apply(TABLE, facts.Fact())


def test_a_table_is_never_written_to() -> None:
    models = dict(TABLE.models)
    fold(TABLE, [facts.ModelsRemoved((A,)), facts.StatusSet(B, "wounds", 0)])
    assert TABLE.models == models
    assert TABLE.models[B].status == {"wounds": 3}
