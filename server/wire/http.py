"""What travels over HTTP, and the two pushed messages that hold events already encoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from server.engine.options import Choice, Setting
from server.engine.system import Phase, StatusKind
from server.geometry.units import Length
from server.table.model import Role, Seat
from server.wire.messages import Message, Standing

MixHash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Typed = Annotated[str, Meta(max_length=200)]
"""What a person typed; `play.people` makes it fit to be shown."""


class Order(Message, frozen=True):
    """A battle to begin."""

    system: Annotated[str, Meta(max_length=64)]
    scenario: Annotated[str, Meta(max_length=64)]
    name: Typed
    mix: MixHash
    title: Typed = ""
    options: Mapping[str, Setting] = {}
    side: Seat = "south"
    hotseat: bool = False
    armies: Mapping[Seat, Sequence[object]] = {}
    profiles: Mapping[str, object] = {}
    watchable: bool = False


class Created(msgspec.Struct, frozen=True):
    """The new battle and all its links. `codes` are QR codes of the links: rows of 0 and 1."""

    game: str
    seats: Mapping[Seat, str]
    watch: str
    codes: Mapping[Role, tuple[str, ...]] = {}


class Claim(Message, frozen=True):
    """Somebody sits down."""

    name: Typed
    mix: MixHash


class Claimed(msgspec.Struct, frozen=True):
    """The seat is theirs."""

    seat: Seat


class Nothing(Message, frozen=True):
    """A request without content."""


class Link(msgspec.Struct, frozen=True):
    """A new link, and its QR code."""

    token: str
    code: tuple[str, ...] = ()


class Shown(msgspec.Struct, frozen=True):
    """A battle that anybody may watch."""

    game: str
    title: str
    system: str
    round: int
    people: tuple[str, ...]
    watching: int
    watch: str


class ScenarioCard(msgspec.Struct, frozen=True):
    """A scenario as the lobby shows it."""

    id: str
    name: str
    summary: str
    models: int
    width: Length
    depth: Length


class SystemCard(msgspec.Struct, frozen=True):
    """A rule system as lobby and page know it."""

    id: str
    name: str
    summary: str
    version: str
    scenarios: tuple[ScenarioCard, ...]
    options: tuple[Choice, ...]
    phases: tuple[Phase, ...]
    actions: Mapping[str, str]
    """What each action is called."""
    statuses: tuple[StatusKind, ...]
    cards: Mapping[str, tuple[tuple[str, str], ...]]
    profiles: tuple[str, ...]
    rules: Mapping[str, str]


class History(msgspec.Struct, frozen=True):
    """The whole log as one viewer may see it."""

    seq: int
    hash: str
    events: list[msgspec.Raw]


class Pushed(msgspec.Struct, frozen=True):
    """New events, the hash of the table after them, and what is open now."""

    first: int
    events: list[msgspec.Raw]
    hash: str
    standing: Standing


class Trouble(msgspec.Struct, frozen=True):
    """Why a request was refused."""

    code: str
    message: str


class Refusal(msgspec.Struct, frozen=True):
    """The body of every HTTP answer that is not a success."""

    error: Trouble
