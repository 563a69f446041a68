"""Wounds suffered and models taken off (ST-53 to ST-56)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from server.engine.questions import ChooseSome, Option
from server.engine.requests import ask, change, note
from server.geometry.units import PER_INCH, SIZE_PER_INCH, sine_cosine
from server.rules.stone_thrower.battle import (
    Battle,
    garrison_of,
    living_parts,
    name_of,
    number,
    owner_of,
    rank_and_file,
    unit_facing,
    unit_name,
    unit_status,
    wounds_left,
)
from server.rules.stone_thrower.hits import Hit
from server.rules.stone_thrower.panic import Lost, remember_losses
from server.rules.stone_thrower.profiles import WOUND_KEYS
from server.table.facts import ModelsRemoved, StatusSet, UnitStatusSet
from server.table.model import Model, ModelId, UnitId


async def remove_casualties(scene: Battle, shooter: UnitId, suffered: Sequence[tuple[Hit, int]]) -> tuple[Lost, ...]:
    """Mark the wounds of a shot, take off who has none left, and say what each unit lost (ST-53 to ST-56, CM-37)."""
    dead = await mark_own_wounds(scene, [(hit, count) for hit, count in suffered if count and not hit.pooled])
    pools: Counter[UnitId] = Counter()
    for hit, count in suffered:
        if hit.pooled and count:
            pools[scene.model(hit.model).unit] += count
    for unit in sorted(pools):
        dead += await mark_pooled_wounds(scene, unit, pools[unit])
    if not dead:
        return ()
    gone = [scene.model(key) for key in sorted(dead)]
    await change(ModelsRemoved(tuple(model.id for model in gone)))
    lost = tuple(
        Lost(unit, tuple(model for model in gone if model.unit == unit)) for unit in sorted({m.unit for m in gone})
    )
    await remember_losses(scene, shooter, lost)
    return lost


async def mark_own_wounds(scene: Battle, suffered: Sequence[tuple[Hit, int]]) -> list[ModelId]:
    """Wounds of models that suffer their own (ST-54, ST-56); who is out of Wounds (ST-53)."""
    dead = []
    for hit, count in suffered:
        left = max(0, wounds_left(scene, hit.model, hit.part) - count)
        await change(StatusSet(hit.model, WOUND_KEYS[hit.part], left))
        name = name_of(scene, hit.model)
        await note("ST-53", f"{name}: {_wounds(count)}, {left} left.", hit.model)
        if not living_parts(scene, hit.model):
            dead.append(hit.model)
    return dead


async def mark_pooled_wounds(scene: Battle, unit: UnitId, count: int) -> list[ModelId]:
    """Wounds of rank and file are pooled: whole models go, the rest stays on the unit (ST-55)."""
    models = rank_and_file(scene, unit)
    each = scene.profiles[models[0].profile].wounds
    whole, rest = divmod(number(unit_status(scene, unit, "pooled")) + count, each)
    whole = min(whole, len(models))
    kept = rest if rest and whole < len(models) else None
    if kept != unit_status(scene, unit, "pooled"):
        await change(UnitStatusSet(unit, "pooled", kept))
    await note("ST-55", f"{unit_name(scene, unit)}: {_wounds(count)}, {whole} taken off.")
    return await choose_casualties(scene, unit, models, whole)


def _wounds(count: int) -> str:
    return f"{count} wound" if count == 1 else f"{count} wounds"


async def choose_casualties(scene: Battle, unit: UnitId, models: tuple[Model, ...], count: int) -> list[ModelId]:
    """Who goes: from the rear row forward, the owner choosing within a row; anybody indoors (ST-46, ST-55)."""
    is_indoors = garrison_of(scene, models[0]) is not None
    is_free = is_indoors or scene.options.casualties == "owner_chooses"
    rule = "ST-46" if is_indoors else "ST-55"
    chosen: list[ModelId] = []
    for row in [models] if is_free else rows_from_the_rear(models):
        wanted = min(count - len(chosen), len(row))
        keys = tuple(model.id for model in row)
        if 0 < wanted < len(row):
            keys = await ask(_choice(scene, unit, row, wanted, rule))
        chosen += keys if wanted else ()
    return chosen


def _choice(scene: Battle, unit: UnitId, row: tuple[Model, ...], count: int, rule: str) -> ChooseSome[ModelId]:
    options = tuple(Option(model.id, name_of(scene, model.id), refs=(model.id,)) for model in row)
    models = "model" if count == 1 else "models"
    return ChooseSome(
        rule=rule,
        to=owner_of(scene, unit),
        prompt=f"Which {count} {models} of {unit_name(scene, unit)} are taken off?",
        refs=tuple(model.id for model in row),
        options=options,
        least=count,
        most=count,
    )


def rows_from_the_rear(models: tuple[Model, ...]) -> list[tuple[Model, ...]]:
    """The rows of a ranked unit, the one farthest from its front first (ST-55)."""
    sine, cosine = sine_cosine(unit_facing(models))
    ahead = {model.id: model.pose.x * sine + model.pose.y * cosine for model in models}
    rows: list[list[Model]] = []
    for model in sorted(models, key=lambda model: (ahead[model.id], model.id)):
        if rows and ahead[model.id] - ahead[rows[-1][0].id] <= _half_depth(model):
            rows[-1].append(model)
        else:
            rows.append([model])
    return [tuple(sorted(row, key=lambda model: model.id)) for row in rows]


def _half_depth(model: Model) -> float:
    """Half a base, in Length: models less far apart stand in one row."""
    length = getattr(model.base, "length", None) or getattr(model.base, "diameter", None) or SIZE_PER_INCH
    return length / 2 * PER_INCH / SIZE_PER_INCH
