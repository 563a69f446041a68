"""What is kept of machines and targets, and who may fire (ST-01 to ST-12, ST-61, ST-62)."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from server.engine.data import BadData
from server.engine.dice import D6
from server.engine.testing import asked, rolled
from server.geometry.shapes import Rectangle, Round
from server.geometry.units import degrees, inches, mm
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.fire import fire
from server.rules.stone_thrower.phases import phase_begins
from server.rules.stone_thrower.profiles import Profile, Weapon, profiles
from server.rules.stone_thrower.targets import firing_point, machines_to_fire, reach_of
from server.table.facts import ClockSet
from server.table.model import Clock, ModelId
from tests.rules.stone_thrower.scenes import (
    FORWARD,
    GUN,
    at,
    block,
    d6,
    declared,
    dice,
    forbidden,
    gun,
    lawful,
    measured,
    misfire,
    orc,
    orcs,
    round_orc,
    shoot,
    silent,
    single,
    stage,
    status,
    strengths,
    why,
)

# ---------------------------------------------------------------- what is kept (ST-01 to ST-05, section 11)

MACHINES = {
    "empire_mortar": ("Empire Mortar", "mortar", 7, 3, 3, 7, None),
    "empire_rocket_battery": ("Empire Rocket Battery", "rocket_launcher", 7, 3, 3, 7, None),
    "bretonnian_field_trebuchet": ("Bretonnian Field Trebuchet", "stone_thrower", 7, 4, 2, 5, 6),
    "dwarf_grudge_thrower": ("Dwarf Grudge Thrower", "stone_thrower", 7, 3, 3, 9, 6),
    "goblin_rock_lobber": ("Goblin Rock Lobber", "stone_thrower", 7, 3, 3, 6, None),
    "screaming_skull_catapult": ("Screaming Skull Catapult", "stone_thrower", 7, 3, 2, 5, None),
    "plagueclaw_catapult": ("Plagueclaw Catapult", "stone_thrower", 6, 4, 3, 7, None),
}

TARGETS = {
    "empire_halberdier": ((20, 20), 3, 1, 6, None, 7, True),
    "empire_knight": ((25, 50), 3, 1, 1, None, 8, True),
    "goblin": ((20, 20), 3, 1, 5, None, 6, True),
    "orc_boy": ((25, 25), 4, 1, 6, None, 7, True),
    "black_orc": ((25, 25), 4, 1, 5, None, 8, True),
    "chaos_warrior": ((25, 25), 4, 1, 3, None, 8, True),
    "dwarf_warrior": ((20, 20), 4, 1, 4, None, 9, True),
    "phoenix_guard": ((20, 20), 3, 1, 5, 4, 9, True),
    "ogre": ((40, 40), 4, 3, 6, None, 7, True),
    "troll": ((40, 40), 4, 3, None, None, 4, True),
    "treeman": ((50, 50), 6, 6, 3, None, 8, False),
    "stegadon": ((50, 100), 6, 5, 4, None, 6, False),
}


@pytest.mark.parametrize("key", MACHINES)
def test_st01_machines_of_section_11(key: str) -> None:
    profile = SYSTEM.profiles[key]
    assert profile.weapon is not None
    told = (
        profile.name,
        profile.weapon.kind,
        profile.toughness,
        profile.wounds,
        profile.ballistic_skill,
        profile.leadership,
        profile.save,
    )
    assert told == MACHINES[key]
    assert profile.base == Round(mm(60), inches(1.5))
    assert profile.status() == {"wounds": profile.wounds}


@pytest.mark.parametrize("key", TARGETS)
def test_st02_targets_of_section_11(key: str) -> None:
    profile = SYSTEM.profiles[key]
    (width, length), *told = TARGETS[key]
    assert isinstance(profile.base, Rectangle)
    assert (profile.base.width, profile.base.length) == (mm(width), mm(length))
    part = profile.parts[0]
    assert [part.toughness, part.wounds, part.save, part.ward, profile.leadership, profile.ranked] == told


def test_st02_the_steam_tank_is_immune_to_panic() -> None:
    profile = SYSTEM.profiles["steam_tank"]
    assert (profile.toughness, profile.wounds, profile.save, profile.immune_panic) == (6, 10, 1, True)
    assert profile.unit_status() == {"immune_panic": True}


def test_st02_every_profile_moves_and_has_a_card() -> None:
    for profile in SYSTEM.profiles.values():
        assert profile.movement > 0
        assert ("Movement", f"{profile.movement // 10000} inches") in profile.card()


def test_st02_a_ridden_model_counts_wounds_for_each_part() -> None:
    profile = SYSTEM.profiles["stegadon_ridden"]
    assert [part.name for part in profile.parts] == ["Stegadon with rider", "Rider"]
    assert profile.status() == {"wounds": 5, "wounds_2": 2}
    assert ("Rider: Wounds", "2") in profile.card()


def test_st01_all_statuses_are_declared() -> None:
    keys = {kind.key for kind in SYSTEM.statuses}
    assert len(keys) == len(SYSTEM.statuses)
    for profile in SYSTEM.profiles.values():
        assert keys >= {*profile.status(), *profile.unit_status()}
    assert keys >= {"moved", "fired", "silent_until", "engaged", "fleeing", "garrison", "pooled", "start", "panicked"}


def weapon(key: str) -> Weapon:
    found = SYSTEM.profiles[key].weapon
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("key", "high", "low", "radius", "chart"),
    [
        ("dwarf_grudge_thrower", 8, 4, 1.5, "stone_thrower"),
        ("empire_mortar", 6, 3, 2.5, "black_powder"),
        ("empire_rocket_battery", None, 4, 1.5, "black_powder"),
    ],
)
def test_st03_weapon_values(key: str, high: int | None, low: int, radius: float, chart: str) -> None:
    found = weapon(key)
    assert (found.least, found.most) == (inches(12), inches(48))
    assert (found.high, found.low, found.radius, found.misfire) == (high, low, inches(radius), chart)


def test_st03_a_machine_may_override_any_cell(tmp_path: Path) -> None:
    text = """
