"""Heavy casualties and panic (ST-57 to ST-60)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from server.engine.dice import D6
from server.engine.questions import Choose, Option
from server.engine.requests import ask, change, note, rolls
from server.geometry.measure import distance, within
from server.geometry.shapes import footprint
from server.geometry.units import inches
from server.rules.stone_thrower.battle import (
    Battle,
    fighters,
    is_flagged,
    number,
    owner_of,
    unit_name,
    unit_status,
)
from server.rules.stone_thrower.flight import flee
from server.table.facts import UnitStatusSet
from server.table.model import Model, ModelId, Seat, UnitId

NEARBY = inches(6)


class Lost(msgspec.Struct, frozen=True):
    """What a unit lost to a shot, as it stood."""

    unit: UnitId
    models: tuple[Model, ...]


class Due(msgspec.Struct, frozen=True):
    """A panic test that a unit owes, and under which rule."""

    unit: UnitId
    rule: str
    why: str


# ---------------------------------------------------------------- who took how many this phase (ST-59)


def losses_of(scene: Battle, unit: UnitId) -> dict[UnitId, int]:
    """How many models a unit lost this phase to whom; who shot last stands last (ST-59)."""
    kept = unit_status(scene, unit, "losses")
    lines = kept.splitlines() if isinstance(kept, str) else ()
    pairs = (line.split(" ", 1) for line in lines)
    return {UnitId(shooter): int(count) for count, shooter in pairs}


async def remember_losses(scene: Battle, shooter: UnitId, lost: Iterable[Lost]) -> None:
    """Keep on each unit who cost it how many models this phase (ST-59)."""
    for one in lost:
        known = losses_of(scene, one.unit)
        known[shooter] = known.pop(shooter, 0) + len(one.models)
        kept = "\n".join(f"{count} {by}" for by, count in known.items())
        await change(UnitStatusSet(one.unit, "losses", kept))


# ---------------------------------------------------------------- tests (ST-57, ST-58, ST-60)


async def panic(scene: Battle, machine: ModelId, lost: tuple[Lost, ...]) -> None:
    """All panic tests that a shot causes: the other player's units before the firing player's (ST-64)."""
    if scene.options.panic == "off":
        return
    due = [*heavy_casualties(scene, lost), *shaken_nearby(scene, lost)]
    for seat in (scene.rival, scene.by):
        waiting = _once_each(scene, [one for one in due if owner_of(scene, one.unit) == seat])
        while waiting:
            chosen = await next_to_test(scene, seat, waiting)
            waiting = [one for one in waiting if one.unit != chosen.unit]
            await test(scene, machine, chosen)


def heavy_casualties(scene: Battle, lost: tuple[Lost, ...]) -> list[Due]:
    """Units that have lost a quarter of the models they had at the start of the phase, but live (ST-57)."""
    due = []
    for one in lost:
        left = len(fighters(scene, one.unit))
        start = number(unit_status(scene, one.unit, "start")) or left + len(one.models)
        if left and 4 * (start - left) >= start:
            due.append(Due(one.unit, "ST-57", f"{start - left} of {start} models lost this phase"))
    return due


def shaken_nearby(scene: Battle, lost: tuple[Lost, ...]) -> list[Due]:
    """Units within 6 inches of where a friendly unit was wiped out, where the house rule asks (ST-60)."""
    if not scene.options.panic_nearby:
        return []
    return [
        Due(unit, "ST-60", f"{unit_name(scene, one.unit)} was wiped out within 6 inches")
        for one in lost
        if not fighters(scene, one.unit)
        for unit in sorted(scene.table.units)
        if owner_of(scene, unit) == owner_of(scene, one.unit) and _is_within(scene, unit, one.models)
    ]


def _is_within(scene: Battle, unit: UnitId, stood: tuple[Model, ...]) -> bool:
    places = [footprint(model.base, model.pose) for model in stood]
    own = [footprint(model.base, model.pose) for model in fighters(scene, unit)]
    return any(within(distance(a, b), NEARBY) for a in own for b in places)


def _once_each(scene: Battle, due: list[Due]) -> list[Due]:
    """One test for each unit that may have to test, in id order (ST-58)."""
    first: dict[UnitId, Due] = {}
    for one in due:
        if not is_steady(scene, one.unit):
            first.setdefault(one.unit, one)
    return [first[unit] for unit in sorted(first)]


def is_steady(scene: Battle, unit: UnitId) -> bool:
    """Units that fight, flee, are immune or have tested this phase do not test (ST-58)."""
    if any(is_flagged(scene, unit, key) for key in ("engaged", "fleeing", "immune_panic", "panicked")):
        return True
    return all(scene.profiles[model.profile].immune_panic for model in fighters(scene, unit))


async def next_to_test(scene: Battle, seat: Seat, waiting: list[Due]) -> Due:
    """Which of several units tests next is for their owner to say (P10)."""
    if len(waiting) == 1:
        return waiting[0]
    options = tuple(
        Option(one.unit, unit_name(scene, one.unit), _said_due(scene, one), _refs(scene, one)) for one in waiting
    )
    chosen = await ask(Choose(rule="ST-58", to=seat, prompt="Which unit tests for panic next?", options=options))
    return next(one for one in waiting if one.unit == chosen)


def _said_due(scene: Battle, due: Due) -> str:
    return f"{due.why}; Leadership {leadership(scene, due.unit)}"


def _refs(scene: Battle, due: Due) -> tuple[ModelId, ...]:
    return tuple(model.id for model in fighters(scene, due.unit))


def leadership(scene: Battle, unit: UnitId) -> int:
    """The best Leadership in a unit (ST-02)."""
    return max((scene.profiles[model.profile].leadership for model in fighters(scene, unit)), default=0)


async def test(scene: Battle, machine: ModelId, due: Due) -> None:
    """A panic test: 2D6 equal to or under Leadership passes (ST-58); else the unit flees (ST-59)."""
    unit, refs = due.unit, _refs(scene, due)
    name, needed = unit_name(scene, unit), leadership(scene, unit)
    await note(due.rule, f"{name} must test for panic: {due.why}.", *refs)
    await change(UnitStatusSet(unit, "panicked", value=True))
    faces = await rolls(D6, 2, "ST-58", f"panic test, {needed} or less on 2D6", *refs)
    if sum(faces) <= needed:
        await note("ST-58", f"{name} hold: {sum(faces)} against Leadership {needed}.", *refs, outcome="held")
        return
    await note("ST-58", f"{name} panic: {sum(faces)} against Leadership {needed}.", *refs, outcome="panic")
    await change(UnitStatusSet(unit, "fleeing", value=True))
    culprits = losses_of(scene, unit) if due.rule == "ST-57" else {}
    if scene.options.panic_move == "flee_2d6":
        await flee(scene, machine, unit, culprits)
