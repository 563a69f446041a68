"""Deployment: armies that players bring are set up in their zones, instead of the scenario's units of that side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from server.engine.layout import stock
from server.engine.names import clean, slug
from server.engine.profiles import Profile
from server.engine.refusals import Refused
from server.geometry.shapes import Base, Footprint, Rectangle, Round, extent, footprint, overlap
from server.geometry.units import SIZE_PER_INCH, XY, Length, Point, Pose, Size, inches, to_inches
from server.table.formation import ground_at, size_of
from server.table.model import Model, Seat, Table, Terrain
from server.table.notation import Stock, UnitLine, muster

ZONE_DEPTH = inches(12)
STEP = 0.5
MARGIN = 1.0  # inches between the rear and the table's edge, or the front of the zone
MOST_UNITS = 40
MOST_MODELS = 600
LABEL_LENGTH = 40
SMALL = 2.3  # square inches: a smaller base, or a round one, stands behind when it is alone

IN_THE_WAY = frozenset({"wall", "hedge", "fence", "gate", "river"})
"""Kinds of terrain that a unit is not set up across, besides all that is solid."""


class UnitSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that a player brings: `wide` models in a row, on `base` if that is not the profile's."""

    profile: Annotated[str, Meta(min_length=1, max_length=80)]
    label: Annotated[str, Meta(max_length=200)] = ""
    count: Annotated[int, Meta(ge=1, le=200)] = 1
    wide: Annotated[int, Meta(ge=1, le=50)] | None = None
    base: Base | None = None

    @property
    def width(self) -> int:
        """How many models stand in a row: as asked, else about 5 so that ranks are full, and more in large units."""
        ranks = (5, 6, 7, 4) if self.count <= 30 else (8, 10, 9, 7)
        usual = next((width for width in ranks if self.count % width == 0), ranks[0])
        return min(self.wide or usual, self.count)


class Zone(msgspec.Struct, frozen=True):
    """Where a side sets up: a rectangle of the table."""

    west: Length
    south: Length
    east: Length
    north: Length


class _Block(msgspec.Struct, frozen=True):
    """A unit to be set up: its line of notation (without a place), and its width and depth in inches."""

    line: UnitLine
    stock: Stock
    size: XY

    @property
    def is_rear(self) -> bool:
        """Whether it belongs behind the line: machines on round bases, and characters."""
        base = self.stock.base
        return self.line.count == 1 and (isinstance(base, Round) or prod(size_of(base)) < SMALL)


class _Tightness(msgspec.Struct, frozen=True):
    """How much room is left around units, in inches, and whether all of a unit must stand at one height."""

    gap: float
    level: bool


LOOSEST_FIRST = (_Tightness(1.5, True), _Tightness(0.6, True), _Tightness(0.6, False), _Tightness(0.1, False))


