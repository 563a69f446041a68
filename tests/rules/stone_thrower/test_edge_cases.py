"""The edge cases of section 14, by their number."""

from __future__ import annotations

from msgspec.structs import replace

from server.engine.dice import D6
from server.engine.testing import asked, rolled
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.fire import fire
from server.rules.stone_thrower.targets import machines_to_fire
from tests.rules.stone_thrower.scenes import (
    CONFIRMED,
    GUN,
    at,
    block,
    d6,
    dice,
    forbidden,
    found,
    gone,
    gun,
    hits,
    house,
    lawful,
    misfire,
    orc,
    orcs,
    picked,
    reloaded,
    round_orc,
    shoot,
    shoot_roof,
    silent,
    single,
    stage,
    status,
    strengths,
    unit_status,
)

RADIUS = 12.5 / 25.4


def test_edge_01_a_tangent_base_is_not_hit() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 30), round_orc("edge", "north", 24 + 1.5 + RADIUS, 30))
    assert hits(shoot(now, "target", *dice(2), *d6(1))) == ["target"]


def test_edge_02_the_hole_over_two_abutting_bases() -> None:
    two = [round_orc("a", "north", 24 - RADIUS, 30), round_orc("b", "north", 24 + RADIUS, 30)]
    now = stage(gun(), round_orc("target", "north", 24, 20), *two)
    done = shoot(now, "target", *dice(10, bearing=0), *picked(2, 2), *d6(1, 1))
    assert strengths(done) == {"b": 8, "a": 4}


def test_edge_03_the_hole_over_a_gap() -> None:
    two = [round_orc("a", "north", 23.8 - RADIUS, 30), round_orc("b", "north", 24.2 + RADIUS, 30)]
    done = shoot(stage(gun(), round_orc("target", "north", 24, 20), *two), "target", *dice(10, bearing=0), *d6(1, 1))
    assert strengths(done) == {"a": 4, "b": 4}


def test_edge_04_all_hits_of_a_shot_are_simultaneous() -> None:
    done = shoot(stage(gun(), orcs(), panic="off", casualties="models_under_template"), orc(2, 1),
                 *dice(2), *d6(*[2] + [4] * 11))  # fmt: skip
    assert len(hits(done)) == 12
    assert len(gone(done)) == 12


def test_edge_05_a_friend_is_spared_when_placed_and_hit_after_scatter() -> None:
    friend, foe = round_orc("friend", "south", 24, 34), round_orc("foe", "north", 24, 33)
    now = stage(gun(), round_orc("target", "north", 24, 24), friend, foe, panic="off")
    assert forbidden(now)["foe"] == "ST-22"
    assert hits(shoot(now, "target", *dice(10, bearing=0), *d6(1, 1))) == ["friend", "foe"]


def test_edge_06_the_rear_of_a_fighting_unit_is_shielded_too() -> None:
    now = stage(gun(), orcs(engaged=True), round_orc("behind", "north", 24, 33))
    assert forbidden(now, "indirect")["behind"] == "ST-23"


def test_edge_07_a_hidden_model_cannot_be_nominated_but_its_neighbour_can() -> None:
    pair = block("pair", "north", "orc_boy", 2, (24, 30), wide=2, spacing=2)
    wall = house(22.5, 28, 2.6, 0.5, "wall", kind="wall", height=4)
    now = stage(gun(), pair, terrain=[wall])
    assert lawful(now) == ["pair-02"]
    assert forbidden(now) == {"pair-01": "ST-17"}


def test_edge_08_only_ones_own_unit_stands_in_the_way() -> None:
    assert lawful(stage(gun(), block("ogres", "north", "ogre", 2, (24, 30), wide=1, facing=180))) == [
        "ogres-01",
        "ogres-02",
    ]
    other = stage(gun(), single("ogre", "north", "ogre", 24, 28), single("behind", "north", "goblin", 24, 31))
    assert forbidden(other) == {"behind": "ST-17"}


def test_edge_09_out_of_arc_is_no_target_even_indirectly_and_turning_forbids_firing() -> None:
    aside = round_orc("aside", "north", 60, 20)
    assert forbidden(stage(gun(), aside), "indirect") == {"aside": "ST-16"}
    turned = stage(single("gun", "south", "dwarf_grudge_thrower", 24, 0, facing=70, status={"moved": 1}), aside)
    assert silent(turned) == {"gun": "ST-07"}


