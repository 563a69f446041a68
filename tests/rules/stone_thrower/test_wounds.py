"""To wound, saves, multiple wounds and the order of the dice (ST-47 to ST-53, ST-64)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.engine.dice import ARTILLERY, BEARING, D6, SCATTER, sided
from server.engine.requests import Modifier, Roll
from server.engine.testing import Stage, rolled
from server.rules.stone_thrower import SYSTEM
from tests.rules.stone_thrower.scenes import (
    block,
    d6,
    dice,
    gone,
    gun,
    house,
    misfire,
    orc,
    orcs,
    picked,
    round_orc,
    shoot,
    single,
    stage,
    status,
    unit_status,
)


def facing(toughness: int = 4, wounds: int = 6, save: int | None = None, wards: tuple[int, ...] = ()) -> Stage:
    """The machine and one monster with these characteristics at 30 inches."""
    own = replace(SYSTEM.profiles["treeman"], toughness=toughness, wounds=wounds, save=save, wards=wards)
    return stage(gun(), single("beast", "north", "beast", 24, 30, own=own), profiles={"beast": own})


@pytest.mark.parametrize(("toughness", "needed"), [(4, 2), (6, 2), (7, 3), (8, 4), (9, 5), (10, 6)])
def test_st47_needed_against_strength_8(toughness: int, needed: int) -> None:
    short = shoot(facing(toughness=toughness), "beast", *dice(2), *d6(needed - 1))
    assert status(short, "beast", "wounds") == 6
    enough = shoot(facing(toughness=toughness), "beast", *dice(2), *d6(needed, 1))
    assert status(enough, "beast", "wounds") == 5


def test_st47_the_die_names_strength_and_toughness() -> None:
    done = shoot(facing(toughness=7), "beast", *dice(2), *d6(1))
    roll = [request for request in done.requests if isinstance(request, Roll)][-1]
    assert roll.purpose == "to wound 3+: Strength 8 against Toughness 7"
    assert roll.refs == ("beast",)


def test_st47_to_wound_chart() -> None:
    def against(chart: str) -> Stage:
        own = replace(SYSTEM.profiles["treeman"], toughness=8)
        beast = single("beast", "north", "beast", 24, 32.2, own=own)
        target = round_orc("target", "north", 24, 30)
        return stage(gun(), target, beast, profiles={"beast": own}, to_wound_chart=chart)

    done = shoot(against("6_always_wounds"), "target", *dice(2), *d6(1), *d6(6), *d6(1))
    assert status(done, "beast", "wounds") == 5
    older = shoot(against("older_no_effect_at_T_minus_S_4"), "target", *dice(2), *d6(1))
    assert [note.text for note in older.noted("ST-47")] == ["No effect: Strength 4 against Toughness 8."]
    assert status(older, "beast", "wounds") == 6


@pytest.mark.parametrize(("save", "face", "saved"), [(1, 5, False), (1, 6, True)])
def test_st49_strength_8_costs_five(save: int, face: int, saved: bool) -> None:
    rest = [] if saved else d6(1)
    done = shoot(facing(save=save), "beast", *dice(2), *d6(2), *d6(face), *rest)
    assert status(done, "beast", "wounds") == (6 if saved else 5)


def test_st49_above_6_there_is_no_save_and_the_log_says_why() -> None:
    done = shoot(facing(save=2), "beast", *dice(2), *d6(2), *d6(1))
    (said,) = done.noted("ST-49")
    assert said.modifiers == (Modifier(-5, "Strength 8"),)


def test_st49_a_one_always_fails() -> None:
    knight = single("knight", "north", "knight", 25.5, 30, own=UNRANKED_KNIGHT)
    now = stage(gun(), round_orc("target", "north", 24, 30), knight, profiles={"knight": UNRANKED_KNIGHT}, panic="off")
    done = shoot(now, "target", *dice(2), *d6(1), *d6(6, 1))
    assert gone(done) == ["knight"]


UNRANKED_KNIGHT = replace(SYSTEM.profiles["empire_knight"], ranked=False)


@pytest.mark.parametrize(("face", "lost"), [(1, True), (2, False)])
def test_st49_a_save_of_1_against_strength_4_needs_2(face: int, lost: bool) -> None:
    knight = single("knight", "north", "knight", 25.5, 30, own=UNRANKED_KNIGHT)
    now = stage(gun(), round_orc("target", "north", 24, 30), knight, profiles={"knight": UNRANKED_KNIGHT}, panic="off")
    done = shoot(now, "target", *dice(2), *d6(1), *d6(3), *d6(face))
    assert (gone(done) == ["knight"]) is lost


def test_st50_a_ward_follows_an_impossible_armour_save_unmodified() -> None:
    done = shoot(facing(save=3, wards=(4,)), "beast", *dice(2), *d6(2), *d6(4))
    assert status(done, "beast", "wounds") == 6


def test_st50_a_ward_follows_a_failed_armour_save() -> None:
    done = shoot(facing(save=1, wards=(4,)), "beast", *dice(2), *d6(2), *d6(5), *d6(3), *d6(1))
    assert status(done, "beast", "wounds") == 5


def test_st50_a_saved_wound_needs_no_ward() -> None:
    done = shoot(facing(save=1, wards=(4,)), "beast", *dice(2), *d6(2), *d6(6))
    assert status(done, "beast", "wounds") == 6


def test_st50_the_better_ward_counts_and_a_one_fails() -> None:
    assert status(shoot(facing(wards=(5, 3)), "beast", *dice(2), *d6(2, 3)), "beast", "wounds") == 6
    assert status(shoot(facing(wards=(1,)), "beast", *dice(2), *d6(2, 1), *d6(1)), "beast", "wounds") == 5


@pytest.mark.parametrize(("face", "wounds"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_st51_a_wound_of_the_high_hit_becomes_d3(face: int, wounds: int) -> None:
    done = shoot(facing(), "beast", *dice(2), *d6(2), *d6(face))
    assert status(done, "beast", "wounds") == 6 - wounds


def test_st51_low_wounds_stay_one() -> None:
    own = replace(SYSTEM.profiles["treeman"], toughness=4, save=None)
    beast = single("beast", "north", "beast", 24, 32, own=own)
    now = stage(gun(), round_orc("target", "north", 24, 30), beast, profiles={"beast": own})
    done = shoot(now, "target", *dice(2), *d6(1), *d6(4))
    assert status(done, "beast", "wounds") == 5


def test_st52_wounds_beyond_the_last_are_lost() -> None:
    now = facing(wounds=2)
    done = shoot(now, "beast", *dice(2), *d6(2), *d6(6))
    assert gone(done) == ["beast"]
    assert done.noted("ST-52")[0].text == "3 wounds, 1 of them lost."


def test_st52_no_d3_against_the_last_wound() -> None:
    done = shoot(facing(wounds=1), "beast", *dice(2), *d6(2))
    assert gone(done) == ["beast"]


def test_st53_a_model_without_wounds_is_a_casualty() -> None:
    done = shoot(facing(wounds=3), "beast", *dice(2), *d6(2), *d6(5))
    assert status(done, "beast", "wounds") == 0
    assert gone(done) == ["beast"]


def test_st64_order_of_the_dice_of_a_misfire() -> None:
    own = replace(SYSTEM.profiles["dwarf_grudge_thrower"], wards=(5,))
    done = misfire(stage(gun("warded", own=own), orcs(), profiles={"warded": own}), orc(2, 1), *d6(2), *d6(5))
    assert [roll.rule for roll in done.requests if isinstance(roll, Roll)][3:] == ["ST-33", "ST-36"]


def test_st64_order_of_the_dice_of_a_shot() -> None:
    inside = block("inside", "north", "goblin", 3, (27.2, 30), flags={"garrison": "house"})
    beast = single("beast", "north", "stegadon_ridden", 24, 30.5, facing=0)
    under_the_hole, target = round_orc("ant", "north", 24, 30.4), round_orc("target", "north", 24, 20)
    now = stage(gun(), inside, beast, under_the_hole, target, terrain=[house(27.2, 30, 4, 4)], panic="off")
    done = shoot(
        now,
        "target",
        *dice(10, bearing=0),
        *picked(2, 2),  # the hole model: ant or beast
        *d6(5),  # which part of the beast: its rider
        *d6(1),  # hits on the garrison
        *d6(1),  # the mount, at Strength 4
        *d6(2, 3),  # its rider, at Strength 8: to wound, D3
        *d6(1),  # the ant
        *d6(3, 6),  # the garrison, last: to wound, armour save
    )
    rules = [roll.rule for roll in done.requests if isinstance(roll, Roll)][3:]
    assert rules == ["ST-39", "ST-44", "ST-46", "ST-47", "ST-47", "ST-51", "ST-47", "ST-47", "ST-49"]
    assert status(done, "beast", "wounds_2") == 0


def test_st64_dice_that_cannot_matter_are_not_rolled() -> None:
    rocket = stage(gun("empire_rocket_battery"), orcs())
    done = shoot(rocket, orc(2, 1), *dice(2, bearing=45), *d6(*[1] * 9))
    assert [roll.die for roll in done.requests if isinstance(roll, Roll)][:4] == [SCATTER, BEARING, ARTILLERY, D6]
    multiplying = stage(gun("empire_rocket_battery"), orcs(), rocket_multiple_wounds=True)
    done = shoot(multiplying, orc(2, 1), *dice(2, bearing=45), *picked(4, 1), *d6(*[1] * 9))
    assert sided(4) in [roll.die for roll in done.requests if isinstance(roll, Roll)]


def test_st64_casualties_then_the_other_players_panic_then_ones_own() -> None:
    own = replace(SYSTEM.profiles["goblin"], ranked=False, save=None)
    theirs = block("theirs", "north", "snot", 2, (23.4, 32.5), wide=2, own=own)
    ours = block("ours", "south", "snot", 2, (24.6, 33.4), wide=2, own=own)
    target = round_orc("target", "north", 24, 23)
    now = stage(gun(), target, theirs, ours, profiles={"snot": own}, panic_move="mark_only")
    fails = rolled(D6, 6, 6)
    done = shoot(now, "target", *dice(10, bearing=0), *d6(2), *d6(1), *d6(3), *d6(1), fails, fails)
    assert gone(done) == ["ours-01", "theirs-01"]
    assert [note.text.split()[0] for note in done.noted("ST-57")] == ["theirs", "ours"]
    assert unit_status(done, "ours", "fleeing") is True
