import math

import msgspec
import pytest
from hypothesis import given

from server.geometry.plane import Circle, Cornered, Ellipse
from server.geometry.shapes import (
    Base,
    Oval,
    Polygon,
    Rectangle,
    Round,
    body,
    bounding_radius,
    contains,
    corners,
    extent,
    footprint,
    inside_board,
    outline,
    overlap,
)
from server.geometry.units import Length, Pose, Size, inches, mm, to_point
from tests.geometry.scenes import ELL, MAN, at, bases, block, disc, oval, pose, poses, rectangle


def test_cm06_the_length_runs_along_the_facing() -> None:
    base = Rectangle(mm(25.4), mm(50.8), MAN)
    assert extent(footprint(base, pose(0, 0))) == (-5_000, -10_000, 5_000, 10_000)
    assert extent(footprint(base, pose(0, 0, 90))) == (-10_000, -5_000, 10_000, 5_000)
    assert extent(oval(0, 0, 25.4, 50.8)) == (-5_000, -10_000, 5_000, 10_000)
    assert extent(oval(0, 0, 25.4, 50.8, 270)) == (-10_000, -5_000, 10_000, 5_000)


def test_cm06_a_hull_turns_with_its_facing() -> None:
    bow = Polygon(((mm(0), mm(50.8)), (mm(-25.4), mm(-25.4)), (mm(25.4), mm(-25.4))), MAN)
    assert extent(footprint(bow, pose(10, 10))) == (90_000, 90_000, 110_000, 120_000)
    assert extent(footprint(bow, pose(10, 10, 90))) == (90_000, 90_000, 120_000, 110_000)


def test_cm06_corners_may_be_given_either_way_round() -> None:
    backwards = Polygon(ELL.corners[::-1], ELL.height)
    assert set(corners(footprint(ELL, pose(3, 4, 30)))) == set(corners(footprint(backwards, pose(3, 4, 30))))


def test_each_base_has_its_exact_kind() -> None:
    assert isinstance(disc(0, 0), Circle)
    assert isinstance(oval(0, 0, 35, 60), Ellipse)
    assert isinstance(rectangle(0, 0, 25, 50), Cornered)


def test_cm29_the_body_is_the_base_shrunk() -> None:
    assert extent(body(Rectangle(mm(25.4), mm(50.8), MAN), pose(2, 2), 0.6)) == (17_000, 14_000, 23_000, 26_000)
    assert bounding_radius(body(Round(mm(50.8), MAN), pose(2, 2), 0.5)) == inches(0.5)


