import math
import time
from itertools import pairwise

import msgspec
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from server.geometry.shapes import Base, Footprint, Rectangle, Round, body, footprint, outline
from server.geometry.sight import Eye, Field, Sight, Target, Volume, eye_of, point_visible, samples, sight
from server.geometry.units import Bearing, Length, Point, Pose, degrees, inches, mm, to_inches, turned
from tests.geometry.scenes import ELL, MAN, at, bases, bearings, block, coordinates, disc, oval, points, pose, poses

TALL = inches(4)
FLOOR = Length(0)
ROUND_25 = Round(mm(25), MAN)
SLAB = Rectangle(mm(25.4), mm(254), TALL)
HERE = eye_of(at(0, 0), FLOOR, MAN)
"""A man at the origin; in these scenes he looks north."""


def man(x: float, y: float, name: str = "target") -> Target:
    return Target(name, disc(x, y), FLOOR, MAN)


def wall(shape: Footprint, top: Length = TALL, name: str = "wall", bottom: Length = FLOOR) -> Volume:
    return Volume(name, shape, bottom, top, soft=False, blocks=True)


def hedge(shape: Footprint, top: Length = TALL, name: str = "hedge") -> Volume:
    return Volume(name, shape, FLOOR, top, soft=True, blocks=False)


def test_cm27_the_eye_is_at_nine_tenths() -> None:
    assert eye_of(at(1, 2), inches(3), MAN) == Eye(inches(1), inches(2), inches(3 + 1.125))


def test_cm27_lying_down_halves_it() -> None:
    assert eye_of(at(1, 2), FLOOR, MAN, halved=True).z == inches(0.5625)


def test_cm28_ten_points_across_the_silhouette() -> None:
    spots = samples(HERE, disc(0, 10, 50.8), FLOOR, MAN)
    row = [at(-0.99, 10), at(-0.5, 10), at(0, 10), at(0.5, 10), at(0.99, 10)]
    assert spots == tuple((spot, inches(z)) for z in (0.625, 1.25) for spot in row)


def test_cm28_from_the_east_left_is_south() -> None:
    eye = eye_of(at(20, 10), FLOOR, MAN)
    assert samples(eye, disc(0, 10, 50.8), FLOOR, MAN)[0][0] == at(0, 9.01)


def test_cm28_the_silhouette_of_an_oval_is_its_width_from_there() -> None:
    spots = [spot for spot, _ in samples(HERE, oval(0, 10, 50.8, 101.6), FLOOR, MAN)][:5]
    assert (spots[0], spots[4]) == (at(-0.99, 10), at(0.99, 10))
    turned_spots = [spot for spot, _ in samples(HERE, oval(0, 10, 50.8, 101.6, 90), FLOOR, MAN)][:5]
    assert (turned_spots[0], turned_spots[4]) == (at(-1.99, 10), at(1.99, 10))


def test_cm28_straight_from_above_there_still_are_ten() -> None:
    above = Eye(FLOOR, FLOOR, inches(5))
    assert len(samples(above, disc(0, 0), FLOOR, MAN)) == 10


@given(bases, poses, points)
def test_cm28_samples_lie_on_the_target(base: Base, where: Pose, eye: Point) -> None:
    shape = footprint(base, where)
    fine = shapely.Polygon(outline(shape, 512)).buffer(0.001)
    for spot, _ in samples(eye_of(eye, FLOOR, MAN), shape, FLOOR, MAN):
        assert fine.covers(shapely.Point(spot.x / 10_000, spot.y / 10_000))


def test_cm28_a_hair_of_a_turn_does_not_move_a_sample_far() -> None:
    tank = [footprint(SLAB, pose(0, 10, facing)) for facing in (0, 0.01)]
    straight, askew = ([spot for spot, _ in samples(HERE, shape, FLOOR, MAN)] for shape in tank)
    assert all(math.dist((a.x, a.y), (b.x, b.y)) < 20 for a, b in zip(straight, askew, strict=True))


def test_cm30_nothing_between_is_in_the_open() -> None:
    seen = sight(HERE, man(0, 20), [])
    assert (seen.rays, seen.free, seen.blocked, seen.share) == (10, 10, 0, 100)
    assert seen.visible
    assert seen.in_the_open
    assert not seen.obscured


def test_cm30_behind_a_high_wall_it_is_not_visible() -> None:
    seen = sight(HERE, man(0, 20), [wall(block(-5, 10, 5, 11))])
    assert (seen.free, seen.blocked, seen.share, seen.blockers) == (0, 10, 0, ("wall",))
    assert not seen.visible
    assert not seen.obscured


