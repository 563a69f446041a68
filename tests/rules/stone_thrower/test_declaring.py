"""Declaring the shot and placing the template (ST-13 to ST-25, ST-63)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.engine.dice import D6
from server.engine.questions import Choose, Disc, Place
from server.engine.testing import asked, rolled
from server.geometry.units import Length, inches
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.fire import fire
from server.table.facts import UnitStatusSet
from server.table.model import Seat, UnitId
from tests.rules.stone_thrower.scenes import (
    CONFIRMED,
    GUN,
    at,
    block,
    d6,
    declared,
    dice,
    forbidden,
    found,
    gun,
    hits,
    house,
    lawful,
    measured,
    orc,
    orcs,
    round_orc,
    shoot,
    shoot_roof,
    silent,
    single,
    stage,
    strengths,
    why,
)

HOLD = asked("ST-06").answer(False)


def test_st13_mode_is_declared_before_the_target() -> None:
    now = stage(gun(), orcs())
    done = now.play(fire(now, GUN), *declared(orc(2, 1), "indirect"), HOLD)
    assert [question.rule for question in done.questions] == ["ST-13", "ST-14", "ST-06"]
    mode = done.questions[0]
    assert isinstance(mode, Choose)
    assert [option.id for option in mode.options] == ["direct", "indirect"]
    assert "exactly where it was aimed" in mode.options[0].note
    assert "less Ballistic Skill 3" in mode.options[1].note


def test_st14_one_enemy_model_or_building_never_a_friend() -> None:
    friend = single("friend", "south", "dwarf_warrior", 30, 30)
    now = stage(gun(), orcs(), friend, terrain=[house(14, 30)])
    assert len(lawful(now)) == 21
    assert "house" in lawful(now)
    done = now.play(fire(now, GUN), declared("")[0], asked("ST-14").refusing("friend", "gun").answer("house"),
                    asked("ST-21").answer(at(14, 30)), HOLD)  # fmt: skip
    assert done.questions[2].rule == "ST-21"


def test_st14_what_a_player_may_not_know_of_is_not_listed() -> None:
    unit, (model,) = round_orc("sneak", "north", 24, 30)
    now = stage(gun(), orcs(), (unit, (replace(model, seen_by=("north",)),)))
    assert "sneak" not in lawful(now, "indirect")
    assert "sneak" not in forbidden(now, "indirect")


def test_st14_the_question_shows_distance_sight_and_reasons() -> None:
    now = stage(gun(), orcs(), round_orc("near", "north", 28, 6), round_orc("aside", "north", 60, 10))
    done = now.play(fire(now, GUN), *declared(orc(2, 1)), HOLD)
    question = done.questions[1]
    assert isinstance(question, Choose)
    option = next(option for option in question.options if option.id == orc(2, 1))
    assert option.note == "29.02 inches, in the open"
    assert {one.id: one.rule for one in question.barred} == {"near": "ST-15", "aside": "ST-16"}
    assert question.preview == Disc(inches(1.5), Length(984))
    assert question.reach is not None
    assert (question.reach.least, question.reach.most) == (inches(12), inches(48))


@pytest.mark.parametrize(("nearest", "rule"), [(11.9998, "ST-15"), (12.0, None), (48.0, None), (48.0002, "ST-15")])
def test_st15_range_is_to_the_nearest_point_and_inclusive(nearest: float, rule: str | None) -> None:
    radius = 12.5 / 25.4
    now = stage(gun(y=-2), round_orc("target", "north", 24, -2 + nearest + radius))
    assert forbidden(now).get("target") == rule


def test_st15_a_machine_may_have_its_own_limits() -> None:
    profile = SYSTEM.profiles["dwarf_grudge_thrower"]
    assert profile.weapon is not None
    short = replace(profile, weapon=replace(profile.weapon, most=inches(20)))
    now = stage(gun("short", own=short), orcs(), profiles={"short": short})
    assert set(forbidden(now).values()) == {"ST-15"}
    assert why(now, orc(0, 0)).endswith("farther than 20.")


def test_st16_the_forward_arc_is_45_degrees_to_each_side() -> None:
    inside, outside = round_orc("inside", "north", 44.5, 20), round_orc("outside", "north", 44.8, 20)
    now = stage(gun(), inside, outside)
    assert lawful(now) == ["inside"]
    assert forbidden(now) == {"outside": "ST-16"}
    assert forbidden(now, "indirect") == {"outside": "ST-16"}


def test_st16_indirect_needs_arc_false() -> None:
    behind = round_orc("behind", "north", 60, 10)
    now = stage(gun(), behind, indirect_needs_arc=False)
    assert forbidden(now) == {"behind": "ST-16"}
    assert lawful(now, "indirect") == ["behind"]
    assert forbidden(stage(gun(), behind, indirect_needs_arc=True), "indirect") == {"behind": "ST-16"}


def test_st17_a_direct_shot_needs_sight() -> None:
    wall = house(24, 20, 8, 1, "wall", height=4)
    now = stage(gun(), round_orc("target", "north", 24, 30), terrain=[wall])
    assert forbidden(now)["target"] == "ST-17"
    assert "target" in lawful(now, "indirect")


def test_st17_other_units_hide_and_the_targets_own_does_not() -> None:
    own = stage(gun(), block("ogres", "north", "ogre", 3, (24, 30), wide=1, facing=180))
    assert lawful(own) == ["ogres-01", "ogres-02", "ogres-03"]
    screen = stage(gun(), block("screen", "north", "treeman", 1, (24, 25)), round_orc("target", "north", 24, 30))
    assert forbidden(screen) == {"target": "ST-17"}
    friends = stage(gun(), block("screen", "south", "treeman", 1, (24, 25)), round_orc("target", "north", 24, 30))
    assert forbidden(friends) == {"target": "ST-17"}


def test_st17_crew_never_hides_anything() -> None:
    crew = block("gang", "south", "crew", 3, (24, 1.6), wide=3)
    assert lawful(stage(gun(), crew, round_orc("target", "north", 24, 30))) == ["target"]


def test_st18_an_indirect_shot_needs_no_sight_but_all_the_rest() -> None:
    wall = house(24, 20, 40, 1, "wall", height=4)
    near = round_orc("near", "north", 24, 8)
    friend, beside = single("friend", "south", "orc_boy", 30, 31), round_orc("beside", "north", 30, 30)
    now = stage(gun(), near, friend, beside, round_orc("target", "north", 18, 30), terrain=[wall])
    assert "target" in lawful(now, "indirect")
    assert forbidden(now, "indirect") == {"near": "ST-15", "beside": "ST-22"}
    done = shoot(now, "target", *dice(10, bearing=270), mode="indirect")
    assert measured(done).seen == "waived"


def test_st19_partly_hidden_is_no_worse() -> None:
    screen = block("screen", "north", "dwarf_warrior", 1, (24, 25))
    now = stage(gun(), screen, round_orc("target", "north", 24, 30), body_width=100)
    done = shoot(now, "target", *dice(2), *d6(1))
    assert measured(done).seen == "obscured"
    assert strengths(done) == {"target": 8}


def test_st20_the_centre_goes_over_the_middle_of_the_base() -> None:
    done = shoot(stage(gun(), round_orc("target", "north", 24.3, 30)), "target", *dice(2), *d6(1))
    assert found(done).centre == at(24.3, 30)


def test_st20_any_point_of_base() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 30), aim_point="any_point_of_base")
    placed = asked("ST-20", to="south").refusing(at(24.6, 30), at(0, 0)).answer(at(24.3, 30))
    done = now.play(fire(now, GUN), *declared("target"), placed, CONFIRMED, *dice(2), *d6(1))
    assert found(done).centre == at(24.3, 30)
    question = done.questions[2]
    assert isinstance(question, Place)
    assert question.suggested == at(24, 30)
    assert question.shape == Disc(inches(1.5), Length(984))
    assert len(question.region.outline) > 8


def test_st20_any_point_of_base_must_still_spare_friends() -> None:
    friend = single("friend", "south", "orc_boy", 24, 30 + 1.45 + 12.5 / 25.4)
    target = round_orc("target", "north", 24, 30)
    assert forbidden(stage(gun(), target, friend)) == {"target": "ST-22"}
    now = stage(gun(), target, friend, aim_point="any_point_of_base")
    assert lawful(now) == ["target"]
    placed = asked("ST-20").refusing(at(24, 30)).answer(at(24, 29.9))
    done = now.play(fire(now, GUN), *declared("target"), placed, CONFIRMED, *dice(2), *d6(1))
    assert hits(done) == ["target"]
    assert "friend" in done.questions[2].refs


def test_st21_the_firer_places_the_centre_anywhere_on_the_roof() -> None:
    now = stage(gun(), terrain=[house(24, 30, 4, 4)])
    done = shoot_roof(now, 25.5, 31, *dice(2))
    assert found(done).centre == at(25.5, 31)
    now = stage(gun(), terrain=[house(24, 30, 4, 4)])
    placed = asked("ST-21").refusing(at(26.1, 30), at(24, 32.1)).answer(at(26, 32))
    now.play(fire(now, GUN), *declared("house"), placed, HOLD)


def test_st21_range_and_arc_are_tested_at_that_point_alone() -> None:
    now = stage(gun(), terrain=[house(24, 12, 4, 8)])
    assert lawful(now) == ["house"]
    placed = asked("ST-21").refusing(at(24, 11.9)).answer(at(24, 14))
    done = now.play(fire(now, GUN), *declared("house"), placed, HOLD)
    question = done.questions[2]
    assert isinstance(question, Place)
    assert question.suggested == at(24, 12)
    tower = stage(gun(), terrain=[house(45, 20, 4, 4)])
    aside = asked("ST-21").refusing(at(46, 20)).answer(at(43.5, 20))
    tower.play(fire(tower, GUN), *declared("house"), aside, HOLD)


def test_st21_the_default_is_the_lawful_point_nearest_the_middle() -> None:
    now = stage(gun(), terrain=[house(24, 10, 4, 8)])
    done = now.play(fire(now, GUN), *declared("house"), asked("ST-21").answer(at(24, 13)), HOLD)
    question = done.questions[2]
    assert isinstance(question, Place)
    assert at(24, 12).y <= question.suggested.y <= at(24, 12.2).y


def test_st21_a_building_does_not_hide_itself_but_others_do() -> None:
    behind = stage(gun(), terrain=[house(24, 30), house(24, 20, 8, 1, "wall", height=6)])
    assert forbidden(behind)["house"] == "ST-17"
    assert lawful(stage(gun(), terrain=[house(24, 30)])) == ["house"]


def test_st21_a_garrison_is_nominated_as_its_building() -> None:
    inside = block("ogres", "north", "ogre", 3, (24, 30), wide=3, flags={"garrison": "house"})
    now = stage(gun(), inside, terrain=[house(24, 30, 6, 4)])
    assert lawful(now) == ["house"]
    assert set(forbidden(now).values()) == {"ST-21"}


def test_st22_friends_may_not_be_touched() -> None:
    friend = single("friend", "south", "orc_boy", 24, 30 + 1.4 + 12.5 / 25.4)
    now = stage(gun(), round_orc("target", "north", 24, 30), friend)
    assert forbidden(now) == {"target": "ST-22"}
    assert why(now, "target") == "The template would touch friend, a friend."


def test_st22_nor_friendly_machines_nor_the_firing_one() -> None:
    other = single("other", "south", "dwarf_cannon", 24, 32)
    assert forbidden(stage(gun(), round_orc("target", "north", 24, 30), other)) == {"target": "ST-22"}
    profile = SYSTEM.profiles["dwarf_grudge_thrower"]
    assert profile.weapon is not None
    near = replace(profile, weapon=replace(profile.weapon, least=Length(0)))
    now = stage(gun("near", own=near), round_orc("target", "north", 24, 2.5), profiles={"near": near})
    assert forbidden(now) == {"target": "ST-22"}
    assert why(now, "target") == "The template would touch gun, a friend."


def test_st22_crew_figures_are_ignored() -> None:
    crew = block("gang", "south", "crew", 3, (24, 31), wide=3)
    now = stage(gun(), crew, round_orc("target", "north", 24, 30))
    assert lawful(now) == ["target"]
    assert hits(shoot(now, "target", *dice(2), *d6(1))) == ["target"]


def test_st23_an_enemy_whose_unit_fights_may_not_be_touched() -> None:
    now = stage(gun(), orcs(engaged=True), round_orc("lone", "north", 24, 27.5), round_orc("far", "north", 15, 30))
    assert lawful(now) == ["far"]
    assert forbidden(now)["lone"] == "ST-23"
    assert forbidden(now)[orc(2, 3)] == "ST-23"


def test_st24_nothing_is_tested_again_after_the_scatter() -> None:
    friend = single("friend", "south", "empire_halberdier", 24, 34)
    fighting = block("brawl", "north", "goblin", 1, (25, 34), flags={"engaged": True})
    now = stage(gun(), round_orc("target", "north", 24, 30), friend, fighting, panic="off")
    done = shoot(now, "target", *dice(4, bearing=0), *d6(1, 1))
    assert hits(done) == ["friend", "brawl"]


def test_st25_only_models_with_a_lawful_placement_are_listed() -> None:
    friend = single("friend", "south", "orc_boy", 26.5, 30)
    now = stage(gun(), orcs(), friend)
    assert orc(0, 1) in lawful(now)
    assert forbidden(now)[orc(4, 1)] == "ST-22"
    assert orc(4, 1) not in lawful(now)


@pytest.mark.parametrize(("owner", "engaged"), [("south", False), ("north", True)])
def test_st63_a_building_with_friends_or_fighters_may_not_be_touched(owner: Seat, engaged: bool) -> None:
    inside = block("band", owner, "ogre", 2, (24, 30), wide=2, flags={"garrison": "house"})
    now = stage(gun(), inside, round_orc("outside", "north", 24, 27.8), terrain=[house(24, 30, 4, 2)])
    if engaged:
        now.change(UnitStatusSet(UnitId("band"), "engaged", value=True))
    assert forbidden(now)["house"] == "ST-63"
    assert forbidden(now)["outside"] == "ST-63"
    assert silent(now) == {"gun": "ST-62"}


def test_st63_an_enemy_garrison_at_peace_may_be_touched() -> None:
    inside = block("band", "north", "ogre", 2, (24, 30), wide=2, flags={"garrison": "house"})
    now = stage(gun(), inside, round_orc("outside", "north", 24, 27.8), terrain=[house(24, 30, 4, 2)])
    assert lawful(now) == ["outside", "house"]
    done = shoot(now, "outside", *dice(2), rolled(D6, 1), *d6(1, 1))
    assert hits(done) == ["outside", "band-01"]
