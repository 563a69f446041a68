"""Heavy casualties, panic and flight (ST-57 to ST-60, ST-65)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.engine.dice import D6
from server.engine.questions import Choose
from server.engine.testing import Stage, asked, rolled
from server.geometry.units import degrees, inches
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.flight import feared
from server.rules.stone_thrower.phases import phase_begins
from server.table.facts import ClockSet, ModelsRemoved, UnitStatusSet
from server.table.model import Clock, ModelId, Terrain, UnitId
from tests.rules.stone_thrower.scenes import (
    Members,
    at,
    block,
    d6,
    dice,
    gone,
    gun,
    house,
    misfire,
    reloaded,
    round_orc,
    shoot,
    shoot_roof,
    single,
    stage,
    unit_status,
)

LOOSE = replace(SYSTEM.profiles["goblin"], name="Loose Goblin", ranked=False, save=None)


def goblins(count: int, x: float = 24, y: float = 30, name: str = "gobs", **flags: bool | int) -> Members:
    """Goblins far enough from each other that a shot strikes only the one aimed at."""
    return block(name, "north", "loose", count, (x, y), wide=count, spacing=3, own=LOOSE, flags=flags)


def before(*units: Members, terrain: tuple[Terrain, ...] = (), **options: str | bool) -> Stage:
    now = stage(gun(), *units, terrain=terrain, profiles={"loose": LOOSE})
    return Stage(SYSTEM, now.now, replace(now.options, **options), now.profiles, "south")


KILLS = [*dice(2), *d6(2)]
FAILS, HOLDS = rolled(D6, 6, 6), rolled(D6, 3, 3)


@pytest.mark.parametrize(("count", "tests"), [(1, False), (2, True), (4, True), (5, False)])
def test_st57_a_quarter_lost_makes_it_test(count: int, tests: bool) -> None:
    done = shoot(before(goblins(count)), f"gobs-{1:02}" if count > 1 else "gobs", *KILLS, *([HOLDS] if tests else []))
    assert (unit_status(done, "gobs", "panicked") is True) is tests


def test_st57_counts_from_the_start_of_the_phase_and_adds_up() -> None:
    now = before(goblins(5, start=5))
    shoot(now, "gobs-03", *KILLS)
    done = shoot(reloaded(now), "gobs-04", *KILLS, HOLDS)
    assert done.noted("ST-57")[0].text == "gobs must test for panic: 2 of 5 models lost this phase."


def test_st57_a_unit_wiped_out_does_not_test() -> None:
    done = shoot(before(goblins(1)), "gobs", *KILLS)
    assert gone(done) == ["gobs"]


def test_st57_the_start_is_recorded_when_a_phase_begins() -> None:
    now = before(goblins(5, panicked=True))
    now.change(UnitStatusSet(UnitId("gobs"), "losses", "2 gun"), ModelsRemoved((ModelId("gobs-05"),)))
    now.change(ClockSet(Clock(1, 6, "south", "shooting")))
    done = now.play(phase_begins(now))
    assert unit_status(done, "gobs", "start") == 4
    assert unit_status(done, "gobs", "panicked") is None
    assert unit_status(done, "gobs", "losses") is None


@pytest.mark.parametrize(("faces", "flees"), [((3, 3), False), ((4, 3), True)])
def test_st58_two_dice_within_leadership_pass(faces: tuple[int, int], flees: bool) -> None:
    now = before(goblins(2), panic_move="mark_only")
    done = shoot(now, "gobs-01", *KILLS, rolled(D6, *faces))
    assert (unit_status(done, "gobs", "fleeing") is True) is flees
    assert unit_status(done, "gobs", "panicked") is True


@pytest.mark.parametrize("flag", ["fleeing", "immune_panic", "panicked"])
def test_st58_who_does_not_test(flag: str) -> None:
    now = before(goblins(2)).change(UnitStatusSet(UnitId("gobs"), flag, value=True))
    done = shoot(now, "gobs-01", *KILLS)
    assert gone(done) == ["gobs-01"]


def test_st58_engaged_units_do_not_test() -> None:
    fighting = goblins(2, engaged=True)
    above = fighting[1][0].pose.x / 10000
    done = shoot(before(fighting, round_orc("other", "north", above, 20)), "other", *dice(10, bearing=0), *d6(2))
    assert gone(done) == ["gobs-01"]
    assert unit_status(done, "gobs", "panicked") is None


def test_st58_the_steam_tank_never_tests() -> None:
    worn, unflagged = {"wounds": 1}, {"immune_panic": False}
    tanks = block("tanks", "north", "steam_tank", 2, (24, 30), wide=2, spacing=4, status=worn, flags=unflagged)
    done = shoot(stage(gun(), tanks), "tanks-01", *dice(2), *d6(2), *d6(5))
    assert gone(done) == ["tanks-01"]


def test_st58_one_test_for_each_unit_in_a_phase() -> None:
    now = before(goblins(8, start=8), panic_move="mark_only")
    shoot(now, "gobs-03", *KILLS)
    shoot(reloaded(now), "gobs-04", *KILLS, HOLDS)
    done = shoot(reloaded(now), "gobs-05", *KILLS)
    assert len(gone(done)) == 3


def test_st58_panic_off() -> None:
    done = shoot(before(goblins(2), panic="off"), "gobs-01", *KILLS)
    assert unit_status(done, "gobs", "panicked") is None
    assert unit_status(shoot(before(goblins(2), panic="on"), "gobs-01", *KILLS, HOLDS), "gobs", "panicked") is True


def test_st58_the_owner_orders_several_tests() -> None:
    first, second = goblins(2, 24, 30, "anna"), goblins(2, 24, 31.2, "bert")
    now = before(first, second, panic_move="mark_only")
    choice = asked("ST-58", to="north").answer("bert")
    done = shoot(now, "anna-01", *dice(2), *d6(2), *d6(3), choice, HOLDS, FAILS)
    assert unit_status(done, "bert", "fleeing") is None
    assert unit_status(done, "anna", "fleeing") is True
    question = done.questions[-1]
    assert isinstance(question, Choose)
    assert [option.note for option in question.options] == ["1 of 2 models lost this phase; Leadership 6"] * 2


def test_st59_a_unit_that_fails_flees_from_who_cost_it_most() -> None:
    now = before(goblins(2))
    left = now.table.models[ModelId("gobs-02")].pose
    done = shoot(now, "gobs-01", *KILLS, FAILS, rolled(D6, 2, 3))
    moved = done.table.models[ModelId("gobs-02")].pose
    assert unit_status(done, "gobs", "fleeing") is True
    away = ((left.x - 240000) / 10000, left.y / 10000)
    size = (away[0] ** 2 + away[1] ** 2) ** 0.5
    assert moved.x == pytest.approx(left.x + 50000 * away[0] / size, abs=10)
    assert moved.y == pytest.approx(left.y + 50000 * away[1] / size, abs=10)
    assert abs(moved.facing - degrees(3.45)) < 500


def test_st59_the_unit_turns_about_its_centre() -> None:
    own = replace(LOOSE, ranked=True)
    mob = block("mob", "north", "mob", 4, (24, 30), wide=2, own=own, facing=180)
    now = stage(gun(), mob, profiles={"mob": own})
    rear = asked("ST-55").answer(["mob-04"])
    done = shoot(now, "mob-01", *dice(2), *d6(2), *d6(1, 1, 1), rear, FAILS, rolled(D6, 1, 1))
    poses = [done.table.models[ModelId(f"mob-0{n}")].pose for n in (1, 2, 3)]
    assert {pose.facing for pose in poses} == {poses[0].facing}
    assert min(poses[0].facing, 36000 - poses[0].facing) < 200  # away from the machine: northwards
    assert poses[0].y > poses[2].y  # the front row still leads


def cost(now: Stage, *lines: str) -> Stage:
    return now.change(UnitStatusSet(UnitId("gobs"), "losses", "\n".join(lines)))


def test_st59_most_models_decide_and_a_tie_goes_to_the_last_to_shoot() -> None:
    west = single("west", "south", "dwarf_cannon", 4, 30)
    for lines, eastward in ((("1 west", "0 gun"), False), (("2 west", "0 gun"), True)):
        now = cost(before(goblins(2, start=8), west), *lines)
        done = shoot(now, "gobs-01", *KILLS, FAILS, rolled(D6, 1, 1))
        moved = done.table.models[ModelId("gobs-02")].pose
        assert (abs(moved.facing - degrees(90)) < 300) is eastward


def test_st59_a_friendly_machine_is_feared_like_any_other() -> None:
    mine = block("mine", "south", "loose", 2, (24, 40), wide=2, spacing=3, own=LOOSE)
    aim = mine[1][0].pose.x / 10000
    now = before(mine, round_orc("target", "north", aim, 30))
    done = shoot(now, "target", *dice(10, bearing=0), *d6(2), FAILS, rolled(D6, 1, 1))
    moved = done.table.models[ModelId("mine-02")].pose
    assert gone(done) == ["mine-01"]
    assert moved.y > inches(41.9)


def test_st59_panic_move_mark_only() -> None:
    now = before(goblins(2), panic_move="mark_only")
    stood = now.table.models[ModelId("gobs-02")].pose
    done = shoot(now, "gobs-01", *KILLS, FAILS)
    assert unit_status(done, "gobs", "fleeing") is True
    assert done.table.models[ModelId("gobs-02")].pose == stood


def test_st60_panic_nearby() -> None:
    near, far = round_orc("near", "north", 24, 36.8), round_orc("far", "north", 24, 38)
    assert not shoot(before(goblins(1), near, far), "gobs", *KILLS).noted("ST-60")
    now = before(goblins(1), near, far, panic_nearby=True, panic_move="mark_only")
    done = shoot(now, "gobs", *KILLS, FAILS)
    assert unit_status(done, "near", "fleeing") is True
    assert unit_status(done, "far", "panicked") is None


def test_st60_within_6_inches_is_inclusive_and_for_friends_only() -> None:
    radius = 12.5 / 25.4
    edge = 30 + 10 / 25.4 + 6 + radius
    now = before(goblins(1), round_orc("near", "north", 24, edge), round_orc("foe", "south", 28, 32), panic_nearby=True)
    done = shoot(now, "gobs", *KILLS, HOLDS)
    assert unit_status(done, "near", "panicked") is True
    assert unit_status(done, "foe", "panicked") is None


def test_st60_flight_is_from_the_nearest_enemy() -> None:
    now = before(goblins(1), round_orc("near", "north", 24, 34), round_orc("foe", "south", 30, 34), panic_nearby=True)
    done = shoot(now, "gobs", *KILLS, FAILS, rolled(D6, 1, 1))
    assert done.table.models[ModelId("near")].pose.point == at(22, 34)


def test_st60_a_machine_destroyed_by_its_own_misfire_is_a_unit_wiped_out() -> None:
    friend = block("friend", "south", "dwarf_warrior", 1, (27, 3))
    now = before(goblins(1), friend, panic_nearby=True, panic_move="mark_only")
    done = misfire(now, "gobs", *d6(1), FAILS)
    assert unit_status(done, "friend", "fleeing") is True


def test_st59_without_an_enemy_away_from_the_machine_that_shot() -> None:
    mine = block("mine", "south", "loose", 2, (24, 40), wide=2, spacing=3, own=LOOSE)
    aim = mine[1][0].pose.x / 10000
    now = before(mine, round_orc("target", "north", aim, 30))
    now.change(ModelsRemoved((ModelId("target"),)))
    assert feared(now, ModelId("gun"), UnitId("mine"), {}) == at(24, 0)


# ---------------------------------------------------------------- flight (ST-65)


def straight() -> Members:
    """Two goblins, the second straight behind the first, so that it flees due north."""
    return block("gobs", "north", "loose", 2, (24, 30), wide=1, spacing=3, own=LOOSE, facing=180)


def test_st65_what_is_in_the_way_is_ignored() -> None:
    now = before(straight(), round_orc("other", "north", 24, 33.5), terrain=(house(24, 36, 6, 1),))
    done = shoot(now, "gobs-01", *KILLS, FAILS, rolled(D6, 4, 4))
    assert done.table.models[ModelId("gobs-02")].pose.y == inches(31.8937) + inches(8)


def test_st65_it_goes_on_until_it_stands_on_nothing() -> None:
    now = before(straight(), terrain=(house(24, 36, 6, 4),))
    done = shoot(now, "gobs-01", *KILLS, FAILS, rolled(D6, 1, 2))
    pose = done.table.models[ModelId("gobs-02")].pose
    assert pose.y == pytest.approx(inches(38) + inches(10 / 25.4), abs=3)
    now = before(straight(), single("other", "north", "ogre", 24, 34))
    done = shoot(now, "gobs-01", *KILLS, FAILS, rolled(D6, 1, 1))
    pose = done.table.models[ModelId("gobs-02")].pose
    assert pose.y == pytest.approx(inches(34 + 20 / 25.4 + 10 / 25.4), abs=3)


def test_st65_a_unit_that_touches_the_edge_is_removed() -> None:
    short = 48 - 10 / 25.4 - 31.8937
    assert 12 < short < 16
    own = block("gobs", "north", "loose", 2, (24, 36), wide=1, spacing=3, own=LOOSE, facing=180)
    done = shoot(before(own), "gobs-01", *KILLS, FAILS, rolled(D6, 5, 5))
    assert gone(done) == ["gobs-01", "gobs-02"]
    assert done.outcomes("fled_off") == ["gobs-02"]
    done = shoot(before(own), "gobs-01", *KILLS, FAILS, rolled(D6, 4, 5))
    assert gone(done) == ["gobs-01"]


def test_st65_going_on_over_the_edge_removes_it_too() -> None:
    now = before(straight(), terrain=(house(24, 45, 6, 5.9),))
    done = shoot(now, "gobs-01", *KILLS, FAILS, rolled(D6, 6, 6))
    assert gone(done) == ["gobs-01", "gobs-02"]


def test_st65_a_garrison_that_flees_leaves_its_building() -> None:
    inside = block("inside", "north", "loose", 2, (24, 30), wide=2, own=LOOSE, flags={"garrison": "house"})
    now = before(inside, terrain=(house(24, 30, 4, 4),))
    script = [*dice(2), *d6(1), *d6(2), asked("ST-46").answer(["inside-01"]), FAILS, rolled(D6, 1, 1)]
    done = shoot_roof(now, 24, 30, *script)
    assert unit_status(done, "inside", "garrison") is None
    assert done.table.models[ModelId("inside-02")].pose.y > inches(32)


def test_st65_the_flag_is_cleared_by_hand() -> None:
    kind = next(kind for kind in SYSTEM.statuses if kind.key == "fleeing")
    assert kind.manual
    now = before(goblins(2, fleeing=True))
    now.change(ClockSet(Clock(2, 6, "north", "movement")))
    done = now.play(phase_begins(now.acting("north")))
    assert unit_status(done, "gobs", "fleeing") is True


def test_cm36_simultaneous_tests_are_ordered_by_the_owner_since_the_rule_says_so() -> None:
    now = before(goblins(2, 24, 30, "anna"), goblins(2, 24, 31.2, "bert"), panic_move="mark_only")
    order = asked("ST-58", to="north").refusing("gun").answer("bert")
    done = shoot(now, "anna-01", *dice(2), *d6(2), *d6(3), order, HOLDS, HOLDS)
    assert now.by == "south"
    assert next(note.text.split()[0] for note in done.noted("ST-58")).casefold() == "bert"
