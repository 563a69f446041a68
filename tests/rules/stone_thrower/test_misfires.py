"""The shot that goes wrong (ST-33 to ST-38)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.engine.dice import D6
from server.engine.testing import Stage, rolled
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.phases import phase_begins
from server.rules.stone_thrower.targets import machines_to_fire
from server.table.facts import ClockSet
from server.table.model import Clock
from tests.rules.stone_thrower.scenes import (
    GUN,
    d6,
    gone,
    gun,
    hits,
    misfire,
    orc,
    orcs,
    silent,
    single,
    stage,
    status,
)

TARGET = orc(2, 1)


def test_st33_a_misfire_of_one_destroys_the_machine() -> None:
    done = misfire(stage(gun(), orcs()), TARGET, *d6(1))
    assert gone(done) == ["gun"]
    assert done.outcomes("destroyed") == [GUN]


@pytest.mark.parametrize("face", [2, 3])
def test_st33_two_or_three_disables(face: int) -> None:
    done = misfire(stage(gun(), orcs(), turn=2), TARGET, *d6(face))
    assert status(done, "gun", "wounds") == 2
    assert status(done, "gun", "silent_until") == 3
    assert done.outcomes("disabled") == [GUN]


@pytest.mark.parametrize("face", [4, 5, 6])
@pytest.mark.parametrize("machine", ["dwarf_grudge_thrower", "empire_mortar", "empire_rocket_battery"])
def test_st33_and_st34_four_or_more_only_loses_the_shot(machine: str, face: int) -> None:
    now = stage(gun(machine), orcs())
    done = misfire(now, TARGET, *d6(face))
    assert status(done, "gun", "wounds") == 3
    assert status(done, "gun", "silent_until") is None
    now.change(ClockSet(Clock(2, 6, "south", "movement"))).play(phase_begins(now))
    assert machines_to_fire(now).models == (GUN,)


@pytest.mark.parametrize("machine", ["empire_mortar", "empire_rocket_battery"])
def test_st34_black_powder_destroys_on_one(machine: str) -> None:
    assert gone(misfire(stage(gun(machine), orcs()), TARGET, *d6(1))) == ["gun"]


@pytest.mark.parametrize("face", [2, 3])
@pytest.mark.parametrize("machine", ["empire_mortar", "empire_rocket_battery"])
def test_st34_a_malfunction_costs_no_wound(machine: str, face: int) -> None:
    done = misfire(stage(gun(machine), orcs(), turn=4), TARGET, *d6(face))
    assert status(done, "gun", "wounds") == 3
    assert status(done, "gun", "silent_until") == 5
    assert done.outcomes("malfunction") == [GUN]


def test_st35_silent_in_n_and_n_plus_1_and_free_in_n_plus_2() -> None:
    now = stage(gun(), orcs(), turn=3)
    misfire(now, TARGET, *d6(2))
    for turn, rule in ((4, "ST-10"), (5, None)):
        now.change(ClockSet(Clock(turn, 6, "south", "movement")))
        now.play(phase_begins(now))
        assert silent(now).get("gun") == rule
    assert "silent_until" not in now.table.models[GUN].status


def test_st35_the_marker_stays_until_then() -> None:
    marker = next(kind for kind in SYSTEM.statuses if kind.key == "silent_until")
    assert (marker.shown, marker.label) == ("badge", "May not fire through turn")
    now = stage(gun(), orcs(), turn=3)
    misfire(now, TARGET, *d6(3))
    now.change(ClockSet(Clock(4, 6, "south", "movement"))).play(phase_begins(now))
    assert now.table.models[GUN].status["silent_until"] == 4


def warded(**flags: int) -> Stage:
    own = replace(SYSTEM.profiles["dwarf_grudge_thrower"], wards=(5,))
    return stage(gun("warded", own=own, **flags), orcs(), profiles={"warded": own})


@pytest.mark.parametrize(("face", "left"), [(4, 2), (5, 3)])
def test_st36_a_ward_save_may_stop_the_wound_but_not_the_silence(face: int, left: int) -> None:
    done = misfire(warded(), TARGET, *d6(2), *d6(face))
    assert status(done, "gun", "wounds") == left
    assert status(done, "gun", "silent_until") == 2


def test_st36_no_armour_save_is_rolled() -> None:
    assert SYSTEM.profiles["dwarf_grudge_thrower"].save == 6
    done = misfire(stage(gun(), orcs()), TARGET, rolled(D6, 2))
    assert status(done, "gun", "wounds") == 2


def test_st36_the_last_wound_takes_it_off() -> None:
    done = misfire(stage(gun(wounds=1), orcs()), TARGET, *d6(3))
    assert gone(done) == ["gun"]
    assert status(done, "gun", "silent_until") is None


def test_st37_destruction_ends_the_shot_and_other_machines_still_fire() -> None:
    now = stage(gun(), single("second", "south", "dwarf_grudge_thrower", 30, 2), orcs())
    done = misfire(now, TARGET, *d6(1))
    assert hits(done) == []
    assert done.table.templates == {}
    assert machines_to_fire(now).models == ("second",)


def test_st38_nobody_near_is_hurt() -> None:
    neighbour = single("thane", "south", "dwarf_thane", 25.6, 0.5)
    done = misfire(stage(gun(), neighbour, orcs()), TARGET, *d6(1))
    assert gone(done) == ["gun"]
    assert hits(done) == []