@pytest.mark.parametrize(
    ("corners_mm", "sentence"),
    [
        (((0, 0), (10, 0)), "A polygon has 3 to 64 corners."),
        (((0, 0), (10, 10), (10, 0), (0, 10)), "The sides of a polygon may not cross or touch each other."),
        (((0, 0), (10, 0), (20, 0)), "The sides of a polygon may not cross or touch each other."),
        (((0, 0), (0, 0), (0, 0)), "The sides of a polygon may not cross or touch each other."),
    ],
)
def test_cm06_a_crossed_or_flat_hull_is_refused(corners_mm: tuple[tuple[int, int], ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Polygon(tuple((mm(x), mm(y)) for x, y in corners_mm), MAN)


@pytest.mark.parametrize(
    "text",
    [
        b'{"kind": "round", "diameter": 0, "height": 0}',
        b'{"kind": "round", "diameter": 254001, "height": 0}',
        b'{"kind": "round", "diameter": 2500, "height": -1}',
        b'{"kind": "round", "diameter": 2500, "height": 0, "colour": 1}',
        b'{"kind": "oval", "width": 2500, "height": 0}',
        b'{"kind": "polygon", "corners": [[0, 0], [0, 1]], "height": 0}',
        b'{"kind": "polygon", "corners": [[0, 0], [9, 9], [9, 0], [0, 9]], "height": 0}',
        b'{"kind": "star", "height": 0}',
    ],
)
def test_a_base_from_outside_is_checked(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Base)


@given(bases)
def test_a_base_survives_the_wire(base: Base) -> None:
    assert msgspec.json.decode(msgspec.json.encode(base), type=Base) == base


def test_a_base_names_its_kind_on_the_wire() -> None:
    assert msgspec.json.encode(Round(mm(25), Length(12_500))) == b'{"kind":"round","diameter":2500,"height":12500}'


@given(bases, poses)
def test_the_outline_lies_on_the_base_and_in_its_bound(base: Base, where: Pose) -> None:
    shape = footprint(base, where)
    for x, y in outline(shape, steps=16):
        assert contains(shape, to_point((x, y)))
        assert math.dist((x, y), (shape.x, shape.y)) <= bounding_radius(shape) / 10_000 + 1e-9


@given(bases, poses)
def test_the_pieces_make_up_the_whole(base: Base, where: Pose) -> None:
    shape = footprint(base, where)
    if isinstance(shape, Cornered):
        assert math.isclose(sum(_area(piece.corners) for piece in shape.pieces), shape.region.area)
        assert sum(not seam for piece in shape.pieces for seam in piece.seams) == len(shape.corners)


def _area(ring: tuple[tuple[float, float], ...]) -> float:
    return sum(px * qy - qx * py for (px, py), (qx, qy) in zip(ring, ring[1:] + ring[:1], strict=True)) / 2


def test_a_point_on_the_outline_is_contained() -> None:
    assert contains(block(0, 0, 1, 1), at(1, 0.5))
    assert contains(block(0, 0, 1, 1), at(1.0001, 0.5))
    assert not contains(block(0, 0, 1, 1), at(1.0002, 0.5))
    assert not contains(footprint(ELL, pose(0, 0)), at(0.5, 0.5))


def test_touching_bases_do_not_overlap() -> None:
    for a, b in [
        (rectangle(0, 0, 25.4, 25.4), rectangle(1, 0, 25.4, 25.4)),
        (rectangle(0, 0, 25.4, 25.4), disc(1, 0, 25.4)),
        (disc(0, 0, 25.4), disc(1, 0, 25.4)),
        (oval(0, 0, 25.4, 50.8), disc(1, 0, 25.4)),
        (oval(0, 0, 25.4, 50.8), rectangle(1, 0, 25.4, 25.4)),
        (oval(0, 0, 25.4, 50.8), oval(1, 0, 25.4, 50.8)),
        (footprint(ELL, pose(0, 0)), block(0, 0, 1, 1)),
    ]:
        assert not overlap(a, b)
        assert not overlap(b, a)


def test_bases_that_are_into_each_other_overlap() -> None:
    for a, b in [
        (rectangle(0, 0, 25.4, 25.4), rectangle(0.9997, 0, 25.4, 25.4)),
        (rectangle(0, 0, 25.4, 25.4), disc(0.9997, 0, 25.4)),
        (disc(0, 0, 25.4), disc(0.9997, 0, 25.4)),
        (oval(0, 0, 25.4, 50.8), disc(0.9997, 0, 25.4)),
        (oval(0, 0, 25.4, 50.8), rectangle(0.9997, 0, 25.4, 25.4)),
        (oval(0, 0, 25.4, 50.8), oval(0.9997, 0, 25.4, 50.8)),
        (footprint(ELL, pose(0, 0)), block(-0.0004, -0.0004, 1, 1)),
        (block(0, 0, 9, 9), disc(4, 4)),
        (oval(0, 0, 90, 50), oval(0, 0, 50, 90)),
    ]:
        assert overlap(a, b)
        assert overlap(b, a)


def test_a_base_at_the_edge_is_on_the_board() -> None:
    width, height = inches(72), inches(48)
    assert inside_board(disc(0.5, 0.5, 25.4), width, height)
    assert inside_board(disc(71.5, 47.5, 25.4), width, height)
    assert not inside_board(disc(0.4998, 24, 25.4), width, height)
    assert not inside_board(oval(71, 24, 25.4, 50.8 + 0.01, 90), width, height)
    assert inside_board(oval(71, 24, 25.4, 50.8, 90), width, height)


def test_the_same_base_and_pose_give_the_same_ground() -> None:
    base = Oval(Size(3_500), Size(6_000), MAN)
    assert footprint(base, pose(1, 2, 3)) is footprint(base, pose(1, 2, 3))