def test_cm30_half_behind_a_wall_it_is_obscured() -> None:
    # The wall ends just left of the middle ray, so two of five columns are gone.
    seen = sight(HERE, man(0, 20), [wall(block(-5, 10, -0.01, 11))])
    assert (seen.free, seen.blocked, seen.share) == (6, 4, 60)
    assert seen.obscured
    assert [ray.verdict for ray in seen.lines] == ["blocked", "blocked", "free", "free", "free"] * 2


def test_cm29_a_low_wall_hides_the_lower_half() -> None:
    # Rays fall from 1.125 to 0.625 or rise to 1.25; at the wall, half way, they are at 0.875 and 1.1875.
    seen = sight(HERE, man(0, 20), [wall(block(-5, 9.9, 5, 10.1), top=inches(1))])
    assert [ray.verdict for ray in seen.lines] == ["blocked"] * 5 + ["free"] * 5


def test_cm29_a_bridge_lets_rays_pass_beneath() -> None:
    assert sight(HERE, man(0, 20), [wall(block(-5, 9, 5, 11), bottom=inches(2))]).in_the_open


def test_cm29_a_hedge_obscures_and_never_blocks() -> None:
    seen = sight(HERE, man(0, 20), [hedge(block(-5, 9, 5, 11))])
    assert (seen.free, seen.blocked, seen.share) == (0, 0, 100)
    assert seen.obscured
    assert (seen.blockers, seen.softened) == ((), ("hedge",))


def test_cm29_a_soft_volume_that_says_so_blocks() -> None:
    thick = Volume("wood", block(-5, 9, 5, 11), FLOOR, TALL, soft=True, blocks=True)
    seen = sight(HERE, man(0, 20), [thick])
    assert (seen.visible, seen.blockers, seen.softened) == (False, ("wood",), ())


def test_cm29_a_volume_that_does_neither_is_air() -> None:
    assert sight(HERE, man(0, 20), [Volume("pond", block(-5, 9, 5, 11), FLOOR, TALL, False, False)]).in_the_open


def test_cm29_between_the_bodies_of_a_line_of_equals_one_sees_through() -> None:
    line = {f"m{i}": pose(x, 10) for i, x in enumerate((-0.4922, 0.4922))}
    with_bodies = [wall(body(ROUND_25, where), MAN, name) for name, where in line.items()]
    with_bases = [wall(footprint(ROUND_25, where), MAN, name) for name, where in line.items()]
    assert sight(HERE, man(0, 20), with_bodies).visible
    assert sight(HERE, man(0, 20), with_bases).blocked > sight(HERE, man(0, 20), with_bodies).blocked


@pytest.mark.parametrize("shape", [disc(0, 10, 60), oval(0, 10, 60, 35), oval(0, 10, 35, 60, 90), block(-1, 9, 1, 11)])
def test_cm29_each_kind_of_volume_stops_rays(shape: Footprint) -> None:
    assert not sight(HERE, man(0, 20), [wall(shape)]).visible


def test_want42_a_ray_along_a_wall_grazes_it() -> None:
    east_wall, west_wall = wall(block(0.5, 5, 1, 15), name="east"), wall(block(-1, 5, -0.5, 15), name="west")
    corridor = Field([east_wall, west_wall])
    assert corridor.sight(HERE, man(0, 20)).in_the_open
    assert corridor.point_visible(Eye(inches(0.5), FLOOR, MAN), at(0.5, 20), MAN)
    assert corridor.point_visible(Eye(inches(0.5001), FLOOR, MAN), at(0.5001, 20), MAN)
    assert not corridor.point_visible(Eye(inches(0.5003), FLOOR, MAN), at(0.5003, 20), MAN)


def test_want42_a_ray_along_a_wall_askew_grazes_it() -> None:
    for bearing in range(0, 36_000, 717):
        by = Bearing(bearing)
        place = turned(at(1, 0), at(0, 0), by)
        turned_wall = wall(footprint(SLAB, Pose(place.x, place.y, by)))
        eye, end = (turned(p, at(0, 0), by) for p in (at(0.5, -9), at(0.5, 9)))
        # Ends rounded to the grid are up to 0.7 of a unit beside the line that is meant.
        assert point_visible(Eye(eye.x, eye.y, MAN), end, MAN, [turned_wall])


def test_want42_a_ray_along_the_top_of_a_wall_grazes_it() -> None:
    low = [wall(block(-5, 9, 5, 11), top=MAN)]
    assert point_visible(Eye(FLOOR, FLOOR, MAN), at(0, 20), MAN, low)
    assert not point_visible(Eye(FLOOR, FLOOR, inches(1.2)), at(0, 20), inches(1.2), low)


