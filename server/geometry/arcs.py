"""Fire arcs and facing (CM-40)."""

import math

from server.geometry import plane
from server.geometry.measure import point_distance
from server.geometry.plane import Footprint
from server.geometry.units import (
    EPS,
    FULL_CIRCLE,
    PER_INCH,
    Bearing,
    Point,
    Pose,
    bearing_to,
    inches,
    sine_cosine,
    to_degrees,
    to_xy,
)


def in_arc(apex: Point, facing: Bearing, width: Bearing, f: Footprint) -> bool:
    """Whether some point of the base lies in the arc, half its width to either side of the facing.

    The edge lines belong to the arc and may be missed by EPS; a base over the apex is in every arc (CM-40).
    """
    if width >= FULL_CIRCLE or point_distance(apex, f) <= EPS:
        return True
    # A base that does not meet an edge line is in or out as a whole, so any one point of it decides.
    x, y = f.corners[0] if isinstance(f, plane.Cornered) else (f.x, f.y)
    ahead = math.degrees(math.atan2(x - apex.x / PER_INCH, y - apex.y / PER_INCH)) - to_degrees(facing)
    off = abs((ahead + 180) % 360 - 180)
    return 2 * off <= to_degrees(width) or any(_meets_line(apex, facing, side * width, f) for side in (-1, 1))


def _meets_line(apex: Point, facing: Bearing, twice_off: int, f: Footprint) -> bool:
    start = to_xy(apex)
    sine, cosine = sine_cosine(Bearing(round(facing + twice_off / 2)))
    size = math.dist(start, (f.x, f.y)) + f.bound + 1
    end = (start[0] + size * sine, start[1] + size * cosine)
    return inches(plane.closest_to_segment(f, start, end)[0]) <= EPS


def facing_to(pose: Pose, point: Point) -> Bearing:
    """The facing that looks from the middle of a base to a point; the present one if it stands on it (ST-12)."""
    return pose.facing if pose.point == point else bearing_to(pose.point, point)
