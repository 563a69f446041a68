"""Lengths, sizes, bearings, points and poses: whole numbers that carry their unit in their type (CM-01 to CM-04).

Whole numbers, because equality, JSON and hashes are then exact and no result hangs on floating point noise.
"""

import math
from functools import lru_cache
from typing import Annotated, NewType

import msgspec

Length = NewType("Length", int)
"""0.0001 inch."""

Size = NewType("Size", int)
"""0.01 mm, for what is sold in millimetres: bases and terrain (CM-02)."""

Bearing = NewType("Bearing", int)
"""0.01 degree, clockwise from north, 0 to 35999 (CM-03). Also used for the width of an arc."""

EPS = Length(1)
"""The tolerance of every comparison (CM-04)."""

PER_INCH = 10_000
SIZE_PER_INCH = 2_540
FULL_CIRCLE = 36_000

Coordinate = Annotated[Length, msgspec.Meta(ge=-2_000 * PER_INCH, le=2_000 * PER_INCH)]
Elevation = Annotated[Length, msgspec.Meta(ge=-100 * PER_INCH, le=100 * PER_INCH)]
Facing = Annotated[Bearing, msgspec.Meta(ge=0, lt=FULL_CIRCLE)]

XY = tuple[float, float]
"""A position in inches, inside a calculation only."""


class Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A spot on the table; x grows to the east, y to the north (CM-01)."""

    x: Coordinate
    y: Coordinate


class Pose(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Where a base stands and which way it faces; z is the floor it stands on (CM-05)."""

    x: Coordinate
    y: Coordinate
    facing: Facing = Bearing(0)
    z: Elevation = Length(0)

    @property
    def point(self) -> Point:
        return Point(self.x, self.y)


def inches(x: float) -> Length:
    """Inches to the nearest Length."""
    return Length(round(x * PER_INCH))


def mm(x: float) -> Size:
    """Millimetres to the nearest Size."""
    return Size(round(x * 100))


def degrees(x: float) -> Bearing:
    """Degrees clockwise from north to the nearest Bearing, whole turns taken off."""
    return Bearing(round(x * 100) % FULL_CIRCLE)


def to_inches(length: Length) -> float:
    return length / PER_INCH


def size_inches(size: Size) -> float:
    """A Size in inches; 1 inch is 25.4 mm exactly (CM-02)."""
    return size / SIZE_PER_INCH


def to_degrees(bearing: Bearing) -> float:
    return bearing / 100


def say_inches(length: Length) -> str:
    """A Length as players read it: inches with two decimals."""
    return f"{length / PER_INCH:.2f}"


def to_xy(point: Point) -> XY:
    return point.x / PER_INCH, point.y / PER_INCH


def to_point(xy: XY) -> Point:
    return Point(inches(xy[0]), inches(xy[1]))


@lru_cache(maxsize=8_192)
def sine_cosine(bearing: Bearing) -> XY:
    """Sine and cosine of a bearing: the step east and north for going one inch that way (CM-03)."""
    quarter, rest = divmod(bearing % FULL_CIRCLE, FULL_CIRCLE // 4)
    angle = math.radians(rest / 100)
    sine, cosine = math.sin(angle), math.cos(angle)
    # Quarter turns by swapping, so that 90, 180 and 270 degrees are exact.
    return ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))[quarter]


def bearing_to(a: Point, b: Point) -> Bearing:
    """The bearing of b as seen from a; north when they are the same point."""
    return degrees(math.degrees(math.atan2(b.x - a.x, b.y - a.y)))


def turned(point: Point, about: Point, by: Bearing) -> Point:
    """The point turned clockwise about another."""
    sine, cosine = sine_cosine(by)
    east, north = point.x - about.x, point.y - about.y
    return Point(
        Length(about.x + round(east * cosine + north * sine)), Length(about.y + round(north * cosine - east * sine))
    )
