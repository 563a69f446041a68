"""Free play: what the umpire does not judge must still be possible, in the open. All of it is marked manual."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from server.engine.core.action import AnyScene, Args, CoreAction, always, is_known, no_limits, own
from server.engine.core.movement import MoveArgs, grounded, must_have_room, on_the_ground
from server.engine.dice import sided
from server.engine.refusals import NotYours, Refused, Unknown
from server.engine.requests import change, note, rolls
from server.engine.system import AnySystem, StatusKind
from server.geometry.shapes import Rectangle, bounding_radius, footprint, inside_board, overlap
from server.geometry.units import Bearing, Length, Point, Pose, inches, size_inches, turned
from server.table.facts import (
    MarkerSet,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    ScoreSet,
    StatusSet,
    UnitSet,
    UnitStatusSet,
)
from server.table.model import Marker, Model, ModelId, Status, Table, Unit, UnitId

Words = Annotated[str, Meta(max_length=80)]
MARKERS = 60
"""How many markers a side may have on the table."""
MODELS = 1000
"""How many models a table bears."""


class RollArgs(Args, frozen=True):
    """Some dice, and what for."""

    sides: Annotated[int, Meta(ge=2, le=100)]
    count: Annotated[int, Meta(ge=1, le=100)] = 1
    why: Words = ""


class StatusArgs(Args, frozen=True):
    """A status of a model and its new value; None takes it away."""

    model: ModelId
    key: str
    value: Status | None = None


class UnitStatusArgs(Args, frozen=True):
    """A status of a unit and its new value; None takes it away."""

    unit: UnitId
    key: str
    value: Status | None = None


class ModelsArgs(Args, frozen=True):
    """Some models."""

    models: Annotated[tuple[ModelId, ...], Meta(min_length=1, max_length=400)]


class AddArgs(Args, frozen=True):
    """New models of a known profile, `wide` in a rank, the front rank's middle at a place."""

    profile: str
    at: Point
    facing: Annotated[Bearing, Meta(ge=0, lt=36000)]
    count: Annotated[int, Meta(ge=1, le=100)] = 1
    wide: Annotated[int, Meta(ge=1, le=50)] = 5
    label: Words = ""


class MarkArgs(Args, frozen=True):
    """A marker to put down or change."""

    marker: Marker


class UnmarkArgs(Args, frozen=True):
    """A marker to take away."""

    id: str


class ScoreArgs(Args, frozen=True):
    """A side's own score."""

    score: Annotated[int, Meta(ge=-9999, le=9999)]


async def free_move(system: AnySystem, scene: AnyScene, args: MoveArgs) -> None:
    """Move own models anywhere there is room."""
    moves = grounded(scene, args.moves)
    must_have_room(scene, moves)
    await change(ModelsMoved(moves))


async def free_roll(system: AnySystem, scene: AnyScene, args: RollArgs) -> None:
    """Roll dice for something that no rule here speaks of."""
    faces = await rolls(sided(args.sides), args.count, "", args.why or "a free roll")
    await note("", f"{args.why or 'A free roll'}: {', '.join(map(str, faces))} (sum {sum(faces)}).")


async def set_status(system: AnySystem, scene: AnyScene, args: StatusArgs) -> None:
    """Set a status of an own model by hand."""
    own(scene, args.model)
    _must_fit(_kind(system, "model", args.key), args.value)
    await change(StatusSet(args.model, args.key, args.value))


async def set_unit_status(system: AnySystem, scene: AnyScene, args: UnitStatusArgs) -> None:
    """Set a status of an own unit by hand."""
    unit = scene.table.units.get(args.unit)
    if unit is None or not is_known(scene, unit):
        raise Unknown("There is no such unit on the table.")
    if unit.owner != scene.by:
        raise NotYours("That unit is not yours.")
    _must_fit(_kind(system, "unit", args.key), args.value)
    await change(UnitStatusSet(args.unit, args.key, args.value))


async def remove(system: AnySystem, scene: AnyScene, args: ModelsArgs) -> None:
    """Take own models off the table."""
    _must_differ(args.models)
    for model in args.models:
        own(scene, model)
    await change(ModelsRemoved(tuple(sorted(args.models))))


async def restore(system: AnySystem, scene: AnyScene, args: ModelsArgs) -> None:
    """Return own models that were removed, as they were and to where they stood."""
    _must_differ(args.models)
    back = []
    for key in args.models:
        model = scene.table.removed.get(key)
        if model is None or not is_known(scene, model):
            raise Unknown("There is no such model beside the table.")
        if model.owner != scene.by:
            raise NotYours("That model is not yours.")
        back.append(model)
    await change(ModelsPlaced(_with_room(scene, tuple(back))))


async def add(system: AnySystem, scene: AnyScene, args: AddArgs) -> None:
    """Put new models of a known profile on the table, as a unit of their own."""
    profile = scene.profiles.get(args.profile)
    if profile is None:
        raise Unknown("There is no such profile in this game.")
    if len(scene.table.models) + args.count > MODELS:
        raise Refused(f"A table bears at most {MODELS} models.")
    unit = UnitId(_new_id(scene.table.units, "unit"))
    label = args.label or args.profile
    models = tuple(
        Model(
            ModelId(f"{unit}-{place + 1:03}"), unit, scene.by, args.profile, profile.base, pose, label, profile.status()
        )
        for place, pose in enumerate(_ranks(scene.table, profile.base, args))
    )
    await change(UnitSet(Unit(unit, scene.by, label, profile.unit_status())))
    await change(ModelsPlaced(_with_room(scene, models)))


