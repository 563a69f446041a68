import pytest
from hypothesis import assume, given

from server.geometry.arcs import facing_to, in_arc
from server.geometry.shapes import Base, Footprint, footprint
from server.geometry.units import Bearing, Length, Point, Pose, degrees
from tests.geometry.scenes import ELL, at, bases, bearings, block, disc, oval, points, pose, poses, rectangle

QUARTER = Bearing(9_000)


def ahead(shape: Footprint, width: Bearing = QUARTER, facing: float = 0) -> bool:
    return in_arc(at(0, 0), degrees(facing), width, shape)


def test_cm40_ahead_is_in_and_behind_is_out() -> None:
    for y, expected in ((5, True), (-5, False)):
        assert ahead(disc(0, y)) is expected
        assert ahead(oval(0, y, 35, 60, 30)) is expected
        assert ahead(rectangle(0, y, 25, 50, 30)) is expected
        assert ahead(footprint(ELL, pose(0, y))) is expected


def test_cm40_the_edge_line_belongs_to_the_arc() -> None:
    assert ahead(block(4, 3, 5, 4))
    assert ahead(block(4.0001, 3, 5, 4))
    assert not ahead(block(4.0003, 3, 5, 4))


@pytest.mark.parametrize(("gap", "expected"), [(0, True), (0.0001, True), (0.0003, False)])
def test_cm40_a_round_base_may_miss_by_eps(gap: float, expected: bool) -> None:
    # An arc of 180 degrees looking north ends along y = 0.
    half = Bearing(18_000)
    assert ahead(disc(3, -0.5 - gap, 25.4), half) is expected
    assert ahead(disc(-3, -0.5 - gap, 25.4), half) is expected
    assert ahead(oval(3, -0.5 - gap, 50.8, 25.4), half) is expected
    assert ahead(oval(3, -0.5 - gap, 25.4, 50.8, 90), half) is expected


def test_cm40_a_base_over_the_apex_is_in_every_arc() -> None:
    assert ahead(disc(0, -0.5, 25.4), Bearing(100))
    assert ahead(block(-1, -1, 1, 0), Bearing(100))


def test_cm40_a_base_that_fills_the_arc_is_in() -> None:
    assert ahead(block(-50, 5, 50, 6), Bearing(200))


def test_cm40_a_base_across_the_arc_has_its_middle_outside() -> None:
    assert ahead(block(1, 8, 40, 9), Bearing(1_500))


def test_cm40_an_arc_wider_than_half_a_turn() -> None:
    rear_cut = Bearing(27_000)
    assert ahead(disc(5, -4), rear_cut)
    assert not ahead(disc(0, -5), rear_cut)
    assert ahead(disc(0, -5), Bearing(36_000))


def test_st61_e13_the_target_is_in_the_arc_before_the_turn() -> None:
    assert in_arc(at(24, 0), degrees(0), QUARTER, disc(33, 10))
    assert not in_arc(at(24, 0), degrees(180), QUARTER, disc(33, 10))
    assert facing_to(pose(24, 0), at(33, 10)) == degrees(41.99)


def test_facing_to_where_one_stands_changes_nothing() -> None:
    assert facing_to(pose(3, 3, 77), at(3, 3)) == degrees(77)


@given(bases, poses, points, bearings)
def test_two_opposite_halves_leave_nothing_out(base: Base, where: Pose, apex: Point, facing: Bearing) -> None:
    shape = footprint(base, where)
    back = Bearing((facing + 18_000) % 36_000)
    assert in_arc(apex, facing, Bearing(18_000), shape) or in_arc(apex, back, Bearing(18_000), shape)


@given(bases, poses, points, bearings, bearings, bearings)
def test_a_wider_arc_holds_no_fewer(
    base: Base, where: Pose, apex: Point, facing: Bearing, one: Bearing, other: Bearing
) -> None:
    shape = footprint(base, where)
    narrow, wide = sorted((one, other))
    assert in_arc(apex, facing, wide, shape) or not in_arc(apex, facing, narrow, shape)


@given(bases, poses, points)
def test_what_one_faces_is_in_the_arc(base: Base, where: Pose, apex: Point) -> None:
    assume(apex != where.point)
    shape = footprint(base, where)
    facing = facing_to(Pose(apex.x, apex.y, Bearing(0), Length(0)), where.point)
    assert in_arc(apex, facing, Bearing(100), shape)
