"""What a game's log holds: a struct per kind of event, the chain of hashes, and what stays in effect after rewinds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from server.engine.dice import Face
from server.engine.questions import AnyQuestion
from server.engine.requests import Modifier
from server.table.facts import AnyFact
from server.table.model import Seat, Table


class Event(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower):
    """Anything that a log can hold."""


class Opened(Event, frozen=True):
    """The game begins: system, house options, the profiles in use and the table as it is laid out.

    `commitment` binds the server to its secret seed before anybody else has chosen anything (RELIABILITY 4.5).
    """

    game: str
    system: str
    version: str
    title: str
    options: object
    profiles: Mapping[str, object]
    table: Table
    commitment: str


class Seated(Event, frozen=True):
    """A seat is taken (or taken over by a new link); `mix` is the hash of what the seat mixes into the dice."""

    seat: Seat
    mix: str


class Mixed(Event, frozen=True):
    """A seat reveals its mix. From the first roll on, what is revealed (or else its hash) stays."""

    seat: Seat
    mix: str


class Started(Event, frozen=True):
    """A procedure begins. `manual` marks free play, which no rule has judged."""

    action: str
    by: Seat
    rules: str
    subject: str = ""
    args: object = None
    manual: bool = False


class Rolled(Event, frozen=True):
    """Dice showed `faces`. `number` is the first one's number in this game; they are counted without gaps (I7)."""

    number: int
    die: str
    faces: tuple[Face, ...]
    rule: str
    purpose: str
    refs: tuple[str, ...] = ()


class Asked(Event, frozen=True):
    """A seat was asked. The number of this event is the question's id."""

    question: AnyQuestion
    sealed: bool = False


class Answered(Event, frozen=True):
    """A seat answered, or its time ran out (`timeout`). While sealed only the answering seat may read `value`."""

    question: int
    value: object
    by: Seat
    timeout: bool = False
    sealed: bool = False


class Unsealed(Event, frozen=True):
    """Sealed answers are shown, in the order of their questions."""

    questions: tuple[int, ...]
    values: tuple[object, ...]


class Judged(Event, frozen=True):
    """What geometry found, kept as data (CM-35)."""

    rule: str
    subject: str
    finding: object


class Changed(Event, frozen=True):
    """A fact became so."""

    fact: AnyFact


class Noted(Event, frozen=True):
    """The umpire says something."""

    rule: str
    text: str
    refs: tuple[str, ...] = ()
    outcome: str = ""
    modifiers: tuple[Modifier, ...] = ()


class Finished(Event, frozen=True):
    """The open procedure is done."""


class Failed(Event, frozen=True):
    """The open procedure broke. The table is as it was before `to`; `ref` finds the trace in the server's log (I10)."""

    ref: str
    to: int


class Abandoned(Event, frozen=True):
    """A procedure that no longer fits its recorded replies was closed; what it had done so far stands."""


class Undo(msgspec.Struct, frozen=True, tag_field="motion", tag="undo"):
    """Go back to just before event `to`."""

    to: int


class ResolveNow(msgspec.Struct, frozen=True, tag_field="motion", tag="resolve"):
    """Answer the pending question with its default."""


class EndGame(msgspec.Struct, frozen=True, tag_field="motion", tag="end"):
    """Close the game and reveal the seed of its dice."""


class SetOption(msgspec.Struct, frozen=True, tag_field="motion", tag="option"):
    """Play on with another house option; only between actions."""

    key: str
    value: int | str | bool


Motion = Undo | ResolveNow | EndGame | SetOption


class Proposed(Event, frozen=True):
    """A seat proposes something that needs the other's consent."""

    motion: Motion
    by: Seat


class Voted(Event, frozen=True):
    """The other seat agrees or declines; a no by the proposer withdraws the motion."""

    by: Seat
    yes: bool


class Rewound(Event, frozen=True):
    """The game stands where it stood just before event `to`. What lies between stays in the log, struck through."""

    to: int
    by: Seat


class OptionSet(Event, frozen=True):
    """A house option changed by consent."""

    key: str
    value: int | str | bool


class Closed(Event, frozen=True):
    """The game is over; `seed` (hexadecimal) lets anybody check every die."""

    seed: str
    reason: str


AnyEvent = (
    Opened
    | Seated
    | Mixed
    | Started
    | Rolled
    | Asked
    | Answered
    | Unsealed
    | Judged
    | Changed
    | Noted
    | Finished
    | Failed
    | Abandoned
    | Proposed
    | Voted
    | Rewound
    | OptionSet
    | Closed
)


class Logged(msgspec.Struct, frozen=True):
    """An event in its place: its number from 0 without gaps, when (UTC ms), what caused it, and the chain's hash."""

    seq: int
    at: int
    event: AnyEvent
    cause: str | None = None
    hash: str = ""


_canonical = msgspec.json.Encoder(order="sorted")


def chained(before: str, seq: int, at: int, event: Event, cause: str | None) -> str:
    """The hash of an event that follows one with hash `before` (I14)."""
    return hashlib.sha256(before.encode() + b"|" + _canonical.encode((seq, at, cause, event))).hexdigest()


def append(log: Sequence[Logged], at: int, event: AnyEvent, cause: str | None = None) -> Logged:
    """`event` as the next one of `log`."""
    seq = len(log)
    before = log[-1].hash if log else ""
    return Logged(seq, at, event, cause, chained(before, seq, at, event, cause))


def broken_link(log: Iterable[Logged]) -> int | None:
    """The first event whose number or hash does not follow from the one before it, or None."""
    before = ""
    for place, logged in enumerate(log):
        wanted = chained(before, place, logged.at, logged.event, logged.cause)
        if logged.seq != place or logged.hash != wanted:
            return place
        before = logged.hash
    return None


def effective(log: Iterable[Logged]) -> list[Logged]:
    """The events that still count: what was rewound or failed is cut out, with the event that cut it."""
    kept: list[Logged] = []
    for logged in log:
        if isinstance(logged.event, Rewound | Failed):
            kept = [earlier for earlier in kept if earlier.seq < logged.event.to or _is_beside(earlier)]
        else:
            kept.append(logged)
    return kept


def _is_beside(logged: Logged) -> bool:
    """Whether an event stands beside the play, so that going back in the game leaves it alone."""
    return isinstance(logged.event, Seated | Mixed | OptionSet)