def test_want42_a_ray_that_touches_a_round_thing_grazes_it() -> None:
    for shape in (disc(1, 10, 50.8), oval(1, 10, 50.8, 101.6), oval(1, 10, 101.6, 50.8, 90)):
        assert point_visible(HERE, at(0, 20), MAN, [wall(shape)])
        assert not point_visible(Eye(inches(0.01), FLOOR, MAN), at(0.01, 20), MAN, [wall(shape)])


def test_want42_a_ray_through_the_corner_of_a_block_grazes_it() -> None:
    assert point_visible(HERE, at(10, 10), MAN, [wall(block(5, 2, 8, 5))])


def test_cm29_no_ray_slips_through_the_seams_of_a_hull() -> None:
    ell = wall(footprint(ELL, pose(0, 0)))
    for step in range(-110, 111):
        x = step / 100
        assert not point_visible(Eye(inches(x), inches(-9), MAN), at(x, 9), MAN, [ell])
    assert not point_visible(Eye(inches(-9), inches(-9), MAN), at(9, 9), MAN, [ell])
    assert not point_visible(Eye(inches(-9), inches(9), MAN), at(9, -9), MAN, [ell])
    assert point_visible(Eye(inches(0.2), inches(0.2), MAN), at(9, 9), MAN, [ell])


def test_cm31_the_ignored_and_the_target_hide_nothing() -> None:
    field = Field([wall(block(-5, 9, 5, 11), name="own"), wall(disc(0, 20), name="target")])
    assert not field.sight(HERE, man(0, 20)).visible
    assert field.sight(HERE, man(0, 20), frozenset({"own"})).in_the_open


def test_a_thing_of_several_volumes_is_named_once_and_ignored_whole() -> None:
    house = [wall(block(-5, 9, 5, 10), name="house"), wall(block(-5, 10, 5, 11), name="house")]
    assert sight(HERE, man(0, 20), house).blockers == ("house",)
    assert sight(HERE, man(0, 20), house, frozenset({"house"})).in_the_open


def test_cm38_blockers_come_in_text_order() -> None:
    walls = [wall(block(-5, y, 5, y + 1), name=name) for y, name in ((5, "b"), (7, "B"), (9, "a10"), (11, "a2"))]
    assert sight(HERE, man(0, 20), walls).blockers == ("B", "a10", "a2", "b")


def test_cm39_sight_to_a_spot_on_a_roof() -> None:
    house = wall(block(-2, 9, 2, 12), top=inches(3), name="house")
    roof, beyond = at(0, 9.2), at(0, 14)
    assert not point_visible(HERE, beyond, FLOOR, [house])
    assert not point_visible(HERE, roof, inches(3), [house])
    assert point_visible(Eye(FLOOR, FLOOR, inches(3.5)), roof, inches(3), [house])
    assert Field([house]).point_visible(HERE, roof, inches(3), frozenset({"house"}))


def test_cm39_straight_up_through_a_floor() -> None:
    floor = wall(block(-2, -2, 2, 2), bottom=inches(2), top=inches(2.5))
    well = wall(disc(0, 0), bottom=inches(2), top=inches(2.5))
    for volume in (floor, well):
        assert not point_visible(HERE, at(0, 0), inches(3), [volume])
        assert point_visible(HERE, at(0, 0), inches(2), [volume])
    assert point_visible(HERE, at(0, 0), HERE.z, [floor])


def test_a_sight_survives_the_wire() -> None:
    seen = sight(HERE, man(0, 20), [wall(block(-5, 10, -0.01, 11)), hedge(block(-5, 5, 5, 6))])
    assert msgspec.json.decode(msgspec.json.encode(seen), type=Sight) == seen
    assert (seen.free, seen.blocked) == (0, 4)


heights = st.integers(0, 40_000).map(Length)
things = st.lists(st.tuples(bases, poses, heights, st.sampled_from(["wall", "hedge"])), max_size=8)


def volumes_of(placed: list[tuple[Base, Pose, Length, str]]) -> list[Volume]:
    return [
        Volume(f"{kind}{i}", footprint(base, where), FLOOR, top, soft=kind == "hedge", blocks=kind == "wall")
        for i, (base, where, top, kind) in enumerate(placed)
    ]


def length_inside(volume: Volume, eye: Eye, end: Point, z: Length, cut_back: Length = FLOOR) -> float:
    """Reference: the flat length of a ray inside a volume, which may be cut back all around."""
    bottom, top, rise = volume.bottom + cut_back, volume.top - cut_back, z - eye.z
    if rise == 0:
        low, high = (0.0, 1.0) if bottom < eye.z < top else (1.0, 0.0)
    else:
        at_floor, at_top = sorted(((bottom - eye.z) / rise, (top - eye.z) / rise))
        low, high = max(0.0, at_floor), min(1.0, at_top)
    if low >= high or bottom >= top:
        return 0.0
    ends = [((eye.x + t * (end.x - eye.x)) / 10_000, (eye.y + t * (end.y - eye.y)) / 10_000) for t in (low, high)]
    ground = shapely.Polygon(outline(volume.footprint, 1_024)).buffer(-to_inches(cut_back), join_style="mitre")
    return float(ground.intersection(shapely.LineString(ends)).length)


