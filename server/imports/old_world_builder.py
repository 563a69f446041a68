"""Lists of Old World Builder: `.owb.json`, and `.owb.lists.json` with many of them (FORMATS section 5).

Every field may be missing or of a wrong type: what cannot be read costs a warning, never the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from server.engine.names import BRACE_TAG, clean, slug, untagged, words
from server.imports.army import (
    MOST_GEAR,
    MOST_UNITS,
    NAME_LENGTH,
    NOTES_LENGTH,
    ArmyList,
    ImportRefused,
    ListedUnit,
    Warnings,
    count_of,
)

CATEGORIES = ("characters", "lords", "heroes", "core", "special", "rare", "mercenaries", "allies")
CHOICES = ("equipment", "armor", "options", "mounts", "command")
ON_FOOT = "On foot"

Record = Mapping[str, object]


def read(data: bytes) -> ArmyList:
    """Read one list; of a file with several, the first that has units."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as wrong:
        raise ImportRefused("This file is not readable JSON; export the list again.") from wrong
    warnings = Warnings()
    return _army(_chosen(found, warnings), warnings)


def _chosen(found: object, warnings: Warnings) -> Record:
    if isinstance(found, dict):
        return found
    lists = [one for one in found if isinstance(one, dict) and _has_units(one)] if isinstance(found, list) else []
    if not lists:
        raise ImportRefused("There is no army list in this file.")
    if len(lists) > 1:
        name = _text(lists[0], "name", NAME_LENGTH) or "the first"
        warnings.add(f"The file holds {len(lists)} lists; only {name} was read.")
    return lists[0]


def _has_units(record: Record) -> bool:
    return any(isinstance(record.get(category), list) and record[category] for category in CATEGORIES)


def _army(record: Record, warnings: Warnings) -> ArmyList:
    game, army = _text(record, "game", NAME_LENGTH), _text(record, "army", NAME_LENGTH)
    if "roster" in record:
        raise ImportRefused("This is a New Recruit roster; export it as text and paste that.")
    if not _has_units(record):
        raise ImportRefused("There is no army list in this file, or it has no units.")
    if not game and not army:
        raise ImportRefused("This is a catalogue of units, not an army list.")
    units: list[ListedUnit] = []
    for category, number, entry in _entries(record, warnings):
        if len(units) >= MOST_UNITS:
            warnings.add(f"Only the first {MOST_UNITS} units were read.")
            break
        units += _unit(entry, category, f"{category} {number}", words(army), warnings)
    if not units:
        raise ImportRefused("No unit of this list can be read.")
    title = _text(record, "name", NAME_LENGTH)
    return ArmyList(title=title, game=game, army=army, units=tuple(units[:MOST_UNITS]), warnings=warnings.lines())


def _entries(record: Record, warnings: Warnings) -> Iterator[tuple[str, int, Record]]:
    for category in CATEGORIES:
        entries = record.get(category)
        if entries is not None and not isinstance(entries, list):
            warnings.add(f"The {category} cannot be read and were left out.")
        for number, entry in enumerate(entries if isinstance(entries, list) else (), 1):
            if isinstance(entry, dict):
                yield category, number, entry
            else:
                warnings.add(f"Entry {number} of the {category} cannot be read and was left out.")


def _unit(entry: Record, category: str, place: str, hints: tuple[str, ...], warnings: Warnings) -> list[ListedUnit]:
    """The unit, and its detachments as units of their own, so that no model is lost."""
    detachments = [(f"{place}, detachment {i}", one) for i, one in enumerate(_records(entry, "detachments"), 1)]
    read = [_one_unit(one, category, where, hints, warnings) for where, one in [(place, entry), *detachments]]
    return [unit for unit in read if unit is not None]


