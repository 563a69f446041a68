"""An army list as every importer hands it over."""

from __future__ import annotations

import msgspec

LARGEST_FILE = 2_000_000  # bytes
MOST_UNITS = 200
MOST_MODELS_OF_UNIT = 200
MOST_WARNINGS = 50
NAME_LENGTH = 60
NOTES_LENGTH = 500
MOST_GEAR = 24


class ImportRefused(Exception):
    """A file that is no army list we can read. The text is a sentence for the player."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ListedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a list. `key` is the builder's own name for its kind; `points` is None where the list does not say.

    `category` is the list's heading in lower case, as "characters" or "rare". `hints` are words about whose it is.
    """

    key: str
    name: str
    count: int = 1
    category: str = ""
    gear: tuple[str, ...] = ()
    notes: str = ""
    points: int | None = None
    hints: tuple[str, ...] = ()


class ArmyList(msgspec.Struct, frozen=True, kw_only=True):
    """A whole list, self-contained: nothing of it is ever fetched again. `warnings` are lines for the player.

    `army` is what the list says of whose army it is, as far as it does.
    """

    title: str
    game: str = ""
    army: str = ""
    units: tuple[ListedUnit, ...]
    warnings: tuple[str, ...] = ()

    @property
    def models(self) -> int:
        """The sum of all units' models."""
        return sum(unit.count for unit in self.units)


class Warnings:
    """The lines that an importer gathers for the player: what was wrong, and what was made of it."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        """One more line, unless there are too many to read, or it was said before."""
        if line not in self._lines:
            self._lines.append(line)

    def lines(self) -> tuple[str, ...]:
        """All lines, the end of a long list left off."""
        kept, rest = self._lines[:MOST_WARNINGS], len(self._lines) - MOST_WARNINGS
        return (*kept, f"There are {rest} more warnings.") if rest > 0 else tuple(kept)


def count_of(number: int, name: str, warnings: Warnings) -> int:
    """A number of models within what a unit may have."""
    if 1 <= number <= MOST_MODELS_OF_UNIT:
        return number
    kept = max(1, min(number, MOST_MODELS_OF_UNIT))
    warnings.add(f"{name}: a unit has 1 to {MOST_MODELS_OF_UNIT} models; {kept} was taken.")
    return kept
