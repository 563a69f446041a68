"""Pasted lists (FORMATS section 9): one unit a line, in the manner of the common builders.

20 Dwarf Warriors [180 pts]        Old World Builder; gear follows in lines that begin with a dash
Mortar [100pts]: Crew, Halberd     BattleScribe and New Recruit, under headings "++ Army ++" and "+ Core +"
Dwarf Warriors, 20, Infantry, ...  one line a unit; the size may be a word, as Regiment
20x Goblins     Goblins x20        by hand
"""

from __future__ import annotations

import re

import msgspec
from msgspec.structs import replace

from server.engine.names import clean, slug, untagged
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

LINE_LENGTH = 400
MOST_LINES = 2_000

HEADING = re.compile(r"(\+{1,3})\s*([^+].*?)\s*\+{1,3}")
RULE = re.compile(r"[=\-_*~+]{3,}")
BULLET = re.compile(r"(?:[-*•·.>]+\s+|[-•·](?=\w))")
POINTS = re.compile(r"[\[(]([^\[\]()]*?)(-?\d{1,6})\s*(?:pts?|points)\b\.?[^\[\]()]*[\])]", re.IGNORECASE)
COUNT_BEFORE = re.compile(r"(\d{1,6})\s*[x×]?\s+(?=\S)|(\d{1,6})[x×](?=\S)", re.IGNORECASE)
COUNT_BEHIND = re.compile(r"\s[x×]\s?(\d{1,6})$|\s\((\d{1,6})\)$", re.IGNORECASE)
SIZE = re.compile(r"(?:([A-Za-z]+)\s*)?(?:\(?(\d{1,6})\)?)?")
SIGNED = re.compile(r"(?:created|generated|made|exported)\s+(?:with|by|on)\b|\[?https?://", re.IGNORECASE)

SIZES = {
    "troop": {"infantry": 10, "cavalry": 5, "large": 3},
    "regiment": {"infantry": 20, "cavalry": 10, "large": 3},
    "horde": {"infantry": 40, "cavalry": 20, "large": 6},
    "legion": {"infantry": 60, "cavalry": 40, "large": 12},
}
"""How many models a size in words has, by type."""

SINGLE = frozenset({"individual", "monster", "titan", "engine", "hero", "1"})


class _Line(msgspec.Struct, frozen=True):
    """A line that tells of a unit: what stands on it. `marked` when it has a count, points or a size."""

    unit: ListedUnit
    marked: bool


class _Reader:
    """One pass over the lines of a list."""

    def __init__(self, has_sections: bool) -> None:
        self.warnings = Warnings()
        self.units: list[ListedUnit] = []
        self.title = ""
        self.game = ""
        self._category = ""
        self._has_sections = has_sections
        self._frames = 0

    def line(self, text: str) -> None:
        """Take in one line."""
        bare = text.strip()
        if RULE.fullmatch(bare):
            self._frames += bare.startswith("=")
        elif heading := HEADING.fullmatch(bare):
            self._heading(heading[1], clean(POINTS.sub(" ", heading[2]), NAME_LENGTH))
        elif self._frames == 1 and not self.units:
            self._front_page(bare)
        elif bullet := BULLET.match(bare):
            self._gear(bare[bullet.end() :])
        elif not SIGNED.match(bare):
            self._unit(bare)

    def _heading(self, pluses: str, name: str) -> None:
        if self._has_sections and len(pluses) > 1:
            self.title = self.title or name
        else:
            self._category = name.lower().removesuffix(" units")

    def _front_page(self, text: str) -> None:
        name = clean(POINTS.sub(" ", text), NAME_LENGTH)
        if not self.title:
            self.title = name
        elif not self.game:
            self.game = name

    def _gear(self, text: str) -> None:
        if not self.units:
            self.warnings.add(f"Not understood: {clean(text, NAME_LENGTH)}")
            return
        unit = self.units[-1]
        things = _things(text.partition(":")[2] or text) if self._has_sections else _things(text)
        self.units[-1] = replace(unit, gear=tuple(dict.fromkeys((*unit.gear, *things)))[:MOST_GEAR])

    def _unit(self, text: str) -> None:
        found = _read_unit(text, self._category, self.warnings)
        if found is None or not found.marked:
            self.warnings.add(f"Not understood: {clean(text, NAME_LENGTH)}")
        elif len(self.units) >= MOST_UNITS:
            self.warnings.add(f"Only the first {MOST_UNITS} units were read.")
        else:
            self.units.append(found.unit)


