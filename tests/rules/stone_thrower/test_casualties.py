"""Who is taken off (ST-54 to ST-56)."""

from __future__ import annotations

from msgspec.structs import replace

from server.engine.questions import ChooseSome
from server.engine.testing import Stage, asked
from server.geometry.units import degrees
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.casualties import rows_from_the_rear
from server.table.facts import ModelsPlaced
from server.table.model import UnitId
from tests.rules.stone_thrower.scenes import (
    block,
    d6,
    dice,
    gone,
    gun,
    orc,
    orcs,
    shoot,
    single,
    stage,
    status,
    unit_status,
)

THANE_TOUCHES = 6
"""The Orcs under the rim of a shot at the character before them."""


def with_thane(now: Stage) -> Stage:
    """A character stands before the Orcs and belongs to them."""
    _, (thane,) = single("thane", "north", "dwarf_thane", 24, 27.6)
    return now.change(ModelsPlaced((replace(thane, unit=UnitId("orcs")),)))


def test_st54_machines_monsters_and_characters_bear_their_own_wounds() -> None:
    lobber = stage(gun(), single("lobber", "north", "goblin_rock_lobber", 24, 30))
    assert status(shoot(lobber, "lobber", *dice(2), *d6(3, 1)), "lobber", "wounds") == 2
    tree = stage(gun(), single("tree", "north", "treeman", 24, 30))
    assert status(shoot(tree, "tree", *dice(2), *d6(2, 1)), "tree", "wounds") == 5


def test_st54_a_character_in_a_ranked_unit_bears_its_own() -> None:
    now = with_thane(stage(gun(), orcs(), panic="off"))
    done = shoot(now, "thane", *dice(2), *d6(2, 6), *d6(*[1] * THANE_TOUCHES))
    assert gone(done) == ["thane"]
    now = with_thane(stage(gun(), orcs(), panic="off"))
    done = shoot(now, "thane", *dice(2), *d6(2, 1), *d6(*[1] * THANE_TOUCHES))
    assert gone(done) == []
    assert status(done, "thane", "wounds") == 1


def test_st55_models_go_from_the_rear_row_by_the_owners_choice() -> None:
    rear = asked("ST-55", to="north").refusing([orc(0, 0)], [orc(0, 3), orc(1, 3)]).answer([orc(2, 3)])
    done = shoot(stage(gun(), orcs(), panic="off"), orc(2, 1), *dice(2), *d6(2, *[1] * 11), rear)
    assert gone(done) == [orc(2, 3)]
    question = done.questions[-1]
    assert isinstance(question, ChooseSome)
    assert [option.id for option in question.options] == [orc(column, 3) for column in range(5)]


def test_st55_then_from_the_next_row() -> None:
    next_row = asked("ST-55", to="north").answer([orc(0, 2), orc(4, 2)])
    done = shoot(stage(gun(), orcs(), panic="off"), orc(2, 1), *dice(2), *d6(2, *[4] * 6, *[1] * 5), next_row)
    assert gone(done) == [orc(0, 2), orc(4, 2), *(orc(column, 3) for column in range(5))]


def test_st55_the_rear_follows_the_units_facing() -> None:
    _, members = block("line", "north", "goblin", 6, (20, 20), wide=3, facing=90)
    rows = rows_from_the_rear(members)
    assert [[model.pose.x for model in row] for row in rows] == [[members[3].pose.x] * 3, [members[0].pose.x] * 3]
    _, skew = block("line", "north", "goblin", 7, (20, 20), wide=3, facing=33)
    assert [len(row) for row in rows_from_the_rear(skew)] == [1, 3, 3]
    assert skew[0].pose.facing == degrees(33)


def test_st55_wounds_are_pooled_and_left_over_wounds_stay() -> None:
    ogres = block("ogres", "north", "ogre", 3, (24, 30), wide=3, flags={"pooled": 2})
    done = shoot(stage(gun(), ogres, panic="off"), "ogres-02", *dice(2), *d6(1), *d6(4, 4),
                 asked("ST-55", to="north").answer(["ogres-03"]))  # fmt: skip
    assert gone(done) == ["ogres-03"]
    assert unit_status(done, "ogres", "pooled") == 1


def test_st55_no_one_is_taken_while_the_pool_is_short() -> None:
    ogres = block("ogres", "north", "ogre", 3, (24, 30), wide=3)
    done = shoot(stage(gun(), ogres), "ogres-02", *dice(2), *d6(2, 3), *d6(1, 1))
    assert gone(done) == []
    assert unit_status(done, "ogres", "pooled") == 2


def test_st55_a_d3_counts_at_most_the_profiles_wounds() -> None:
    own = replace(SYSTEM.profiles["ogre"], wounds=2)
    ogres = block("ogres", "north", "small_ogre", 3, (24, 30), wide=3, own=own, flags={"pooled": 1})
    now = stage(gun(), ogres, profiles={"small_ogre": own}, panic="off")
    done = shoot(now, "ogres-02", *dice(2), *d6(2, 6), *d6(1, 1), asked("ST-55").answer(["ogres-01"]))
    assert gone(done) == ["ogres-01"]
    assert unit_status(done, "ogres", "pooled") == 1


def test_st55_casualties_owner_chooses() -> None:
    script = [*dice(2), *d6(2, *[1] * 11), asked("ST-55", to="north").answer([orc(2, 0)])]
    done = shoot(stage(gun(), orcs(), panic="off", casualties="owner_chooses"), orc(2, 1), *script)
    assert gone(done) == [orc(2, 0)]


def test_st55_casualties_models_under_template() -> None:
    script = [*dice(2), *d6(2, 4, *[1] * 10)]
    done = shoot(stage(gun(), orcs(), panic="off", casualties="models_under_template"), orc(2, 1), *script)
    assert gone(done) == [orc(1, 0), orc(2, 1)]


def test_st55_models_under_template_bear_their_own_wounds() -> None:
    ogres = block("ogres", "north", "ogre", 3, (24, 30), wide=3)
    now = stage(gun(), ogres, panic="off", casualties="models_under_template")
    done = shoot(now, "ogres-02", *dice(2), *d6(2, 3), *d6(4), *d6(1))
    assert status(done, "ogres-02", "wounds") == 1
    assert status(done, "ogres-01", "wounds") == 2
    assert unit_status(done, "ogres", "pooled") is None


def test_st56_without_ranks_each_model_falls_where_it_stands() -> None:
    loose = block("loose", "north", "goblin", 5, (24, 30), flags={"ranked": False})
    done = shoot(stage(gun(), loose, panic="off"), "loose-03", *dice(2), *d6(2), *d6(3, 1), *d6(1, 1, 1))
    assert gone(done) == ["loose-01", "loose-03"]


def test_st56_and_keeps_its_own_wounds() -> None:
    loose = block("loose", "north", "troll", 2, (24, 30), wide=2, flags={"ranked": False})
    done = shoot(stage(gun(), loose), "loose-01", *dice(2), *d6(2, 3), *d6(4))
    assert status(done, "loose-01", "wounds") == 1
    assert status(done, "loose-02", "wounds") == 2


def test_st55_a_whole_unit_needs_no_choice() -> None:
    pair = block("pair", "north", "goblin", 2, (24, 30), wide=2)
    done = shoot(stage(gun(), pair), "pair-01", *dice(2), *d6(2), *d6(3, 1))
    assert gone(done) == ["pair-01", "pair-02"]
