"""From a hit to unsaved wounds (ST-47 to ST-52)."""

from __future__ import annotations

from server.engine.dice import D6, halved
from server.engine.requests import Modifier, note, roll
from server.rules.stone_thrower.battle import Battle, name_of, wounds_left
from server.rules.stone_thrower.charts import TO_WOUND, TO_WOUND_OLDER
from server.rules.stone_thrower.hits import Hit
from server.rules.stone_thrower.options import Options

NO_SAVE = 7


def needed_to_wound(options: Options, strength: int, toughness: int) -> int | None:
    """What a die must show to wound; None where the hit has no effect (ST-47)."""
    chart = TO_WOUND if options.to_wound_chart == "6_always_wounds" else TO_WOUND_OLDER
    return chart[strength][toughness - 1] or None


def needed_to_save(save: int | None, strength: int) -> int | None:
    """What an armour save must show against this Strength; None where none is left (ST-49)."""
    if save is None:
        return None
    needed = save + max(0, strength - 3)
    return max(2, needed) if needed < NO_SAVE else None


async def suffer(scene: Battle, hit: Hit) -> int:
    """Roll one hit to its end: to wound, armour save, ward save, D3; how many wounds it caused (ST-64)."""
    if not await wounds(scene, hit) or await saved(scene, hit):
        return 0
    return await multiplied(scene, hit)


async def wounds(scene: Battle, hit: Hit) -> bool:
    """Whether the hit wounds (ST-40, ST-41, ST-47)."""
    part = scene.profile(hit.model).parts[hit.part]
    who = name_of(scene, hit.model)
    struck = who if hit.part == 0 else f"{part.name} of {who}"
    said = f"{struck} is hit at Strength {hit.strength}."
    await note(hit.rule, said, hit.model, outcome="hit" if _is_first(scene, hit) else "")
    needed = needed_to_wound(scene.options, hit.strength, part.toughness)
    against = f"Strength {hit.strength} against Toughness {part.toughness}"
    if needed is None:
        await note("ST-47", f"No effect: {against}.", hit.model)
        return False
    return await roll(D6, "ST-47", f"to wound {needed}+: {against}", hit.model) >= needed


def _is_first(scene: Battle, hit: Hit) -> bool:
    """A model of several parts is struck once for the odds, however many parts are hit."""
    return hit.part == 0 or all(wounds_left(scene, hit.model, part) <= 0 for part in range(hit.part))


async def saved(scene: Battle, hit: Hit) -> bool:
    """Whether armour, or else a ward, stops the wound (ST-49, ST-50)."""
    part = scene.profile(hit.model).parts[hit.part]
    needed = needed_to_save(part.save, hit.strength)
    if part.save is not None:
        less = max(0, hit.strength - 3)
        worse = [Modifier(-less, f"Strength {hit.strength}")] if less else []
        if needed is None:
            await note("ST-49", f"The {part.save}+ armour save is no use.", hit.model, modifiers=worse)
        elif await roll(D6, "ST-49", _said_save(part.save, needed, hit.strength), hit.model) >= needed:
            return True
    ward = part.ward
    return ward is not None and await roll(D6, "ST-50", f"ward save {max(2, ward)}+", hit.model) >= max(2, ward)


def _said_save(save: int, needed: int, strength: int) -> str:
    less = max(0, strength - 3)
    return f"armour save {needed}+" + (f": {save}+, -{less} for Strength {strength}" if less else "")


async def multiplied(scene: Battle, hit: Hit) -> int:
    """One wound, or D3 of a high Strength hit, but none beyond what there is to lose (ST-51, ST-52, ST-55)."""
    profile = scene.profile(hit.model)
    room = profile.wounds if hit.pooled else wounds_left(scene, hit.model, hit.part)
    if not hit.multiple or room == 1:
        return 1
    count = halved(await roll(D6, "ST-51", "multiple wounds, D3", hit.model))
    if count > room:
        await note("ST-52", f"{count} wounds, {count - room} of them lost.", hit.model)
    return min(count, room)
