"""Pasted lists in the manners of the common builders."""

from __future__ import annotations

import pytest

from server.imports import ArmyList, ListedUnit, read_army

OLD_WORLD_BUILDER = """
===
Hold garrison [1000 pts]
Warhammer: The Old World, Dwarfen Mountain Holds
===

++ Characters [60 pts] ++

Thane [60 pts]
- Hand weapon
- Full plate armour, Shield

++ Core Units [268 pts] ++

20 Dwarf Warriors [160 pts]
- Hand weapons
- Heavy armour

12 Quarrellers [108 pts]
- Crossbows

---
Created with "Old World Builder"

[https://old-world-builder.com]
"""

BATTLESCRIBE = """
++ Army Roster (Empire) [1,000pts] ++

+ Core +

Halberdiers [8 PL, 120pts]: Musician, Standard bearer
. 19x Halberdier: Halberd, Light armour
20x Swordsmen [-5pts]

+ Special +

Mortar {empire} [100 Points]: Crew
"""

KINGS_OF_WAR = """
Ironclad, Regiment (20), Infantry, Headstrong
Ironwatch, Troop, Infantry
Brock Riders, Regiment, Cavalry, Thunderous Charge (2)
Ogres, Horde, Large Infantry
Organ Gun, 1, War Engine, Blast (D3)
Warsmith, Individual
"""


def read(text: str) -> ArmyList:
    return read_army(text.encode(), "list.txt")


def test_the_text_of_old_world_builder() -> None:
    army = read(OLD_WORLD_BUILDER)
    assert (army.title, army.game) == ("Hold garrison", "Warhammer: The Old World, Dwarfen Mountain Holds")
    assert army.warnings == ()
    assert [(u.name, u.count, u.points, u.category, u.gear) for u in army.units] == [
        ("Thane", 1, 60, "characters", ("Hand weapon", "Full plate armour", "Shield")),
        ("Dwarf Warriors", 20, 160, "core", ("Hand weapons", "Heavy armour")),
        ("Quarrellers", 12, 108, "core", ("Crossbows",)),
    ]


def test_the_text_of_battlescribe() -> None:
    army = read(BATTLESCRIBE)
    assert (army.title, army.warnings) == ("Army Roster (Empire)", ())
    assert [(u.name, u.count, u.points, u.category) for u in army.units] == [
        ("Halberdiers", 1, 120, "core"),
        ("Swordsmen", 20, -5, "core"),
        ("Mortar", 1, 100, "special"),
    ]
    assert army.units[0].gear == ("Musician", "Standard bearer", "Halberd", "Light armour")


def test_one_line_a_unit_with_sizes_in_words() -> None:
    army = read(KINGS_OF_WAR)
    assert [(u.name, u.count) for u in army.units] == [
        ("Ironclad", 20),
        ("Ironwatch", 10),
        ("Brock Riders", 10),
        ("Ogres", 6),
        ("Organ Gun", 1),
        ("Warsmith", 1),
    ]
    assert army.units[0].notes == "Infantry, Headstrong"
    assert army.warnings == (
        "Ironwatch: a troop was taken as 10 models.",
        "Brock Riders: a regiment was taken as 10 models.",
        "Ogres: a horde was taken as 6 models.",
    )
    assert army.title == "list"


@pytest.mark.parametrize(
    "line", ["20 Goblins", "20x Goblins", "20 x Goblins", "20× Goblins", "Goblins x20", "Goblins (20)", "Goblins, 20"]
)
def test_the_count_may_stand_before_or_behind(line: str) -> None:
    (unit,) = read(line).units
    assert unit == ListedUnit(key="goblins", name="Goblins", count=20)


def test_a_line_that_tells_nothing_is_named_and_the_rest_is_read() -> None:
    army = read("- a stray axe\nDear opponent\n5 Trolls\n")
    assert [unit.name for unit in army.units] == ["Trolls"]
    assert army.warnings == ("Not understood: a stray axe", "Not understood: Dear opponent")


def test_points_that_are_not_told_are_unknown() -> None:
    assert read("5 Trolls").units[0].points is None
    assert read("5 Trolls [0 pts]").units[0].points == 0
