"""Armies are set up in their zones, off walls and off each other, or a sentence says which unit does not fit."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from server.engine.custom import custom_key, draft, with_custom
from server.engine.deploy import UnitSpec, deploy, models_of, read_specs, zones_of
from server.engine.layout import lay_out
from server.engine.profiles import Profile
from server.engine.refusals import Refused
from server.geometry.shapes import Rectangle, Round, extent, footprint, overlap
from server.geometry.units import inches, mm
from server.table.model import Seat, Table, UnitId

ORC = Profile(name="Orc Boy", base=Rectangle(mm(25), mm(25), inches(1.25)), movement=inches(4))
GUN = Profile(name="Rock Lobber", base=Round(mm(60), inches(1.5)))
CHIEF = Profile(name="Chief", base=Rectangle(mm(25), mm(25), inches(1.25)))
BEAST = Profile(name="Stegadon", base=Rectangle(mm(50), mm(100), inches(3)))
PROFILES = {"orc": ORC, "gun": GUN, "chief": CHIEF, "beast": BEAST}

FIELD = """
[[terrain]]
kind = "hill"
at = [20, 6]
oval = [16, 10]

[[terrain]]
kind = "house"
at = [36, 9]
rectangle = [8, 5]
facing = 30

[[terrain]]
kind = "wall"
at = [50, 10]
rectangle = [9, 0.5]

[[terrain]]
kind = "ruin"
at = [36, 40]
rectangle = [10, 8]
facing = 15
walls = ["front", "left", "right"]

[[unit]]
id = "old"
owner = "south"
profile = "orc"
count = 5
at = [36, 2]