def _one_unit(
    entry: Record, category: str, place: str, hints: tuple[str, ...], warnings: Warnings
) -> ListedUnit | None:
    raw = _name(entry)
    key = _key(entry)
    name = clean(untagged(raw), NAME_LENGTH) or clean(key.replace("-", " ").capitalize(), NAME_LENGTH)
    if not name:
        warnings.add(f"Entry {place} has no name and was left out.")
        return None
    if not raw:
        warnings.add(f"Entry {place} has no name; it was called {name}.")
    count = _count(entry, name, warnings)
    return ListedUnit(
        key=key or slug(name, NAME_LENGTH),
        name=name,
        count=count,
        category=category,
        gear=_gear(entry, name, warnings),
        notes=_notes(entry),
        points=_points(entry, count),
        hints=(*hints, *(word for tag in BRACE_TAG.findall(raw[:200]) for word in words(tag))),
    )


def _count(entry: Record, name: str, warnings: Warnings) -> int:
    """Models in the unit: `strength`, 1 where there is none. Characters are single models."""
    strength = entry.get("strength", 1)
    if isinstance(strength, str) and strength.isascii() and strength.isdigit() and len(strength) < 10:
        strength = int(strength)
    if isinstance(strength, float) and strength.is_integer():
        strength = int(strength)
    if isinstance(strength, bool) or not isinstance(strength, int):
        warnings.add(f"{name}: the number of models cannot be read; 1 was taken.")
        return 1
    return count_of(strength, name, warnings)


def _gear(entry: Record, name: str, warnings: Warnings) -> tuple[str, ...]:
    """What the unit has chosen, one thing each: nothing it could have had, nothing of other units."""
    gear: list[str] = []
    for kind in CHOICES:
        if entry.get(kind) is not None and not isinstance(entry[kind], list):
            warnings.add(f"{name}: the {kind} cannot be read.")
        for choice in _records(entry, kind):
            if choice.get("active") is True and _name(choice) != ON_FOOT:
                gear += _split(_name(choice))
    for shelf in _records(entry, "items"):
        gear += [clean(untagged(_name(item)), NAME_LENGTH) for item in _records(shelf, "selected")]
    found = tuple(dict.fromkeys(thing for thing in gear if thing))
    if len(found) > MOST_GEAR:
        warnings.add(f"{name}: only the first {MOST_GEAR} pieces of gear were kept.")
    return found[:MOST_GEAR]


def _split(text: str) -> list[str]:
    return [clean(part, NAME_LENGTH) for part in untagged(text).split(",")]


def _notes(entry: Record) -> str:
    parts = [_localized(entry.get("specialRules")), _localized(entry.get("notes")), _text(entry, "customNote", 200)]
    return clean("; ".join(untagged(part) for part in parts if part), NOTES_LENGTH)


def _points(entry: Record, count: int) -> int | None:
    """What the unit costs with all it has chosen; None when any of it is unknown (WANTS 144)."""
    total = _cost(entry)
    total = None if total is None else total * count
    for kind in CHOICES:
        for choice in _records(entry, kind):
            if choice.get("active") is True:
                total = _sum(total, _cost(choice), count if choice.get("perModel") is True else 1)
    for shelf in _records(entry, "items"):
        for item in _records(shelf, "selected"):
            total = _sum(total, _cost(item), 1)
    return total


def _sum(total: int | None, cost: int | None, times: int) -> int | None:
    return None if total is None or cost is None else total + times * cost


def _cost(entry: Record) -> int | None:
    points = entry.get("points")
    if isinstance(points, bool) or not isinstance(points, int) or not -10_000 <= points <= 10_000:
        return None
    return points


def _key(entry: Record) -> str:
    """The id without what the builder adds behind the dot to tell copies apart."""
    name = entry.get("id")
    return clean(name[:200].partition(".")[0], NAME_LENGTH) if isinstance(name, str) else ""


def _name(entry: Record) -> str:
    """The name as the file has it: English, else the first language there is."""
    for key in ("customName", "name_en", "name"):
        if isinstance(name := entry.get(key), str) and clean(name, NAME_LENGTH):
            return name
    return next((name for key, name in entry.items() if key.startswith("name_") and isinstance(name, str)), "")


def _localized(value: object) -> str:
    return _name(value) if isinstance(value, dict) else ""


def _text(record: Record, key: str, most: int) -> str:
    value = record.get(key)
    return clean(value, most) if isinstance(value, str) else ""


def _records(entry: Record, key: str) -> list[Record]:
    """The objects of a list, all else left out."""
    value = entry.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
