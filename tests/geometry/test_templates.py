import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.geometry.measure import point_distance
from server.geometry.shapes import Base, Footprint, footprint
from server.geometry.templates import HOLE, LARGE, SMALL, Cover, covered, displaced
from server.geometry.units import Length, Point, Pose, degrees, inches
from tests.geometry.scenes import at, bases, block, coordinates, disc, oval, points, poses, rectangle

COLUMNS = (22.0315, 23.0157, 24.0, 24.9843, 25.9685)
ROWS = (28.5236, 29.5079, 30.4921, 31.4764)
ORCS = {f"{row}{column}": rectangle(COLUMNS[column], ROWS[row], 25, 25, 180) for row in range(4) for column in range(5)}
AIM = at(24, 29.5079)
MIDDLE = at(24, 24)
BASE_LISTS = st.lists(st.tuples(bases, poses), max_size=6)


def small(footprints: dict[str, Footprint], centre: Point = MIDDLE) -> Cover:
    return covered(footprints, centre, SMALL.radius, SMALL.hole)


def names(cells: str) -> tuple[str, ...]:
    """Ids of the orcs "(column,row)(column,row)..." as the rule file writes them."""
    return tuple(sorted(row + column for column, row in (cell.split(",") for cell in cells[1:-1].split(")("))))


def test_cm11_the_two_round_templates() -> None:
    assert (SMALL.radius, LARGE.radius) == (inches(1.5), inches(2.5))
    assert SMALL.hole == HOLE == inches(0.0984)


def test_cm12_a_tangent_base_is_not_touched() -> None:
    assert small({"a": disc(25.9921, 24)}) == Cover((), (), ())


def test_cm12_house_option_a_tangent_base_is_touched() -> None:
    tangent = {"a": disc(25.9921, 24)}
    assert covered(tangent, at(24, 24), SMALL.radius, HOLE, tangent_hits=True).touched == ("a",)
    assert covered({"a": disc(26, 24)}, at(24, 24), SMALL.radius, HOLE, tangent_hits=True).touched == ()


def test_cm12_a_base_partly_under_is_touched() -> None:
    assert small({"a": disc(25.98, 24)}) == Cover(("a",), (), ())


def test_cm12_a_base_beyond_the_edge_is_not_touched() -> None:
    assert point_distance(at(24, 24), disc(26, 24)) == inches(1.5079)
    assert small({"a": disc(26, 24)}).touched == ()


def test_cm13_an_inside_tangent_is_wholly_under() -> None:
    assert small({"a": disc(25.0079, 24)}) == Cover(("a",), ("a",), ())


def test_cm13_a_base_that_sticks_out_is_not_wholly_under() -> None:
    assert small({"a": disc(25.02, 24)}) == Cover(("a",), (), ())


@pytest.mark.parametrize(("facing", "gap", "touched"), [(0, 1.5079, False), (90, 1.0157, True), (45, 1.0174, True)])
def test_cm12_a_rectangle_is_touched_by_its_facing(facing: float, gap: float, touched: bool) -> None:
    base = rectangle(26, 24, 25, 50, facing)
    assert point_distance(at(24, 24), base) == inches(gap)
    assert small({"a": base}).touched == (("a",) if touched else ())


@pytest.mark.parametrize(("facing", "gap", "touched"), [(90, 1.3189, True), (0, 1.8110, False)])
def test_cm12_an_oval_is_touched_by_its_facing(facing: float, gap: float, touched: bool) -> None:
    base = oval(26.5, 24, 35, 60, facing)
    assert point_distance(at(24, 24), base) == inches(gap)
    assert small({"a": base}).touched == (("a",) if touched else ())


def test_cm14_the_hole_lies_over_two_abutting_bases() -> None:
    pair = {"east": rectangle(24.3937, 24, 20, 20), "west": rectangle(23.6063, 24, 20, 20)}
    assert small(pair, at(24.05, 24)).hole == ("east", "west")
    assert small(pair, at(24.20, 24)).hole == ("east",)


def test_cm14_without_a_hole_only_the_centre_counts() -> None:
    wall = {"a": block(20, 20, 24, 28)}
    assert covered(wall, at(24.0001, 24), SMALL.radius, Length(0)).hole == ("a",)
    assert covered(wall, at(24.0002, 24), SMALL.radius, Length(0)).hole == ()


