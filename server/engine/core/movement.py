"""Moving models: along a path, no farther than they may, to where there is room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from server.engine.core.action import AnyScene, Args, CoreAction, Limits, is_known, own
from server.engine.questions import Barred
from server.engine.refusals import NotYours, Refused
from server.engine.requests import change
from server.engine.system import AnySystem
from server.geometry.measure import beyond, path_length
from server.geometry.shapes import Footprint, contains, footprint, inside_board, overlap
from server.geometry.units import Length, Pose, say_inches
from server.table.facts import ModelsMoved, Moved, StatusesSet
from server.table.formation import ground_at
from server.table.model import Model, ModelId, Table, Terrain

MOVED = "moved"
"""The status that says how far (a Length) a model has moved in its turn; a mere pivot counts as the smallest Length."""


class MoveArgs(Args, frozen=True):
    """Who goes where, each with the bends of its path."""

    moves: Annotated[tuple[Moved, ...], Meta(min_length=1, max_length=400)]


def in_a_moving_phase(system: AnySystem, scene: AnyScene) -> None:
    """Lawful for the active side in a phase of movement."""
    clock = scene.table.clock
    if clock.over:
        raise Refused("The battle is over.")
    if clock.turn != scene.by:
        raise NotYours("It is the other side's turn.")
    if not system.phase(clock.phase).moves:
        raise Refused(f"Models do not move in this phase ({system.phase(clock.phase).name}).")


def left_to_move(system: AnySystem, scene: AnyScene) -> Limits:
    """How much farther each of the side's models may move, and which may not at all."""
    limits: dict[ModelId, Length] = {}
    barred: list[Barred] = []
    for key in sorted(scene.table.models):
        model = scene.table.models[key]
        if model.owner != scene.by:
            continue
        try:
            limits[key] = Length(max(0, system.allowance(scene, model) - used(model)))
        except Refused as refused:
            barred.append(Barred(key, refused.rule or "", refused.message))
    return limits, tuple(barred)


def used(model: Model) -> Length:
    """How far a model has moved in this turn."""
    return Length(int(model.status.get(MOVED, 0)))


async def move(system: AnySystem, scene: AnyScene, args: MoveArgs) -> None:
    """Move models under the rules."""
    moves = grounded(scene, args.moves)
    spent = {step.model: _spent(system, scene, step) for step in moves}
    must_have_room(scene, moves)
    await change(ModelsMoved(moves))
    await change(StatusesSet(MOVED, spent))


def grounded(scene: AnyScene, moves: tuple[Moved, ...]) -> tuple[Moved, ...]:
    """The moves, checked to be of different models of the acting seat, each on a floor that is there."""
    if len({step.model for step in moves}) < len(moves):
        raise Refused("A model can move only once at a time.")
    for step in moves:
        own(scene, step.model)
    return tuple(replace(step, pose=on_the_ground(scene.table, step.pose)) for step in moves)


def on_the_ground(table: Table, pose: Pose) -> Pose:
    """The pose on a floor there: the height it names where there is such a floor above ground, else the ground."""
    under = [piece for piece in table.terrain.values() if _is_under(piece, pose)]
    ground = ground_at(under, pose.point)
    floors = {piece.pose.z + floor for piece in under for floor in piece.floors}
    return pose if pose.z in floors and pose.z >= ground else replace(pose, z=ground)


def must_have_room(scene: AnyScene, moves: Iterable[Moved]) -> None:
    """Raises Refused unless every moved model ends on the table, clear of other models and of solid terrain.

    Models that the acting seat may not know of do not stand in its way: a refusal would give them away.
    """
    table = scene.table
    poses = {step.model: step.pose for step in moves}
    known = {key: model for key, model in table.models.items() if is_known(scene, model)}
    footprints = {key: footprint(model.base, poses.get(key, model.pose)) for key, model in known.items()}
    for key in poses:
        model = table.models[key]
        if not inside_board(footprints[key], table.width, table.depth):
            raise Refused(f"{_name(table, model)} would leave the table.")
        _must_be_clear(table, model, poses, footprints)


def _must_be_clear(
    table: Table, model: Model, poses: Mapping[ModelId, Pose], footprints: Mapping[ModelId, Footprint]
) -> None:
    mine, pose = footprints[model.id], poses[model.id]
    for other, theirs in footprints.items():
        floor = poses.get(other, table.models[other].pose).z
        if other != model.id and floor == pose.z and overlap(mine, theirs):
            raise Refused(f"{_name(table, model)} would stand on {_name(table, table.models[other])}.")
    for piece in table.terrain.values():
        if piece.solid and overlap(mine, footprint(piece.shape, piece.pose)):
            raise Refused(f"{_name(table, model)} cannot stand in the {piece.label or piece.kind}.")


def _spent(system: AnySystem, scene: AnyScene, step: Moved) -> Length:
    """How far the model will have moved in this turn; Refused if that is farther than it may."""
    model = scene.table.models[step.model]
    allowance = system.allowance(scene, model)
    way = path_length((model.pose.point, *step.via, step.pose.point))
    spent = Length(used(model) + way)
    if beyond(spent, allowance):
        raise Refused(f"{say_inches(spent)} inches; {_name(scene.table, model)} may move {say_inches(allowance)}.")
    turned = step.pose.facing != model.pose.facing
    return Length(max(spent, 1)) if turned or way else spent


def _is_under(piece: Terrain, pose: Pose) -> bool:
    return not piece.solid and bool(piece.floors) and contains(footprint(piece.shape, piece.pose), pose.point)


def _name(table: Table, model: Model) -> str:
    unit = table.units.get(model.unit)
    return model.label or (unit.label if unit else "") or model.profile


MOVE = CoreAction("move", "Move", MoveArgs, move, in_a_moving_phase, left_to_move)
