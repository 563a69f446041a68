"""Messages of the namespace `/table` (protocol 1). Unknown fields are refused; numbers are integers; texts are bounded.

From the page: `join`, `do`, `answer`, `propose`, `vote`, `mix`, `odds`, `say`, `point`. Each but `point` is
acknowledged with `Done`, or `No` with a reason a player can read (I9).
To the page: `events`, `presence`, `crowd`, `said`, `bye`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from server.engine.events import Motion
from server.engine.forecast import Forecast
from server.engine.refusals import Code
from server.engine.system import Offer
from server.geometry.units import Bearing, Length
from server.table.model import Role, Seat

PROTOCOL = 1

Id = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
Name = Annotated[str, Meta(max_length=64)]
Seq = Annotated[int, Meta(ge=0, le=10**9)]
Coordinate = Annotated[Length, Meta(ge=-20_000_000, le=20_000_000)]
Direction = Annotated[Bearing, Meta(ge=0, lt=36000)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Anything a page may send."""


class Auth(Message, frozen=True):
    """What a page connects with."""

    token: Annotated[str, Meta(min_length=1, max_length=64)]
    protocol: int


class Join(Message, frozen=True):
    """Take part from event `since` + 1 on; None asks for the whole history."""

    since: Seq | None = None


class Do(Message, frozen=True):
    """Start an action. `at` is the last event the sender had seen."""

    id: Id
    action: Name
    at: Seq
    subject: Name = ""
    args: object = None


class Answer(Message, frozen=True):
    """Answer the question asked by event `question`."""

    id: Id
    question: Seq
    value: object


class Propose(Message, frozen=True):
    """Propose a motion."""

    id: Id
    motion: Motion


class Vote(Message, frozen=True):
    """Agree to or decline the motion proposed by event `motion`."""

    id: Id
    motion: Seq
    yes: bool


class Mix(Message, frozen=True):
    """Reveal what this seat mixes into the dice."""

    id: Id
    mix: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class Odds(Message, frozen=True):
    """What would come of an action, or of one option of the pending question."""

    action: Name = ""
    subject: Name = ""
    question: Seq | None = None
    option: object = None


class Say(Message, frozen=True):
    """Chat."""

    id: Id
    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Spot(Message, frozen=True):
    """A place and a facing in a drag."""

    model: Name
    x: Coordinate
    y: Coordinate
    facing: Direction


class Cursor(Message, frozen=True, tag_field="kind", tag="cursor"):
    """Where somebody's pointer is; no place when it left the table."""

    x: Coordinate | None = None
    y: Coordinate | None = None


class Drag(Message, frozen=True, tag_field="kind", tag="drag"):
    """Models in the hand. An empty list lets go of them."""

    spots: Annotated[tuple[Spot, ...], Meta(max_length=400)]


class Ruler(Message, frozen=True, tag_field="kind", tag="ruler"):
    """A ruler being drawn; no points when it is put away."""

    points: Annotated[tuple[tuple[Coordinate, Coordinate], ...], Meta(max_length=16)] = ()


class AimAt(Message, frozen=True, tag_field="kind", tag="aim"):
    """A template held over the table; no place when it is taken away."""

    x: Coordinate | None = None
    y: Coordinate | None = None
    radius: Annotated[Length, Meta(ge=0, le=500_000)] = Length(0)
    hole: Annotated[Length, Meta(ge=0, le=500_000)] = Length(0)


class Ping(Message, frozen=True, tag_field="kind", tag="ping"):
    """Look here."""

    x: Coordinate
    y: Coordinate


Point = Cursor | Drag | Ruler | AimAt | Ping


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why not: a code for the page, a sentence for the player, the rule that forbids it."""

    code: Code
    message: str
    rule: str | None = None
    seq: int | None = None


class No(msgspec.Struct, frozen=True):
    """A refusal. Nothing changed."""

    error: Problem
    ok: Literal[False] = False


class Done(msgspec.Struct, frozen=True):
    """It is done and on disk; `seq` is the game's last event."""

    seq: int
    ok: Literal[True] = True


class Person(msgspec.Struct, frozen=True):
    """Who sits in a seat: kept beside the log (I13)."""

    name: str
    state: Literal["empty", "here", "unsteady", "gone"]
    since: int


class Crowd(msgspec.Struct, frozen=True):
    """Who is here."""

    seats: dict[Seat, Person]
    watching: int


class Standing(msgspec.Struct, frozen=True):
    """What is open besides the table: the questions that wait (by the number of their event), the motion, the offers.

    A question that the viewer may not read is no more than `{kind: "hidden", to, rule, prompt}` with empty texts.
    `frozen` holds a sentence while the game cannot go on by itself (stuck, or closed).
    """

    questions: Mapping[int, object]
    motion: int | None
    offers: tuple[Offer, ...]
    undo: int | None
    frozen: str | None = None


class Foretold(msgspec.Struct, frozen=True):
    """The answer to `odds`."""

    forecast: Forecast
    ok: Literal[True] = True


class Said(msgspec.Struct, frozen=True):
    """A line of chat."""

    number: int
    at: int
    role: Role
    name: str
    text: str


class Joined(msgspec.Struct, frozen=True):
    """The answer to `join`. Without `events` the page fetches the whole history from `history` first."""

    role: Role
    seq: int
    hash: str
    standing: Standing
    crowd: Crowd
    chat: tuple[Said, ...]
    events: list[msgspec.Raw] | None = None
    history: str | None = None
    ok: Literal[True] = True
