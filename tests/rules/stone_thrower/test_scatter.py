"""The dice of the shot and where it lands (ST-26 to ST-32)."""

from __future__ import annotations

import pytest

from server.engine.dice import ARTILLERY, BEARING, D6, HIT, MISFIRE, SCATTER
from server.engine.requests import Roll
from server.engine.testing import rolled
from server.table.facts import TemplateLaid, TemplateLifted
from tests.rules.stone_thrower.scenes import (
    GUN,
    at,
    d6,
    dice,
    found,
    gun,
    hits,
    orc,
    orcs,
    round_orc,
    shoot,
    single,
    stage,
    status,
)


def test_st26_scatter_face_then_bearing_then_artillery() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(4, bearing=270))
    dice_rolled = [request.die for request in done.requests if isinstance(request, Roll)]
    assert dice_rolled == [SCATTER, BEARING, ARTILLERY]


@pytest.mark.parametrize("mode", ["direct", "indirect"])
@pytest.mark.parametrize("face", [HIT, "arrow"])
def test_st27_a_misfire_cancels_the_shot(mode: str, face: str) -> None:
    now = stage(gun(), orcs())
    script = [rolled(SCATTER, face), rolled(BEARING, 0), rolled(ARTILLERY, MISFIRE), rolled(D6, 6)]
    done = shoot(now, orc(2, 1), *script, mode="direct" if mode == "direct" else "indirect")
    assert done.outcomes("misfire") == [GUN]
    assert hits(done) == []
    assert done.table.templates == {}


@pytest.mark.parametrize("artillery", [2, 4, 6, 8, 10])
def test_st28_a_direct_hit_ignores_the_artillery_number(artillery: int) -> None:
    now = stage(gun(), round_orc("target", "north", 24, 30))
    script = [rolled(SCATTER, HIT), rolled(BEARING, 90), rolled(ARTILLERY, artillery), *d6(1)]
    done = shoot(now, "target", *script)
    assert found(done).centre == at(24, 30)
    assert done.outcomes("on_target") == [GUN]


@pytest.mark.parametrize("mode", ["direct", "indirect"])
def test_st29_an_arrow_moves_the_template_the_artillery_number(mode: str) -> None:
    now = stage(gun(), orcs())
    done = shoot(now, orc(2, 1), *dice(10, bearing=270), mode="direct" if mode == "direct" else "indirect")
    assert found(done).centre == at(14, 29.5079)
    assert done.outcomes("scatter") == [GUN]
    laid = [fact.template.centre for fact in done.facts if isinstance(fact, TemplateLaid)]
    assert laid == [at(24, 29.5079), at(14, 29.5079)]
    assert isinstance(done.facts[-1], TemplateLifted)


@pytest.mark.parametrize(("artillery", "inches"), [(2, 0), (4, 1), (6, 3), (8, 5), (10, 7)])
def test_st30_an_indirect_hit_drifts_by_artillery_less_skill(artillery: int, inches: int) -> None:
    now = stage(gun(), round_orc("target", "north", 24, 20))
    script = [
        rolled(SCATTER, HIT),
        rolled(BEARING, 90),
        rolled(ARTILLERY, artillery),
        *d6(*([1] if inches < 2 else [])),
    ]
    done = shoot(now, "target", *script, mode="indirect")
    assert found(done).centre == at(24 + inches, 20)
    assert not done.outcomes("on_target")


def test_st31_the_best_skill_of_the_crew_counts() -> None:
    plain = stage(gun("bretonnian_field_trebuchet"), round_orc("target", "north", 24, 20))
    assert found(shoot(plain, "target", *dice(10, little=90), mode="indirect")).centre == at(32, 20)
    mixed = stage(gun("bretonnian_field_trebuchet_craftsman"), round_orc("target", "north", 24, 20))
    assert found(shoot(mixed, "target", *dice(10, little=90), mode="indirect")).centre == at(31, 20)


def test_st31_skill_never_changes_an_arrow() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 20))
    assert found(shoot(now, "target", *dice(10, bearing=90), mode="indirect")).centre == at(34, 20)


def test_st32_a_shot_resolves_wherever_it_lands() -> None:
    friend = single("friend", "south", "dwarf_cannon", 24, 5)
    now = stage(gun(), round_orc("target", "north", 24, 15), friend)
    done = shoot(now, "target", *dice(10, bearing=180), *d6(1), mode="indirect")
    assert found(done).centre == at(24, 5)
    assert hits(done) == ["friend"]


def test_st32_scatter_into_min_range_no_effect() -> None:
    friend = single("friend", "south", "dwarf_cannon", 24, 5)
    now = stage(gun(), round_orc("target", "north", 24, 15), friend, scatter_into_min_range="no_effect")
    done = shoot(now, "target", *dice(10, bearing=180), mode="indirect")
    assert hits(done) == []
    assert done.outcomes("no_effect") == [GUN]
    assert done.table.templates == {}


def test_st32_no_effect_starts_below_12_inches_and_spares_the_rest() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 16), scatter_into_min_range="no_effect")
    assert not shoot(now, "target", *dice(4, bearing=180)).outcomes("no_effect")
    now = stage(gun(), round_orc("target", "north", 24, 15.9), scatter_into_min_range="no_effect")
    assert shoot(now, "target", *dice(4, bearing=180)).outcomes("no_effect")
    now = stage(gun(), round_orc("target", "north", 24, 12.5), scatter_into_min_range="no_effect")
    assert hits(shoot(now, "target", *dice(4), *d6(1))) == ["target"]


def test_st32_beyond_the_greatest_range() -> None:
    now = stage(gun(y=-9), round_orc("target", "north", 24, 38), round_orc("far", "north", 24, 46), panic="off")
    done = shoot(now, "target", *dice(8, bearing=0), *d6(1))
    assert hits(done) == ["far"]


def test_st32_and_back_on_the_machine_itself() -> None:
    now = stage(gun(y=5), round_orc("target", "north", 24, 17.6))
    done = shoot(now, "target", *dice(10, bearing=180), *d6(6))
    assert hits(done) == ["gun"]
    assert status(done, "gun", "wounds") == 2
