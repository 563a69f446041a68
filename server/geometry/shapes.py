"""Bases, and the ground they cover (CM-05, CM-06). Terrain has the same shapes."""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, assert_never

import msgspec
import shapely

from server.geometry import plane
from server.geometry.plane import Circle, Cornered, Ellipse, Footprint, Piece
from server.geometry.units import (
    EPS,
    PER_INCH,
    SIZE_PER_INCH,
    XY,
    Length,
    Point,
    Pose,
    Size,
    sine_cosine,
    size_inches,
    to_inches,
    to_xy,
)

__all__ = [
    "Base",
    "Footprint",
    "Oval",
    "Polygon",
    "Rectangle",
    "Round",
    "body",
    "bounding_radius",
    "contains",
    "corners",
    "extent",
    "footprint",
    "inside_board",
    "outline",
    "overlap",
]

LARGEST = 100 * SIZE_PER_INCH
BODY_WIDTH = 0.6

Measure = Annotated[Size, msgspec.Meta(gt=0, le=LARGEST)]
Offset = Annotated[Size, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
Height = Annotated[Length, msgspec.Meta(ge=0, le=100 * PER_INCH)]
Corners = Annotated[tuple[tuple[Offset, Offset], ...], msgspec.Meta(min_length=3, max_length=64)]


class Round(msgspec.Struct, frozen=True, tag_field="kind", tag="round", forbid_unknown_fields=True, gc=False):
    """A circle of this diameter; `height` is that of the body on it (CM-05)."""

    diameter: Measure
    height: Height


class Oval(msgspec.Struct, frozen=True, tag_field="kind", tag="oval", forbid_unknown_fields=True, gc=False):
    """An ellipse: `width` across the front, `length` along the facing (CM-06)."""

    width: Measure
    length: Measure
    height: Height


class Rectangle(msgspec.Struct, frozen=True, tag_field="kind", tag="rectangle", forbid_unknown_fields=True, gc=False):
    """A rectangle: `width` across the front, `length` along the facing (CM-06)."""

    width: Measure
    length: Measure
    height: Height


class Polygon(msgspec.Struct, frozen=True, tag_field="kind", tag="polygon", forbid_unknown_fields=True, gc=False):
    """A hull: corners as (right, front) of the centre while it faces north; its sides may not cross (CM-06)."""

    corners: Corners
    height: Height

    def __post_init__(self) -> None:
        if not 3 <= len(self.corners) <= 64:
            raise ValueError("A polygon has 3 to 64 corners.")
        if not shapely.Polygon(self.corners).is_valid:
            raise ValueError("The sides of a polygon may not cross or touch each other.")


Base = Round | Oval | Rectangle | Polygon


def footprint(base: Base, pose: Pose) -> Footprint:
    """The ground the base covers at this pose."""
    return _footprint(base, pose, 1.0)


def body(base: Base, pose: Pose, width_fraction: float = BODY_WIDTH) -> Footprint:
    """The ground under the figure itself: the base shrunk about its centre (CM-29, `body_width`)."""
    return _footprint(base, pose, width_fraction)


@lru_cache(maxsize=16_384)
def _footprint(base: Base, pose: Pose, scale: float) -> Footprint:
    x, y = to_xy(pose.point)
    sine, cosine = sine_cosine(pose.facing)
    match base:
        case Round():
            return Circle(x, y, scale * size_inches(base.diameter) / 2)
        case Oval():
            across, along = scale * size_inches(base.width) / 2, scale * size_inches(base.length) / 2
            return Ellipse(x, y, max(across, along), across, along, sine, cosine)
        case Rectangle() | Polygon():
            places = tuple(
                (
                    x + scale * (right * cosine + front * sine) / SIZE_PER_INCH,
                    y + scale * (front * cosine - right * sine) / SIZE_PER_INCH,
                )
                for right, front in _plan(base)
            )
            return _cornered((x, y), places, _cuts(base))
        case _:
            assert_never(base)


def _cornered(centre: XY, places: tuple[XY, ...], cuts: "_Cuts") -> Cornered:
    pieces = tuple(Piece(tuple(places[i] for i in indices), seams) for indices, seams in cuts)
    bound = max(math.dist(centre, place) for place in places)
    region = shapely.Polygon(places)
    shapely.prepare(region)
    return Cornered(*centre, bound, places, pieces, region)


_Cuts = tuple[tuple[tuple[int, ...], tuple[bool, ...]], ...]


@lru_cache(maxsize=1_024)
def _plan(base: Rectangle | Polygon) -> tuple[XY, ...]:
    """The corners at facing north, in Size, anticlockwise."""
    if isinstance(base, Rectangle):
        right, front = base.width / 2, base.length / 2
        return (-right, -front), (right, -front), (right, front), (-right, front)
    given = tuple((float(x), float(y)) for x, y in base.corners)
    return given if shapely.is_ccw(shapely.LinearRing(given)) else given[::-1]


@lru_cache(maxsize=1_024)
def _cuts(base: Rectangle | Polygon) -> _Cuts:
    """The convex pieces of a base, as numbers of corners: the whole of it if it is convex, else triangles."""
    plan = _plan(base)
    count = len(plan)
    if _is_convex(plan):
        return ((tuple(range(count)), (False,) * count),)
    number = {place: i for i, place in enumerate(plan)}
    triangles = shapely.orient_polygons(shapely.constrained_delaunay_triangles(shapely.Polygon(plan))).geoms
    rings = [[number[x, y] for x, y in shapely.get_coordinates(triangle).tolist()] for triangle in triangles]
    return tuple((tuple(ring[:-1]), tuple((a + 1) % count != b for a, b in pairwise(ring))) for ring in rings)


def _is_convex(places: Sequence[XY]) -> bool:
    return all(
        (bx - ax) * (cy - by) - (by - ay) * (cx - bx) >= 0
        for ((ax, ay), (bx, by)), (cx, cy) in zip(plane.sides(places), [*places[2:], *places[:2]], strict=True)
    )


def bounding_radius(shape: Footprint) -> Length:
    """The radius about its centre that holds all of the footprint, rounded up."""
    return Length(math.ceil(shape.bound * PER_INCH))


def corners(shape: Footprint) -> tuple[XY, ...]:
    """The corners in inches, anticlockwise; none for round things."""
    return shape.corners if isinstance(shape, Cornered) else ()


def outline(shape: Footprint, steps: int = 64) -> tuple[XY, ...]:
    """The outline in inches as a ring of places on it: for drawing and rough work, never to decide a touch."""
    angles = (2 * math.pi * i / steps for i in range(steps))
    match shape:
        case Circle():
            return tuple((shape.x + shape.bound * math.cos(a), shape.y + shape.bound * math.sin(a)) for a in angles)
        case Ellipse():
            return tuple(plane.to_table(shape, (shape.across * math.cos(a), shape.along * math.sin(a))) for a in angles)
        case Cornered():
            return shape.corners
        case _:
            assert_never(shape)


def extent(shape: Footprint) -> tuple[Length, Length, Length, Length]:
    """The west, south, east and north ends of the footprint."""
    reaches = [plane.reach(shape, way) for way in ((-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0))]
    west, south, east, north = (Length(round(reach * PER_INCH)) for reach in reaches)
    return Length(-west), Length(-south), east, north


def inside_board(shape: Footprint, width: Length, height: Length) -> bool:
    """Whether no part of the footprint sticks out of the table; touching the edge is allowed."""
    west, south, east, north = extent(shape)
    return west >= -EPS and south >= -EPS and east <= width + EPS and north <= height + EPS


def contains(shape: Footprint, point: Point) -> bool:
    """Whether the point lies in the footprint or at most EPS outside its outline."""
    return plane.gap_to(shape, to_xy(point)) <= 1.5 * to_inches(EPS)


def overlap(a: Footprint, b: Footprint) -> bool:
    """Whether two footprints lie more than EPS into each other; touching is allowed."""
    return plane.lie_into_each_other(a, b, depth=1.5 * to_inches(EPS))
