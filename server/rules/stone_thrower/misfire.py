"""The shot that goes wrong (ST-33 to ST-38)."""

from __future__ import annotations

from server.engine.dice import D6
from server.engine.requests import change, note, roll
from server.rules.stone_thrower.battle import Battle, name_of, number, weapon_of, wounds_left
from server.rules.stone_thrower.charts import MISFIRES
from server.rules.stone_thrower.panic import Lost, panic
from server.rules.stone_thrower.profiles import WOUND_KEYS
from server.table.facts import ModelsRemoved, StatusSet
from server.table.model import ModelId


async def misfire(scene: Battle, machine: ModelId) -> None:
    """Roll on the machine's misfire chart; the shot is over whatever comes (ST-27, ST-33, ST-34)."""
    await note("ST-27", f"{name_of(scene, machine)} misfires.", machine, outcome="misfire")
    chart = MISFIRES[weapon_of(scene, machine).misfire]
    rule = "ST-33" if weapon_of(scene, machine).misfire == "stone_thrower" else "ST-34"
    match chart[await roll(D6, rule, "misfire chart", machine)]:
        case "destroyed":
            await note(rule, "Destroyed: it is taken off the table.", machine, outcome="destroyed")
            await remove(scene, machine)
        case "disabled":
            await note(rule, "Disabled: it loses a Wound and falls silent.", machine, outcome="disabled")
            await lose_a_wound(scene, machine)
            await fall_silent(scene, machine)
        case "malfunction":
            await note(rule, "Malfunction: it falls silent.", machine, outcome="malfunction")
            await fall_silent(scene, machine)
        case "may_not_shoot":
            await note(rule, "No shot this turn, and no other harm.", machine, outcome="may_not_shoot")


async def lose_a_wound(scene: Battle, machine: ModelId) -> None:
    """The Wound of a disabled machine: no armour save, but a ward save if the crew has one (ST-36)."""
    ward = scene.profile(machine).parts[0].ward
    if ward is not None and await roll(D6, "ST-36", f"ward save {max(2, ward)}+", machine) >= max(2, ward):
        await note("ST-36", "The ward save stops the Wound, but not the silence.", machine)
        return
    left = wounds_left(scene, machine, 0) - 1
    await change(StatusSet(machine, WOUND_KEYS[0], left))
    if left <= 0:
        await note("ST-36", "That was its last Wound: it is taken off the table.", machine, outcome="destroyed")
        await remove(scene, machine)


async def fall_silent(scene: Battle, machine: ModelId) -> None:
    """It may not fire this turn or in its owner's next (ST-35); the ban only ever grows."""
    if machine not in scene.table.models:
        return  # ST-36: moot once it is gone
    until = max(number(scene.model(machine).status.get("silent_until")), scene.table.clock.round + 1)
    await change(StatusSet(machine, "silent_until", until))
    await note("ST-35", f"{name_of(scene, machine)} may not fire through turn {until}.", machine)


async def remove(scene: Battle, machine: ModelId) -> None:
    """Take the machine off. Nobody near is hurt (ST-38), but friends may be shaken (ST-60)."""
    gone = scene.model(machine)
    await change(ModelsRemoved((machine,)))
    await panic(scene, machine, (Lost(gone.unit, (gone,)),))
