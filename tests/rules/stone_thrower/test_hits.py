"""Who is hit and how hard (ST-39 to ST-46, ST-48)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.engine.questions import Choose
from server.engine.testing import Stage, asked
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.profiles import Part
from server.table.facts import ModelsPlaced
from server.table.model import UnitId
from tests.rules.stone_thrower.scenes import (
    block,
    d6,
    dice,
    found,
    gone,
    gun,
    hits,
    house,
    joined,
    orc,
    orcs,
    picked,
    reloaded,
    round_orc,
    shoot,
    shoot_roof,
    single,
    stage,
    status,
    strengths,
    unit_status,
)


def test_st39_nobody_under_the_hole() -> None:
    gap = [round_orc("west", "north", 23.3, 30), round_orc("east", "north", 24.7, 30)]
    now = stage(gun(), round_orc("target", "north", 24, 20), *gap)
    done = shoot(now, "target", *dice(10, bearing=0), *d6(1, 1))
    assert found(done).hole == ()
    assert strengths(done) == {"east": 4, "west": 4}


def test_st39_one_model_needs_no_die() -> None:
    done = shoot(stage(gun(), round_orc("target", "north", 24, 20)), "target", *dice(2), *d6(1))
    assert strengths(done) == {"target": 8}


@pytest.mark.parametrize(("face", "struck"), [(1, (3, 2)), (2, (4, 2)), (3, (3, 3)), (4, (4, 3))])
def test_st39_several_are_picked_from_at_random(face: int, struck: tuple[int, int]) -> None:
    script = [*dice(2, bearing=45), *picked(4, face), *d6(*[1] * 9)]
    done = shoot(stage(gun(), orcs()), orc(2, 1), *script)
    assert done.outcomes("hole") == [orc(*struck)]
    assert strengths(done)[orc(*struck)] == 8


def test_st40_the_hole_model_takes_the_high_strength() -> None:
    for machine, strength in (("dwarf_grudge_thrower", 8), ("empire_mortar", 6), ("empire_rocket_battery", 4)):
        done = shoot(stage(gun(machine), round_orc("target", "north", 24, 20)), "target", *dice(2), *d6(1))
        assert strengths(done) == {"target": strength}


def test_st41_the_rest_take_the_low_strength_rejected_candidates_too() -> None:
    script = [*dice(2, bearing=45), *picked(4, 1), *d6(*[1] * 9)]
    struck = strengths(shoot(stage(gun(), orcs()), orc(2, 1), *script))
    assert [struck[orc(*place)] for place in ((3, 2), (4, 2), (3, 3), (4, 3))] == [8, 4, 4, 4]


def test_st41_partly_covered_is_hit_without_a_roll() -> None:
    edge = round_orc("edge", "north", 24 + 1.49 + 12.5 / 25.4, 20)
    done = shoot(stage(gun(), round_orc("target", "north", 24, 20), edge), "target", *dice(2), *d6(1, 1))
    assert hits(done) == ["target", "edge"]


def test_st42_friend_foe_and_fighters_are_hit_alike() -> None:
    friend = single("friend", "south", "dwarf_warrior", 23.4, 24)
    fighting = single("fighter", "north", "goblin", 24.5, 24, flags={"engaged": True})
    now = stage(gun(), round_orc("target", "north", 24, 20), friend, fighting, panic="off")
    done = shoot(now, "target", *dice(4, bearing=0), *d6(4, 4, 3))
    assert hits(done) == ["fighter", "friend"]


def test_st43_a_machine_takes_one_hit_with_its_crews_saves() -> None:
    own = replace(SYSTEM.profiles["goblin_rock_lobber"], save=4, wards=(6,))
    lobber = single("lobber", "north", "lobber", 24, 30, own=own)
    now = stage(gun(), lobber, block("gang", "north", "crew", 3, (24, 30.8), wide=3), profiles={"lobber": own})
    done = shoot(now, "lobber", *dice(2), *d6(3), *d6(6))
    assert hits(done) == ["lobber"]
    assert status(done, "lobber", "wounds") == 3


@pytest.mark.parametrize(("face", "mount", "rider"), [(1, 8, 4), (4, 8, 4), (5, 4, 8), (6, 4, 8)])
def test_st44_randomise(face: int, mount: int, rider: int) -> None:
    now = stage(gun(), single("beast", "north", "stegadon_ridden", 24, 30, facing=180))
    done = shoot(now, "beast", *dice(2), *d6(face), *d6(1, 1))
    notes = [note.text for note in done.notes if note.rule in ("ST-40", "ST-41")]
    assert notes == [f"beast is hit at Strength {mount}.", f"Rider of beast is hit at Strength {rider}."]
    assert hits(done) == ["beast"]


def test_st44_both_high() -> None:
    now = stage(gun(), single("beast", "north", "stegadon_ridden", 24, 30), ridden_monster_hole="both_high")
    done = shoot(now, "beast", *dice(2), *d6(1, 1))
    assert len(done.noted("ST-40")) == 2


def test_st44_owner_chooses() -> None:
    now = stage(gun(), single("beast", "north", "stegadon_ridden", 24, 30), ridden_monster_hole="owner_chooses")
    done = shoot(now, "beast", *dice(2), asked("ST-44", to="north").answer("1"), *d6(1, 1))
    assert [note.text for note in done.noted("ST-40")] == ["Rider of beast is hit at Strength 8."]
    question = done.questions[-1]
    assert isinstance(question, Choose)
    assert [option.note for option in question.options] == [
        "Toughness 6, 5 Wounds left, save 4+",
        "Toughness 3, 2 Wounds left, save 5+",
    ]


def test_st44_away_from_the_hole_every_part_takes_the_low_strength() -> None:
    beast = single("beast", "north", "stegadon_ridden", 26, 30)
    now = stage(gun(), round_orc("target", "north", 24, 30), beast, panic="off")
    done = shoot(now, "target", *dice(2), *d6(1), *d6(1, 1))
    assert len(done.noted("ST-41")) == 2


def test_st44_parts_bear_their_own_wounds_and_the_dead_take_no_hit() -> None:
    now = stage(gun(), single("beast", "north", "stegadon_ridden", 24, 30))
    done = shoot(now, "beast", *dice(2), *d6(5), *d6(1), *d6(2, 6))
    assert status(done, "beast", "wounds_2") == 0
    assert status(done, "beast", "wounds") == 5
    again = shoot(reloaded(now), "beast", *dice(2), *d6(2, 6))
    assert status(again, "beast", "wounds") == 2


def test_st44_more_than_two_parts_are_picked_from_evenly() -> None:
    riders = tuple(Part(name=f"Rider {n}", toughness=3) for n in (1, 2))
    own = replace(SYSTEM.profiles["stegadon"], riders=riders)
    now = stage(gun(), single("beast", "north", "howdah", 24, 30, own=own), profiles={"howdah": own})
    done = shoot(now, "beast", *dice(2), *picked(3, 3), *d6(1, 1, 1))
    assert [note.text for note in done.noted("ST-40")] == ["Rider 2 of beast is hit at Strength 8."]


def test_st45_ordinary_cavalry_takes_one_hit() -> None:
    knights = block("knights", "north", "empire_knight", 1, (24, 30))
    done = shoot(stage(gun(), knights), "knights", *dice(2), *d6(1))
    assert hits(done) == ["knights"]


# ---------------------------------------------------------------- garrisons (ST-46)


def garrisoned(count: int, profile: str = "ogre", garrison_hits: str = "d6") -> Stage:
    """A unit inside the house before the machine."""
    inside = block("inside", "north", profile, count, (24, 30), flags={"garrison": "house"})
    return stage(gun(), inside, terrain=[house(24, 30, 6, 4)], panic="off", garrison_hits=garrison_hits)


def test_st46_d6_hits_at_the_high_strength_under_the_centre() -> None:
    done = shoot_roof(garrisoned(5), 24, 30, *dice(2), *d6(2), *d6(1, 1))
    assert strengths(done) == {"inside-01": 8, "inside-02": 8}


def test_st46_no_model_takes_more_than_one() -> None:
    done = shoot_roof(garrisoned(3), 24, 30, *dice(2), *d6(6), *d6(1, 1, 1))
    assert len(hits(done)) == 3


def test_st46_low_strength_when_only_touched() -> None:
    done = shoot_roof(garrisoned(5), 24, 30, *dice(4, bearing=90), *d6(2), *d6(1, 1))
    assert strengths(done) == {"inside-01": 4, "inside-02": 4}


def test_st46_with_the_centre_over_it_nobody_outside_takes_the_high_strength() -> None:
    now = joined(garrisoned(2), round_orc("outside", "north", 24, 27.6))
    done = shoot_roof(now, 24, 28.05, *dice(2), *d6(1), *d6(1, 1))
    assert found(done).hole == ("outside",)
    assert strengths(done) == {"outside": 4, "inside-01": 8}


def test_st46_the_owner_chooses_who_goes_and_wounds_are_pooled() -> None:
    script = [*dice(2), *d6(3), *d6(2, 6), *d6(2, 1), *d6(1), asked("ST-46", to="north").answer(["inside-03"])]
    done = shoot_roof(garrisoned(4), 24, 30, *script)
    assert gone(done) == ["inside-03"]
    assert unit_status(done, "inside", "pooled") == 1


def test_st46_an_empty_building_is_unaffected() -> None:
    now = stage(gun(), round_orc("outside", "north", 24, 27.6), terrain=[house(24, 30, 6, 4)], panic="off")
    done = shoot_roof(now, 24, 28.05, *dice(2), *d6(1))
    assert strengths(done) == {"outside": 8}


def test_st46_models_on_a_roof_are_no_garrison() -> None:
    inside = block("inside", "north", "goblin", 3, (24, 30), flags={"garrison": "house"})
    roof = single("lookout", "north", "goblin", 24, 29, z=4)
    now = stage(gun(), inside, roof, terrain=[house(24, 30, 6, 4)], panic="off")
    done = shoot_roof(now, 24, 29, *dice(2), *d6(1), *d6(1), *d6(1))
    assert strengths(done) == {"lookout": 4, "inside-01": 8}


def test_st46_garrison_hits_touched_models() -> None:
    done = shoot_roof(garrisoned(2, garrison_hits="touched_models"), 23.3, 30, *dice(2), *d6(1, 1))
    assert strengths(done) == {"inside-01": 8, "inside-02": 4}


def test_st46_garrison_hits_none() -> None:
    done = shoot_roof(garrisoned(2, garrison_hits="none"), 24, 30, *dice(2))
    assert hits(done) == []


def test_st46_garrison_hits_d6_ignores_where_the_models_stand() -> None:
    done = shoot_roof(garrisoned(2, garrison_hits="d6"), 24.9, 30, *dice(2), *d6(1), *d6(1))
    assert strengths(done) == {"inside-01": 8}


def test_st46_characters_inside_are_spared_while_there_is_rank_and_file() -> None:
    _, (thane,) = single("thane", "north", "dwarf_thane", 24, 30)
    now = garrisoned(2, "goblin")
    now.change(ModelsPlaced((replace(thane, unit=UnitId("inside")),)))
    done = shoot_roof(now, 24, 30, *dice(2), *d6(6), *d6(1, 1))
    assert hits(done) == ["inside-01", "inside-02"]


def test_st46_characters_alone_inside_bear_their_own_wounds() -> None:
    done = shoot_roof(garrisoned(1, "dwarf_thane"), 24, 30, *dice(2), *d6(6), *d6(2, 1))
    assert status(done, "inside", "wounds") == 1


# ---------------------------------------------------------------- order (ST-48)


def test_st48_hole_model_first_then_id_order_and_mounts_before_riders() -> None:
    beast = single("beast", "north", "stegadon_ridden", 26, 30)
    now = stage(gun(), round_orc("target", "north", 24, 30), beast, round_orc("ant", "north", 23, 30), panic="off")
    done = shoot(now, "target", *dice(2), *d6(1), *d6(1), *d6(1, 1))
    struck = [note.text.split(" is hit")[0] for note in done.notes if note.rule in ("ST-40", "ST-41")]
    assert struck == ["target", "ant", "beast", "Rider of beast"]
