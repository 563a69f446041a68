"""Who may fire, at whom, and why not (ST-06 to ST-25, ST-61 to ST-63)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from server.engine.questions import Barred, Reach
from server.engine.system import Candidates
from server.geometry.arcs import facing_to, in_arc
from server.geometry.measure import at_least, point_distance, points_distance, range_3d, within
from server.geometry.plane import Circle
from server.geometry.shapes import Base, Footprint, contains, extent, footprint
from server.geometry.sight import Eye, Target, eye_of
from server.geometry.templates import displaced
from server.geometry.units import PER_INCH, Bearing, Length, Point, Pose, say_inches
from server.rules.stone_thrower.battle import (
    Battle,
    garrison_of,
    garrisons,
    is_crew,
    is_flagged,
    name_of,
    number,
    once_per_table,
    owner_of,
    unit_name,
    weapon_of,
)
from server.rules.stone_thrower.ground import (
    buildings,
    field,
    figure,
    ignored_building,
    is_touched,
    top_of,
)
from server.rules.stone_thrower.profiles import say_range
from server.table.model import Model, ModelId, Terrain

Mode = Literal["direct", "indirect"]
Seen = Literal["open", "obscured", "visible", "hidden", "unsettled", "waived"]
"""`unsettled` is for the players to agree on (CM-30), `waived` needs no sight (ST-18)."""

ARC = Bearing(9_000)
GRID = 32
"""A shot looks for a lawful point of a roof or base on a grid of this many steps to a side (ST-20, ST-21)."""


class Shot(msgspec.Struct, frozen=True):
    """A lawful nomination and what was measured for it: the finding that is put on record (CM-35).

    `at` is where the template's centre goes, `facing` how the machine stands to it, `origin` its firing point then.
    """

    target: str
    label: str
    at: Point
    facing: Bearing
    origin: Point
    distance: Length
    seen: Seen


class Targets(msgspec.Struct, frozen=True):
    """What may be nominated, and what may not and why; both in id order (CM-38)."""

    lawful: tuple[Shot, ...]
    barred: tuple[Barred, ...]

    def shot(self, target: str) -> Shot:
        """The lawful nomination of a target."""
        return next(shot for shot in self.lawful if shot.target == target)


# ---------------------------------------------------------------- who may fire (P1)


def machines_to_fire(scene: Battle) -> Candidates:
    """The machines that may fire now, and why the others may not (P1)."""
    machines = [model.id for _, model in sorted(scene.table.models.items()) if _is_own_machine(scene, model)]
    reasons = {machine: why_silent(scene, machine) for machine in machines}
    barred = tuple(reason for reason in reasons.values() if reason is not None)
    reach = {machine: reach_of(scene, machine) for machine in machines}
    return Candidates(tuple(key for key in machines if reasons[key] is None), barred, reach)


def _is_own_machine(scene: Battle, model: Model) -> bool:
    return model.owner == scene.by and scene.profiles[model.profile].weapon is not None


def why_silent(scene: Battle, machine: ModelId) -> Barred | None:
    """Why a machine may not fire, or None (ST-06 to ST-10, ST-62)."""
    model = scene.model(machine)
    until = number(model.status.get("silent_until"))
    if model.status.get("fired"):
        return Barred(machine, "ST-06", "It has fired this turn.")
    if model.status.get("moved"):
        return Barred(machine, "ST-07", "It moved or turned in this turn's movement phase.")
    if is_flagged(scene, model.unit, "engaged"):
        return Barred(machine, "ST-08", "It is engaged in close combat.")
    if until >= scene.table.clock.round:
        return Barred(machine, "ST-10", f"After its misfire it may not fire through turn {until}.")
    if not has_target(scene, machine):
        return Barred(machine, "ST-62", "It has no lawful target, direct or indirect.")
    return None


@once_per_table
def has_target(scene: Battle, machine: ModelId) -> bool:
    """Whether a machine can nominate anything: what a direct shot can, an indirect one can as well (ST-62)."""
    return any(isinstance(found, Shot) for found in _findings(scene, machine, "indirect"))


def reach_of(scene: Battle, machine: ModelId) -> Reach:
    """The range band and arc of a machine as it stands (ST-11, ST-15, ST-16)."""
    model, weapon = scene.model(machine), weapon_of(scene, machine)
    return Reach(firing_point(scene, machine, model.pose.facing), weapon.least, weapon.most, model.pose.facing, ARC)


def firing_point(scene: Battle, machine: ModelId, facing: Bearing) -> Point:
    """The crossbar or muzzle of a machine that faces this way (ST-11)."""
    return displaced(scene.model(machine).pose.point, facing, scene.profile(machine).firing_point)


# ---------------------------------------------------------------- what may be nominated (P3)


@once_per_table
def targets(scene: Battle, machine: ModelId, mode: Mode) -> Targets:
    """What a machine may nominate in this mode, and what not (ST-14 to ST-19, ST-25)."""
    found = list(_findings(scene, machine, mode))
    lawful = tuple(one for one in found if isinstance(one, Shot))
    return Targets(lawful, tuple(one for one in found if isinstance(one, Barred)))


def _findings(scene: Battle, machine: ModelId, mode: Mode) -> Iterator[Shot | Barred]:
    for key, model in sorted(scene.table.models.items()):
        if model.owner != scene.by and not is_crew(scene, model) and _is_known(scene, model):
            yield _of_model(scene, machine, mode, scene.table.models[key])
    for building in buildings(scene):
        yield _of_building(scene, machine, mode, building)


def _is_known(scene: Battle, model: Model) -> bool:
    return model.seen_by is None or scene.by in model.seen_by


def _of_model(scene: Battle, machine: ModelId, mode: Mode, target: Model) -> Shot | Barred:
    """Nominate an enemy model (ST-14)."""
    if garrison_of(scene, target) is not None:
        return Barred(target.id, "ST-21", "It is inside a building: nominate the building.")
    shape = footprint(target.base, target.pose)
    facing = facing_to(scene.model(machine).pose, target.pose.point)
    origin = firing_point(scene, machine, facing)
    distance = _range(scene, machine, point_distance(origin, shape), target.pose.z)
    reason = _out_of_arc(scene, machine, mode, shape) or _out_of_range(scene, machine, distance)
    if reason is not None:
        return _barred(target.id, reason)
    at = _spot_on_base(scene, machine, facing, target, shape)
    if isinstance(at, Barred):
        return at
    seen = _seen(scene, machine, mode, origin, target)
    if seen == "hidden":
        return Barred(target.id, "ST-17", "It cannot be seen from the machine.")
    return Shot(target.id, name_of(scene, target.id), at, facing, origin, distance, seen)


def _of_building(scene: Battle, machine: ModelId, mode: Mode, building: Terrain) -> Shot | Barred:
    """Nominate a building: by the lawful point nearest the middle of its roof (ST-21, ST-25)."""
    first: Barred | None = None
    for point in _points_of(building.shape, building.pose):
        found = roof_shot(scene, machine, mode, building, point)
        if isinstance(found, Shot):
            return found
        first = first or found
    return first or Barred(building.id, "ST-25", "No point of its roof is lawful.")


def roof_shot(scene: Battle, machine: ModelId, mode: Mode, building: Terrain, at: Point) -> Shot | Barred:
    """A shot at this point of a roof: range, arc and sight are tested there alone (ST-21)."""
    facing = facing_to(scene.model(machine).pose, at)
    origin = firing_point(scene, machine, facing)
    distance = _range(scene, machine, points_distance(origin, at), top_of(building))
    spot = Circle(at.x / PER_INCH, at.y / PER_INCH, 0.0)
    reason = (
        _out_of_arc(scene, machine, mode, spot)
        or _out_of_range(scene, machine, distance)
        or misplaced(scene, machine, facing, at)
    )
    if reason is not None:
        return _barred(building.id, reason)
    seen = _roof_seen(scene, machine, mode, origin, building, at)
    if seen == "hidden":
        return Barred(building.id, "ST-17", "That point of its roof cannot be seen from the machine.")
    return Shot(building.id, building.label or building.id, at, facing, origin, distance, seen)


Reason = tuple[str, str]
"""The rule that forbids something, and the sentence that says why."""


def _barred(target: str, reason: Reason) -> Barred:
    return Barred(target, *reason)


def _range(scene: Battle, machine: ModelId, flat: Length, height: Length) -> Length:
    """A range as this table measures it (ST-15, CM-10)."""
    return range_3d(flat, Length(height - scene.model(machine).pose.z)) if scene.options.range_3d else flat


def _out_of_range(scene: Battle, machine: ModelId, distance: Length) -> Reason | None:
    weapon = weapon_of(scene, machine)
    if not at_least(distance, weapon.least):
        return "ST-15", f"{say_inches(distance)} inches away: nearer than {say_range(weapon.least)}."
    if not within(distance, weapon.most):
        return "ST-15", f"{say_inches(distance)} inches away: farther than {say_range(weapon.most)}."
    return None


def _out_of_arc(scene: Battle, machine: ModelId, mode: Mode, shape: Footprint) -> Reason | None:
    """The arc is tested before the machine turns (ST-16, ST-61)."""
    if mode == "indirect" and not scene.options.indirect_needs_arc:
        return None
    facing = scene.model(machine).pose.facing
    if in_arc(firing_point(scene, machine, facing), facing, ARC, shape):
        return None
    return "ST-16", "Outside the machine's forward arc of 90 degrees."


# ---------------------------------------------------------------- where the template may lie (P4)


class _Shielded(msgspec.Struct, frozen=True):
    """Something that a template may not be placed over, and the sentence that says so."""

    id: str
    shape: Footprint
    reason: Reason


@once_per_table
def _shielded(scene: Battle) -> tuple[_Shielded, ...]:
    """What the crew will not aim at: friends, and enemies of a unit that fights (ST-22, ST-23, ST-63)."""
    found = []
    for _, model in sorted(scene.table.models.items()):
        if not is_crew(scene, model) and garrison_of(scene, model) is None:
            reason = _shield(scene, model)
            if reason is not None:
                found.append(_Shielded(model.id, footprint(model.base, model.pose), reason))
    for building in buildings(scene):
        reason = _building_shield(scene, building)
        if reason is not None:
            found.append(_Shielded(building.id, footprint(building.shape, building.pose), reason))
    return tuple(found)


def _shield(scene: Battle, model: Model) -> Reason | None:
    if model.owner == scene.by:
        return "ST-22", f"The template would touch {name_of(scene, model.id)}, a friend."
    if is_flagged(scene, model.unit, "engaged") and _is_known(scene, model):
        return "ST-23", f"The template would touch {name_of(scene, model.id)}, whose unit is in combat."
    return None


def _building_shield(scene: Battle, building: Terrain) -> Reason | None:
    for unit in garrisons(scene, building.id):
        if owner_of(scene, unit) == scene.by:
            return "ST-63", f"The template would touch a building that holds {unit_name(scene, unit)}, friends."
        if is_flagged(scene, unit, "engaged"):
            return "ST-63", f"The template would touch a building whose {unit_name(scene, unit)} are in combat."
    return None


def misplaced(scene: Battle, machine: ModelId, facing: Bearing, at: Point) -> Reason | None:
    """Why the template's centre may not be placed here, or None (ST-22, ST-23, ST-63)."""
    radius = weapon_of(scene, machine).radius
    for shielded in _shielded(scene):
        shape = shielded.shape
        if shielded.id == machine:
            shape = _turned(scene, machine, facing)
        if is_touched(scene, shape, at, radius):
            return shielded.reason
    return None


