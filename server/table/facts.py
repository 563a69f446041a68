"""What can happen to a table. A fact names the thing and what it became; `fold.apply` makes it so.

What happens to many models at once is one fact, so that a unit moves, and is undone, in one piece.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from server.geometry.units import Point, Pose
from server.table.model import Clock, Marker, Model, ModelId, Seat, Status, Template, Terrain, TerrainId, Unit, UnitId


class Fact(msgspec.Struct, frozen=True, tag_field="fact"):
    """Anything that can happen to a table."""


class ModelsPlaced(Fact, frozen=True, tag="models_placed"):
    """Models come onto the table, or come back after they were removed."""

    models: tuple[Model, ...]


class Moved(msgspec.Struct, frozen=True):
    """One model's move: where it ends, and the bends of its path in between."""

    model: ModelId
    pose: Pose
    via: tuple[Point, ...] = ()


class ModelsMoved(Fact, frozen=True, tag="models_moved"):
    """Models stand somewhere else, or face another way."""

    moves: tuple[Moved, ...]


class ModelsRemoved(Fact, frozen=True, tag="models_removed"):
    """Models leave the table; the table remembers them under `removed`."""

    models: tuple[ModelId, ...]


class StatusSet(Fact, frozen=True, tag="status_set"):
    """A status of a model changes; None takes it away."""

    model: ModelId
    key: str
    value: Status | None


class StatusesSet(Fact, frozen=True, tag="statuses_set"):
    """The same status of several models changes, for each to its own value; None takes it away."""

    key: str
    values: Mapping[ModelId, Status | None]


class UnitSet(Fact, frozen=True, tag="unit_set"):
    """A unit comes into being or is changed as a whole."""

    unit: Unit


class UnitStatusSet(Fact, frozen=True, tag="unit_status_set"):
    """A status of a unit changes; None takes it away."""

    unit: UnitId
    key: str
    value: Status | None


class TerrainSet(Fact, frozen=True, tag="terrain_set"):
    """A piece of terrain is put down or changed; None takes it away."""

    id: TerrainId
    terrain: Terrain | None


class TemplateLaid(Fact, frozen=True, tag="template_laid"):
    """A template lies on the table, or slides to a new place."""

    template: Template


class TemplateLifted(Fact, frozen=True, tag="template_lifted"):
    """A template is taken off the table."""

    id: str


class MarkerSet(Fact, frozen=True, tag="marker_set"):
    """A marker is put down or changed; None takes it away."""

    id: str
    marker: Marker | None


class ClockSet(Fact, frozen=True, tag="clock_set"):
    """The clock moves on (or back)."""

    clock: Clock


class ScoreSet(Fact, frozen=True, tag="score_set"):
    """A side's score changes."""

    seat: Seat
    score: int


AnyFact = (
    ModelsPlaced
    | ModelsMoved
    | ModelsRemoved
    | StatusSet
    | StatusesSet
    | UnitSet
    | UnitStatusSet
    | TerrainSet
    | TemplateLaid
    | TemplateLifted
    | MarkerSet
    | ClockSet
    | ScoreSet
)
