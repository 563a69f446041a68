"""The table as this system sees it: small queries that every step asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from server.engine.scene import Scene
from server.geometry.units import Bearing
from server.rules.stone_thrower.options import Options
from server.rules.stone_thrower.profiles import WOUND_KEYS, Profile, Weapon
from server.table.model import Model, ModelId, Seat, Status, TerrainId, UnitId

Battle = Scene[Options, Profile]

R = TypeVar("R")
P = ParamSpec("P")

KEPT = 64


def once_per_table(query: Callable[Concatenate[Battle, P], R]) -> Callable[Concatenate[Battle, P], R]:
    """Remember what a query found: it is pure and a table never changes, but forecasts ask a thousand times."""
    found: dict[tuple[object, ...], tuple[object, object, R]] = {}

    @wraps(query)
    def remembered(scene: Battle, /, *args: P.args, **named: P.kwargs) -> R:
        table, profiles = scene.table, scene.profiles
        key = (id(table), id(profiles), scene.options, scene.by, *args)
        known = found.get(key)
        if known is None or known[0] is not table or known[1] is not profiles:
            known = table, profiles, query(scene, *args, **named)
            found[key] = known
            for oldest in list(found)[:-KEPT]:
                found.pop(oldest, None)
        return known[2]

    return remembered


def name_of(scene: Battle, model: ModelId) -> str:
    """What a model is called in the log: its own label, its unit's and its number there, or its profile's."""
    found = scene.model(model)
    if found.label or not model.startswith(found.unit):
        return found.label or scene.profile(model).name
    unit = scene.table.units[found.unit].label or scene.profile(model).name
    return f"{unit} {model.removeprefix(found.unit).strip('-')}".rstrip()


def unit_name(scene: Battle, unit: UnitId) -> str:
    """What a unit is called in the log."""
    return scene.table.units[unit].label or unit


def weapon_of(scene: Battle, machine: ModelId) -> Weapon:
    """What a machine shoots."""
    weapon = scene.profile(machine).weapon
    if weapon is None:
        raise LookupError(f"{machine} does not shoot")
    return weapon


def unit_status(scene: Battle, unit: UnitId, key: str) -> Status | None:
    """A status of a unit, None where it is not set."""
    return scene.table.units[unit].status.get(key)


def is_flagged(scene: Battle, unit: UnitId, key: str) -> bool:
    """Whether a flag of a unit is up."""
    return bool(unit_status(scene, unit, key))


def number(status: Status | None) -> int:
    """A status that counts; 0 where it is not set."""
    return int(status) if isinstance(status, int) else 0


def is_crew(scene: Battle, model: Model) -> bool:
    """Whether a figure is a wound marker that no rule looks at (ST-22, ST-43)."""
    return scene.profiles[model.profile].category == "crew"


def garrison_of(scene: Battle, model: Model) -> TerrainId | None:
    """The building that a model is inside of."""
    building = unit_status(scene, model.unit, "garrison")
    return TerrainId(building) if isinstance(building, str) and building in scene.table.terrain else None


def fighters(scene: Battle, unit: UnitId) -> tuple[Model, ...]:
    """The models of a unit on the table, crew figures not counted, in id order (CM-38)."""
    return tuple(model for model in scene.table.members(unit) if not is_crew(scene, model))


def garrisons(scene: Battle, building: TerrainId) -> tuple[UnitId, ...]:
    """The units inside a building, in id order (CM-38)."""
    inside = (key for key, unit in scene.table.units.items() if unit.status.get("garrison") == building)
    return tuple(key for key in sorted(inside) if fighters(scene, key))


def wounds_left(scene: Battle, model: ModelId, part: int) -> int:
    """The Wounds that a part of a model still has (ST-02)."""
    status = scene.model(model).status.get(WOUND_KEYS[part])
    return scene.profile(model).parts[part].wounds if status is None else number(status)


def living_parts(scene: Battle, model: ModelId) -> tuple[int, ...]:
    """The parts of a model that still have Wounds, mounts before riders (ST-48)."""
    return tuple(part for part in range(len(scene.profile(model).parts)) if wounds_left(scene, model, part) > 0)


def rank_and_file(scene: Battle, unit: UnitId) -> tuple[Model, ...]:
    """The models of a unit that can share a pool of wounds, in id order (ST-54, ST-55)."""
    return tuple(model for model in fighters(scene, unit) if is_common(scene.profiles[model.profile]))


def is_common(profile: Profile) -> bool:
    """Whether models of a profile are rank and file, and no machine, monster, character or ridden model (ST-54)."""
    return profile.category == "rank_and_file" and not profile.riders


def is_pooled(scene: Battle, unit: UnitId) -> bool:
    """Whether the rank and file of a unit share their wounds: ranked, and with equal Wounds (ST-55, ST-56)."""
    if not is_flagged(scene, unit, "ranked") or scene.options.casualties == "models_under_template":
        return False
    return is_alike(scene, unit)


def is_alike(scene: Battle, unit: UnitId) -> bool:
    """Whether the rank and file of a unit are alike enough to share wounds."""
    return len({scene.profiles[model.profile].wounds for model in rank_and_file(scene, unit)}) == 1


def unit_facing(models: tuple[Model, ...]) -> Bearing:
    """The facing that most of the models share."""
    facings = Counter(model.pose.facing for model in models)
    return min(facings, key=lambda facing: (-facings[facing], facing))


def owner_of(scene: Battle, unit: UnitId) -> Seat:
    """Whose unit it is."""
    return scene.table.units[unit].owner
