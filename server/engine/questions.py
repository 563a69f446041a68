"""The seven kinds of question in which rules and page meet (I11).

A question says who is asked, under which rule, and carries its limits as data, so that the page can draw them and the
server can check an answer without asking the rule. `read` turns what came over the wire into the typed answer or
raises Refused with a sentence for the player.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec

from server.engine.refusals import Refused
from server.geometry.units import Bearing, Length, Point, Pose
from server.table.model import Seat, Template

A = TypeVar("A", covariant=True)
T = TypeVar("T", bound=str)


class Option(msgspec.Struct, Generic[T], frozen=True):
    """One lawful choice: what it is called, what it would cause, and the things on the table it lights up."""

    id: T
    label: str
    note: str = ""
    refs: tuple[str, ...] = ()


class Barred(msgspec.Struct, frozen=True):
    """Something that may not be chosen, and why: the page dims it and says so on hover."""

    id: str
    rule: str
    why: str


class Reach(msgspec.Struct, frozen=True):
    """A range band and arc to draw: from `origin`, between `least` and `most`, `arc` wide about `facing`."""

    origin: Point
    least: Length
    most: Length
    facing: Bearing
    arc: Bearing


class Disc(msgspec.Struct, frozen=True):
    """A round template in the hand: its radius and the radius of its central hole."""

    radius: Length
    hole: Length


class Question(msgspec.Struct, Generic[A], frozen=True, kw_only=True, tag_field="kind", tag=str.lower):
    """What a rule asks of one seat. `seen_by` names who may read it; None means everybody."""

    rule: str
    to: Seat
    prompt: str
    refs: tuple[str, ...] = ()
    seen_by: tuple[Seat, ...] | None = None

    def read(self, value: object) -> A:
        """The typed answer in `value`, or Refused."""
        raise NotImplementedError

    def default(self) -> A:
        """What is taken when nobody answers in time (CM-34, CM-41)."""
        raise NotImplementedError


class Confirm(Question[bool], frozen=True, kw_only=True):
    """Yes or no. On a timeout `otherwise` is taken: no before the first die of a shot, yes after it (CM-41).

    `shows` is a template as it would lie after a yes.
    """

    yes: str = "Yes"
    no: str = "No"
    otherwise: bool = False
    shows: Template | None = None

    def read(self, value: object) -> bool:
        return _as(bool, value, "Answer yes or no.")

    def default(self) -> bool:
        return self.otherwise


class Choose(Question[T], Generic[T], frozen=True, kw_only=True):
    """One of the options. `barred` says of others why not; `reach` is drawn while choosing.

    `preview`, where given, is a template that the page shows over whichever option is looked at.
    """

    options: tuple[Option[T], ...]
    barred: tuple[Barred, ...] = ()
    reach: Reach | None = None
    preview: Disc | None = None

    def read(self, value: object) -> T:
        chosen = _as(str, value, "Choose one of the options.")
        for option in self.options:
            if option.id == chosen:
                return option.id
        for barred in self.barred:
            if barred.id == chosen:
                raise Refused(barred.why, barred.rule)
        raise Refused("That is not one of the choices.", self.rule)

    def default(self) -> T:
        return min(option.id for option in self.options)


class ChooseSome(Question[tuple[T, ...]], Generic[T], frozen=True, kw_only=True):
    """Between `least` and `most` of the options, each once."""

    options: tuple[Option[T], ...]
    least: int
    most: int

    def read(self, value: object) -> tuple[T, ...]:
        chosen = _as(tuple[str, ...], value, "Choose some of the options.")
        known = {str(option.id): option.id for option in self.options}
        if len(set(chosen)) != len(chosen) or not known.keys() >= set(chosen):
            raise Refused("That is not a choice of different options.", self.rule)
        if not self.least <= len(chosen) <= self.most:
            raise Refused(f"Choose {_between(self.least, self.most)}.", self.rule)
        return tuple(known[key] for key in sorted(chosen))

    def default(self) -> tuple[T, ...]:
        return tuple(sorted(option.id for option in self.options)[: self.least])


class Region(msgspec.Struct, frozen=True):
    """Where a point may be placed: inside this outline (a ring of corners)."""

    outline: tuple[Point, ...]


class Place(Question[Point], frozen=True, kw_only=True):
    """A point on the table inside `region`, for a template `shape` or for nothing but the point.

    `suggested` is the first lawful point that the rule names, and what a timeout takes (CM-41). Whether a point is
    lawful beyond the region is for the rule's `check` to say.
    """

    region: Region
    suggested: Point
    shape: Disc | None = None
    reach: Reach | None = None

    def read(self, value: object) -> Point:
        return _as(Point, value, "Point at a place on the table.")

    def default(self) -> Point:
        return self.suggested


class Aim(Question[Bearing], frozen=True, kw_only=True):
    """A direction from `origin`, at most half of `arc` away from its facing."""

    origin: Pose
    arc: Bearing
    length: Length

    def read(self, value: object) -> Bearing:
        bearing = Bearing(_as(int, value, "Point in a direction."))
        if not 0 <= bearing < 36000:
            raise Refused("A direction lies between 0 and 360 degrees.", self.rule)
        off = abs((bearing - self.origin.facing + 18000) % 36000 - 18000)
        if 2 * off > self.arc:
            raise Refused(
                f"That is {off / 100:.1f} degrees off the facing; the arc is {self.arc / 200:.1f} to a side.", self.rule
            )
        return bearing

    def default(self) -> Bearing:
        return self.origin.facing


class Allocate(Question[Mapping[str, int]], frozen=True, kw_only=True):
    """Share `total` among the options, none above its cap."""

    options: tuple[Option[str], ...]
    total: int
    caps: Mapping[str, int]

    def read(self, value: object) -> Mapping[str, int]:
        shares = _as(dict[str, int], value, "Share the number among the options.")
        if any(key not in self.caps or not 0 <= share <= self.caps[key] for key, share in shares.items()):
            raise Refused("One of the shares is more than that option can take.", self.rule)
        if sum(shares.values()) != self.total:
            raise Refused(f"The shares make {sum(shares.values())}; they must make {self.total}.", self.rule)
        return {key: shares[key] for key in sorted(shares) if shares[key]}

    def default(self) -> Mapping[str, int]:
        shares: dict[str, int] = {}
        left = self.total
        for key in sorted(self.caps):
            shares[key] = min(left, self.caps[key])
            left -= shares[key]
        return {key: share for key, share in shares.items() if share}


class Guess(Question[int], frozen=True, kw_only=True):
    """A whole number between `least` and `most`, in `unit`."""

    least: int
    most: int
    unit: str

    def read(self, value: object) -> int:
        guess = _as(int, value, "Name a whole number.")
        if not self.least <= guess <= self.most:
            raise Refused(f"Name a number between {self.least} and {self.most} {self.unit}.", self.rule)
        return guess

    def default(self) -> int:
        return self.least


AnyQuestion = Confirm | Choose[str] | ChooseSome[str] | Place | Aim | Allocate | Guess


def must_have_a_default(question: Question[Any]) -> None:
    """Raises ValueError for a question that time could never answer: its rule has a fault."""
    try:
        question.read(msgspec.to_builtins(question.default()))
    except (Refused, ValueError) as wrong:
        raise ValueError(f"{question.prompt!r} ({question.rule}) has no lawful default") from wrong


V = TypeVar("V")


def _as(kind: type[V], value: object, otherwise: str) -> V:
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as wrong:
        raise Refused(otherwise) from wrong


def _between(least: int, most: int) -> str:
    return f"exactly {least}" if least == most else f"between {least} and {most}"
