import math

import pytest
import shapely
from hypothesis import given, settings

from server.geometry.measure import (
    at_least,
    beyond,
    distance,
    farthest,
    in_contact,
    nearest,
    nearest_point,
    nearest_points,
    path_length,
    point_distance,
    points_distance,
    range_3d,
    wholly_within,
    within,
)
from server.geometry.shapes import Base, Footprint, contains, footprint, outline
from server.geometry.units import EPS, Bearing, Length, Point, Pose, inches, turned
from tests.geometry.scenes import (
    ELL,
    at,
    bases,
    bearings,
    block,
    coordinates,
    disc,
    oval,
    points,
    pose,
    poses,
    rectangle,
)

FINE = 4_096
"""Steps of a reference outline; it then is at most 1e-6 inch off."""


def moved(where: Pose, about: Point, by: Bearing, east: Length) -> Pose:
    point = turned(where.point, about, by)
    return Pose(Length(point.x + east), point.y, Bearing((where.facing + by) % 36_000), where.z)


def fine(shape: Footprint) -> shapely.Polygon:
    return shapely.Polygon(outline(shape, FINE))


def test_cm07_a_point_inside_or_on_the_outline_is_at_0() -> None:
    assert point_distance(at(0.5, 0.5), block(0, 0, 1, 1)) == 0
    assert point_distance(at(1, 0.5), block(0, 0, 1, 1)) == 0
    assert point_distance(at(2, 2), block(0, 0, 1, 1)) == inches(math.sqrt(2))


def test_cm08_between_two_outlines() -> None:
    assert distance(disc(0, 0, 25.4), disc(3, 4, 50.8)) == inches(3.5)
    assert distance(disc(0, 0, 25.4), block(2, -1, 3, 1)) == inches(1.5)
    assert distance(oval(0, 0, 25.4, 50.8), oval(4, 0, 25.4, 50.8)) == inches(3)
    assert distance(oval(0, 0, 25.4, 50.8), oval(4, 0, 25.4, 50.8, 90)) == inches(2.5)
    assert distance(oval(0, 0, 25.4, 50.8), block(2, -5, 3, 5)) == inches(1.5)
    assert distance(block(0, 0, 1, 1), block(4, 5, 6, 6)) == inches(5)


def test_cm08_one_inside_the_other_is_at_0() -> None:
    for inner in (disc(0, 0), oval(0, 0, 30, 40), rectangle(0, 0, 30, 40, 20)):
        for outer in (disc(0, 0, 200), oval(0, 0, 150, 200, 10), rectangle(0, 0, 150, 200, 30)):
            assert distance(inner, outer) == distance(outer, inner) == 0


def test_cm08_in_the_corner_of_a_hull_there_is_room() -> None:
    assert distance(footprint(ELL, pose(0, 0)), disc(0.7, 0.7, 25.4)) == inches(0.2)


def test_cm08_base_contact() -> None:
    assert in_contact(disc(0, 0, 25.4), disc(1.0001, 0, 25.4))
    assert not in_contact(disc(0, 0, 25.4), disc(1.0002, 0, 25.4))
    assert in_contact(rectangle(0, 0, 20, 20), rectangle(0.7874, 0, 20, 20))


@pytest.mark.parametrize(
    ("far", "is_within", "is_beyond", "is_at_least"),
    [(119_998, True, False, False), (119_999, True, False, True), (120_000, True, False, True),
     (120_001, True, False, True), (120_002, False, True, True)],
)  # fmt: skip
def test_cm09_words_for_12_inches(far: int, is_within: bool, is_beyond: bool, is_at_least: bool) -> None:
    d, twelve = Length(far), inches(12)
    assert (within(d, twelve), beyond(d, twelve), at_least(d, twelve)) == (is_within, is_beyond, is_at_least)


def test_cm09_wholly_within() -> None:
    assert wholly_within(disc(5.5, 0, 25.4), inches(6), at(0, 0))
    assert not wholly_within(disc(5.5002, 0, 25.4), inches(6), at(0, 0))


def test_cm10_a_range_that_counts_height() -> None:
    assert range_3d(inches(12), inches(-5)) == inches(13)


def test_nearest_takes_the_first_in_id_order_among_equals() -> None:
    others = {"b": disc(3, 0), "a": disc(-3, 0), "c": disc(0, 3.5), "Z": disc(9, 0)}
    assert nearest(disc(0, 0, 25.4), others) == ("a", distance(disc(0, 0, 25.4), disc(3, 0)))
    assert nearest(disc(0, 0), {}) is None