[[unit]]
id = "foe"
owner = "north"
profile = "orc"
count = 10
at = [36, 11]
"""


def field() -> Table:
    return lay_out(FIELD, PROFILES)


def spec(profile: str, count: int = 1, wide: int | None = None) -> UnitSpec:
    return UnitSpec(profile=profile, count=count, wide=wide)


def check(table: Table, seat: Seat, specs: list[UnitSpec]) -> None:
    """All models of a side are on the table, in their zone and off everything."""
    models = models_of(table, seat)
    zone = zones_of(table)[seat]
    shapes = {model.id: footprint(model.base, model.pose) for model in table.models.values()}
    assert sorted(model.profile for model in models) == sorted(s.profile for s in specs for _ in range(s.count))
    for model in models:
        west, south, east, north = extent(shapes[model.id])
        assert zone.west - 1 <= west
        assert east <= zone.east + 1
        assert zone.south - 1 <= south
        assert north <= zone.north + 1
        assert model.pose.facing == (0 if seat == "south" else 18_000)
    own = {model.id for model in models}
    for a, b in combinations(shapes, 2):
        assert not ({a, b} & own and overlap(shapes[a], shapes[b])), f"{a} overlaps {b}"
    for piece in table.terrain.values():
        if piece.solid or piece.kind == "wall":
            outline = footprint(piece.shape, piece.pose)
            assert not any(overlap(shapes[key], outline) for key in own)


def test_both_armies_are_set_up_instead_of_the_units_that_were_there() -> None:
    south = [spec("orc", 20), spec("orc", 10), spec("gun"), spec("gun"), spec("chief"), spec("beast")]
    north = [spec("orc", 40), spec("gun"), spec("beast")]
    table = deploy(field(), {"south": south, "north": north}, PROFILES)
    check(table, "south", south)
    check(table, "north", north)
    assert "old" not in table.units
    assert "foe" not in table.units
    assert table.terrain == field().terrain


def test_a_side_that_brings_nothing_keeps_its_units() -> None:
    table = deploy(field(), {"south": [spec("orc", 20)]}, PROFILES)
    assert len(models_of(table, "north")) == 10
    check(table, "south", [spec("orc", 20)])


def test_blocks_and_beasts_stand_in_front_and_machines_and_characters_behind() -> None:
    for seat, forward in (("south", 1), ("north", -1)):
        sides: dict[Seat, list[UnitSpec]] = {seat: [spec("gun"), spec("chief"), spec("beast"), spec("orc", 20)]}  # type: ignore[dict-item]
        table = deploy(lay_out("", PROFILES), sides, PROFILES)
        front = {model.profile: forward * model.pose.y for model in table.models.values()}
        assert min(front["orc"], front["beast"]) > max(front["gun"], front["chief"])


def test_the_ids_follow_the_list_and_the_labels_are_the_players() -> None:
    specs = [UnitSpec(profile="orc", label="  Da\u202eBoyz\n", count=12), spec("gun"), spec("gun")]
    table = deploy(field(), {"south": specs}, PROFILES)
    assert [unit for unit in sorted(table.units) if unit.startswith("south")] == [
        "south-01-daboyz",
        "south-02-rock-lobber",
        "south-03-rock-lobber",
    ]
    assert table.units[UnitId("south-01-daboyz")].label == "DaBoyz"
    assert "south-01-daboyz-12" in table.models
    assert "south-02-rock-lobber" in table.models


def test_a_base_of_ones_own_replaces_that_of_the_profile() -> None:
    base = Round(mm(32), inches(1.25))
    table = deploy(field(), {"south": [UnitSpec(profile="orc", count=3, base=base)]}, PROFILES)
    assert {model.base for model in models_of(table, "south")} == {base}


def test_models_on_a_hill_stand_on_its_top() -> None:
    hill = lay_out('[[terrain]]\nkind = "hill"\nat = [36, 6]\nrectangle = [72, 12]', PROFILES)
    table = deploy(hill, {"south": [spec("orc", 20)]}, PROFILES)
    assert {model.pose.z for model in table.models.values()} == {inches(2)}


def test_it_is_the_same_each_time() -> None:
    army: dict[Seat, list[UnitSpec]] = {"south": [spec("orc", 20), spec("gun"), spec("orc", 20)]}
    assert deploy(field(), army, PROFILES) == deploy(field(), army, PROFILES)


def test_a_unit_that_does_not_fit_is_named() -> None:
    big = UnitSpec(profile="orc", label="Da Horde", count=200, wide=5)
    with pytest.raises(Refused, match=r"^Da Horde does not fit into the south deployment zone\.$"):
        deploy(field(), {"south": [spec("gun"), big]}, PROFILES)


def test_a_profile_nobody_knows_is_named() -> None:
    with pytest.raises(Refused, match=r"^No profile is called elf\.$"):
        deploy(field(), {"south": [spec("elf")]}, PROFILES)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.builds(
            UnitSpec,
            profile=st.sampled_from(list(PROFILES)),
            count=st.integers(1, 30),
            wide=st.none() | st.integers(1, 9),
        ),
        max_size=8,
    )
)
def test_whatever_is_set_up_is_set_up_well(specs: list[UnitSpec]) -> None:
    try:
        table = deploy(field(), {"north": specs}, PROFILES)
    except Refused:
        assume(False)
    else:
        check(table, "north", specs)


# ---------------------------------------------------------------- from outside


def test_specs_are_read_from_json() -> None:
    raw = [{"profile": "orc", "count": 20, "base": {"kind": "round", "diameter": 2500, "height": 12500}}]
    assert read_specs(raw) == (UnitSpec(profile="orc", count=20, base=Round(mm(25), inches(1.25))),)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "orc",
        [1],
        [{}],
        [{"profile": ""}],
        [{"profile": "orc", "count": 0}],
        [{"profile": "orc", "count": 201}],
        [{"profile": "orc", "count": True}],
        [{"profile": "orc", "count": 2.5}],
        [{"profile": "orc", "colour": "red"}],
        [{"profile": "orc", "wide": 0}],
        [{"profile": "orc", "base": {"kind": "round", "diameter": 0, "height": 1}}],
        [{"profile": "orc", "base": {"kind": "round", "diameter": 10**30, "height": 1}}],
        [{"profile": "orc"}] * 41,
        [{"profile": "orc", "count": 200}] * 4,
    ],
)
def test_specs_that_are_not_specs_are_refused_with_a_sentence(raw: object) -> None:
    with pytest.raises(Refused) as refused:
        read_specs(raw)
    assert refused.value.message.endswith(".")


def mine(**changes: object) -> dict[str, object]:
    base = {"kind": "rectangle", "width": 2500, "length": 2500, "height": 12500}
    return {"custom_ironclad": {"name": "Ironclad", "base": base, **changes}}


def test_a_custom_profile_is_added_to_the_known_ones() -> None:
    profiles = with_custom(mine(aliases=["orc"]), Profile, PROFILES)
    made = profiles[custom_key("ironclad")]
    assert made == draft(ORC, "Ironclad", ORC.base).__class__(name="Ironclad", base=ORC.base)
    assert {**profiles, "custom_ironclad": None} == {**PROFILES, "custom_ironclad": None}
    assert len(deploy(field(), {"south": [spec("custom_ironclad", 5)]}, profiles).units) == 2


@pytest.mark.parametrize(
    "raw",
    [
        [],
        {"orc": mine()["custom_ironclad"]},
        {"custom_": mine()["custom_ironclad"]} | {"custom_ x": mine()["custom_ironclad"]},
        mine(name="\u202e\n"),
        mine(name=3),
        mine(armour=3),
        mine(movement=-1),
        mine(movement=10**9),
        mine(movement=10**400),
        mine(base={"kind": "round", "diameter": 200_000, "height": 1}),
        {f"custom_{i}": mine()["custom_ironclad"] for i in range(61)},
    ],
)
def test_a_custom_profile_that_is_none_is_refused_with_a_sentence(raw: object) -> None:
    with pytest.raises(Refused) as refused:
        with_custom(raw, Profile, PROFILES)
    assert refused.value.message.endswith(".")