[weapons.mortar]
least = 12
most = 48
low = 3
high = 6
diameter = 5
misfire = "black_powder"
multiple_wounds = true

[profiles.big]
name = "Big"
base = 60
height = 1.5
movement = 4
kind = "mortar"
weapon = { most = 60, high = 7, diameter = 3 }
"""
    path = tmp_path / "profiles.toml"
    path.write_text(text, encoding="utf-8")
    found = profiles(path)["big"].weapon
    assert found is not None
    assert (found.least, found.most, found.high, found.low, found.radius) == (
        inches(12),
        inches(60),
        7,
        3,
        inches(1.5),
    )


@pytest.mark.parametrize(
    ("line", "place"),
    [("toughnes = 4", ":7: "), ("toughness = 'four'", ":7: "), ("toughness = 11", ":7: "), ("", ":2: ")],
)
def test_st03_a_wrong_line_stops_with_file_and_line(tmp_path: Path, line: str, place: str) -> None:
    name = "name = 'Big'" if line else "# no name"
    path = tmp_path / "profiles.toml"
    path.write_text(f"\n[profiles.big]\n{name}\nbase = 60\nheight = 1.5\nmovement = 4\n{line}\n", encoding="utf-8")
    with pytest.raises(BadData) as stopped:
        profiles(path)
    assert str(stopped.value).startswith(f"{path}{place}profiles.big: ")


def test_st04_the_high_hit_of_stone_thrower_and_mortar_multiplies() -> None:
    assert weapon("dwarf_grudge_thrower").multiple_wounds
    assert weapon("empire_mortar").multiple_wounds
    for machine in ("dwarf_grudge_thrower", "empire_mortar"):
        now = stage(gun(machine), single("treeman", "north", "treeman", 24, 30))
        done = shoot(now, "treeman", *dice(2), *d6(6, 1, 4) if machine == "empire_mortar" else d6(6, 4))
        assert status(done, "treeman", "wounds") == 4


def test_st05_a_rocket_never_multiplies() -> None:
    now = stage(gun("empire_rocket_battery"), single("treeman", "north", "treeman", 24, 30))
    done = shoot(now, "treeman", *dice(2), *d6(6, 1))
    assert strengths(done) == {"treeman": 4}
    assert status(done, "treeman", "wounds") == 5


def test_st05_rocket_multiple_wounds() -> None:
    now = stage(
        gun("empire_rocket_battery"), single("treeman", "north", "treeman", 24, 30), rocket_multiple_wounds=True
    )
    done = shoot(now, "treeman", *dice(2), *d6(6, 1, 6))
    assert strengths(done) == {"treeman": 4}
    assert status(done, "treeman", "wounds") == 3


# ---------------------------------------------------------------- who may fire (ST-06 to ST-10, ST-62)


def test_st06_a_confirmed_shot_is_used_up_whatever_the_dice_say() -> None:
    now = stage(gun(), orcs())
    assert machines_to_fire(now).models == (GUN,)
    misfire(now, orc(2, 1), rolled(D6, 6))
    assert silent(now) == {"gun": "ST-06"}


def test_st06_a_shot_that_is_not_confirmed_is_not_used_up() -> None:
    now = stage(gun(), orcs())
    before = now.table
    now.play(fire(now, GUN), *declared(orc(2, 1)), asked("ST-06", to="south").answer(False))
    assert now.table == before
    assert machines_to_fire(now).models == (GUN,)


def test_st06_the_confirmation_says_what_is_risked() -> None:
    now = stage(gun("empire_mortar"), orcs())
    done = misfire(now, orc(2, 1), rolled(D6, 6))
    assert done.questions[2].prompt == (
        "Fire gun at orcs 08, 29.02 inches away (direct, range 12-48)?"
        " 5 inch template, Strength 6 under the hole and 3 elsewhere. A misfire uses the Black Powder chart."
    )
    assert done.questions[2].default() is False  # CM-41


def test_st06_machines_fire_in_any_order_each_once() -> None:
    other = single("second", "south", "dwarf_grudge_thrower", 30, 2)
    now = stage(gun(), other, orcs())
    shoot(now, orc(2, 1), *dice(4, bearing=270), machine="second")
    assert machines_to_fire(now).models == (GUN,)
    shoot(now, orc(2, 1), *dice(4, bearing=270))
    assert silent(now) == {"gun": "ST-06", "second": "ST-06"}


def test_st06_flags_are_cleared_when_the_owners_turn_starts() -> None:
    theirs = single("lobber", "north", "goblin_rock_lobber", 40, 40, status={"fired": True})
    now = stage(gun(fired=True, moved=30000), theirs, orcs())
    now.change(ClockSet(Clock(2, 6, "south", "shooting"))).play(phase_begins(now))
    assert silent(now) == {"gun": "ST-06"}
    now.change(ClockSet(Clock(2, 6, "south", "movement"))).play(phase_begins(now))
    assert silent(now) == {}
    assert now.table.models[ModelId("lobber")].status["fired"] is True


def test_st06_another_phase_does_not_offer_fire() -> None:
    assert [action.phases for action in SYSTEM.actions] == [("shooting",)]
    assert [(phase.id, phase.moves) for phase in SYSTEM.phases] == [
        ("movement", True),
        ("shooting", False),
        ("combat", False),
    ]


@pytest.mark.parametrize("used", [1, 30000])
def test_st07_a_machine_that_moved_or_turned_may_not_fire(used: int) -> None:
    assert silent(stage(gun(moved=used), orcs())) == {"gun": "ST-07"}


def test_st08_a_machine_in_combat_may_not_fire() -> None:
    engaged = single("gun", "south", "dwarf_grudge_thrower", 24, 0, facing=0, flags={"engaged": True})
    assert silent(stage(engaged, orcs())) == {"gun": "ST-08"}


def test_st09_one_wound_is_enough_for_full_effect() -> None:
    done = shoot(stage(gun(wounds=1), orcs()), orc(2, 1), *dice(8), *d6(*[1] * 12))
    assert sorted(strengths(done).values()) == [4] * 11 + [8]


@pytest.mark.parametrize(("turn", "rule"), [(3, "ST-10"), (4, "ST-10"), (5, None)])
def test_st10_silent_through_the_turn_of_the_misfire(turn: int, rule: str | None) -> None:
    now = stage(gun(silent_until=4), orcs(), turn=turn)
    assert silent(now).get("gun") == rule


def test_st11_the_firing_point_is_the_centre_unless_the_profile_says() -> None:
    now = stage(gun(), orcs())
    assert firing_point(now, GUN, degrees(90)) == at(24, 0)
    now = stage(gun("forward", own=FORWARD), orcs())
    assert firing_point(now, GUN, degrees(90)) == at(25, 0)
    reach = reach_of(now, GUN)
    assert (reach.origin, reach.least, reach.most) == (at(24, 1), inches(12), inches(48))


def test_st12_firing_turns_the_machine_and_it_stays_turned() -> None:
    now = stage(gun(), round_orc("target", "north", 34, 20))
    shoot(now, "target", *dice(10, bearing=0))
    pose = now.table.models[GUN].pose
    assert pose.point == at(24, 0)
    assert pose.facing == degrees(26.57)


def test_st61_the_arc_is_tested_before_the_turn_and_range_after_it() -> None:
    far = gun("forward", own=FORWARD)
    assert forbidden(stage(far, round_orc("target", "north", 33, 10))) == {"target": "ST-15"}
    now = stage(far, round_orc("target", "north", 33, 11))
    done = shoot(now, "target", *dice(10, bearing=0))
    assert measured(done).distance == inches(12.7205)
    assert forbidden(stage(far, round_orc("target", "north", 40, 11))) == {"target": "ST-16"}


def test_st61_nothing_blocks_the_turn() -> None:
    neighbour = single("wall", "south", "empire_knight", 25.7, 1)
    now = stage(single("gun", "south", "long", 24, 0, facing=0, own=LONG), neighbour, orcs(), profiles={"long": LONG})
    shoot(now, orc(4, 3), *dice(10, bearing=0))
    assert now.table.models[GUN].pose.facing == degrees(3.58)


LONG = replace(SYSTEM.profiles["dwarf_grudge_thrower"], base=Rectangle(mm(60), mm(100), inches(1.5)))


def test_st62_a_machine_without_a_target_is_barred() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 5))
    assert silent(now) == {"gun": "ST-62"}


def test_st62_only_a_mode_with_a_target_is_offered() -> None:
    hidden = stage(gun(), round_orc("target", "north", 24, 30), block("wall", "north", "treeman", 1, (24, 20)))
    done = hidden.play(
        fire(hidden, GUN),
        asked("ST-13", to="south").answer("direct"),
        asked("ST-14").answer("wall"),
        asked("ST-06").answer(False),
    )
    assert len(done.questions) == 3
    assert lawful(hidden) == ["wall"]


def test_st62_machines_that_cannot_shoot_here_are_not_listed() -> None:
    now = stage(single("cannon", "south", "dwarf_cannon", 20, 2), orcs())
    offered = machines_to_fire(now)
    assert offered.models == ()
    assert offered.barred == ()


def test_p1_reasons_carry_a_sentence() -> None:
    now = stage(gun(silent_until=2), orcs())
    (barred,) = machines_to_fire(now).barred
    assert barred.why == "After its misfire it may not fire through turn 2."
    assert machines_to_fire(now).reach is not None
    assert why(stage(gun(), round_orc("target", "north", 24, 5)), "target") == "4.51 inches away: nearer than 12."


def test_system_is_whole() -> None:
    assert isinstance(SYSTEM.profiles["goblin"], Profile)
    assert {action.name for action in SYSTEM.actions} == {"fire"}
    for action in SYSTEM.actions:
        assert set(action.rules) <= set(SYSTEM.rules)
    assert {"faces_a_block", "karak_gate"} <= {scenario.id for scenario in SYSTEM.scenarios}
