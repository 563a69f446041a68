"""Who takes which hit (ST-39 to ST-46), in the order in which they are resolved (ST-48)."""

from __future__ import annotations

import msgspec

from server.engine.dice import D6
from server.engine.questions import Choose, Option
from server.engine.requests import ask, note, one_at_random, roll
from server.rules.stone_thrower.battle import (
    Battle,
    fighters,
    is_alike,
    is_common,
    is_pooled,
    living_parts,
    name_of,
    rank_and_file,
    unit_name,
    weapon_of,
    wounds_left,
)
from server.rules.stone_thrower.ground import Under
from server.rules.stone_thrower.profiles import Weapon
from server.table.model import ModelId, UnitId

MOUNT_UP_TO = 4
"""Of a mount and its rider, the mount takes the high Strength on 1 to 4 (ST-44)."""


class Hit(msgspec.Struct, frozen=True):
    """One automatic hit on a part of a model. A `pooled` one falls on the rank and file of its unit (ST-55)."""

    model: ModelId
    part: int
    strength: int
    multiple: bool
    pooled: bool
    rule: str


async def hits_of(scene: Battle, machine: ModelId, found: Under) -> tuple[Hit, ...]:
    """All hits of a shot: the hole model first, the others in id order, garrisons last (ST-48, ST-64)."""
    weapon = weapon_of(scene, machine)
    hole = await hole_model(scene, weapon, found)  # ST-39
    high_parts = await parts_under_hole(scene, weapon, hole)  # ST-44
    order = [key for key in found.touched if key != hole]
    pooled = _pooled_units(scene, found.touched)
    hits = [] if hole is None else _model_hits(scene, weapon, hole, high_parts, pooled)
    for key in order:
        hits += _model_hits(scene, weapon, key, (), pooled)
    for garrison in found.garrisons:
        is_high = garrison in found.covered_garrisons
        hits += await garrison_hits(scene, weapon, garrison, weapon.high if is_high else None)  # ST-46
    return tuple(hits)


async def hole_model(scene: Battle, weapon: Weapon, found: Under) -> ModelId | None:
    """The one model that takes the high Strength: one at random where the hole lies over several (ST-39)."""
    if found.covered_garrisons:
        await note("ST-46", "The centre lies over a garrisoned building: the high Strength strikes inside.")
        return None
    if not _has_high_hit(scene, weapon) and len(found.hole) > 1:
        return None  # ST-64: all take the same hit, so the die cannot matter
    struck = await one_at_random("ST-39", f"the hole is over {len(found.hole)}: who is struck?", found.hole)
    if struck is not None and _has_high_hit(scene, weapon):
        await note("ST-39", f"{name_of(scene, struck)} is under the hole.", struck, outcome="hole")
    return struck


def _has_high_hit(scene: Battle, weapon: Weapon) -> bool:
    """Whether the hit under the hole differs from the others (ST-05)."""
    return weapon.high is not None or multiplies(scene, weapon)


def multiplies(scene: Battle, weapon: Weapon) -> bool:
    """Whether the wounds of the hit under the hole become D3 (ST-04, ST-05)."""
    if weapon.kind == "rocket_launcher":
        return scene.options.rocket_multiple_wounds
    return weapon.multiple_wounds


async def parts_under_hole(scene: Battle, weapon: Weapon, hole: ModelId | None) -> tuple[int, ...]:
    """Which parts of the hole model take the high Strength (ST-44)."""
    if hole is None:
        return ()
    parts = living_parts(scene, hole)
    choice = scene.options.ridden_monster_hole
    if len(parts) < 2 or choice == "both_high" or not _has_high_hit(scene, weapon):
        return parts
    if choice == "owner_chooses":
        return (int(await ask(_part_question(scene, hole, parts))),)
    if len(parts) == 2:
        face = await roll(D6, "ST-44", "which part is struck: 1-4 the mount, 5-6 the rider", hole)
        return (parts[0] if face <= MOUNT_UP_TO else parts[1],)
    part = await one_at_random("ST-44", "which part is struck", parts)
    return () if part is None else (part,)


def _part_question(scene: Battle, hole: ModelId, parts: tuple[int, ...]) -> Choose[str]:
    profile = scene.profile(hole)
    options = []
    for part in parts:
        line = profile.parts[part]
        save = "no save" if line.save is None else f"save {line.save}+"
        said = f"Toughness {line.toughness}, {wounds_left(scene, hole, part)} Wounds left, {save}"
        options.append(Option(f"{part}", line.name, said, (hole,)))
    prompt = f"Which part of {name_of(scene, hole)} takes the high Strength?"
    owner = scene.model(hole).owner
    return Choose(rule="ST-44", to=owner, prompt=prompt, refs=(hole,), options=tuple(options))


def _pooled_units(scene: Battle, touched: tuple[ModelId, ...]) -> frozenset[UnitId]:
    units = {scene.model(key).unit for key in touched}
    return frozenset(unit for unit in units if is_pooled(scene, unit))


def _model_hits(
    scene: Battle, weapon: Weapon, key: ModelId, high_parts: tuple[int, ...], pooled_units: frozenset[UnitId]
) -> list[Hit]:
    """A hit on every part of a touched model (ST-40, ST-41, ST-44); ordinary cavalry is one part (ST-45)."""
    pooled = scene.model(key).unit in pooled_units and is_common(scene.profile(key))
    return [_hit(scene, weapon, key, part, part in high_parts, pooled) for part in living_parts(scene, key)]


def _hit(scene: Battle, weapon: Weapon, key: ModelId, part: int, is_high: bool, pooled: bool) -> Hit:
    if not is_high:
        return Hit(key, part, weapon.low, multiple=False, pooled=pooled, rule="ST-41")
    strength = weapon.low if weapon.high is None else weapon.high
    return Hit(key, part, strength, multiple=multiplies(scene, weapon), pooled=pooled, rule="ST-40")


async def garrison_hits(scene: Battle, weapon: Weapon, unit: UnitId, high: int | None) -> list[Hit]:
    """D6 hits on a unit indoors, none of its models twice, all high if the centre lies over the building (ST-46)."""
    common = rank_and_file(scene, unit)
    inside = common or fighters(scene, unit)
    count = min(len(inside), await roll(D6, "ST-46", "hits on the garrison", *(model.id for model in inside)))
    strength = weapon.low if high is None else high
    await note("ST-46", f"{unit_name(scene, unit)} inside take {count} hits at Strength {strength}.")
    pooled = bool(common) and is_alike(scene, unit)
    is_high = high is not None
    return [
        Hit(model.id, part, strength, multiple=is_high and multiplies(scene, weapon), pooled=pooled, rule="ST-46")
        for model in inside[:count]
        for part in living_parts(scene, model.id)
    ]
