import msgspec
import pytest
from hypothesis import given

from server.geometry.templates import displaced
from server.geometry.units import (
    Bearing,
    Length,
    Point,
    Pose,
    bearing_to,
    degrees,
    inches,
    mm,
    say_inches,
    size_inches,
    to_degrees,
    to_inches,
    turned,
)
from tests.geometry.scenes import at, bearings, points


def test_cm02_an_inch_is_25_4_mm() -> None:
    assert size_inches(mm(25.4)) == 1
    assert [round(size_inches(mm(d)) / 2, 4) for d in (20, 25, 32, 40, 50, 60)] == [
        0.3937, 0.4921, 0.6299, 0.7874, 0.9843, 1.1811,
    ]  # fmt: skip


def test_cm03_bearing_135() -> None:
    assert displaced(at(24, 24), degrees(135), inches(6)) == at(28.2426, 19.7574)


def test_cm03_bearing_270() -> None:
    assert displaced(at(24, 24), degrees(270), inches(4)) == at(20, 24)


@pytest.mark.parametrize(("bearing", "end"), [(0, (0, 2)), (90, (2, 0)), (180, (0, -2)), (270, (-2, 0))])
def test_cm03_quarter_turns_are_exact(bearing: int, end: tuple[int, int]) -> None:
    assert displaced(at(0, 0), degrees(bearing), inches(2)) == at(*end)
    assert bearing_to(at(0, 0), at(*end)) == degrees(bearing)


def test_cm26_a_scatter_of_nothing_leaves_the_centre() -> None:
    assert displaced(at(24, 24), degrees(123), Length(0)) == at(24, 24)


def test_numbers_become_units_and_back() -> None:
    assert (inches(1.5), mm(25.4), degrees(370.25), degrees(-90)) == (15_000, 2_540, 1_025, 27_000)
    assert (to_inches(Length(15_000)), to_degrees(Bearing(1_025)), say_inches(Length(173_000))) == (1.5, 10.25, "17.30")


def test_a_bearing_just_short_of_a_turn_is_north() -> None:
    assert degrees(359.999) == 0
    assert bearing_to(at(0, 0), Point(Length(-1), inches(20))) == 0


def test_a_point_turned_clockwise_goes_from_north_to_east() -> None:
    assert turned(at(5, 7), at(5, 5), degrees(90)) == at(7, 5)


@given(points, points, bearings)
def test_turning_back_returns(point: Point, about: Point, by: Bearing) -> None:
    there = turned(point, about, by)
    back = turned(there, about, Bearing((36_000 - by) % 36_000))
    assert abs(back.x - point.x) <= 2
    assert abs(back.y - point.y) <= 2


@given(points, points)
def test_cm03_going_the_bearing_arrives(a: Point, b: Point) -> None:
    length = Length(round(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5))
    end = displaced(a, bearing_to(a, b), length)
    # A bearing is good to half a hundredth of a degree.
    assert max(abs(end.x - b.x), abs(end.y - b.y)) <= 2 + length * 0.0001


@pytest.mark.parametrize(
    "text",
    [
        b'{"x": 0.5, "y": 0, "facing": 0, "z": 0}',
        b'{"x": 0, "y": 0, "facing": 36000, "z": 0}',
        b'{"x": 0, "y": 0, "facing": -1, "z": 0}',
        b'{"x": 20000001, "y": 0, "facing": 0, "z": 0}',
        b'{"x": 0, "y": 0, "facing": 0, "z": 0, "w": 0}',
    ],
)
def test_a_pose_from_outside_is_checked(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Pose)


def test_a_pose_survives_the_wire() -> None:
    pose = Pose(Length(1), Length(-2), Bearing(35_999), Length(3))
    assert msgspec.json.decode(msgspec.json.encode(pose), type=Pose) == pose
    assert pose.point == Point(Length(1), Length(-2))


def test_cm01_x_grows_to_the_east_and_y_to_the_north() -> None:
    corner = at(0, 0)
    assert displaced(corner, degrees(90), inches(72)) == at(72, 0)
    assert displaced(corner, degrees(0), inches(48)) == at(0, 48)


def test_cm04_positions_are_ten_thousandths_of_an_inch() -> None:
    assert inches(1.00004) == inches(1) == 10_000
    assert inches(1.00006) == 10_001
    assert displaced(at(24, 24), degrees(135), inches(6)) == Point(Length(282_426), Length(197_574))
