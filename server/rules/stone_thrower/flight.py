"""Where a unit that panics runs to (ST-59, ST-65)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import replace

from server.engine.dice import D6
from server.engine.requests import change, note, rolls
from server.geometry.measure import nearest
from server.geometry.shapes import Footprint, extent, footprint, overlap
from server.geometry.templates import displaced
from server.geometry.units import (
    EPS,
    FULL_CIRCLE,
    PER_INCH,
    Bearing,
    Length,
    Point,
    Pose,
    bearing_to,
    inches,
    turned,
)
from server.rules.stone_thrower.battle import Battle, fighters, is_crew, unit_facing, unit_name
from server.table.facts import ModelsMoved, ModelsRemoved, Moved, UnitStatusSet
from server.table.formation import grounded
from server.table.model import Model, ModelId, UnitId

STEP = inches(0.1)


async def flee(scene: Battle, machine: ModelId, unit: UnitId, culprits: Mapping[UnitId, int]) -> None:
    """Turn about and run 2D6 inches, straight away from what is feared (ST-59, ST-65)."""
    models = scene.table.members(unit)
    keys = tuple(model.id for model in models)
    away = bearing_to(feared(scene, machine, unit, culprits), centre_of(models))
    facing = Bearing(away % FULL_CIRCLE)
    distance = Length(PER_INCH * sum(await rolls(D6, 2, "ST-59", "flight", *keys)))
    poses = clear_of_all(scene, models, faced(models, facing), facing, distance)
    name = unit_name(scene, unit)
    if "garrison" in scene.table.units[unit].status:
        await change(UnitStatusSet(unit, "garrison", None))
    if poses is None:
        await note("ST-65", f"{name} flee off the table.", *keys, outcome="fled_off")
        await change(ModelsRemoved(keys))
        return
    await note("ST-59", f"{name} flee {distance // PER_INCH} inches.", *keys, outcome="flee")
    await change(ModelsMoved(tuple(Moved(key, pose) for key, pose in poses.items())))


def feared(scene: Battle, machine: ModelId, unit: UnitId, culprits: Mapping[UnitId, int]) -> Point:
    """The centre of what a unit runs from: who cost it most, else the nearest enemy, else the machine (ST-59)."""
    # Of equals the last one wins, and who shot last stands last.
    worst = max(enumerate(culprits), key=lambda one: (culprits[one[1]], one[0]), default=(0, None))[1]
    if worst is not None:
        stood = [m for m in (*scene.table.models.values(), *scene.table.removed.values()) if m.unit == worst]
        present = scene.table.members(worst) or tuple(stood)
        if present:
            return centre_of(present)
    enemy = nearest_enemy(scene, unit)
    return scene.model(machine).pose.point if enemy is None else centre_of(fighters(scene, enemy))


def nearest_enemy(scene: Battle, unit: UnitId) -> UnitId | None:
    """The enemy unit whose nearest base is nearest to the unit."""
    owner = scene.table.units[unit].owner
    enemies: dict[str, Footprint] = {
        model.id: footprint(model.base, model.pose)
        for model in scene.table.models.values()
        if model.owner != owner and not is_crew(scene, model)
    }
    own = (nearest(footprint(model.base, model.pose), enemies) for model in fighters(scene, unit))
    found = min(((gap, key) for key, gap in filter(None, own)), default=None)
    return None if found is None else scene.model(ModelId(found[1])).unit


def centre_of(models: tuple[Model, ...]) -> Point:
    """The middle of a unit: the mean of where its models stand."""
    return Point(
        Length(round(math.fsum(model.pose.x for model in models) / len(models))),
        Length(round(math.fsum(model.pose.y for model in models) / len(models))),
    )


def faced(models: tuple[Model, ...], facing: Bearing) -> dict[ModelId, Pose]:
    """The unit turned about its centre until it faces this way; its ranks turn with it (ST-59)."""
    centre = centre_of(models)
    turn = Bearing((facing - unit_facing(models)) % FULL_CIRCLE)
    poses: dict[ModelId, Pose] = {}
    for model in models:
        spot = turned(model.pose.point, centre, turn)
        poses[model.id] = Pose(spot.x, spot.y, Bearing((model.pose.facing + turn) % FULL_CIRCLE), Length(0))
    return poses


def clear_of_all(
    scene: Battle, models: tuple[Model, ...], poses: Mapping[ModelId, Pose], facing: Bearing, distance: Length
) -> dict[ModelId, Pose] | None:
    """Where the unit ends: on in the same line until it stands on nothing; None if that is the edge (ST-65)."""
    own = {model.id: model for model in models}
    obstacles = _obstacles(scene, frozenset(own))
    blocked = Length(-1)
    while True:
        there = _shifted(poses, facing, distance)
        shapes = [footprint(own[key].base, pose) for key, pose in there.items()]
        if not _is_inside(scene, shapes):
            return None
        if _is_clear(shapes, obstacles):
            break
        blocked, distance = distance, Length(distance + STEP)
    ground = scene.table.terrain.values()
    while blocked >= 0 and distance - blocked > EPS:  # back to where the last obstacle ends
        middle = Length((blocked + distance) // 2)
        there = _shifted(poses, facing, middle)
        if _is_clear([footprint(own[key].base, pose) for key, pose in there.items()], obstacles):
            distance = middle
        else:
            blocked = middle
    return {key: grounded(pose, ground) for key, pose in _shifted(poses, facing, distance).items()}


def _shifted(poses: Mapping[ModelId, Pose], facing: Bearing, distance: Length) -> dict[ModelId, Pose]:
    shifted = {}
    for key, pose in poses.items():
        spot = displaced(pose.point, facing, distance)
        shifted[key] = replace(pose, x=spot.x, y=spot.y)
    return shifted


def _obstacles(scene: Battle, own: frozenset[ModelId]) -> list[Footprint]:
    """What nobody may end on: other models, and terrain that nobody can stand in (ST-65)."""
    models = [m for key, m in scene.table.models.items() if key not in own and not is_crew(scene, m)]
    terrain = (piece for piece in scene.table.terrain.values() if piece.solid or piece.building)
    return [
        *(footprint(model.base, model.pose) for model in models),
        *(footprint(piece.shape, piece.pose) for piece in terrain),
    ]


def _is_clear(shapes: list[Footprint], obstacles: list[Footprint]) -> bool:
    middle = math.fsum(f.x for f in shapes) / len(shapes), math.fsum(f.y for f in shapes) / len(shapes)
    reach = max(math.dist(middle, (f.x, f.y)) + f.bound for f in shapes)
    near = [o for o in obstacles if math.dist(middle, (o.x, o.y)) < reach + o.bound]
    return not any(overlap(shape, obstacle) for obstacle in near for shape in shapes)


def _is_inside(scene: Battle, shapes: list[Footprint]) -> bool:
    """Whether no base touches or crosses the table's edge (ST-65)."""
    width, depth = scene.table.width, scene.table.depth
    for shape in shapes:
        west, south, east, north = extent(shape)
        if min(west, south, width - east, depth - north) <= EPS:
            return False
    return True
