"""Distances between bases, and the words rules use for them (CM-07 to CM-10, CM-13).

A distance is rounded to 0.0001 inch before anything is compared, so what the log shows is what was decided on.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from server.geometry import plane
from server.geometry.plane import Footprint
from server.geometry.units import EPS, PER_INCH, Length, Point, inches, to_point, to_xy


def distance(a: Footprint, b: Footprint) -> Length:
    """Shortest distance between two outlines, 0 if they touch or overlap (CM-08)."""
    return inches(plane.gap(a, b))


def point_distance(p: Point, f: Footprint) -> Length:
    """Distance from a point to a base, 0 if it is inside or on the outline (CM-07)."""
    return inches(plane.gap_to(f, to_xy(p)))


def farthest(p: Point, f: Footprint) -> Length:
    """Distance from a point to the farthest point of the outline (CM-13)."""
    return inches(plane.farthest_from(f, to_xy(p)))


def points_distance(a: Point, b: Point) -> Length:
    """Distance between two points."""
    return Length(round(math.hypot(a.x - b.x, a.y - b.y)))


def within(d: Length, x: Length) -> bool:
    """ "Within x": inclusive (CM-09)."""
    return d <= x + EPS


def beyond(d: Length, x: Length) -> bool:
    """ "More than", "over" or "beyond" x: strict (CM-09)."""
    return d > x + EPS


def at_least(d: Length, x: Length) -> bool:
    """ "At least x": inclusive (CM-09)."""
    return d >= x - EPS


def in_contact(a: Footprint, b: Footprint) -> bool:
    """Base contact (CM-08)."""
    return distance(a, b) <= EPS


def wholly_within(f: Footprint, x: Length, of: Point) -> bool:
    """Whether all of the base lies within x of a point (CM-09)."""
    return farthest(of, f) <= x + EPS


def nearest(of: Footprint, others: Mapping[str, Footprint]) -> tuple[str, Length] | None:
    """The nearest of the others and its distance; among equals the first in id order (CM-38)."""
    # The least each distance can be, nearest first: once it exceeds the best found, the rest cannot win.
    least = sorted((math.hypot(f.x - of.x, f.y - of.y) - f.bound - of.bound, name) for name, f in others.items())
    best: tuple[Length, str] | None = None
    for bound, name in least:
        if best is not None and bound * PER_INCH > best[0] + EPS:
            break
        found = (distance(of, others[name]), name)
        best = found if best is None else min(best, found)
    return None if best is None else (best[1], best[0])


def path_length(points: Sequence[Point]) -> Length:
    """Length of a way walked from point to point."""
    return Length(round(math.fsum(math.hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(points))))


def nearest_points(a: Footprint, b: Footprint) -> tuple[Point, Point]:
    """Where the distance between a and b is measured, on a and on b: what a ruler has to show (CM-08)."""
    _, on_a, on_b = plane.closest(a, b)
    return to_point(on_a), to_point(on_b)


def nearest_point(p: Point, f: Footprint) -> Point:
    """Where the distance from a point to a base is measured (CM-07)."""
    return to_point(plane.nearest_to(f, to_xy(p)))


def range_3d(horizontal: Length, dz: Length) -> Length:
    """A range that counts the difference in height (CM-10, `range_3d`)."""
    return Length(round(math.hypot(horizontal, dz)))
