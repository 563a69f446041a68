"""The worked examples of section 13."""

from __future__ import annotations

from server.engine.dice import D6
from server.engine.testing import asked, rolled
from server.geometry.measure import point_distance
from server.geometry.shapes import footprint
from server.geometry.units import EPS, inches
from server.rules.stone_thrower.profiles import say_range
from server.table.facts import ModelsRemoved
from tests.rules.stone_thrower.scenes import (
    FORWARD,
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
    in_grid,
    lawful,
    misfire,
    orc,
    orcs,
    picked,
    round_orc,
    shoot,
    shoot_roof,
    single,
    stage,
    status,
    strengths,
    unit_status,
    why,
)

E1_TOUCHED = [(1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (3, 2), (2, 3)]


def test_the_setting_of_the_examples() -> None:
    now = stage(gun(), orcs())
    places = {key: now.table.models[key].pose for key in (orc(0, 0), orc(2, 1), orc(4, 3))}
    assert [(say_range(p.x), say_range(p.y)) for p in places.values()] == [
        ("22.03", "28.52"),
        ("24", "29.51"),
        ("25.97", "31.48"),
    ]
    target = now.table.models[orc(2, 1)]
    gap = point_distance(at(24, 0), footprint(target.base, target.pose))
    assert abs(gap - inches(29.0157)) <= EPS


def test_e1_direct_hit() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(8, little=10), *d6(*[1] * 12))
    assert in_grid(found(done).touched) == E1_TOUCHED
    assert in_grid(found(done).hole) == [(2, 1)]
    assert hits(done)[0] == orc(2, 1)
    assert sorted(strengths(done).values()) == [4] * 11 + [8]
    assert strengths(done)[orc(2, 1)] == 8


def test_e2_direct_arrow() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(2, bearing=90), *d6(*[1] * 7))
    assert found(done).centre == at(26, 29.5079)
    assert in_grid(found(done).touched) == [(3, 0), (4, 0), (3, 1), (4, 1), (3, 2), (4, 2), (4, 3)]
    assert in_grid(found(done).hole) == [(4, 1)]


def test_e3_hole_on_four_models() -> None:
    script = [*dice(2, bearing=45), *picked(4, 3), *d6(*[1] * 9)]
    done = shoot(stage(gun(), orcs()), orc(2, 1), *script)
    assert found(done).centre == at(25.4142, 30.9221)
    assert len(found(done).touched) == 9
    assert in_grid(found(done).hole) == [(3, 2), (4, 2), (3, 3), (4, 3)]
    assert [key for key, strength in strengths(done).items() if strength == 8] == [orc(3, 3)]
    assert sorted(strengths(done).values()) == [4] * 8 + [8]


def test_e4_indirect_hit_of_nothing_is_a_scatter_of_0() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(2, little=250), *d6(*[1] * 12), mode="indirect")
    assert in_grid(found(done).touched) == E1_TOUCHED
    assert done.noted("ST-30")[0].text.startswith("Scatter 0")
    assert not done.noted("ST-28")


def test_e5_indirect_hit_of_one_inch() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(4, little=180), *d6(*[1] * 9), mode="indirect")
    assert found(done).centre == at(24, 28.5079)
    rows = [row for _, row in in_grid(found(done).touched)]
    assert [rows.count(row) for row in range(4)] == [5, 3, 1, 0]
    assert in_grid(found(done).hole) == [(2, 0)]


def test_e6_clean_miss() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(4, bearing=270))
    assert found(done).centre == at(20, 29.5079)
    assert hits(done) == []
    assert done.outcomes("clean_miss") == [GUN]


def test_e7_casualties_without_a_test() -> None:
    rear = asked("ST-55", to="north").answer([orc(0, 3), orc(1, 3), orc(3, 3), orc(4, 3)])
    script = [*dice(2, bearing=90), *d6(3, 1, 4, 5, 3, 6, 2), rear]
    done = shoot(stage(gun(), orcs(start=20)), orc(2, 1), *script)
    assert gone(done) == [orc(0, 3), orc(1, 3), orc(3, 3), orc(4, 3)]
    assert unit_status(done, "orcs", "panicked") is None


def test_e7_one_more_casualty_makes_the_unit_test() -> None:
    now = stage(gun(), orcs(start=20)).change(ModelsRemoved((orc(2, 3),)))
    script = [*dice(2, bearing=90), *d6(3, 1, 4, 5, 3, 6, 2), rolled(D6, 5, 3), rolled(D6, 2, 1)]
    done = shoot(now, orc(2, 1), *script)
    assert in_grid(gone(done)) == [(0, 3), (1, 3), (2, 3), (3, 3), (4, 3)]
    assert unit_status(done, "orcs", "fleeing") is True


def test_e8_multiple_wounds() -> None:
    ogres = block("ogres", "north", "ogre", 2, (24, 30), wide=2)
    script = [*dice(8), *d6(2, 5), *d6(5, 5), asked("ST-55", to="north").answer(["ogres-01"])]
    done = shoot(stage(gun("empire_mortar"), ogres, panic="off"), "ogres-01", *script)
    assert strengths(done) == {"ogres-01": 6, "ogres-02": 3}
    assert gone(done) == ["ogres-01"]
    assert unit_status(done, "ogres", "pooled") == 1


def test_e9_placement() -> None:
    friend = single("friend", "south", "orc_boy", 24, 30 + 2.4 + 12.5 / 25.4)
    target = single("target", "north", "orc_boy", 24, 30)
    assert lawful(stage(gun(), target, friend)) == ["target"]
    assert forbidden(stage(gun("empire_mortar"), target, friend)) == {"target": "ST-22"}


def test_e10_range() -> None:
    half = 12.5 / 25.4
    for nearest, rule in ((11.99, "ST-15"), (12.0, None), (48.0, None), (48.01, "ST-15")):
        now = stage(gun(y=-2), single("target", "north", "orc_boy", 24, nearest - 2 + half))
        assert forbidden(now).get("target") == rule, nearest


def test_e11_black_powder_misfire() -> None:
    now = stage(gun("empire_mortar"), orcs(), turn=3)
    done = misfire(now, orc(2, 1), rolled(D6, 2))
    assert status(done, "gun", "silent_until") == 4
    assert status(done, "gun", "wounds") == 3
    assert hits(done) == []

    thrower = misfire(stage(gun(), orcs(), turn=3), orc(2, 1), rolled(D6, 2))
    assert status(thrower, "gun", "silent_until") == 4
    assert status(thrower, "gun", "wounds") == 2


def test_e12_garrison() -> None:
    ogres = block("ogres", "north", "ogre", 3, (24, 30), wide=3, flags={"garrison": "house"})
    now = stage(gun(), ogres, terrain=[house(24, 30, 6, 4)], panic="off")
    five_hits = d6(5)
    wounds = [*d6(4, 6), *d6(1), *d6(3, 2)]
    chosen = asked("ST-46", to="north").answer(["ogres-02"])
    done = shoot_roof(now, 24, 30, *dice(6), *five_hits, *wounds, chosen)
    assert strengths(done) == {"ogres-01": 8, "ogres-02": 8, "ogres-03": 8}
    assert gone(done) == ["ogres-02"]
    assert unit_status(done, "ogres", "pooled") == 1


def test_e13_firing_point_ahead() -> None:
    now = stage(gun("forward", own=FORWARD), round_orc("target", "north", 33, 10))
    assert forbidden(now) == {"target": "ST-15"}
    assert why(now, "target") == "11.96 inches away: nearer than 12."
