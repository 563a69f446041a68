"""The ground a base covers, in inches, and the exact arithmetic on it.

Round things stay round here. A polygon in place of a circle is inscribed and misses "just touching" by 0.003 inch
on a 5 inch template, thirty times EPS. The three kinds share `x`, `y` (the centre) and `bound` (the radius about it
that holds all of the outline), which is all that a quick look needs.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

import numpy as np
import numpy.typing as npt
import shapely

from server.geometry.units import XY


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    bound: float


@dataclass(frozen=True, slots=True)
class Ellipse:
    """Half axes `across` and `along` the facing, whose sine and cosine are kept."""

    x: float
    y: float
    bound: float
    across: float
    along: float
    sine: float
    cosine: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A convex part of a polygon, anticlockwise; `seams[i]` tells that the side after corner i is not outline."""

    corners: tuple[XY, ...]
    seams: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Cornered:
    """A polygon, anticlockwise, with the convex pieces it falls into."""

    x: float
    y: float
    bound: float
    corners: tuple[XY, ...]
    pieces: tuple[Piece, ...]
    region: shapely.Polygon = field(compare=False, repr=False)


Footprint = Circle | Ellipse | Cornered

Gap = tuple[float, XY, XY]
"""A distance, with the place on either thing where it is measured."""

COARSE = 256
_ANGLES = np.arange(COARSE) * (2 * math.pi / COARSE)
_SINES, _COSINES = np.sin(_ANGLES), np.cos(_ANGLES)
_GOLDEN = (math.sqrt(5) - 1) / 2


def to_local(shape: Ellipse, place: XY) -> XY:
    """A place as (right, front) of the centre."""
    dx, dy = place[0] - shape.x, place[1] - shape.y
    return dx * shape.cosine - dy * shape.sine, dx * shape.sine + dy * shape.cosine


def to_table(shape: Ellipse, place: XY) -> XY:
    """The place that is (right, front) of the centre."""
    right, front = place
    return (
        shape.x + right * shape.cosine + front * shape.sine,
        shape.y + front * shape.cosine - right * shape.sine,
    )


def sides(places: Sequence[XY]) -> Iterator[tuple[XY, XY]]:
    """The sides of a ring of places, one after another."""
    return zip(places, [*places[1:], places[0]], strict=True)


def reach(shape: Footprint, way: XY) -> float:
    """How far the shape goes that way (a unit vector), from the origin of the table."""
    wx, wy = way
    match shape:
        case Circle():
            return shape.x * wx + shape.y * wy + shape.bound
        case Ellipse():
            right, front = wx * shape.cosine - wy * shape.sine, wx * shape.sine + wy * shape.cosine
            return shape.x * wx + shape.y * wy + math.hypot(right * shape.across, front * shape.along)
        case Cornered():
            return max(x * wx + y * wy for x, y in shape.corners)
        case _:
            assert_never(shape)


def nearest_to(shape: Footprint, place: XY) -> XY:
    """The place of the shape nearest to another; that place itself if it lies inside."""
    match shape:
        case Circle():
            distance = math.dist((shape.x, shape.y), place)
            if distance <= shape.bound:
                return place
            share = shape.bound / distance
            return shape.x + (place[0] - shape.x) * share, shape.y + (place[1] - shape.y) * share
        case Ellipse():
            return to_table(shape, _nearest_on_ellipse(shape.across, shape.along, to_local(shape, place)))
        case Cornered():
            if _has_inside(shape.corners, place):
                return place
            return min((nearest_on_segment(p, q, place) for p, q in sides(shape.corners)), key=_distance_to(place))
        case _:
            assert_never(shape)


def gap_to(shape: Footprint, place: XY) -> float:
    """Distance from a place to the shape, 0 inside (CM-07)."""
    if isinstance(shape, Circle):
        return max(0.0, math.hypot(place[0] - shape.x, place[1] - shape.y) - shape.bound)
    return math.dist(place, nearest_to(shape, place))


def farthest_from(shape: Footprint, place: XY) -> float:
    """Distance from a place to the farthest point of the outline."""
    match shape:
        case Circle():
            return math.dist((shape.x, shape.y), place) + shape.bound
        case Ellipse():
            return _farthest_on_ellipse(shape.across, shape.along, to_local(shape, place))
        case Cornered():
            return max(math.dist(corner, place) for corner in shape.corners)
        case _:
            assert_never(shape)


def closest(a: Footprint, b: Footprint) -> Gap:
    """The distance of two shapes and where it is measured; with distance 0 both places are one common to both."""
    if _order(b) < _order(a):
        # One order for both ways of asking, so that the answer is the same to the last bit.
        distance, on_b, on_a = closest(b, a)
        return distance, on_a, on_b
    match a, b:
        case Circle(), _:
            return _circle_gap(a, b)
        case Ellipse(), Ellipse():
            return _ellipse_gap(a, b)
        case Ellipse(), Cornered():
            return _ellipse_cornered_gap(a, b)
        case Cornered(), Cornered():
            line = shapely.get_coordinates(shapely.shortest_line(a.region, b.region)).tolist()
            return math.dist(*line), (line[0][0], line[0][1]), (line[1][0], line[1][1])
        case _:
            raise AssertionError("the simpler kind stands first")


