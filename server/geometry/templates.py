"""Round templates: what they touch, what they cover, where they scatter to (CM-11 to CM-14, CM-25)."""

import math
from collections.abc import Mapping

import msgspec

from server.geometry.measure import farthest, point_distance
from server.geometry.plane import Footprint
from server.geometry.units import EPS, PER_INCH, Bearing, Length, Point, sine_cosine, to_xy

HOLE = Length(984)
"""Radius of the central hole: 5 mm across (CM-14)."""


class Disc(msgspec.Struct, frozen=True, tag_field="kind", tag="disc", forbid_unknown_fields=True, gc=False):
    """A round template with a round hole in its middle; both are radii."""

    radius: Length
    hole: Length = HOLE


Template = Disc

SMALL = Disc(Length(15_000))
LARGE = Disc(Length(25_000))


class Cover(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is under a template, as ids in id order (CM-38): touched at all, wholly, and under the hole."""

    touched: tuple[str, ...]
    wholly: tuple[str, ...]
    hole: tuple[str, ...]


def covered(
    footprints: Mapping[str, Footprint], centre: Point, radius: Length, hole: Length, *, tangent_hits: bool = False
) -> Cover:
    """Who is touched (CM-12), wholly under (CM-13) and under the hole (CM-14) of a round template.

    `tangent_hits` is the house option `template_tangent_hits`.
    """
    x, y = to_xy(centre)
    reach = (radius + 2 * EPS) / PER_INCH
    touched, wholly, under = [], [], []
    for name in sorted(name for name, f in footprints.items() if math.hypot(f.x - x, f.y - y) <= reach + f.bound):
        f = footprints[name]
        d = point_distance(centre, f)
        if d < radius - EPS or (tangent_hits and d <= radius + EPS):
            touched.append(name)
        if farthest(centre, f) <= radius + EPS:
            wholly.append(name)
        if d < hole - EPS or d <= EPS:
            under.append(name)
    return Cover(tuple(touched), tuple(wholly), tuple(under))


def displaced(p: Point, bearing: Bearing, distance: Length) -> Point:
    """The point this far away on a bearing (CM-03, CM-25)."""
    sine, cosine = sine_cosine(bearing)
    return Point(Length(p.x + round(distance * sine)), Length(p.y + round(distance * cosine)))