def test_edge_10_exactly_12_or_48_inches() -> None:
    for y in (10 + RADIUS, 46 + RADIUS):  # the machine is at y -2
        assert lawful(stage(gun(y=-2), round_orc("target", "north", 24, y))) == ["target"]


def test_edge_11_back_on_the_firing_machine() -> None:
    now = stage(gun(y=5), round_orc("target", "north", 24, 17.6))
    done = shoot(now, "target", *dice(10, bearing=180), *d6(6))
    assert found(done).centre == at(24, 7.6)
    assert strengths(done) == {"gun": 4}


def test_edge_12_the_crews_skill() -> None:
    master = replace(SYSTEM.profiles["dwarf_grudge_thrower"], ballistic_skills=(3, 10))
    now = stage(gun("master", own=master), round_orc("target", "north", 24, 20), profiles={"master": master})
    assert found(shoot(now, "target", *dice(10, little=90), *d6(1), mode="indirect")).centre == at(24, 20)
    plain = stage(gun(), round_orc("target", "north", 24, 20))
    assert found(shoot(plain, "target", *dice(2, little=90), *d6(1), mode="indirect")).centre == at(24, 20)


def test_edge_13_an_indirect_arrow_goes_all_the_way() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 20))
    assert found(shoot(now, "target", *dice(6, bearing=0), mode="indirect")).centre == at(24, 26)


def test_edge_14_a_misfire_beats_a_hit() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice("misfire"), *d6(4), mode="indirect")
    assert done.outcomes("misfire") == [GUN]
    assert hits(done) == []


def test_edge_15_disabled_with_one_wound_left() -> None:
    done = misfire(stage(gun(wounds=1), orcs()), orc(2, 1), *d6(2))
    assert gone(done) == ["gun"]
    assert status(done, "gun", "silent_until") is None


def test_edge_16_the_other_machine_may_still_fire() -> None:
    now = stage(gun(), single("second", "south", "empire_mortar", 30, 2), orcs())
    misfire(now, orc(2, 1), *d6(1))
    assert machines_to_fire(now).models == ("second",)


def test_edge_17_the_ban_only_ever_grows() -> None:
    now = stage(gun(silent_until=9), orcs(), turn=3)
    done = misfire(now, orc(2, 1), *d6(2))
    assert status(done, "gun", "silent_until") == 9
    again = misfire(reloaded(stage(gun(silent_until=2), orcs(), turn=3)), orc(2, 1), *d6(2))
    assert status(again, "gun", "silent_until") == 4


def test_edge_18_off_the_table() -> None:
    rim = round_orc("rim", "north", 71.4, 30)
    now = stage(gun(x=60), round_orc("target", "north", 68.5, 30), rim, panic="off")
    assert hits(shoot(now, "target", *dice(4, bearing=90), *d6(1))) == ["rim"]
    done = shoot(reloaded(now), "target", *dice(10, bearing=90))
    assert hits(done) == []
    assert status(done, "gun", "fired") is True


def test_edge_19_models_on_every_floor_are_hit() -> None:
    ruin = house(24, 30, 4, 4, "ruin", kind="ruin", floors=(0, 3), height=6)
    low, high = round_orc("low", "north", 24, 30), round_orc("high", "north", 24.9, 30, z=3)
    now = stage(gun(), low, high, terrain=[ruin], panic="off")
    assert hits(shoot(now, "low", *dice(2), *d6(1, 1))) == ["low", "high"]


def test_edge_20_rider_and_monster_under_the_hole() -> None:
    now = stage(gun(), single("beast", "north", "stegadon_ridden", 24, 30))
    done = shoot(now, "beast", *dice(2), *d6(6), *d6(1, 1))
    assert (len(done.noted("ST-40")), len(done.noted("ST-41"))) == (1, 1)


def test_edge_21_a_rocket_under_the_hole() -> None:
    now = stage(gun("empire_rocket_battery"), block("ogres", "north", "ogre", 1, (24, 30)))
    done = shoot(now, "ogres", *dice(2), *d6(4))
    assert strengths(done) == {"ogres": 4}
    assert unit_status(done, "ogres", "pooled") == 1


def test_edge_22_d3_of_3_on_two_wounds() -> None:
    now = stage(gun(), single("tree", "north", "treeman", 24, 30, status={"wounds": 2}))
    done = shoot(now, "tree", *dice(2), *d6(2, 6))
    assert gone(done) == ["tree"]
    assert len(done.noted("ST-52")) == 1