def gap(a: Footprint, b: Footprint) -> float:
    """Distance between two shapes, 0 if they touch or overlap (CM-08)."""
    if isinstance(a, Circle) and isinstance(b, Circle):
        return max(0.0, math.hypot(a.x - b.x, a.y - b.y) - (a.bound + b.bound))
    if isinstance(a, Cornered) and isinstance(b, Cornered):
        first, second = sorted((a, b), key=_order)
        return float(shapely.distance(first.region, second.region))
    return closest(a, b)[0]


def closest_to_segment(shape: Footprint, p: XY, q: XY) -> Gap:
    """Distance of a shape and a segment, and where it is measured."""
    match shape:
        case Circle():
            place = nearest_on_segment(p, q, (shape.x, shape.y))
            on = nearest_to(shape, place)
            return math.dist(on, place), on, place
        case Ellipse():
            return _ellipse_segment_gap(shape, p, q)
        case Cornered():
            line = shapely.shortest_line(shape.region, shapely.LineString([p, q]))
            (x1, y1), (x2, y2) = shapely.get_coordinates(line).tolist()
            return math.hypot(x2 - x1, y2 - y1), (x1, y1), (x2, y2)
        case _:
            assert_never(shape)


def lie_into_each_other(a: Footprint, b: Footprint, depth: float) -> bool:
    """Whether two shapes share more than a strip of this depth: whether they still meet when one is cut back by it."""
    if math.hypot(a.x - b.x, a.y - b.y) >= a.bound + b.bound:
        return False
    first, second = sorted((a, b), key=_order)
    match first, second:
        case Circle(), _:
            return gap_to(second, (first.x, first.y)) < first.bound - depth
        case Ellipse(), _:
            across, along = max(0.0, first.across - depth), max(0.0, first.along - depth)
            return gap(replace(first, across=across, along=along), second) == 0
        case Cornered(), Cornered():
            if not first.region.intersects(second.region):
                return False
            return bool(first.region.buffer(-depth, join_style="mitre").intersects(second.region))
        case _:
            raise AssertionError("the simpler kind stands first")


def nearest_on_segment(p: XY, q: XY, place: XY) -> XY:
    dx, dy = q[0] - p[0], q[1] - p[1]
    square = dx * dx + dy * dy
    if square == 0:
        return p
    share = min(1.0, max(0.0, ((place[0] - p[0]) * dx + (place[1] - p[1]) * dy) / square))
    return p[0] + share * dx, p[1] + share * dy


def _order(shape: Footprint) -> tuple[int, float, float, float, float, float, float]:
    match shape:
        case Circle():
            return 0, shape.x, shape.y, shape.bound, 0, 0, 0
        case Ellipse():
            return 1, shape.x, shape.y, shape.across, shape.along, shape.sine, shape.cosine
        case Cornered():
            (x1, y1), (x2, y2) = shape.corners[:2]
            return 2, shape.x, shape.y, x1, y1, x2, y2
        case _:
            assert_never(shape)


def _distance_to(place: XY) -> Callable[[XY], float]:
    return lambda other: math.dist(place, other)


def _has_inside(ring: Sequence[XY], place: XY) -> bool:
    x, y = place
    crossings = 0
    for (px, py), (qx, qy) in sides(ring):
        if (py > y) != (qy > y) and x < px + (y - py) * (qx - px) / (qy - py):
            crossings += 1
    return crossings % 2 == 1


def _circle_gap(a: Circle, b: Footprint) -> Gap:
    centre = (a.x, a.y)
    on_b = nearest_to(b, centre)
    distance = math.dist(centre, on_b) - a.bound
    if distance <= 0:
        return 0.0, on_b, on_b
    return distance, nearest_to(a, on_b), on_b


def _nearest_on_ellipse(across: float, along: float, place: XY) -> XY:
    """In the ellipse's own frame, to about 1e-12 inch: Newton on the convex function of D. Eberly's method.

    The start is left of the root, from where Newton climbs to it without ever passing.
    """
    x, y = abs(place[0]), abs(place[1])
    if (x / across) ** 2 + (y / along) ** 2 <= 1:
        return place
    aa, bb, ax, by = across * across, along * along, across * x, along * y
    root = max(0.0, ax - aa, by - bb)
    for _ in range(64):
        u, v = ax / (root + aa), by / (root + bb)
        step = (u * u + v * v - 1) / (2 * (u * u / (root + aa) + v * v / (root + bb)))
        root += step
        if step <= 1e-15 * (root + aa + bb):
            break
    return math.copysign(aa * x / (root + aa), place[0]), math.copysign(bb * y / (root + bb), place[1])