async def mark(system: AnySystem, scene: AnyScene, args: MarkArgs) -> None:
    """Put down or change an own marker."""
    marker = args.marker
    if marker.by != scene.by:
        raise NotYours("A marker is put down in one's own name.")
    known = scene.table.markers.get(marker.id)
    if known is not None and known.by != scene.by:
        raise NotYours("That marker is not yours.")
    mine = sum(other.by == scene.by for other in scene.table.markers.values())
    if known is None and mine >= MARKERS:
        raise Refused(f"A side can have {MARKERS} markers on the table: take one away first.")
    if not 1 <= len(marker.points) <= 64 or len(marker.text) > 200 or not 1 <= len(marker.id) <= 40:
        raise Refused("A marker has 1 to 64 points, a short name and at most 200 characters of text.")
    await change(MarkerSet(marker.id, marker))


async def unmark(system: AnySystem, scene: AnyScene, args: UnmarkArgs) -> None:
    """Take an own marker away."""
    marker = scene.table.markers.get(args.id)
    if marker is None:
        raise Unknown("There is no such marker.")
    if marker.by != scene.by:
        raise NotYours("That marker is not yours.")
    await change(MarkerSet(args.id, None))


async def score(system: AnySystem, scene: AnyScene, args: ScoreArgs) -> None:
    """Set one's own score."""
    await change(ScoreSet(scene.by, args.score))


def _kind(system: AnySystem, of: str, key: str) -> StatusKind:
    for kind in system.statuses:
        if (kind.of, kind.key) == (of, key) and kind.manual:
            return kind
    raise Unknown("There is no such status to set by hand.")


def _must_fit(kind: StatusKind, value: Status | None) -> None:
    fits = {
        "flag": isinstance(value, bool),
        "number": isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 999,
        "text": isinstance(value, str) and len(value) <= 80,
    }
    if value is not None and not fits[kind.type]:
        raise Refused(f"{kind.label} takes a {kind.type}.")


def _must_differ(models: tuple[ModelId, ...]) -> None:
    if len(set(models)) < len(models):
        raise Refused("Name each model once.")


def _new_id(taken: Mapping[Any, object], stem: str) -> str:
    number = len(taken) + 1
    while f"{stem}-{number:03}" in taken:
        number += 1
    return f"{stem}-{number:03}"


def _ranks(table: Table, base: Any, args: AddArgs) -> list[Pose]:
    """Where `count` models stand in ranks `wide` across, base to base."""
    pitch, depth = _pitch(base)
    poses = []
    for place in range(args.count):
        rank, file = divmod(place, args.wide)
        across = min(args.wide, args.count - rank * args.wide)
        spot = Point(Length(args.at.x + round((file - (across - 1) / 2) * pitch)), Length(args.at.y - rank * depth))
        at = turned(spot, args.at, args.facing)
        poses.append(on_the_ground(table, Pose(at.x, at.y, args.facing)))
    return poses


def _pitch(base: Any) -> tuple[Length, Length]:
    """How far apart models on this base stand in a rank, and the ranks from each other."""
    if isinstance(base, Rectangle):
        return inches(size_inches(base.width)), inches(size_inches(base.length))
    across = Length(2 * bounding_radius(footprint(base, Pose(Length(0), Length(0), Bearing(0)))))
    return across, across


def _with_room(scene: AnyScene, models: tuple[Model, ...]) -> tuple[Model, ...]:
    """The models, refused where they would stand on others or off the table."""
    table = scene.table
    standing = [model for model in table.models.values() if is_known(scene, model)]
    for model in models:
        mine = footprint(model.base, model.pose)
        if not inside_board(mine, table.width, table.depth):
            raise Refused("There is no room there: it would leave the table.")
        level = (other for other in standing if other.pose.z == model.pose.z)
        if any(overlap(mine, footprint(other.base, other.pose)) for other in level):
            raise Refused("There is no room there: another model stands in the way.")
        standing.append(model)
    return models


MANUAL: tuple[CoreAction[Any], ...] = tuple(
    CoreAction(name, label, args, procedure, always, no_limits, manual=True)
    for name, label, args, procedure in (
        ("free_move", "Move freely", MoveArgs, free_move),
        ("free_roll", "Roll dice", RollArgs, free_roll),
        ("set_status", "Set a status", StatusArgs, set_status),
        ("set_unit_status", "Set a unit's status", UnitStatusArgs, set_unit_status),
        ("remove", "Take off the table", ModelsArgs, remove),
        ("restore", "Return to the table", ModelsArgs, restore),
        ("add", "Add models", AddArgs, add),
        ("mark", "Put down a marker", MarkArgs, mark),
        ("unmark", "Take a marker away", UnmarkArgs, unmark),
        ("score", "Set the score", ScoreArgs, score),
    )
)