def forbidden_near(scene: Battle, at: Point, within_reach: Length) -> tuple[str, ...]:
    """What may not be touched and stands this near: the red list of P4."""
    return tuple(one.id for one in _shielded(scene) if point_distance(at, one.shape) <= within_reach)


def _turned(scene: Battle, machine: ModelId, facing: Bearing) -> Footprint:
    model = scene.model(machine)
    return footprint(model.base, msgspec.structs.replace(model.pose, facing=facing))


def _spot_on_base(scene: Battle, machine: ModelId, facing: Bearing, target: Model, shape: Footprint) -> Point | Barred:
    """The middle of the base, or where any point will do the lawful one nearest to it (ST-20, ST-25)."""
    reason = misplaced(scene, machine, facing, target.pose.point)
    if reason is None:
        return target.pose.point
    if scene.options.aim_point == "any_point_of_base":
        for point in _points_of(target.base, target.pose):
            if misplaced(scene, machine, facing, point) is None:
                return point
    return _barred(target.id, reason)


def _points_of(base: Base, pose: Pose) -> Iterator[Point]:
    """Points of an outline on a grid, the nearest to its middle first."""
    shape = footprint(base, pose)
    west, south, east, north = extent(shape)
    grid = [
        Point(Length(west + (east - west) * i // GRID), Length(south + (north - south) * j // GRID))
        for i in range(GRID + 1)
        for j in range(GRID + 1)
    ]
    middle = pose.point
    yield middle
    yield from (
        point for point in sorted(grid, key=lambda p: (points_distance(p, middle), p.x, p.y)) if contains(shape, point)
    )


# ---------------------------------------------------------------- sight (ST-17, CM-27 to CM-31, CM-39)


def _eye(scene: Battle, machine: ModelId, origin: Point) -> Eye:
    model = scene.model(machine)
    return eye_of(origin, model.pose.z, model.base.height)


def _seen(scene: Battle, machine: ModelId, mode: Mode, origin: Point, target: Model) -> Seen:
    """What a direct shot sees of a model; its own unit hides nothing, nor does the machine (ST-17)."""
    if mode == "indirect":
        return "waived"
    if scene.options.los_mode == "players_agree":
        return "unsettled"
    ignored = frozenset({machine, *_comrades(scene)[target.unit]})
    eye = _eye(scene, machine, origin)
    if scene.options.los_mode == "centre_line":
        middle = Length(target.pose.z + target.base.height // 2)
        return "visible" if field(scene).point_visible(eye, target.pose.point, middle, ignored) else "hidden"
    shape = figure(scene, target)
    sight = field(scene).sight(eye, Target(target.id, shape, target.pose.z, target.base.height), ignored)
    return "open" if sight.in_the_open else "obscured" if sight.visible else "hidden"


@once_per_table
def _comrades(scene: Battle) -> Mapping[str, frozenset[ModelId]]:
    """The models of each unit."""
    units: dict[str, set[ModelId]] = {}
    for model in scene.table.models.values():
        units.setdefault(model.unit, set()).add(model.id)
    return {key: frozenset(models) for key, models in units.items()}


def _roof_seen(scene: Battle, machine: ModelId, mode: Mode, origin: Point, building: Terrain, at: Point) -> Seen:
    """What a direct shot sees of a point on a roof; the building does not hide it (ST-21, CM-39)."""
    if mode == "indirect":
        return "waived"
    if scene.options.los_mode == "players_agree":
        return "unsettled"
    ignored = ignored_building(building.id) | {machine}
    eye = _eye(scene, machine, origin)
    return "visible" if field(scene).point_visible(eye, at, top_of(building), ignored) else "hidden"


def say_seen(seen: Seen) -> str:
    """Sight as the options of P3 put it."""
    return {
        "open": "in the open",
        "obscured": "partly hidden",
        "visible": "in sight",
        "hidden": "out of sight",
        "unsettled": "sight to be agreed",
        "waived": "no sight needed",
    }[seen]
