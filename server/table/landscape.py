"""What kinds of terrain there are, and what each is unless its line says otherwise.

A hill is a solid volume below its top, so it `blocks` (CM-29): two small models with a hill between them do not see
each other. That flag alone decides rightly for a model on the hill too, because its only floor is the top: the model
stands above the volume, and a ray from there is stopped only if it dips below the edge of the top on its way down. The
price is that whoever moves onto a hill must be put on its floor (`formation.ground_at`); a model left at height 0
inside the outline would be buried and blind.

A wall blocks below its top only, which needs no rule of its own: eyes and heads rise above it. A wood, a hedge and a
fence are `soft`: they obscure and never hide. The ground of a ruin does neither; its outer walls are pieces of their
own.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from server.geometry.shapes import Base, Oval, Polygon, Rectangle, Round
from server.geometry.units import SIZE_PER_INCH, XY, Length, Pose, Size, degrees, inches, sine_cosine
from server.table.model import Terrain, TerrainId

Kind = Literal["hill", "wood", "wall", "hedge", "fence", "ruin", "house", "gate", "river", "crater"]
Side = Literal["front", "right", "back", "left"]

Inches = Annotated[float, Meta(ge=-400, le=400)]
Extent = Annotated[float, Meta(gt=0, le=100)]
Tall = Annotated[float, Meta(ge=0, le=100)]
Spot = tuple[Inches, Inches]
Id = Annotated[str, Meta(pattern=r"^[a-z0-9]+([_-][a-z0-9]+)*$", max_length=40)]

SIDES: tuple[Side, ...] = ("front", "right", "back", "left")


class Nature(msgspec.Struct, frozen=True, kw_only=True):
    """What a kind of terrain is: how tall in inches, and its flags."""

    height: float
    blocks: bool = False
    soft: bool = False
    solid: bool = False
    building: bool = False
    stood_on: bool = False
    """Whether the ground is its top."""


NATURES: dict[Kind, Nature] = {
    "hill": Nature(height=2, blocks=True, stood_on=True),
    "wood": Nature(height=4, soft=True),
    "wall": Nature(height=1, blocks=True),
    "hedge": Nature(height=1.5, soft=True),
    "fence": Nature(height=1, soft=True),
    "ruin": Nature(height=4),
    "house": Nature(height=4, blocks=True, solid=True, building=True),
    "gate": Nature(height=3, blocks=True, solid=True),
    "river": Nature(height=0),
    "crater": Nature(height=0),
}


class Stretch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Part of a ruin's outer wall: on one side, from and to so many inches from its left end, seen from outside."""

    side: Side
    from_: Annotated[float, Meta(ge=0, le=100)] = msgspec.field(default=0.0, name="from")
    to: Extent | None = None


class Piece(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of terrain as people write it: inches and degrees, and exactly one shape.

    `oval` and `rectangle` are [width, length], the length along `facing`; `polygon` lists corners as [right, front] of
    `at`. `z` is the ground it stands on, `floors` are heights above that. `walls` (of a ruin with a rectangle) names
    its outer walls: "front", or {side = "front", from = 0, to = 4}. A `gate` may be `open`.
    """

    kind: Kind
    at: Spot
    id: Id | None = None
    label: str = ""
    facing: Inches = 0.0
    z: Inches = 0.0
    height: Tall | None = None
    round: Extent | None = None
    oval: tuple[Extent, Extent] | None = None
    rectangle: tuple[Extent, Extent] | None = None
    polygon: tuple[Spot, ...] | None = None
    floors: Annotated[tuple[Tall, ...], Meta(min_length=1, max_length=8)] | None = None
    walls: tuple[Side | Stretch, ...] = ()
    thickness: Extent = 0.4
    open: bool = False
    blocks: bool | None = None
    soft: bool | None = None
    solid: bool | None = None


def pieces_of(line: Piece, name: str) -> tuple[Terrain, ...]:
    """What a line puts on the table under this id; ValueError says what is wrong with it."""
    ground = _ground(line, name)
    return (ground, *_walls(line, ground))


def _ground(line: Piece, name: str) -> Terrain:
    nature = NATURES[line.kind]
    if line.open and line.kind != "gate":
        raise ValueError("only a gate can be open")
    height = nature.height if line.height is None else line.height
    floors = line.floors or ((height,) if nature.stood_on else (0.0,))
    return Terrain(
        id=TerrainId(name),
        kind=line.kind,
        shape=_shape(line, inches(height)),
        pose=Pose(inches(line.at[0]), inches(line.at[1]), degrees(line.facing), inches(line.z)),
        label=line.label,
        blocks=_flag(line.blocks, nature.blocks and not line.open),
        soft=_flag(line.soft, nature.soft),
        solid=_flag(line.solid, nature.solid and not line.open),
        building=nature.building,
        floors=tuple(inches(floor) for floor in sorted(floors)),
    )


def _flag(said: bool | None, usual: bool) -> bool:
    return usual if said is None else said


def _shape(line: Piece, height: Length) -> Base:
    match (line.round, line.oval, line.rectangle, line.polygon):
        case (float() as across, None, None, None):
            return Round(_size(across), height)
        case (None, (width, length), None, None):
            return Oval(_size(width), _size(length), height)
        case (None, None, (width, length), None):
            return Rectangle(_size(width), _size(length), height)
        case (None, None, None, tuple() as corners):
            return Polygon(tuple((_size(right), _size(front)) for right, front in corners), height)
        case _:
            raise ValueError("needs exactly one of round, oval, rectangle and polygon")


def _size(across: float) -> Size:
    return Size(round(across * SIZE_PER_INCH))


def _walls(line: Piece, ground: Terrain) -> tuple[Terrain, ...]:
    """The outer walls, inside the outline; each has the ruin's height and the number of its place in `walls`."""
    if not line.walls:
        return ()
    if line.kind != "ruin" or line.rectangle is None:
        raise ValueError("only a ruin with a rectangle has walls")
    stretches = [wall if isinstance(wall, Stretch) else Stretch(side=wall) for wall in line.walls]
    return tuple(
        _wall(ground, stretch, line.rectangle, line.thickness, number) for number, stretch in enumerate(stretches, 1)
    )


def _wall(ground: Terrain, stretch: Stretch, size: XY, thickness: float, number: int) -> Terrain:
    side = SIDES.index(stretch.side)
    length, inward = (size[0], size[1]) if side % 2 == 0 else (size[1], size[0])
    end = length if stretch.to is None else min(stretch.to, length)
    if end <= stretch.from_:
        raise ValueError(f"the wall at the {stretch.side} ends before it begins")
    # Seen from outside, a side's left end is on the right hand of somebody who looks out through it.
    right, front = length / 2 - (stretch.from_ + end) / 2, (inward - thickness) / 2
    facing = degrees(ground.pose.facing / 100 + 90 * side)
    sine, cosine = sine_cosine(facing)
    pose = Pose(
        Length(ground.pose.x + inches(right * cosine + front * sine)),
        Length(ground.pose.y + inches(front * cosine - right * sine)),
        facing,
        ground.pose.z,
    )
    shape = Rectangle(_size(end - stretch.from_), _size(thickness), ground.shape.height)
    name = TerrainId(f"{ground.id}-wall-{number}")
    return replace(ground, id=name, kind="wall", shape=shape, pose=pose, label="", blocks=True, floors=(Length(0),))
