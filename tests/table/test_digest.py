"""The digest tells any two tables apart, and does not care how a table came about."""

from __future__ import annotations

import string

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from server.geometry.units import Length, Point, Pose, inches
from server.table import facts
from server.table.digest import Digester, digest
from server.table.fold import apply, fold
from server.table.model import Clock, ModelId, Table, TerrainId, Unit, UnitId
from tests.table.test_fold import FLAG, HILL, SHOT, TABLE, model


def test_it_is_eight_hexadecimal_digits() -> None:
    assert len(digest(TABLE)) == 8
    assert set(digest(TABLE)) <= set(string.hexdigits.lower())


def test_it_is_the_same_whatever_the_order_of_things() -> None:
    backwards = replace(TABLE, models=dict(reversed(list(TABLE.models.items()))))
    assert digest(backwards) == digest(TABLE)


def test_it_is_the_same_after_a_way_through_json() -> None:
    assert digest(msgspec.json.decode(msgspec.json.encode(TABLE), type=Table)) == digest(TABLE)


CHANGES: list[facts.Fact] = [
    facts.ModelsPlaced((model("d"),)),
    facts.ModelsPlaced((TABLE.removed[ModelId("c")],)),
    facts.ModelsRemoved((ModelId("a"),)),
    facts.ModelsMoved((facts.Moved(ModelId("a"), Pose(Length(1), Length(0))),)),
    facts.StatusSet(ModelId("a"), "wounds", 2),
    facts.StatusSet(ModelId("a"), "wounds", None),
    facts.StatusesSet("wounds", {ModelId("b"): 1}),
    facts.UnitSet(Unit(UnitId("v"), "north", "They")),
    facts.UnitStatusSet(UnitId("u"), "ranked", None),
    facts.TerrainSet(TerrainId("hill"), None),
    facts.TerrainSet(TerrainId("hill"), replace(HILL, blocks=True)),
    facts.TemplateLaid(replace(SHOT, hole=Length(0))),
    facts.TemplateLifted("shot"),
    facts.MarkerSet("flag", None),
    facts.MarkerSet("flag", replace(FLAG, points=(Point(Length(0), Length(1)),))),
    facts.ClockSet(Clock(1, 6, "south", "shooting")),
    facts.ScoreSet("south", 2),
]


@pytest.mark.parametrize("fact", CHANGES, ids=lambda fact: type(fact).__name__)
def test_every_fact_shows(fact: facts.Fact) -> None:
    assert digest(apply(TABLE, fact)) != digest(TABLE)


def test_the_facts_above_are_all_there_are() -> None:
    assert {type(fact) for fact in CHANGES} == set(facts.Fact.__subclasses__())


@given(st.lists(st.sampled_from(CHANGES), max_size=8))
def test_two_tables_have_one_digest_only_if_they_are_one(changes: list[facts.Fact]) -> None:
    lawful = [fact for fact in changes if not isinstance(fact, facts.ModelsRemoved)]
    after = fold(TABLE, lawful)
    assert (digest(after) == digest(TABLE)) == (after == TABLE)


@given(
    st.sampled_from(["a", "b"]),
    st.integers(-20_000_000, 20_000_000),
    st.integers(-20_000_000, 20_000_000),
    st.integers(-1_000_000, 1_000_000),
)
def test_a_move_of_a_ten_thousandth_of_an_inch_shows(name: str, x: int, y: int, z: int) -> None:
    key = ModelId(name)
    pose = Pose(Length(x), Length(y), z=Length(z))
    assume(pose != TABLE.models[key].pose)
    moved = apply(TABLE, facts.ModelsMoved((facts.Moved(key, pose),)))
    assert digest(moved) != digest(TABLE)
    assert digest(apply(moved, facts.ModelsMoved((facts.Moved(key, TABLE.models[key].pose),)))) == digest(TABLE)


def test_a_thing_on_the_table_is_not_the_same_as_one_removed() -> None:
    swapped = replace(TABLE, models=TABLE.removed, removed=TABLE.models)
    assert digest(swapped) != digest(TABLE)
    assert digest(replace(TABLE, width=inches(71))) != digest(TABLE)


def test_one_digester_tells_of_each_table_what_a_fresh_one_would() -> None:
    digester = Digester()
    tables = [TABLE, *(apply(TABLE, fact) for fact in CHANGES), replace(TABLE, models={}), TABLE]
    for table in (*tables, *reversed(tables)):
        assert digester.digest(table) == digest(table)


def test_a_digester_forgets_what_is_long_gone() -> None:
    digester = Digester()
    for number in range(400):
        name = ModelId(f"m{number}")
        digester.digest(replace(TABLE, models={name: model(name)}))
    assert len(digester._known["models"]) < 110
