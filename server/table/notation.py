"""Short TOML scenes for tests and scenarios: inches and degrees as people write them.

    title = "Faces a block"
    size = [72, 48]

    [[terrain]]
    kind = "hill"
    at = [12, 30]
    oval = [20, 12]
    height = 2

    [[unit]]
    id = "orcs"
    owner = "north"
    profile = "orc_boy"
    count = 20
    wide = 5
    at = [24, 30]
    facing = 180

`at` is the middle of the block, `front` (instead of it) the middle of its front edge; `spacing` is in inches between
bases. A unit faces the enemy unless it says `facing`. One model has the id of its unit, more are numbered: "orcs-01".
`loose` models stand in a staggered grid. `z` is the floor they stand on; without it, the ground.

What a profile is, this layer does not know: the caller hands in a `Stock` for each.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from math import ceil, sqrt
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from server.geometry.shapes import Base, footprint, inside_board
from server.geometry.units import XY, Bearing, Pose, degrees, inches, sine_cosine
from server.table.formation import Formation, grounded
from server.table.landscape import Extent, Id, Inches, Piece, Spot, pieces_of
from server.table.model import Clock, Model, ModelId, Seat, Status, Table, Terrain, TerrainId, Unit, UnitId

LOOSE_GAP = 1.0
RANK_WIDTH = 5


class NotationError(ValueError):
    """A scene that cannot be read; the text names the line and the thing on it."""


class Stock(msgspec.Struct, frozen=True):
    """What models of a profile are made of, as the caller knows it: `label` names units that have no label."""

    base: Base
    label: str
    status: Mapping[str, Status] = {}
    unit_status: Mapping[str, Status] = {}


class UnitLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit as people write it (see the top of this file). A status of None cannot be written: leave it out."""

    id: Id
    owner: Seat
    profile: str
    label: str = ""
    count: Annotated[int, Meta(ge=1, le=400)] = 1
    wide: Annotated[int, Meta(ge=1, le=100)] | None = None
    at: Spot | None = None
    front: Spot | None = None
    facing: Inches | None = None
    spacing: Annotated[float, Meta(ge=0, le=24)] | None = None
    loose: bool = False
    z: Inches | None = None
    status: Mapping[str, Status] = {}
    unit_status: Mapping[str, Status] = {}
    seen_by: tuple[Seat, ...] | None = None

    @property
    def bearing(self) -> Bearing:
        """Which way it faces: as written, else towards the enemy."""
        if self.facing is not None:
            return degrees(self.facing)
        return degrees(0 if self.owner == "south" else 180)

    @property
    def formation(self) -> Formation:
        """How its models stand."""
        usual = ceil(sqrt(self.count)) if self.loose else min(self.count, RANK_WIDTH)
        gap = self.spacing if self.spacing is not None else LOOSE_GAP if self.loose else 0.0
        return Formation(
            count=self.count, wide=min(self.wide or usual, self.count), gap=gap, staggered=self.loose and self.count > 2
        )


class SceneSheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole file."""

    title: str = ""
    summary: str = ""
    size: tuple[Extent, Extent] = (72.0, 48.0)
    round: Annotated[int, Meta(ge=1, le=20)] = 1
    rounds: Annotated[int, Meta(ge=1, le=20)] = 6
    turn: Seat = "south"
    phase: str | None = None
    scores: Mapping[Seat, int] = {}
    terrain: tuple[Piece, ...] = ()
    unit: tuple[UnitLine, ...] = ()


class Laid(msgspec.Struct, frozen=True):
    """What a file lays out."""

    title: str
    summary: str
    table: Table


def read_scene(text: str, stock: Mapping[str, Stock], *, phase: str = "") -> Laid:
    """Read a scene. `phase` is the clock's unless the file says. NotationError names line and thing."""
    sheet = _parse(text)
    terrain = _terrain(text, sheet.terrain)
    units, models = _units(text, sheet, stock, terrain)
    clock = Clock(sheet.round, sheet.rounds, sheet.turn, phase if sheet.phase is None else sheet.phase)
    table = Table(
        width=inches(sheet.size[0]),
        depth=inches(sheet.size[1]),
        clock=clock,
        models=models,
        units=units,
        terrain=terrain,
        scores=sheet.scores,
    )
    return Laid(sheet.title, sheet.summary, table)


def _parse(text: str) -> SceneSheet:
    try:
        return msgspec.convert(tomllib.loads(text), SceneSheet, strict=True)
    except tomllib.TOMLDecodeError as wrong:
        raise NotationError(f"not TOML: {wrong}") from wrong
    except msgspec.ValidationError as wrong:
        raise NotationError(_placed(text, str(wrong))) from wrong


def _terrain(text: str, lines: Iterable[Piece]) -> dict[TerrainId, Terrain]:
    terrain: dict[TerrainId, Terrain] = {}
    for number, line in enumerate(lines):
        name = line.id or _numbered(line.kind, sum(piece.kind == line.kind for piece in terrain.values()) + 1)
        try:
            pieces = pieces_of(line, name)
        except ValueError as wrong:
            raise _trouble(text, "terrain", number, name, str(wrong)) from wrong
        for piece in pieces:
            if piece.id in terrain:
                raise _trouble(text, "terrain", number, name, f"the id {piece.id} is already taken")
            terrain[piece.id] = piece
    return terrain


