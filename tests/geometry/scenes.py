"""Short ways to put bases on the ground, in inches, millimetres and degrees; and what hypothesis may draw."""

from hypothesis import strategies as st

from server.geometry.shapes import Base, Footprint, Oval, Polygon, Rectangle, Round, footprint
from server.geometry.units import Bearing, Length, Point, Pose, Size, degrees, inches, mm

MAN = inches(1.25)


def at(x: float, y: float) -> Point:
    return Point(inches(x), inches(y))


def pose(x: float, y: float, facing: float = 0, z: float = 0) -> Pose:
    return Pose(inches(x), inches(y), degrees(facing), inches(z))


def disc(x: float, y: float, diameter: float = 25) -> Footprint:
    return footprint(Round(mm(diameter), MAN), pose(x, y))


def oval(x: float, y: float, width: float, length: float, facing: float = 0) -> Footprint:
    return footprint(Oval(mm(width), mm(length), MAN), pose(x, y, facing))


def rectangle(x: float, y: float, width: float, length: float, facing: float = 0) -> Footprint:
    return footprint(Rectangle(mm(width), mm(length), MAN), pose(x, y, facing))


def block(x0: float, y0: float, x1: float, y1: float) -> Footprint:
    """A rectangle from corner to corner, along the edges of the table."""
    return rectangle((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) * 25.4, (y1 - y0) * 25.4)


ELL = Polygon(tuple((mm(x), mm(y)) for x, y in ((-30, -30), (30, -30), (30, 0), (0, 0), (0, 30), (-30, 30))), inches(2))
"""An L: a corner with the inside to the north-east, its re-entrant corner at the centre."""

sizes = st.integers(500, 12_700).map(Size)
hulls = st.sampled_from(
    [ELL, Polygon(((Size(0), Size(4_000)), (Size(-3_000), Size(-2_000)), (Size(3_000), Size(-2_500))), inches(2))]
)
bases: st.SearchStrategy[Base] = st.one_of(
    st.builds(Round, sizes, st.just(MAN)),
    st.builds(Oval, sizes, sizes, st.just(MAN)),
    st.builds(Rectangle, sizes, sizes, st.just(MAN)),
    hulls,
)
coordinates = st.integers(-80_000, 80_000).map(Length)
bearings = st.integers(0, 35_999).map(Bearing)
points = st.builds(Point, coordinates, coordinates)
poses = st.builds(Pose, coordinates, coordinates, bearings)
