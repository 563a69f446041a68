"""What lies under a template (ST-39 to ST-46), and what stands in the way of sight (ST-17)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from server.geometry.measure import point_distance
from server.geometry.shapes import Base, Footprint, body, bounding_radius, contains, footprint
from server.geometry.sight import Field, Volume
from server.geometry.templates import Cover, covered
from server.geometry.units import EPS, PER_INCH, Length, Point, Pose, inches, to_xy
from server.rules.stone_thrower.battle import Battle, garrison_of, garrisons, is_crew, once_per_table
from server.table.model import Model, ModelId, Terrain, TerrainId, UnitId


class Under(msgspec.Struct, frozen=True):
    """Who is under the template where it landed (ST-39 to ST-46), all in id order.

    `covered_garrisons` are those of buildings over which the centre lies.
    """

    centre: Point
    touched: tuple[ModelId, ...]
    hole: tuple[ModelId, ...]
    garrisons: tuple[UnitId, ...]
    covered_garrisons: tuple[UnitId, ...]


def under(scene: Battle, centre: Point, radius: Length, floor: int | None) -> Under:
    """Who is under a template of this radius at `centre`; `floor` is what the firer chose, if anything (CM-15)."""
    near: dict[str, Footprint] = {
        key: footprint(model.base, model.pose)
        for key, model in scene.table.models.items()
        if _is_near(model.base, model.pose, centre, radius) and _can_be_hit(scene, model, floor)
    }
    cover = cover_of(scene, near, centre, radius)
    inside, below = _garrisons_under(scene, centre, radius)
    touched = tuple(ModelId(key) for key in cover.touched)
    hole = tuple(ModelId(key) for key in cover.hole)
    return Under(centre, touched, hole, inside, below)


def cover_of(scene: Battle, footprints: Mapping[str, Footprint], centre: Point, radius: Length) -> Cover:
    """What a template covers, by this table's reading of edge and hole (CM-12 to CM-14)."""
    tangent = scene.options.template_tangent_hits
    return covered(footprints, centre, radius, hole_radius(scene), tangent_hits=tangent)


def hole_radius(scene: Battle) -> Length:
    """The radius of the central hole: 0.0984 inches for 5 mm (CM-14)."""
    return inches(scene.options.hole_diameter_mm / 2 / 25.4)


def is_touched(scene: Battle, shape: Footprint, centre: Point, radius: Length) -> bool:
    """Whether a template touches something (CM-12)."""
    x, y = to_xy(centre)
    if math.hypot(shape.x - x, shape.y - y) > shape.bound + (radius + 2 * EPS) / PER_INCH:
        return False  # far off: no need to look closely
    gap = point_distance(centre, shape)
    return gap <= radius + EPS if scene.options.template_tangent_hits else gap < radius - EPS


def is_lost_off_table(scene: Battle, centre: Point, radius: Length) -> bool:
    """Whether a template hangs over the edge so far that the shot misses (CM-16)."""
    table = scene.table
    room = min(centre.x, centre.y, table.width - centre.x, table.depth - centre.y)
    match scene.options.template_off_table:
        case "resolve_on_table_part":
            return False
        case "miss_if_centre_off":
            return room < -EPS
        case "miss_if_any_part_off":
            return room < radius - EPS


def _garrisons_under(scene: Battle, centre: Point, radius: Length) -> tuple[tuple[UnitId, ...], tuple[UnitId, ...]]:
    """The garrisons of touched buildings, and those of buildings that the centre lies over (ST-46)."""
    if scene.options.garrison_hits != "d6":
        return (), ()
    touched: list[UnitId] = []
    below: list[UnitId] = []
    for building in buildings(scene):
        shape = footprint(building.shape, building.pose)
        if is_touched(scene, shape, centre, radius):
            touched += garrisons(scene, building.id)
            below += garrisons(scene, building.id) if contains(shape, centre) else ()
    return tuple(sorted(touched)), tuple(sorted(below))


def buildings(scene: Battle) -> tuple[Terrain, ...]:
    """The buildings on the table, in id order."""
    return tuple(piece for _, piece in sorted(scene.table.terrain.items()) if piece.building)


def _can_be_hit(scene: Battle, model: Model, floor: int | None) -> bool:
    if is_crew(scene, model):
        return False
    if garrison_of(scene, model) is not None:
        return scene.options.garrison_hits == "touched_models"
    return _is_on_reached_floor(scene, model, floor)


def _is_on_reached_floor(scene: Battle, model: Model, floor: int | None) -> bool:
    """Whether the template reaches the floor that a model stands on (CM-15)."""
    reaches = scene.options.template_floors
    if reaches == "all" or (reaches == "chosen_floor" and floor is None):
        return True
    for piece in storeyed(scene):
        if contains(footprint(piece.shape, piece.pose), model.pose.point):
            top = len(piece.floors) - 1
            wanted = top if floor is None or reaches == "top_floor_only" else min(floor, top)
            return floor_of(piece, model.pose) == wanted
    return True


def storeyed(scene: Battle) -> tuple[Terrain, ...]:
    """The pieces of terrain with more than one floor, in id order."""
    return tuple(piece for _, piece in sorted(scene.table.terrain.items()) if len(piece.floors) > 1)


def floor_of(piece: Terrain, pose: Pose) -> int:
    """The number of the floor that something stands on, the lowest being 0."""
    levels = [piece.pose.z + level for level in sorted(piece.floors)]
    return max(0, sum(level <= pose.z + EPS for level in levels) - 1)


def _is_near(base: Base, pose: Pose, centre: Point, radius: Length) -> bool:
    east, north = pose.x - centre.x, pose.y - centre.y
    reach = radius + _bound(base) + 2 * EPS
    return east * east + north * north <= reach * reach


@lru_cache(maxsize=1_024)
def _bound(base: Base) -> int:
    return bounding_radius(footprint(base, Pose(Length(0), Length(0))))


@once_per_table
def field(scene: Battle) -> Field:
    """What may stand in the way of sight: figures and terrain, but no crew and nobody indoors (CM-29, ST-17)."""
    figures = [_volume(scene, model) for model in scene.table.models.values() if _is_in_the_way(scene, model)]
    return Field([*figures, *(_terrain_volume(piece) for piece in scene.table.terrain.values())])


def _is_in_the_way(scene: Battle, model: Model) -> bool:
    return not is_crew(scene, model) and garrison_of(scene, model) is None


def figure(scene: Battle, model: Model) -> Footprint:
    """The ground under the body: the base shrunk, but not that of a hull or machine (CM-29)."""
    width = 100 if scene.profiles[model.profile].hull else scene.options.body_width
    return body(model.base, model.pose, width / 100)


def _volume(scene: Battle, model: Model) -> Volume:
    bottom, top = model.pose.z, Length(model.pose.z + model.base.height)
    return Volume(model.id, figure(scene, model), bottom, top, soft=False, blocks=True)


def _terrain_volume(piece: Terrain) -> Volume:
    shape = footprint(piece.shape, piece.pose)
    return Volume(_terrain_key(piece.id), shape, piece.pose.z, top_of(piece), piece.soft, piece.blocks)


def _terrain_key(piece: TerrainId) -> str:
    return f"terrain {piece}"


def ignored_building(piece: TerrainId) -> frozenset[str]:
    """A nominated building does not hide itself (ST-21)."""
    return frozenset({_terrain_key(piece)})


def top_of(piece: Terrain) -> Length:
    """The height of a roof above the table."""
    return Length(piece.pose.z + piece.shape.height)