def _numbered(kind: str, number: int) -> str:
    return f"{kind}-{number:02}"


def _units(
    text: str, sheet: SceneSheet, stock: Mapping[str, Stock], terrain: Mapping[TerrainId, Terrain]
) -> tuple[dict[UnitId, Unit], dict[ModelId, Model]]:
    units: dict[UnitId, Unit] = {}
    models: dict[ModelId, Model] = {}
    for number, line in enumerate(sheet.unit):
        try:
            unit, members = muster(line, _known(stock, line.profile), terrain.values())
            _check(sheet, unit, members, units, models)
        except ValueError as wrong:
            raise _trouble(text, "unit", number, line.id, str(wrong)) from wrong
        units[unit.id] = unit
        models.update({member.id: member for member in members})
    return units, models


def _known(stock: Mapping[str, Stock], profile: str) -> Stock:
    if profile not in stock:
        raise ValueError(f"no profile is called {profile}")
    return stock[profile]


def _check(
    sheet: SceneSheet,
    unit: Unit,
    members: tuple[Model, ...],
    units: Mapping[UnitId, Unit],
    models: Mapping[ModelId, Model],
) -> None:
    taken = next((str(member.id) for member in members if member.id in models), None)
    if unit.id in units or taken is not None:
        raise ValueError(f"the id {taken or unit.id} is already taken")
    width, depth = inches(sheet.size[0]), inches(sheet.size[1])
    for member in members:
        if not inside_board(footprint(member.base, member.pose), width, depth):
            raise ValueError(f"{member.id} stands off the table")


def muster(line: UnitLine, stock: Stock, terrain: Iterable[Terrain]) -> tuple[Unit, tuple[Model, ...]]:
    """A unit and its models where the line puts them; ValueError says what is wrong with it."""
    poses = [_stood(line, pose, terrain) for pose in _places(line, stock.base)]
    unit = Unit(
        id=UnitId(line.id),
        owner=line.owner,
        label=line.label or stock.label,
        status={**stock.unit_status, **line.unit_status},
        seen_by=line.seen_by,
    )
    members = tuple(
        Model(
            id=name,
            unit=unit.id,
            owner=line.owner,
            profile=line.profile,
            base=stock.base,
            pose=pose,
            status={**stock.status, **line.status},
            seen_by=line.seen_by,
        )
        for name, pose in zip(member_ids(line.id, line.count), poses, strict=True)
    )
    return unit, members


def member_ids(unit: str, count: int) -> tuple[ModelId, ...]:
    """The ids of a unit's models: that of the unit for a single one, else numbered so that id order is their order."""
    if count == 1:
        return (ModelId(unit),)
    digits = max(2, len(str(count)))
    return tuple(ModelId(f"{unit}-{number:0{digits}}") for number in range(1, count + 1))


def _places(line: UnitLine, base: Base) -> tuple[Pose, ...]:
    formation = line.formation
    return formation.places(base, _centre(line, formation.spread(base)[1]), line.bearing)


def _centre(line: UnitLine, depth: float) -> XY:
    match (line.at, line.front):
        case ((x, y), None):
            return x, y
        case (None, (x, y)):
            sine, cosine = sine_cosine(line.bearing)
            return x - sine * depth / 2, y - cosine * depth / 2
        case _:
            raise ValueError("needs exactly one of at and front")


def _stood(line: UnitLine, pose: Pose, terrain: Iterable[Terrain]) -> Pose:
    if line.z is None:
        return grounded(pose, terrain)
    return Pose(pose.x, pose.y, pose.facing, inches(line.z))


def _trouble(text: str, section: Literal["terrain", "unit"], number: int, name: str, what: str) -> NotationError:
    return NotationError(f"line {_line(text, section, number)}: {section} {name}: {what}")


def _placed(text: str, message: str) -> str:
    """A message of msgspec's with its path turned into a line: "Expected `int` - at `$.unit[2].count`"."""
    what, _, path = message.partition(" - at `$")
    parts = re.match(r"\.(\w+)\[(\d+)\](?:\.(\w+))?", path)
    if parts is None:
        return f"{path.strip('.`') or 'the file'}: {what}"
    section, number, key = parts[1], int(parts[2]), parts[3] or ""
    return f"line {_line(text, section, number, key)}: {section} {number + 1}{key and f', {key}'}: {what}"


def _line(text: str, section: str, number: int, key: str = "") -> int:
    """The line of the n-th table of a section, or of a key in it, counted from 1."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if re.match(rf"\s*\[\[\s*{section}\s*\]\]", line)]
    if number >= len(starts):
        return 1
    for i in range(starts[number] + 1, len(lines)):
        if lines[i].lstrip().startswith("[["):
            break
        if key and re.match(rf"\s*{re.escape(key)}\s*[=.]", lines[i]):
            return i + 1
    return starts[number] + 1