@settings(max_examples=200)
@given(things, points, points, heights, heights)
def test_cm29_a_ray_is_stopped_by_what_it_passes_through(
    placed: list[tuple[Base, Pose, Length, str]], start: Point, end: Point, eye_z: Length, z: Length
) -> None:
    assume(start != end)
    eye = Eye(start.x, start.y, eye_z)
    for volume in volumes_of(placed):
        if not volume.blocks:
            continue
        visible = point_visible(eye, end, z, [volume])
        # Between the two lies the graze.
        if length_inside(volume, eye, end, z) == 0:
            assert visible
        elif length_inside(volume, eye, end, z, cut_back=Length(3)) > 0.001:
            assert not visible


@given(things, points, poses)
def test_cm30_one_more_volume_never_shows_more(
    placed: list[tuple[Base, Pose, Length, str]], start: Point, where: Pose
) -> None:
    eye, target = eye_of(start, FLOOR, MAN), Target("target", body(ROUND_25, where), FLOOR, MAN)
    volumes = volumes_of(placed)
    views = [sight(eye, target, volumes[:count]) for count in range(len(volumes) + 1)]
    for fewer, more in pairwise(views):
        assert more.free <= fewer.free
        assert more.blocked >= fewer.blocked
        assert set(fewer.blockers) <= set(more.blockers)


@given(things, points, poses)
def test_a_sight_is_whole(placed: list[tuple[Base, Pose, Length, str]], start: Point, where: Pose) -> None:
    eye, target = eye_of(start, FLOOR, MAN), Target("target", body(ROUND_25, where), FLOOR, MAN)
    seen = sight(eye, target, volumes_of(placed))
    assert seen == sight(eye, target, volumes_of(placed)[::-1])
    assert seen.rays == len(seen.lines) == 10
    assert (seen.blocked > 0) == bool(seen.blockers)
    assert seen.in_the_open == (not seen.blockers and not seen.softened)
    assert seen.visible == (seen.in_the_open or seen.obscured)


@given(things, points, points)
def test_want45_one_line_is_the_same_from_either_end(
    placed: list[tuple[Base, Pose, Length, str]], start: Point, end: Point
) -> None:
    field = Field(volumes_of(placed))
    there, back = Eye(start.x, start.y, MAN), Eye(end.x, end.y, MAN)
    assert field.point_visible(there, end, MAN) == field.point_visible(back, start, MAN)


@given(st.lists(st.tuples(bases, poses), max_size=6), points, points, coordinates, coordinates)
def test_sight_does_not_depend_on_where_on_the_table(
    placed: list[tuple[Base, Pose]], start: Point, end: Point, east: Length, north: Length
) -> None:
    def seen(dx: int, dy: int) -> tuple[int, ...]:
        volumes = [
            wall(footprint(base, Pose(Length(where.x + dx), Length(where.y + dy), where.facing)), name=f"w{i}")
            for i, (base, where) in enumerate(placed)
        ]
        eye = eye_of(Point(Length(start.x + dx), Length(start.y + dy)), FLOOR, MAN)
        there = Pose(Length(end.x + dx), Length(end.y + dy), Bearing(0))
        found = sight(eye, Target("target", footprint(ROUND_25, there), FLOOR, MAN), volumes)
        return found.free, found.blocked

    assert seen(0, 0) == seen(east, north)


def test_two_hundred_models_take_little_time() -> None:
    line = [wall(disc((i % 20) * 1.2 - 12, 5 + i // 20), MAN, f"m{i:03}") for i in range(200)]
    field = Field([*line, *(wall(block(i, 30, i + 1, 31), name=f"t{i}") for i in range(30))])
    field.sight(HERE, man(0, 20))
    begin = time.perf_counter()
    for _ in range(20):
        field.sight(HERE, man(0, 20))
    # The aim is 1 ms on a quiet machine; this only catches a slip of an order of magnitude.
    assert (time.perf_counter() - begin) / 20 < 0.02


@given(bearings)
def test_equals_in_the_open_see_each_other(facing: Bearing) -> None:
    there = turned(at(0, 12), at(0, 0), facing)
    target = Target("target", body(ROUND_25, Pose(there.x, there.y, degrees(0))), FLOOR, MAN)
    assert sight(HERE, target, []).in_the_open