def test_nearest_is_not_fooled_by_a_long_base() -> None:
    assert nearest(disc(0, 0, 25.4), {"long": rectangle(4, 0, 25.4, 127), "small": disc(3.2, 0, 25.4)}) == (
        "small",
        inches(2.2),
    )


def test_a_way_is_as_long_as_its_parts() -> None:
    assert path_length([at(0, 0), at(3, 4), at(3, 6)]) == inches(7)
    assert path_length([at(0, 0)]) == path_length([]) == 0
    assert points_distance(at(0, 0), at(3, 4)) == inches(5)


def test_the_ruler_starts_and_ends_where_was_measured() -> None:
    assert nearest_points(disc(0, 0, 25.4), disc(4, 0, 25.4)) == (at(0.5, 0), at(3.5, 0))
    assert nearest_points(disc(4, 0, 25.4), disc(0, 0, 25.4)) == (at(3.5, 0), at(0.5, 0))
    assert nearest_point(at(9, 0.5), block(0, 0, 1, 1)) == at(1, 0.5)


def test_st15_e10_the_target_of_the_example_is_29_0157_away() -> None:
    # The example has the unrounded 29.50787; on the grid (CM-04) it is one unit more.
    assert abs(point_distance(at(24, 0), rectangle(24, 29.5079, 25, 25, 180)) - inches(29.0157)) <= EPS


def test_st61_e13_a_firing_point_ahead_is_turned_with_the_machine() -> None:
    target, middle = disc(33, 10), at(24, 0)
    before = at(24, 1)
    after = turned(before, middle, Bearing(4_199))
    assert point_distance(before, target) == inches(12.2358)
    assert abs(point_distance(after, target) - inches(11.9615)) <= 1
    assert not at_least(point_distance(after, target), inches(12))


def test_two_ovals_that_barely_overlap_are_measured_at_a_common_point() -> None:
    a, b = oval(3.5308, 7.3296, 41.06, 122, 194.47), oval(5.5415, 7.9419, 59.13, 47.46, 145.86)
    assert distance(a, b) == 0
    on_a, on_b = nearest_points(a, b)
    assert on_a == on_b
    assert contains(a, on_a)
    assert contains(b, on_b)


@settings(max_examples=200)
@given(bases, poses, bases, poses)
def test_distance_is_that_of_a_dense_outline_and_symmetric(a: Base, at_a: Pose, b: Base, at_b: Pose) -> None:
    first, second = footprint(a, at_a), footprint(b, at_b)
    found = distance(first, second)
    assert found == distance(second, first)
    assert abs(found / 10_000 - shapely.distance(fine(first), fine(second))) <= 0.0000501 + 5e-6


@given(bases, poses, bases, poses)
def test_the_nearest_points_lie_on_their_bases_and_show_the_distance(a: Base, at_a: Pose, b: Base, at_b: Pose) -> None:
    first, second = footprint(a, at_a), footprint(b, at_b)
    on_a, on_b = nearest_points(first, second)
    assert nearest_points(second, first) == (on_b, on_a)
    assert contains(first, on_a)
    assert contains(second, on_b)
    assert abs(points_distance(on_a, on_b) - distance(first, second)) <= 2


@given(bases, poses, points)
def test_a_point_is_as_far_as_from_a_dense_outline(base: Base, where: Pose, point: Point) -> None:
    shape = footprint(base, where)
    place = shapely.Point(point.x / 10_000, point.y / 10_000)
    ring = outline(shape, FINE)
    assert abs(point_distance(point, shape) / 10_000 - shapely.distance(place, shapely.Polygon(ring))) <= 0.00006
    most = max(math.dist(spot, (place.x, place.y)) for spot in ring)
    assert abs(farthest(point, shape) / 10_000 - most) <= 0.00006


@given(bases, poses, bases, poses, points, bearings, coordinates)
def test_distance_stays_when_the_whole_scene_is_turned_and_moved(
    a: Base, at_a: Pose, b: Base, at_b: Pose, about: Point, by: Bearing, east: Length
) -> None:
    before = distance(footprint(a, at_a), footprint(b, at_b))
    after = distance(footprint(a, moved(at_a, about, by, east)), footprint(b, moved(at_b, about, by, east)))
    # Each centre is rounded to the grid, so each may be off by 0.71 of a unit.
    assert abs(after - before) <= 2
