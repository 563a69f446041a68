"""Short TOML scenes become tables, and mistakes in them are told with their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.geometry.measure import in_contact
from server.geometry.shapes import Base, Oval, Polygon, Rectangle, Round, footprint, inside_board, overlap
from server.geometry.sight import Target, Volume, eye_of, sight
from server.geometry.units import Bearing, Length, Pose, degrees, inches, mm
from server.table.formation import Formation, ground_at, size_of
from server.table.model import Model, ModelId, Table, Terrain, TerrainId, UnitId
from server.table.notation import NotationError, Stock, member_ids, read_scene

ORC = Rectangle(mm(25), mm(25), inches(1.25))
GUN = Round(mm(60), inches(1.5))
STOCK = {
    "orc": Stock(ORC, "Orc Boy", {"wounds": 1}, {"ranked": True}),
    "gun": Stock(GUN, "Gun", {"wounds": 3}),
    "knight": Stock(Rectangle(mm(25), mm(50), inches(1.75)), "Knight"),
}

ONE_SHAPE = "needs exactly one of round, oval, rectangle and polygon"

BLOCK = """
[[unit]]
id = "orcs"
owner = "north"
profile = "orc"
count = 20
wide = 5
at = [24, 30]
facing = 180
"""


def table_of(text: str) -> Table:
    return read_scene(text, STOCK).table


def unit(**keys: str) -> str:
    lines = {"id": '"it"', "owner": '"south"', "profile": '"orc"', "at": "[24, 24]", **keys}
    return "[[unit]]\n" + "\n".join(f"{key} = {value}" for key, value in lines.items() if value)


def piece(**keys: str) -> str:
    lines = {"kind": '"hill"', "at": "[24, 24]", **keys}
    return "[[terrain]]\n" + "\n".join(f"{key} = {value}" for key, value in lines.items())


def places(table: Table) -> list[tuple[int, int]]:
    return [(model.pose.x, model.pose.y) for _, model in sorted(table.models.items())]


def test_the_block_of_e1_stands_where_the_example_says() -> None:
    table = table_of(BLOCK)
    columns, rows = (220_315, 230_157, 240_000, 249_843, 259_685), (285_236, 295_079, 304_921, 314_764)
    assert places(table) == [(x, y) for y in rows for x in columns]
    assert {model.pose.facing for model in table.models.values()} == {18_000}


def test_bases_of_a_block_abut_and_do_not_overlap() -> None:
    shapes = {key: footprint(model.base, model.pose) for key, model in table_of(BLOCK).models.items()}
    first, second, below = (shapes[ModelId(f"orcs-{n:02}")] for n in (1, 2, 6))
    assert in_contact(first, second)
    assert in_contact(first, below)
    assert not overlap(first, second)


@pytest.mark.parametrize(
    ("facing", "order"),
    [("0", "nw ne sw se"), ("180", "sw se nw ne"), ("90", "se ne sw nw"), ("270", "sw nw se ne")],
)
def test_ids_rise_from_the_front_rank_back_and_in_it_from_west_to_east_or_south_to_north(
    facing: str, order: str
) -> None:
    table = table_of(unit(count="4", wide="2", facing=facing))
    seen = " ".join(("n" if y > 240_000 else "s") + ("e" if x > 240_000 else "w") for x, y in places(table))
    assert seen == order


def test_a_short_last_rank_stands_in_the_middle() -> None:
    assert places(table_of(unit(count="7", wide="5", facing="0")))[5:] == [(235_079, 235_079), (244_921, 235_079)]


def test_front_is_the_middle_of_the_front_edge() -> None:
    table = table_of(unit(at="", front="[24, 24]", count="10", wide="5", facing="0"))
    assert {y for _, y in places(table)} == {240_000 - 4_921, 240_000 - 14_764}


def test_a_single_model_has_the_id_of_its_unit_and_the_status_of_its_profile() -> None:
    table = table_of(unit(id='"gun"', profile='"gun"'))
    model = table.models[ModelId("gun")]
    assert (model.unit, model.profile, model.base, model.status) == ("gun", "gun", GUN, {"wounds": 3})
    assert table.units[UnitId("gun")].label == "Gun"


def test_status_written_in_the_scene_goes_before_that_of_the_profile() -> None:
    table = table_of(unit(status="{wounds = 2, fired = true}", unit_status='{ranked = false, note = "x"}'))
    assert table.models[ModelId("it")].status == {"wounds": 2, "fired": True}
    assert table.units[UnitId("it")].status == {"ranked": False, "note": "x"}


def test_units_face_the_enemy_unless_they_say_otherwise() -> None:
    both = table_of(unit(id='"a"') + "\n" + unit(id='"b"', owner='"north"', at="[30, 30]"))
    assert [both.models[ModelId(key)].pose.facing for key in "ab"] == [0, 18_000]


def test_numbers_are_padded_so_that_id_order_is_their_order() -> None:
    for count in (2, 9, 10, 99, 100, 400):
        ids = member_ids("orcs", count)
        assert list(ids) == sorted(ids)
    assert member_ids("orcs", 20)[0] == "orcs-01"


def test_loose_models_keep_a_gap() -> None:
    models = list(table_of(unit(count="9", loose="true")).models.values())
    shapes = [footprint(model.base, model.pose) for model in models]
    assert len({(model.pose.x, model.pose.y) for model in models}) == 9
    assert not any(in_contact(a, b) for i, a in enumerate(shapes) for b in shapes[:i])


def test_models_stand_on_the_ground_or_on_the_floor_they_name() -> None:
    hill = piece(oval="[20, 12]", height="2")
    assert table_of(hill + "\n" + unit()).models[ModelId("it")].pose.z == inches(2)
    assert table_of(hill + "\n" + unit(z="0")).models[ModelId("it")].pose.z == 0
    assert table_of(hill + "\n" + unit(at="[40, 40]")).models[ModelId("it")].pose.z == 0


# ---------------------------------------------------------------- terrain


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("round = 4", Round(mm(101.6), inches(2))),
        ("oval = [20, 12]", Oval(mm(508), mm(304.8), inches(2))),
        ("rectangle = [10, 1]", Rectangle(mm(254), mm(25.4), inches(2))),
        (
            "polygon = [[-1, -1], [1, -1], [0, 1.5]]",
            Polygon(((mm(-25.4), mm(-25.4)), (mm(25.4), mm(-25.4)), (mm(0), mm(38.1))), inches(2)),
        ),
    ],
)
def test_terrain_has_one_shape_in_inches(shape: str, expected: Base) -> None:
    assert table_of(piece() + "\n" + shape).terrain[TerrainId("hill-01")].shape == expected


def test_what_each_kind_of_terrain_is() -> None:
    kinds = ("hill", "wood", "wall", "hedge", "fence", "ruin", "house", "gate", "river", "crater")
    found = {kind: only(piece(kind=f'"{kind}"', round="4")) for kind in kinds}
    assert {kind for kind in kinds if found[kind].blocks} == {"hill", "wall", "house", "gate"}
    assert {kind for kind in kinds if found[kind].soft} == {"wood", "hedge", "fence"}
    assert {kind for kind in kinds if found[kind].solid} == {"house", "gate"}
    assert {kind for kind in kinds if found[kind].building} == {"house"}
    assert found["hill"].floors == (inches(2),)


def only(text: str) -> Terrain:
    (found,) = table_of(text).terrain.values()
    return found


def test_an_open_gate_neither_blocks_nor_stops() -> None:
    gate = only(piece(kind='"gate"', rectangle="[4, 1]", open="true"))
    assert not gate.blocks
    assert not gate.solid


def test_the_walls_of_a_ruin_lie_inside_its_outline() -> None:
    table = table_of(
        piece(kind='"ruin"', rectangle="[10, 8]", facing="30", floors="[3, 0]")
        + '\nwalls = ["front", {side = "right", from = 4, to = 20}, "back", "left"]'
    )
    ruin = table.terrain[TerrainId("ruin-01")]
    walls = [table.terrain[TerrainId(f"ruin-01-wall-{n}")] for n in (1, 2, 3, 4)]
    assert ruin.floors == (0, inches(3))
    assert not ruin.blocks
    assert all(wall.blocks and wall.kind == "wall" for wall in walls)
    assert [wall.pose.facing for wall in walls] == [3_000, 12_000, 21_000, 30_000]
    assert [size_of(wall.shape)[0] for wall in walls] == [10, 4, 10, 8]
    outline = footprint(ruin.shape, ruin.pose)
    middle = ruin.pose.point
    assert all(overlap(footprint(wall.shape, wall.pose), outline) for wall in walls)
    assert all(ground_at([wall], middle) == 0 for wall in walls)


def test_a_stretch_is_measured_from_the_left_end_seen_from_outside() -> None:
    ruin = piece(kind='"ruin"', rectangle="[10, 8]") + '\nwalls = [{side = "front", from = 0, to = 4}]'
    wall = table_of(ruin).terrain[TerrainId("ruin-01-wall-1")]
    assert (wall.pose.x, wall.pose.y) == (inches(24 + 3), inches(24 + 3.8))


# A hill hides what is behind it, not what stands on it (CM-29).


def seen(table: Table, viewer: str, target: str) -> bool:
    a, b = (table.models[ModelId(key)] for key in (viewer, target))
    volumes = [
        Volume(key, footprint(p.shape, p.pose), p.pose.z, Length(p.pose.z + p.shape.height), p.soft, p.blocks)
        for key, p in table.terrain.items()
    ]
    eye = eye_of(a.pose.point, a.pose.z, a.base.height)
    return sight(eye, Target(b.id, footprint(b.base, b.pose), b.pose.z, b.base.height), volumes).visible


def test_cm29_a_hill_hides_small_models_behind_it_and_shows_who_stands_on_it() -> None:
    table = table_of(
        "\n".join([
            piece(oval="[20, 6]"),
            unit(id='"south"', at="[24, 10]"),
            unit(id='"top"', at="[24, 24]"),
            unit(id='"flank"', at="[30, 24]"),
            unit(id='"north"', owner='"north"', at="[24, 38]"),
        ])
    )  # fmt: skip
    assert not seen(table, "south", "north")
    assert seen(table, "south", "top")
    assert seen(table, "top", "south")
    assert seen(table, "top", "north")
    assert seen(table, "top", "flank")


def test_cm29_a_wall_hides_nobody_taller() -> None:
    wall = piece(kind='"wall"', rectangle="[20, 1]")
    both = unit(id='"a"', at="[24, 10]") + "\n" + unit(id='"b"', at="[24, 38]")
    assert seen(table_of(wall + "\n" + both), "a", "b")
    assert not seen(table_of(wall + "\nheight = 2\n" + both), "a", "b")


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("size = ", "not TOML: Invalid value (at end of document)"),
        ("size = [72]", "size: Expected `array` of length 2, got 1"),
        ("colour = 1", "the file: Object contains unknown field `colour`"),
        (unit(count='"many"'), "line 6: unit 1, count: Expected `int`, got `str`"),
        (unit() + "\n\n" + unit(id='"b"', count="0"), "line 12: unit 2, count: Expected `int` >= 1"),
        (unit(owner='"east"'), "line 3: unit 1, owner: Invalid enum value 'east'"),
        (unit(profile='"elf"'), "line 1: unit it: no profile is called elf"),
        (unit(at=""), "line 1: unit it: needs exactly one of at and front"),
        (unit(front="[1, 1]"), "line 1: unit it: needs exactly one of at and front"),
        (unit(at="[0.2, 10]"), "line 1: unit it: it stands off the table"),
        (unit() + "\n" + unit(at="[30, 30]"), "line 6: unit it: the id it is already taken"),
        (piece(), "line 1: terrain hill-01: " + ONE_SHAPE),
        (piece(round="3", oval="[3, 3]"), "line 1: terrain hill-01: " + ONE_SHAPE),
        (piece(kind='"lake"', round="3"), "line 2: terrain 1, kind: Invalid enum value 'lake'"),
        (piece(round="3", open="true"), "line 1: terrain hill-01: only a gate can be open"),
        (piece(round="3", walls='["front"]'), "line 1: terrain hill-01: only a ruin with a rectangle has walls"),
        (
            piece(polygon="[[0, 0], [2, 2], [2, 0], [0, 2]]"),
            "line 1: terrain hill-01: The sides of a polygon may not cross or touch each other.",
        ),
        (
            piece(round="3", id='"x"') + "\n" + piece(round="3", id='"x"'),
            "line 6: terrain x: the id x is already taken",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(NotationError) as refused:
        table_of(text)
    assert str(refused.value) == told


def test_the_clock_and_the_size_are_as_written() -> None:
    laid = read_scene('title = "T"\nsummary = "S."\nsize = [48, 36]\nround = 2\nturn = "north"', STOCK, phase="move")
    assert (laid.title, laid.summary, laid.table.width, laid.table.depth) == ("T", "S.", 480_000, 360_000)
    clock = laid.table.clock
    assert (clock.round, clock.rounds, clock.turn, clock.phase) == (2, 6, "north", "move")
    assert read_scene('phase = "shoot"', STOCK, phase="move").table.clock.phase == "shoot"


# ---------------------------------------------------------------- formations


@given(st.integers(1, 60), st.integers(1, 12), st.integers(0, 35_999), st.booleans(), st.sampled_from(list(STOCK)))
def test_a_block_never_overlaps_itself_and_fits_its_spread(
    count: int, wide: int, facing: int, staggered: bool, profile: str
) -> None:
    base = STOCK[profile].base
    formation = Formation(count=count, wide=min(wide, count), gap=0.1, staggered=staggered)
    poses = formation.places(base, (50.0, 50.0), Bearing(facing))
    shapes = [footprint(base, pose) for pose in poses]
    assert len(poses) == count
    assert not any(overlap(a, b) for i, a in enumerate(shapes) for b in shapes[:i])
    width, depth = formation.spread(base)
    turned = [footprint(base, pose) for pose in formation.places(base, (width / 2, depth / 2), Bearing(0))]
    assert all(inside_board(shape, inches(width), inches(depth)) for shape in turned)


def test_the_highest_ground_counts() -> None:
    low = Terrain(TerrainId("a"), "hill", Round(mm(500), inches(1)), Pose(Length(0), Length(0)), floors=(inches(1),))
    high = Terrain(TerrainId("b"), "hill", Round(mm(100), inches(3)), Pose(Length(0), Length(0)), floors=(inches(3),))
    assert ground_at([low, high], Pose(Length(0), Length(0)).point) == inches(3)
    assert ground_at([low, high], Pose(inches(5), Length(0)).point) == inches(1)
    assert ground_at([low, high], Pose(inches(50), Length(0)).point) == 0


def test_everything_is_the_same_each_time() -> None:
    assert table_of(BLOCK) == table_of(BLOCK)
    assert isinstance(next(iter(table_of(BLOCK).models.values())), Model)
    assert degrees(-90) == 27_000
