"""Listed units find their profiles, or the page learns what to ask."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from server.engine.custom import with_custom
from server.engine.deploy import UnitSpec, deploy, read_specs
from server.engine.layout import lay_out
from server.engine.names import words
from server.engine.profiles import Profile
from server.geometry.shapes import Base, Rectangle, Round
from server.geometry.units import inches, mm
from server.imports import ArmyList, ListedUnit, MatchedUnit, match_army, read_army
from server.imports.match import sort_of
from server.rules.stone_thrower.profiles import Profile as StoneProfile
from server.rules.stone_thrower.profiles import profiles as stone_profiles

FIXTURES = Path(__file__).parent.parent / "fixtures"

SQUARE = Rectangle(mm(20), mm(20), inches(1.25))
WARRIOR = Profile(name="Dwarf Warrior", base=SQUARE, movement=inches(3))
THROWER = Profile(name="Dwarf Grudge Thrower", base=Round(mm(60), inches(1.5)))
MORTAR = Profile(name="Empire Mortar", base=Round(mm(60), inches(1.5)))
ORC = Profile(name="Orc Boy", base=Rectangle(mm(25), mm(25), inches(1.25)), aliases=("greenskin-mob",))
KNIGHT = Profile(name="Empire Knight", base=Rectangle(mm(25), mm(50), inches(1.75)))
PROFILES = {
    "dwarf_warrior": WARRIOR,
    "dwarf_grudge_thrower": THROWER,
    "empire_mortar": MORTAR,
    "orc_boy": ORC,
    "empire_knight": KNIGHT,
}


def match(name: str, army: str = "", **changes: object) -> MatchedUnit:
    unit = msgspec.convert({"key": name.lower(), "name": name, **changes}, ListedUnit)
    (found,) = match_army(ArmyList(title="T", army=army, units=(unit,)), PROFILES).units
    return found


@pytest.mark.parametrize(
    ("name", "army", "profile"),
    [
        ("Dwarf Warriors", "", "dwarf_warrior"),
        ("dwarf-warrior", "", "dwarf_warrior"),
        ("Orc Boyz", "", "orc_boy"),
        ("Greenskin Mobs", "", "orc_boy"),
        ("Grudge Thrower", "", "dwarf_grudge_thrower"),
        ("Warriors", "dwarfen-mountain-holds", "dwarf_warrior"),
        ("Warriors", "", None),
        ("Mortar", "empire-of-man", "empire_mortar"),
        ("Mortar", "dwarfen-mountain-holds", None),
        ("Chaos Warriors", "dwarfen-mountain-holds", None),
        ("Slayers", "dwarfen-mountain-holds", None),
    ],
)
def test_a_unit_finds_its_profile_by_name_and_people(name: str, army: str, profile: str | None) -> None:
    assert match(name, army).profile == profile


def test_a_known_unit_asks_nothing_and_has_the_base_of_its_profile() -> None:
    unit = match("Dwarf Warriors", count=20, gear=["Shield"], notes="Stubborn", points=160)
    assert (unit.asks, unit.draft, unit.draft_key, unit.base) == ((), None, None, SQUARE)
    assert (unit.count, unit.gear, unit.notes, unit.points) == (20, ("Shield",), "Stubborn", 160)


def test_an_unknown_unit_asks_and_starts_from_a_likely_profile() -> None:
    unit = match("Mortar", "dwarfs")
    assert unit.asks == ("base", "characteristics")
    assert unit.suggestions == ("empire_mortar",)
    assert unit.draft_key == "custom_mortar"
    assert unit.draft is not None
    assert unit.draft["name"] == "Mortar"
    assert msgspec.convert(unit.draft, Profile).base == Round(mm(60), inches(1.5))


@pytest.mark.parametrize(
    ("name", "category", "gear", "base"),
    [
        ("Slayers", "core", [], Rectangle(mm(25), mm(25), inches(1.25))),
        ("Boar Riders", "core", [], Rectangle(mm(25), mm(50), inches(1.75))),
        ("Bolt Thrower", "rare", [], Round(mm(60), inches(1.5))),
        ("Hydra", "rare", [], Rectangle(mm(50), mm(100), inches(3))),
        ("Stone Trolls", "rare", [], Rectangle(mm(40), mm(40), inches(2))),
        ("Warboss", "characters", ["War boar"], Rectangle(mm(25), mm(50), inches(1.75))),
        ("Warboss", "characters", ["Wyvern"], Rectangle(mm(50), mm(100), inches(3))),
        ("Goblins", "core", ["Boar spear"], Rectangle(mm(25), mm(25), inches(1.25))),
    ],
)
def test_an_unknown_unit_has_the_base_that_is_usual_for_its_sort(
    name: str, category: str, gear: list[str], base: Base
) -> None:
    unit = match(name, category=category, gear=gear)
    assert unit.profile is None
    assert unit.base == base
    assert base in unit.bases


def test_thirty_handgunners_are_no_machines() -> None:
    assert sort_of(ListedUnit(key="organ-gun", name="Organ Gun")) == "machine"
    assert sort_of(ListedUnit(key="gun-mob", name="Gun Mob", count=30)) == "infantry"


def test_words_are_the_same_however_they_are_written() -> None:
    assert words("Orc Boyz") == words("orc_boy") == words("ORC-BOYS") == ("orc", "boy")
    assert words("Halbardiers d'Élite") == ("halbardier", "delite")
    assert words("Treemen, Wolves & Furies") == ("treeman", "wolf", "fury")


def test_the_dwarf_list_is_matched_and_set_up() -> None:
    army = read_army((FIXTURES / "list_dwarfs_stone_thrower.owb.json").read_bytes())
    known = stone_profiles()
    matched = match_army(army, known)
    assert matched.models == sum(unit.count for unit in matched.units) == 38
    assert [unit.profile for unit in matched.units].count("dwarf_grudge_thrower") == 2
    assert [unit.profile for unit in matched.units][2:4] == ["dwarf_warrior", "dwarf_quarreller"]
    posted = msgspec.to_builtins(
        [UnitSpec(profile=u.profile or "", label=u.name, count=u.count) for u in matched.units]
    )
    table = deploy(lay_out("", known), {"south": read_specs(posted)}, known)
    assert len(table.models) == 38


def test_what_the_page_gets_for_an_unknown_unit_can_be_posted_back() -> None:
    known = stone_profiles()
    army = ArmyList(title="T", units=(ListedUnit(key="slayers", name="Slayers", count=10),))
    (unit,) = msgspec.json.decode(msgspec.json.encode(match_army(army, known)))["units"]
    profiles = with_custom({unit["draft_key"]: unit["draft"]}, StoneProfile, known)
    specs = read_specs([{"profile": unit["draft_key"], "label": unit["name"], "count": unit["count"]}])
    table = deploy(lay_out("", known), {"north": specs}, profiles)
    assert len(table.models) == 10
    assert profiles["custom_slayers"].weapon is None
