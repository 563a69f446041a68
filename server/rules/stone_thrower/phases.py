"""What happens by itself when a phase begins (ST-06, ST-35, ST-57, ST-58)."""

from __future__ import annotations

from server.engine.requests import change, note
from server.engine.system import Phase
from server.rules.stone_thrower.battle import Battle, fighters, name_of, number
from server.table.facts import StatusesSet, StatusSet, UnitStatusSet

MOVEMENT = Phase("movement", "Movement", moves=True)
SHOOTING = Phase("shooting", "Shooting")
COMBAT = Phase("combat", "Combat")

PHASES = (MOVEMENT, SHOOTING, COMBAT)


async def phase_begins(scene: Battle) -> None:
    """A phase begins for `scene.by`, whose turn it is."""
    if scene.table.clock.phase == MOVEMENT.id:
        await forget_last_turn(scene)  # ST-06
        await end_silence(scene)  # ST-35
    await count_models(scene)  # ST-57, ST-58


async def forget_last_turn(scene: Battle) -> None:
    """What moved or fired may do so again when its owner's turn starts (ST-06)."""
    for status in ("moved", "fired"):
        models = scene.table.models
        marked = [key for key in sorted(models) if models[key].owner == scene.by and status in models[key].status]
        if marked:
            await change(StatusesSet(status, dict.fromkeys(marked)))


async def end_silence(scene: Battle) -> None:
    """The marker of a misfire comes off in the turn in which the machine may fire again (ST-35)."""
    for key in sorted(scene.table.models):
        model = scene.model(key)
        until = number(model.status.get("silent_until"))
        if model.owner == scene.by and 0 < until < scene.table.clock.round:
            await change(StatusSet(key, "silent_until", None))
            await note("ST-35", f"{name_of(scene, key)} may fire again.", key)


async def count_models(scene: Battle) -> None:
    """Every unit's models at the start of the phase; nobody has tested for panic yet (ST-57, ST-58)."""
    for unit in sorted(scene.table.units):
        start = len(fighters(scene, unit))
        status = scene.table.units[unit].status
        if status.get("start") != start:
            await change(UnitStatusSet(unit, "start", start))
        for key in ("panicked", "losses"):
            if key in status:
                await change(UnitStatusSet(unit, key, None))