def test_cm14_a_base_that_kisses_the_hole_is_not_under_it() -> None:
    assert small({"a": block(24.0984, 20, 26, 28)}).hole == ()
    assert small({"a": block(24.0982, 20, 26, 28)}).hole == ("a",)


def test_cm16_a_template_beside_the_table_still_covers() -> None:
    assert small({"a": disc(0.5, 24)}, at(-1, 24)).touched == ("a",)


def test_cm38_ids_come_in_text_order() -> None:
    crowd = {name: disc(24, 24) for name in ("b", "a10", "B", "a2", "é")}
    assert small(crowd).touched == ("B", "a10", "a2", "b", "é")


def test_st13_e1_a_direct_hit() -> None:
    under = small(ORCS, AIM)
    assert under.touched == names("(1,0)(2,0)(3,0)(0,1)(1,1)(2,1)(3,1)(4,1)(1,2)(2,2)(3,2)(2,3)")
    assert under.hole == names("(2,1)")
    assert point_distance(AIM, ORCS["10"]) == point_distance(AIM, ORCS["14"]) == inches(1.4764)


def test_st13_e2_an_arrow() -> None:
    centre = displaced(AIM, degrees(90), inches(2))
    assert centre == at(26, 29.5079)
    under = small(ORCS, centre)
    assert under.touched == names("(3,0)(4,0)(3,1)(4,1)(3,2)(4,2)(4,3)")
    assert under.hole == names("(4,1)")


def test_st13_e3_the_hole_on_four_models() -> None:
    centre = displaced(AIM, degrees(45), inches(2))
    assert centre == at(25.4142, 30.9221)
    under = small(ORCS, centre)
    assert len(under.touched) == 9
    assert under.hole == ("23", "24", "33", "34")


def test_st13_e5_an_inch_south() -> None:
    centre = displaced(AIM, degrees(180), inches(1))
    assert centre == at(24, 28.5079)
    under = small(ORCS, centre)
    assert len(under.touched) == 9
    assert [sum(name[0] == row for name in under.touched) for row in "0123"] == [5, 3, 1, 0]
    assert under.hole == names("(2,0)")


def test_st13_e6_a_clean_miss() -> None:
    centre = displaced(AIM, degrees(270), inches(4))
    assert centre == at(20, 29.5079)
    assert small(ORCS, centre) == Cover((), (), ())


def test_st13_e9_a_friend_2_4_inches_away() -> None:
    friend = {"friend": rectangle(24 + 2.4 + 12.5 / 25.4, 29.5079, 25, 25)}
    assert small(friend, AIM).touched == ()
    assert covered(friend, AIM, LARGE.radius, LARGE.hole).touched == ("friend",)


def named(placed: list[tuple[Base, Pose]]) -> dict[str, Footprint]:
    return {f"m{i}": footprint(base, pose) for i, (base, pose) in enumerate(placed)}


@given(BASE_LISTS, points, st.integers(0, 30_000), st.integers(0, 30_000))
def test_a_bigger_template_touches_no_fewer(
    placed: list[tuple[Base, Pose]], centre: Point, one: int, other: int
) -> None:
    less, more = sorted((one, other))
    small_one = covered(named(placed), centre, Length(less), HOLE)
    big_one = covered(named(placed), centre, Length(more), HOLE)
    assert set(small_one.touched) <= set(big_one.touched)
    assert set(small_one.wholly) <= set(big_one.wholly)


@given(BASE_LISTS, points)
def test_what_is_wholly_under_or_in_the_hole_is_touched(placed: list[tuple[Base, Pose]], centre: Point) -> None:
    under = small(named(placed), centre)
    assert set(under.wholly) | set(under.hole) <= set(under.touched)
    assert list(under.touched) == sorted(under.touched)


@given(BASE_LISTS, points, coordinates, coordinates)
def test_cover_does_not_depend_on_where_on_the_table(
    placed: list[tuple[Base, Pose]], centre: Point, east: Length, north: Length
) -> None:
    there = [(b, Pose(Length(p.x + east), Length(p.y + north), p.facing)) for b, p in placed]
    away = Point(Length(centre.x + east), Length(centre.y + north))
    assert small(named(placed), centre).touched == small(named(there), away).touched
