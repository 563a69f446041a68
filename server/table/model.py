"""The table as data: models in units, terrain, templates, markers, the clock and the scores.

Everything here is frozen; a mapping is never written after it was made. Positions are integers of 0.0001 inch (CM-01,
CM-04), sizes of bases and terrain integers of 0.01 mm (CM-02), bearings integers of 0.01 degree (CM-03).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NewType

import msgspec

from server.geometry.shapes import Base
from server.geometry.units import Length, Point, Pose

Seat = Literal["south", "north"]
"""Who plays: each seat owns one side of the table."""

SEATS: tuple[Seat, Seat] = ("south", "north")

Role = Literal["south", "north", "watch"]
"""Who looks: a seat, or a spectator."""

ROLES: tuple[Role, Role, Role] = ("south", "north", "watch")

ModelId = NewType("ModelId", str)
UnitId = NewType("UnitId", str)
TerrainId = NewType("TerrainId", str)

Status = int | str | bool
"""The value of one status, of a kind that the system declares (see `engine.system.StatusKind`)."""


def rival_of(seat: Seat) -> Seat:
    """The other seat."""
    return "north" if seat == "south" else "south"


class Model(msgspec.Struct, frozen=True):
    """One model on its base. `seen_by` names the seats that may know of it; None means everybody."""

    id: ModelId
    unit: UnitId
    owner: Seat
    profile: str
    base: Base
    pose: Pose
    label: str = ""
    status: Mapping[str, Status] = {}
    seen_by: tuple[Seat, ...] | None = None


class Unit(msgspec.Struct, frozen=True):
    """Models that act as one. What concerns all of them (fleeing, engaged, ranked) is status of the unit."""

    id: UnitId
    owner: Seat
    label: str
    status: Mapping[str, Status] = {}
    seen_by: tuple[Seat, ...] | None = None


class Terrain(msgspec.Struct, frozen=True):
    """A piece of terrain: a shape that rises from `pose.z` to its top.

    `blocks` hides what is behind it (CM-29), `soft` only obscures, `solid` cannot be entered, `building` holds a
    garrison. `floors` are the heights a model can stand on inside the outline; the lowest is the default.
    """

    id: TerrainId
    kind: str
    shape: Base
    pose: Pose
    label: str = ""
    blocks: bool = False
    soft: bool = False
    solid: bool = False
    building: bool = False
    floors: tuple[Length, ...] = (Length(0),)


class Template(msgspec.Struct, frozen=True):
    """A round template lying on the table; `radius` and `hole` (its radius) are Lengths."""

    id: str
    centre: Point
    radius: Length
    hole: Length
    label: str = ""


class Marker(msgspec.Struct, frozen=True):
    """Something a player put on the table that no rule reads: a flag, a pinned ruler, a drawn line, a note."""

    id: str
    by: Seat
    kind: Literal["flag", "ruler", "line", "note"]
    points: tuple[Point, ...]
    text: str = ""


class Clock(msgspec.Struct, frozen=True):
    """Whose turn of which round it is, and in what phase. `over` is set once the last round is played; `first` is
    the side that begins each round."""

    round: int
    rounds: int
    turn: Seat
    phase: str
    over: bool = False
    first: Seat = "south"


class Table(msgspec.Struct, frozen=True):
    """Everything on the table. `removed` keeps what was taken off, so that it can be returned."""

    width: Length
    depth: Length
    clock: Clock
    models: Mapping[ModelId, Model] = {}
    removed: Mapping[ModelId, Model] = {}
    units: Mapping[UnitId, Unit] = {}
    terrain: Mapping[TerrainId, Terrain] = {}
    templates: Mapping[str, Template] = {}
    markers: Mapping[str, Marker] = {}
    scores: Mapping[Seat, int] = {}

    def members(self, unit: UnitId) -> tuple[Model, ...]:
        """The models of a unit that are on the table, in id order (CM-38)."""
        return tuple(self.models[key] for key in sorted(self.models) if self.models[key].unit == unit)