def read(text: str) -> ArmyList:
    """Read a pasted list; ImportRefused when no line of it is a unit."""
    lines = [line[:LINE_LENGTH] for line in text.splitlines() if line.strip()]
    reader = _Reader(any(re.fullmatch(r"\s*\+\s+[^+]+\+\s*", line) for line in lines[:MOST_LINES]))
    if len(lines) > MOST_LINES:
        reader.warnings.add(f"Only the first {MOST_LINES} lines were read.")
    for line in lines[:MOST_LINES]:
        reader.line(line)
    if not reader.units:
        raise ImportRefused("No unit was recognised; write one a line, as “20 Dwarf Warriors”.")
    return ArmyList(
        title=reader.title,
        game=reader.game,
        army=f"{reader.title} {reader.game}".strip(),
        units=tuple(reader.units),
        warnings=reader.warnings.lines(),
    )


def _read_unit(text: str, category: str, warnings: Warnings) -> _Line | None:
    points = POINTS.search(text)
    head, tail = (text[: points.start()], text[points.end() :]) if points else _parted(text)
    number, head = _counted(head.strip())
    if points is None and number is None and "," in text:
        return _in_columns(text, category, warnings)
    name = clean(untagged(head).strip(" :,-"), NAME_LENGTH)
    if not any(char.isalpha() for char in name):
        return None
    unit = ListedUnit(
        key=slug(name, NAME_LENGTH),
        name=name,
        count=count_of(1 if number is None else number, name, warnings),
        category=category,
        gear=_things(tail.strip(" :,")),
        points=int(points[2]) if points else None,
    )
    return _Line(unit, marked=points is not None or number is not None)


def _parted(text: str) -> tuple[str, str]:
    head, _, tail = text.partition(":")
    return head, tail


def _counted(text: str) -> tuple[int | None, str]:
    """The number of models before or behind a name, and the name."""
    if before := COUNT_BEFORE.match(text):
        return int(before[1] or before[2]), text[before.end() :]
    if "," not in text and (behind := COUNT_BEHIND.search(text)):  # "Rule (2)" in columns is no count
        return int(behind[1] or behind[2]), text[: behind.start()]
    return None, text


def _in_columns(text: str, category: str, warnings: Warnings) -> _Line | None:
    """ "Name, Size, Type, Rule (n), ...": the size is a number, a word, or both."""
    name, size, *rest = (clean(untagged(part), NAME_LENGTH) for part in text.split(","))
    parts = SIZE.fullmatch(size)
    if not any(char.isalpha() for char in name) or parts is None:
        return None
    number = int(parts[2]) if parts[2] else _usual(name, (parts[1] or "").lower(), rest, warnings)
    if number is None:
        return None
    unit = ListedUnit(
        key=slug(name, NAME_LENGTH),
        name=name,
        count=count_of(number, name, warnings),
        category=category or (rest[0].lower() if rest else ""),
        notes=clean(", ".join(rest), NOTES_LENGTH),
    )
    return _Line(unit, marked=True)


def _usual(name: str, size: str, rest: list[str], warnings: Warnings) -> int | None:
    """How many models a size in words usually has."""
    kind = rest[0].lower() if rest else ""
    if size in SINGLE or any(word in kind for word in SINGLE):
        return 1
    if size not in SIZES:
        return None
    by = "large" if "large" in kind or "monstrous" in kind else "cavalry" if "cavalry" in kind else "infantry"
    warnings.add(f"{name}: a {size} was taken as {SIZES[size][by]} models.")
    return SIZES[size][by]


def _things(text: str) -> tuple[str, ...]:
    parts = (clean(POINTS.sub(" ", untagged(part)), NAME_LENGTH) for part in re.split(r"[,;]", text))
    return tuple(dict.fromkeys(part for part in parts if part))[:MOST_GEAR]
