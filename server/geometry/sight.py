"""Line of sight on a flat table: ten rays from an eye to a target (CM-27 to CM-31, CM-39).

A ray grazes, and is not stopped, while it is at most EPS deep in a volume, give or take the half unit by which
positions are rounded.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

import msgspec
import numpy as np
import numpy.typing as npt

from server.geometry import plane
from server.geometry.plane import Circle, Cornered, Ellipse, Footprint, Piece
from server.geometry.units import EPS, PER_INCH, XY, Length, Point, to_inches, to_point, to_xy

ACROSS = 5
PULLED_IN = 0.01
SKIN = 1.5 * to_inches(EPS)
SEAM = -1e-6
EYE_HEIGHT = 0.9
EYE_HALVED = 0.5

Verdict = Literal["free", "soft", "blocked"]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class Eye(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Where a viewer looks from (CM-27); z is the height of the eye above the table."""

    x: Length
    y: Length
    z: Length


class Ray(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A sample of the target, and what became of the ray to it."""

    x: Length
    y: Length
    z: Length
    verdict: Verdict


class Sight(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a target an eye sees (CM-30), and what hides the rest, as ids in id order (CM-38)."""

    rays: int
    free: int
    blocked: int
    blockers: tuple[str, ...]
    softened: tuple[str, ...]
    eye: Eye
    lines: tuple[Ray, ...]

    @property
    def visible(self) -> bool:
        """At least one ray is not blocked."""
        return self.blocked < self.rays

    @property
    def in_the_open(self) -> bool:
        """All rays are free."""
        return self.free == self.rays

    @property
    def obscured(self) -> bool:
        """Visible, but partly hidden."""
        return self.visible and not self.in_the_open

    @property
    def share(self) -> int:
        """Percentage of the rays that are not blocked."""
        return 100 * (self.rays - self.blocked) // self.rays


@dataclass(frozen=True, slots=True)
class Target:
    """What is looked at: the ground under its body (`shapes.body`), the floor it stands on, and its height (CM-28)."""

    id: str
    footprint: Footprint
    z: Length
    height: Length


@dataclass(frozen=True, slots=True)
class Volume:
    """What may be in the way: `blocks` stops a ray, `soft` only obscures what is behind it (CM-29)."""

    id: str
    footprint: Footprint
    bottom: Length
    top: Length
    soft: bool
    blocks: bool


def eye_of(point: Point, z: Length, body_height: Length, *, halved: bool = False) -> Eye:
    """The eye at a firing point or the middle of a base; `halved` while prone, knocked down or stunned (CM-27)."""
    height = body_height * EYE_HEIGHT * (EYE_HALVED if halved else 1)
    return Eye(point.x, point.y, Length(z + round(height)))


def samples(eye: Eye, target: Footprint, z: Length, h: Length) -> tuple[tuple[Point, Length], ...]:
    """Ten points of the target: five across its silhouette from left to right, at half and at full height (CM-28)."""
    spots = [to_point(place) for place in _across(to_xy(Point(eye.x, eye.y)), target)]
    return tuple((spot, height) for height in (Length(z + round(h / 2)), Length(z + h)) for spot in spots)


def sight(eye: Eye, target: Target, volumes: Sequence[Volume], ignore: frozenset[str] = frozenset()) -> Sight:
    """What the eye sees of the target past these volumes; for many questions about one table build a Field."""
    return Field(volumes).sight(eye, target, ignore)


def point_visible(eye: Eye, point: Point, z: Length, volumes: Sequence[Volume]) -> bool:
    """Whether the one ray to a point is not blocked (CM-39)."""
    return Field(volumes).point_visible(eye, point, z)


class Field:
    """The volumes of one table, laid out for many questions. It never changes."""

    def __init__(self, volumes: Sequence[Volume]) -> None:
        seen = sorted((v for v in volumes if v.blocks or v.soft), key=lambda v: v.id)
        self._ids = tuple(v.id for v in seen)
        self._blocks = np.array([v.blocks for v in seen], dtype=bool)
        self._bottom = np.array([v.bottom / PER_INCH for v in seen]) + SKIN
        self._top = np.array([v.top / PER_INCH for v in seen]) - SKIN
        self._x = np.array([v.footprint.x for v in seen])
        self._y = np.array([v.footprint.y for v in seen])
        self._bound = np.array([v.footprint.bound for v in seen])
        self._rounds = _Rounds(seen)
        self._pieces = _Pieces(seen)

    def sight(self, eye: Eye, target: Target, ignore: frozenset[str] = frozenset()) -> Sight:
        """What the eye sees of the target; the target itself and the ignored ids hide nothing (CM-29 to CM-31)."""
        points = samples(eye, target.footprint, target.z, target.height)
        crossed = self._crossed(eye, points, ignore | {target.id})
        stopped, softened = crossed[self._blocks], crossed[~self._blocks]
        verdicts = _verdicts(stopped, softened)
        return Sight(
            rays=len(verdicts),
            free=verdicts.count("free"),
            blocked=verdicts.count("blocked"),
            blockers=self._names(self._blocks, stopped),
            softened=self._names(~self._blocks, softened),
            eye=eye,
            lines=tuple(Ray(p.x, p.y, z, verdict) for (p, z), verdict in zip(points, verdicts, strict=True)),
        )

    def point_visible(self, eye: Eye, point: Point, z: Length, ignore: frozenset[str] = frozenset()) -> bool:
        """Whether the one ray to a point is not blocked (CM-39)."""
        crossed = self._crossed(eye, ((point, z),), ignore)
        return not bool(crossed[self._blocks].any())

    def _names(self, kind: Bools, crossed: Bools) -> tuple[str, ...]:
        numbers = np.flatnonzero(kind)[crossed.any(axis=1)].tolist()
        return tuple(dict.fromkeys(self._ids[i] for i in numbers))

    def _crossed(self, eye: Eye, points: Sequence[tuple[Point, Length]], ignore: frozenset[str]) -> Bools:
        """Which volume (row) each ray (column) passes through for more than EPS of its length."""
        rays = _Rays.between(eye, points)
        crossed = np.zeros((len(self._ids), len(points)), dtype=bool)
        near = self._near(rays)
        near[[i for i, name in enumerate(self._ids) if name in ignore]] = False
        if not near.any():
            return crossed
        inside = np.zeros(crossed.shape)
        for part in (self._rounds, self._pieces):
            rows, enter, leave = part.crossings(rays, near)
            low, high = self._between_floors(rays, rows)
            np.add.at(inside, rows, np.maximum(0.0, np.minimum(leave, high) - np.maximum(enter, low)))
        crossed[:] = inside * rays.length > to_inches(EPS)
        return crossed

    def _near(self, rays: "_Rays") -> Bools:
        """Which volumes come near the corridor of the rays at all: a cheap look that errs to yes."""
        middle_x, middle_y = float(rays.dx.mean()), float(rays.dy.mean())
        spread = float(np.hypot(rays.dx - middle_x, rays.dy - middle_y).max())
        square = middle_x * middle_x + middle_y * middle_y
        east, north = self._x - rays.x, self._y - rays.y
        along = np.clip((east * middle_x + north * middle_y) / square, 0, 1) if square > 0 else np.zeros(len(east))
        near = np.hypot(east - along * middle_x, north - along * middle_y) <= self._bound + spread + SKIN
        low, high = min(rays.z, rays.z + float(rays.dz.min())), max(rays.z, rays.z + float(rays.dz.max()))
        return np.asarray(near & (self._bottom < high) & (self._top > low), dtype=bool)

    def _between_floors(self, rays: "_Rays", rows: Ints) -> tuple[Floats, Floats]:
        """The shares of each ray at which it is between bottom and top of these volumes."""
        return _slab(rays.z - self._bottom[rows, None], rays.dz, self._top[rows, None] - self._bottom[rows, None])


@dataclass(frozen=True, slots=True)
class _Rays:
    """Rays from one eye in inches: its place, and the step to each sample."""

    x: float
    y: float
    z: float
    dx: Floats
    dy: Floats
    dz: Floats
    length: Floats

    @classmethod
    def between(cls, eye: Eye, points: Sequence[tuple[Point, Length]]) -> "_Rays":
        steps = np.array([(p.x - eye.x, p.y - eye.y, z - eye.z) for p, z in points]) / PER_INCH
        length = np.sqrt((steps * steps).sum(axis=1))
        return cls(eye.x / PER_INCH, eye.y / PER_INCH, eye.z / PER_INCH, steps[:, 0], steps[:, 1], steps[:, 2], length)


_Crossings = tuple[Ints, Floats, Floats]
"""Numbers of volumes, and for each (row) and ray (column) the shares of the ray where it enters and leaves."""


class _Rounds:
    """Circles and ellipses, each with the matrix that makes it a unit circle about the origin."""

    def __init__(self, volumes: Sequence[Volume]) -> None:
        kept = [(i, v.footprint) for i, v in enumerate(volumes) if not isinstance(v.footprint, Cornered)]
        self._rows = np.array([i for i, _ in kept], dtype=np.int64)
        self._centres = np.array([(f.x, f.y) for _, f in kept]).reshape(-1, 2)
        self._matrices = np.array([_to_unit_circle(f) for _, f in kept]).reshape(-1, 4)

    def crossings(self, rays: _Rays, near: Bools) -> _Crossings:
        chosen = near[self._rows]
        (east, north), (a, b, c, d) = self._centres[chosen].T, self._matrices[chosen].T
        east, north = rays.x - east, rays.y - north
        u, v = (a * east + b * north)[:, None], (c * east + d * north)[:, None]
        du = a[:, None] * rays.dx + b[:, None] * rays.dy
        dv = c[:, None] * rays.dx + d[:, None] * rays.dy
        square, half, rest = du * du + dv * dv, u * du + v * dv, u * u + v * v - 1
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(half * half - square * rest)
            enter, leave = (-half - root) / square, (-half + root) / square
        upright = square == 0
        enter = np.where(upright, np.where(rest < 0, 0.0, 1.0), np.nan_to_num(enter, nan=1.0))
        leave = np.where(upright, np.where(rest < 0, 1.0, 0.0), np.nan_to_num(leave, nan=0.0))
        return self._rows[chosen], np.maximum(enter, 0), np.minimum(leave, 1)


class _Pieces:
    """Convex pieces of polygons as half planes: a place is inside where east * x + north * y < limit for all sides."""

    def __init__(self, volumes: Sequence[Volume]) -> None:
        kept = [
            (i, piece)
            for i, volume in enumerate(volumes)
            if isinstance(volume.footprint, Cornered)
            for piece in volume.footprint.pieces
        ]
        most = max((len(piece.corners) for _, piece in kept), default=0)
        self._rows = np.array([i for i, _ in kept], dtype=np.int64)
        self._planes = np.array([_half_planes(piece, most) for _, piece in kept]).reshape(len(kept), most, 3)

    def crossings(self, rays: _Rays, near: Bools) -> _Crossings:
        chosen = near[self._rows]
        east, north, limit = np.moveaxis(self._planes[chosen], 2, 0)
        room = (limit - east * rays.x - north * rays.y)[:, :, None]
        speed = east[:, :, None] * rays.dx + north[:, :, None] * rays.dy
        with np.errstate(divide="ignore", invalid="ignore"):
            at = room / speed
        enter = np.where(speed < 0, at, np.where((speed == 0) & (room <= 0), 1.0, 0.0)).max(axis=1, initial=0.0)
        leave = np.where(speed > 0, at, 1.0).min(axis=1, initial=1.0)
        return self._rows[chosen], enter, leave


def _slab(above: Floats, speed: Floats, thickness: Floats) -> tuple[Floats, Floats]:
    """The shares of a ray at which it is between a floor, which it starts `above`, and a ceiling."""
    with np.errstate(divide="ignore", invalid="ignore"):
        at_floor, at_ceiling = -above / speed, (thickness - above) / speed
    level = speed == 0
    within = (above > 0) & (above < thickness)
    low = np.where(level, np.where(within, 0.0, 1.0), np.minimum(at_floor, at_ceiling))
    high = np.where(level, np.where(within, 1.0, 0.0), np.maximum(at_floor, at_ceiling))
    return low, high


def _to_unit_circle(shape: Circle | Ellipse) -> tuple[float, float, float, float]:
    match shape:
        case Circle():
            scale = 1 / max(shape.bound - SKIN, SKIN)
            return scale, 0.0, 0.0, scale
        case Ellipse():
            across, along = max(shape.across - SKIN, SKIN), max(shape.along - SKIN, SKIN)
            return shape.cosine / across, -shape.sine / across, shape.sine / along, shape.cosine / along
        case _:
            assert_never(shape)


def _half_planes(piece: Piece, most: int) -> list[tuple[float, float, float]]:
    planes = [
        _half_plane(p, q, SEAM if seam else SKIN)
        for (p, q), seam in zip(plane.sides(piece.corners), piece.seams, strict=True)
    ]
    return planes + planes[-1:] * (most - len(planes))


def _half_plane(p: XY, q: XY, inset: float) -> tuple[float, float, float]:
    """What lies to the left of the side from p to q, cut back so that a graze is not a crossing."""
    east, north = q[1] - p[1], p[0] - q[0]
    size = math.hypot(east, north)
    east, north = east / size, north / size
    return east, north, east * p[0] + north * p[1] - inset


def _verdicts(stopped: Bools, softened: Bools) -> list[Verdict]:
    return [
        "blocked" if stop else "soft" if soft else "free"
        for stop, soft in zip(_any_row(stopped), _any_row(softened), strict=True)
    ]


def _any_row(crossed: Bools) -> list[bool]:
    found: Bools = np.logical_or.reduce(crossed, axis=0)
    return [bool(ray) for ray in found]


def _across(eye: XY, target: Footprint) -> list[XY]:
    """Five places from left to right as seen from the eye, each in the middle of the target's depth there."""
    ahead = target.x - eye[0], target.y - eye[1]
    size = math.hypot(*ahead)
    north, east = (ahead[1] / size, ahead[0] / size) if size > 0 else (1.0, 0.0)
    right = (north, -east)
    least, most = -plane.reach(target, (-right[0], -right[1])), plane.reach(target, right)
    width = most - least
    pulled = min(PULLED_IN, width / 4)
    offsets = [least + width * i / (ACROSS - 1) for i in range(ACROSS)]
    offsets[0], offsets[-1] = least + pulled, most - pulled
    return [_middle(target, right, offset) for offset in offsets]


def _middle(target: Footprint, right: XY, offset: float) -> XY:
    """The middle of the target along the line that runs ahead at this offset to the right.

    On the outline itself a turn by a hair would carry the sample from the middle of a side to its corner.
    """
    rx, ry = right
    match target:
        case Circle():
            step = offset - (target.x * rx + target.y * ry)
            return target.x + step * rx, target.y + step * ry
        case Ellipse():
            end = plane.end_towards(target, rx, ry)
            centre = target.x * rx + target.y * ry
            share = (offset - centre) / (plane.reach(target, right) - centre)
            return target.x + share * (end[0] - target.x), target.y + share * (end[1] - target.y)
        case Cornered():
            low, high = max(_chords(target, right, offset), key=lambda chord: chord[1] - chord[0])
            ahead = (low + high) / 2
            return offset * rx - ahead * ry, offset * ry + ahead * rx
        case _:
            assert_never(target)


def _chords(target: Cornered, right: XY, offset: float) -> list[XY]:
    """From where to where the line at this offset runs inside a polygon, measured ahead."""
    rx, ry = right
    turned = [(x * rx + y * ry - offset, y * rx - x * ry) for x, y in target.corners]
    cuts = sorted(py + (qy - py) * px / (px - qx) for (px, py), (qx, qy) in plane.sides(turned) if (px > 0) != (qx > 0))
    return list(zip(cuts[::2], cuts[1::2], strict=True))
