"""Where the models of a unit stand: in ranks, base to base, or loose in a grid; and on what ground.

Ids rise with the places: row by row from the front rank back, in each row from west to east (from south to north where
a row runs that way).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import assert_never

import msgspec

from server.geometry.shapes import Base, Oval, Polygon, Rectangle, Round, contains, footprint
from server.geometry.units import SIZE_PER_INCH, XY, Bearing, Length, Point, Pose, inches, sine_cosine, size_inches
from server.table.model import Terrain


class Formation(msgspec.Struct, frozen=True, kw_only=True):
    """How `count` models stand together: `wide` of them in a row, `gap` inches between bases.

    A full row's length sets the places; a last row that is not full stands in the middle of it. `staggered` shifts
    every second row by half a place, so that loose models do not look drilled.
    """

    count: int
    wide: int
    gap: float = 0.0
    staggered: bool = False

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return ceil(self.count / self.wide)

    def spread(self, base: Base) -> XY:
        """The width and depth of the whole block in inches."""
        across, along = size_of(base)
        width = self.wide * (across + self.gap) - self.gap
        half_place = (across + self.gap) / 2 if self.staggered and self.rows > 1 else 0.0
        return width + half_place, self.rows * (along + self.gap) - self.gap

    def places(self, base: Base, centre: XY, facing: Bearing) -> tuple[Pose, ...]:
        """Where each model stands when the middle of the block is at `centre` (inches), on the ground."""
        sine, cosine = sine_cosine(facing)
        offsets = [place for row in range(self.rows) for place in self._row(base, row, _is_westward(facing))]
        return tuple(
            Pose(
                inches(centre[0] + right * cosine + front * sine),
                inches(centre[1] + front * cosine - right * sine),
                facing,
            )
            for right, front in offsets
        )

    def _row(self, base: Base, row: int, westward: bool) -> list[XY]:
        """The offsets (to the right, to the front) of one row, the first to get an id first."""
        across, along = size_of(base)
        here = min(self.wide, self.count - row * self.wide)
        front = ((self.rows - 1) / 2 - row) * (along + self.gap)
        shift = (row % 2 - 0.5) * (across + self.gap) / 2 if self.staggered and self.rows > 1 else 0.0
        rights = [(column - (here - 1) / 2) * (across + self.gap) + shift for column in range(here)]
        return [(right, front) for right in (reversed(rights) if westward else rights)]


def _is_westward(facing: Bearing) -> bool:
    """Whether the unit's right hand points west (or south, where its rows run north to south)."""
    sine, cosine = sine_cosine(facing)
    return cosine < 0 or (cosine == 0 and sine > 0)


def size_of(base: Base) -> XY:
    """How far a base reaches across its front and along its facing, in inches."""
    match base:
        case Round():
            return size_inches(base.diameter), size_inches(base.diameter)
        case Oval() | Rectangle():
            return size_inches(base.width), size_inches(base.length)
        case Polygon():
            rights, fronts = zip(*base.corners, strict=True)
            # Twice the farther side: the centre of a hull need not be in its middle.
            return 2 * max(map(abs, rights)) / SIZE_PER_INCH, 2 * max(map(abs, fronts)) / SIZE_PER_INCH
        case _:
            assert_never(base)


def ground_at(terrain: Iterable[Terrain], point: Point) -> Length:
    """The height of the ground at a point: the highest among the lowest floors of what lies there."""
    levels = (piece.pose.z + min(piece.floors) for piece in terrain if _covers(piece, point))
    return Length(max(levels, default=0))


def _covers(piece: Terrain, point: Point) -> bool:
    return contains(footprint(piece.shape, piece.pose), point)


def grounded(pose: Pose, terrain: Iterable[Terrain]) -> Pose:
    """The pose, standing on the ground that is there."""
    return Pose(pose.x, pose.y, pose.facing, ground_at(terrain, pose.point))