def _farthest_on_ellipse(across: float, along: float, place: XY) -> float:
    """In the ellipse's own frame: the farthest point lies in the opposite quadrant, found there by halving."""
    (long, x), (short, y) = sorted(((across, abs(place[0])), (along, abs(place[1]))), reverse=True)
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        sine, cosine = math.sin(angle), math.cos(angle)
        rising = short * y * cosine > (long * x + (long * long - short * short) * cosine) * sine
        low, high = (angle, high) if rising else (low, angle)
    return math.hypot(x + long * math.cos(low), y + short * math.sin(low))


def _ellipse_segment_gap(shape: Ellipse, start: XY, end: XY) -> Gap:
    """Exact: the nearest point is that of an end, or the one whose tangent runs along the segment."""
    across, along = shape.across, shape.along
    p, q = to_local(shape, start), to_local(shape, end)
    u, v = nearest_on_segment((p[0] / across, p[1] / along), (q[0] / across, q[1] / along), (0.0, 0.0))
    if u * u + v * v <= 1:
        common = to_table(shape, (u * across, v * along))
        return 0.0, common, common
    pairs = [(_nearest_on_ellipse(across, along, place), place) for place in (p, q)]
    nx, ny = q[1] - p[1], p[0] - q[0]
    size = math.hypot(nx * across, ny * along)
    if size > 0:
        sign = math.copysign(1 / size, nx * p[0] + ny * p[1])
        on = (across * across * nx * sign, along * along * ny * sign)
        pairs.append((on, nearest_on_segment(p, q, on)))
    on, place = min(pairs, key=lambda pair: math.dist(*pair))
    return math.dist(on, place), to_table(shape, on), to_table(shape, place)


def _ellipse_cornered_gap(a: Ellipse, b: Cornered) -> Gap:
    if _has_inside(b.corners, (a.x, a.y)):
        return 0.0, (a.x, a.y), (a.x, a.y)
    return min((_ellipse_segment_gap(a, p, q) for p, q in sides(b.corners)), key=lambda found: found[0])


def _ellipse_gap(a: Ellipse, b: Ellipse) -> Gap:
    """The widest strip that parts the two, over all directions: a coarse look, then golden section.

    Where a strip exists there is one widest only, so the coarse look cannot lead astray. Good to 1e-12 inch.
    """
    dx, dy = b.x - a.x, b.y - a.y

    def strip(angle: float) -> float:
        nx, ny = math.cos(angle), math.sin(angle)
        return dx * nx + dy * ny - _half_width(a, nx, ny) - _half_width(b, nx, ny)

    coarse = dx * _COSINES + dy * _SINES - _half_widths(a) - _half_widths(b)
    best = int(coarse.argmax())
    angle = _peak(strip, (best - 1) * 2 * math.pi / COARSE, (best + 1) * 2 * math.pi / COARSE)
    if strip(angle) <= 0:
        common = _common(a, b)
        return 0.0, common, common
    nx, ny = math.cos(angle), math.sin(angle)
    return strip(angle), end_towards(a, nx, ny), end_towards(b, -nx, -ny)


def _half_width(shape: Ellipse, nx: float, ny: float) -> float:
    right, front = nx * shape.cosine - ny * shape.sine, nx * shape.sine + ny * shape.cosine
    return math.hypot(right * shape.across, front * shape.along)


def _half_widths(shape: Ellipse) -> npt.NDArray[np.float64]:
    right = _COSINES * shape.cosine - _SINES * shape.sine
    front = _COSINES * shape.sine + _SINES * shape.cosine
    widths: npt.NDArray[np.float64] = np.hypot(right * shape.across, front * shape.along)
    return widths


def end_towards(shape: Ellipse, nx: float, ny: float) -> XY:
    """The point of the ellipse that goes farthest that way."""
    right, front = nx * shape.cosine - ny * shape.sine, nx * shape.sine + ny * shape.cosine
    size = math.hypot(right * shape.across, front * shape.along)
    return to_table(shape, (right * shape.across**2 / size, front * shape.along**2 / size))


def _peak(of: Callable[[float], float], low: float, high: float) -> float:
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = of(left), of(right)
    for _ in range(40):
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = of(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = of(left)
    return (low + high) / 2


def _common(a: Ellipse, b: Ellipse) -> XY:
    """A place of two overlapping ellipses: seen so that a is a unit circle, the place of b nearest to its centre."""
    sine, cosine = b.sine * a.cosine - b.cosine * a.sine, b.cosine * a.cosine + b.sine * a.sine
    axes = np.array(
        [
            [b.across * cosine / a.across, b.along * sine / a.across],
            [-b.across * sine / a.along, b.along * cosine / a.along],
        ]
    )
    right, front = to_local(a, (b.x, b.y))
    middle = np.array([right / a.across, front / a.along])
    turn, (long, short), _ = np.linalg.svd(axes)
    across, along = (-middle @ turn).tolist()
    u, v = (middle + turn @ np.array(_nearest_on_ellipse(float(long), float(short), (across, along)))).tolist()
    return to_table(a, (u * a.across, v * a.along))