def zones_of(table: Table, depth: Length = ZONE_DEPTH) -> Mapping[Seat, Zone]:
    """South sets up in the lowest, north in the highest 12 inches of the table."""
    deep = Length(min(depth, table.depth // 2))
    return {
        "south": Zone(Length(0), Length(0), table.width, deep),
        "north": Zone(Length(0), Length(table.depth - deep), table.width, table.depth),
    }


def read_specs(raw: object) -> tuple[UnitSpec, ...]:
    """A side's units as they come from outside. Refused says in a sentence what is wrong with them."""
    try:
        specs = msgspec.convert(raw, tuple[UnitSpec, ...], strict=True)
    except (msgspec.ValidationError, RecursionError) as wrong:
        raise Refused(f"The army cannot be read: {wrong}.") from wrong
    if len(specs) > MOST_UNITS:
        raise Refused(f"An army has at most {MOST_UNITS} units.")
    if sum(spec.count for spec in specs) > MOST_MODELS:
        raise Refused(f"An army has at most {MOST_MODELS} models.")
    return specs


def deploy(
    table: Table,
    specs: Mapping[Seat, Sequence[UnitSpec]],
    profiles: Mapping[str, Profile],
    zones: Mapping[Seat, Zone] | None = None,
) -> Table:
    """The table with these armies set up instead of the units of their sides.

    Blocks and monsters stand in line at the front of their zone, the broadest in the middle; machines and characters
    behind. Refused names the unit that does not fit, or whose profile nobody knows.
    """
    zones = zones or zones_of(table)
    for seat in specs:
        table = _without(table, seat)
    for seat, army in specs.items():
        table = _set_up(table, seat, [_block(seat, i, spec, profiles) for i, spec in enumerate(army, 1)], zones[seat])
    return table


def _without(table: Table, seat: Seat) -> Table:
    return replace(
        table,
        models={key: model for key, model in table.models.items() if model.owner != seat},
        removed={key: model for key, model in table.removed.items() if model.owner != seat},
        units={key: unit for key, unit in table.units.items() if unit.owner != seat},
    )


def _block(seat: Seat, number: int, spec: UnitSpec, profiles: Mapping[str, Profile]) -> _Block:
    profile = profiles.get(spec.profile)
    if profile is None:
        raise Refused(f"No profile is called {clean(spec.profile, LABEL_LENGTH)}.")
    label = clean(spec.label, LABEL_LENGTH) or profile.name
    line = UnitLine(
        id=f"{seat}-{number:02}-{slug(label, 20)}",
        owner=seat,
        profile=spec.profile,
        label=label,
        count=spec.count,
        wide=spec.width,
    )
    known = stock(profile)
    made_of = known if spec.base is None else replace(known, base=spec.base)
    return _Block(line, made_of, line.formation.spread(made_of.base))


def _set_up(table: Table, seat: Seat, blocks: Sequence[_Block], zone: Zone) -> Table:
    refusal = Refused("There are no units.")
    for tightness in LOOSEST_FIRST:
        try:
            return _placed(table, seat, blocks, zone, tightness)
        except Refused as one:
            refusal = one
    raise refusal


def _placed(table: Table, seat: Seat, blocks: Sequence[_Block], zone: Zone, tightness: _Tightness) -> Table:
    """Each unit in turn at the first place, best first, where it fits."""
    ground = _Ground(table, zone, tightness)
    lines: dict[str, tuple[_Block, XY]] = {}
    for block in sorted(blocks, key=lambda one: (one.is_rear, -one.size[0] * one.size[1], one.line.id)):
        at = next((spot for spot in _spots(block, zone, seat) if ground.has_room(block.size, spot)), None)
        if at is None:
            raise Refused(f"{block.line.label} does not fit into the {seat} deployment zone.")
        ground.take(block.size, at)
        lines[block.line.id] = block, at
    mustered = [
        muster(replace(block.line, at=at), block.stock, table.terrain.values())
        for _, (block, at) in sorted(lines.items())
    ]
    units = {unit.id: unit for unit, _ in mustered}
    models = {model.id: model for _, members in mustered for model in members}
    return replace(table, units={**table.units, **units}, models={**table.models, **models})


def _spots(block: _Block, zone: Zone, seat: Seat) -> Iterator[XY]:
    """Middles for a unit, best first: lines from the zone's front back, the rear from its back on, the middle first."""
    west, south, east, north = (to_inches(edge) for edge in (zone.west, zone.south, zone.east, zone.north))
    width, depth = block.size
    margin = max(0.0, min(MARGIN, (north - south - depth) / 2)) if block.is_rear else 0.0
    rows = list(_steps(south + depth / 2 + margin, north - depth / 2 - margin))
    columns = list(_steps(west + width / 2, east - width / 2))
    from_south = (seat == "south") == block.is_rear
    middle = (west + east) / 2
    for y in rows if from_south else reversed(rows):
        for x in sorted(columns, key=lambda column: (abs(column - middle), column)):
            yield x, y


def _steps(least: float, most: float) -> Iterator[float]:
    """From `least` to `most` in equal steps of about half an inch, both ends among them; none if there is no room."""
    if most < least:
        return
    count = max(1, round((most - least) / STEP))
    for i in range(count + 1):
        yield least + (most - least) * i / count


class _Ground:
    """Where units may still stand: what is in the way, and what has been taken."""

    def __init__(self, table: Table, zone: Zone, tightness: _Tightness) -> None:
        self._tightness = tightness
        self._taken: list[tuple[XY, XY]] = []
        self._terrain = _near(table.terrain.values(), zone)
        self._obstacles = [_footprint(piece) for piece in self._terrain if _is_in_the_way(piece)]
        self._obstacles += [footprint(model.base, model.pose) for model in table.models.values()]
        self._boxes = [tuple(to_inches(edge) for edge in extent(shape)) for shape in self._obstacles]

    def has_room(self, size: XY, at: XY) -> bool:
        """Whether a unit of this width and depth can stand with its middle there."""
        gap = self._tightness.gap
        for other, there in self._taken:
            if _crowd(size, at, other, there, gap):
                return False
        return not self._is_blocked(size, at) and (not self._tightness.level or self._is_level(size, at))

    def take(self, size: XY, at: XY) -> None:
        """A unit stands there."""
        self._taken.append((size, at))

    def _is_blocked(self, size: XY, at: XY) -> bool:
        (half_width, half_depth), (x, y) = (size[0] / 2, size[1] / 2), at
        shape: Footprint | None = None
        for obstacle, (west, south, east, north) in zip(self._obstacles, self._boxes, strict=True):
            if west < x + half_width and east > x - half_width and south < y + half_depth and north > y - half_depth:
                shape = shape or _rectangle(size, at)
                if overlap(shape, obstacle):
                    return True
        return False

    def _is_level(self, size: XY, at: XY) -> bool:
        (width, depth), (x, y) = size, at
        spots = [at, *((x + i * width / 2, y + j * depth / 2) for i in (-1, 1) for j in (-1, 1))]
        return len({ground_at(self._terrain, Point(inches(east), inches(up))) for east, up in spots}) == 1


def _crowd(size: XY, at: XY, other: XY, there: XY, gap: float) -> bool:
    """Whether two blocks come nearer to each other than `gap` inches, to the sides and to front and rear."""
    beside = abs(at[0] - there[0]) < (size[0] + other[0]) / 2 + gap - 1e-6
    return beside and abs(at[1] - there[1]) < (size[1] + other[1]) / 2 + gap - 1e-6


def _near(terrain: Iterable[Terrain], zone: Zone) -> tuple[Terrain, ...]:
    return tuple(piece for piece in terrain if _reaches(_footprint(piece), zone))


def _reaches(shape: Footprint, zone: Zone) -> bool:
    west, south, east, north = extent(shape)
    return west <= zone.east and east >= zone.west and south <= zone.north and north >= zone.south


def _footprint(piece: Terrain) -> Footprint:
    return footprint(piece.shape, piece.pose)


def _is_in_the_way(piece: Terrain) -> bool:
    return piece.solid or piece.building or piece.kind in IN_THE_WAY


def _rectangle(size: XY, at: XY) -> Footprint:
    width, length = (Size(max(1, round(side * SIZE_PER_INCH))) for side in size)
    return footprint(Rectangle(width, length, Length(0)), Pose(inches(at[0]), inches(at[1])))


def models_of(table: Table, seat: Seat) -> tuple[Model, ...]:
    """A side's models on the table, in id order."""
    return tuple(model for _, model in sorted(table.models.items()) if model.owner == seat)