def test_edge_23_a_save_of_1_fails_on_a_one() -> None:
    knights = block("knights", "north", "empire_knight", 2, (24, 30), wide=2)
    now = stage(gun(), knights, panic="off")
    done = shoot(now, "knights-01", *dice(2), *d6(1), *d6(6, 1), asked("ST-55").answer(["knights-02"]))
    assert gone(done) == ["knights-02"]


def test_edge_24_one_of_four_is_a_quarter() -> None:
    gobs = block("gobs", "north", "goblin", 4, (24, 30), wide=4, spacing=3, flags={"ranked": False})
    done = shoot(stage(gun(), gobs), "gobs-02", *dice(2), *d6(2), rolled(D6, 1, 1))
    assert unit_status(done, "gobs", "panicked") is True


def test_edge_25_losses_add_up_over_the_phase() -> None:
    flags = {"ranked": False, "start": 16}
    gobs = block("gobs", "north", "goblin", 16, (34, 30), wide=16, spacing=0.4, flags=flags)
    now = stage(single("gun", "south", "dwarf_grudge_thrower", 34, 0, facing=0), gobs)
    first = shoot(now, "gobs-08", *dice(2), *d6(2), *d6(3, 1), *d6(3, 1))
    assert len(gone(first)) == 3
    assert unit_status(first, "gobs", "panicked") is None
    second = shoot(reloaded(now), "gobs-13", *dice(2), *d6(2), *d6(1, 1), rolled(D6, 1, 1))
    assert len(gone(second)) == 4
    third = shoot(reloaded(now), "gobs-03", *dice(2), *d6(2), *d6(1, 1))
    assert len(gone(third)) == 5


def test_edge_26_an_orc_outside_takes_the_low_strength() -> None:
    inside = block("inside", "north", "goblin", 1, (24, 30), flags={"garrison": "house"})
    now = stage(gun(), inside, round_orc("rim", "north", 24, 27.6), terrain=[house(24, 30)], panic="off")
    done = shoot_roof(now, 24, 28.05, *dice(2), *d6(1), *d6(1, 1))
    assert strengths(done) == {"rim": 4, "inside": 8}


def test_edge_27_friends_inside() -> None:
    inside = block("inside", "south", "goblin", 2, (24, 34), flags={"garrison": "house"})
    now = stage(gun(), inside, round_orc("target", "north", 24, 24), terrain=[house(24, 34)], panic="off")
    assert forbidden(now)["house"] == "ST-63"
    done = shoot(now, "target", *dice(10, bearing=0), *d6(2), *d6(1, 1))
    assert strengths(done) == {"inside-01": 8, "inside-02": 8}


def test_edge_28_nobody_in_sight() -> None:
    wall = house(24, 20, 40, 1, "wall", kind="wall", height=6)
    now = stage(gun(), orcs(), terrain=[wall])
    mode = asked("ST-13", to="south").refusing("direct").answer("indirect")
    target = asked("ST-14").answer(orc(2, 1))
    done = now.play(fire(now, GUN), mode, target, CONFIRMED, *dice(4, bearing=270))
    assert done.questions[0].default() == "indirect"


def test_edge_29_the_pool_and_a_d3() -> None:
    ogres = block("ogres", "north", "ogre", 2, (24, 30), wide=2, spacing=3, flags={"pooled": 2})
    chosen = asked("ST-55", to="north").answer(["ogres-02"])
    done = shoot(stage(gun(), ogres, panic="off"), "ogres-01", *dice(2), *d6(2, 6), chosen)
    assert gone(done) == ["ogres-02"]
    assert unit_status(done, "ogres", "pooled") == 2


def test_edge_30_the_rim_costs_a_machine_its_last_wound() -> None:
    lobber = single("lobber", "north", "goblin_rock_lobber", 24, 32.4, status={"wounds": 1})
    friend = block("friend", "north", "goblin", 1, (24, 39))
    units = [gun(), round_orc("target", "north", 24, 30, immune_panic=True), lobber, friend]
    done = shoot(stage(*units), "target", *dice(2), *d6(1), *d6(6))
    assert gone(done) == ["lobber"]
    assert not done.noted("ST-57")
    nearby = stage(*units, panic_nearby=True, panic_move="mark_only")
    done = shoot(nearby, "target", *dice(2), *d6(1), *d6(6), rolled(D6, 6, 6))
    assert unit_status(done, "friend", "fleeing") is True
    assert unit_status(done, "target", "panicked") is None
