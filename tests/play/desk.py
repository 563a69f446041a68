"""The service on a real store, with the toy system and somebody who writes down everything that is sent."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from server.engine.system import AnySystem, Scenario
from server.play.service import Service
from server.store.database import open_database
from server.store.writer import Writer
from server.table.model import Role, Table
from server.wire.http import Claim, Created, Order
from server.wire.messages import Answer, Do, Done, Joined
from tests.engine.toy import TOY, board, skirmish, soldier

CANARY = "canary"
SECRET_TABLE = board(
    soldier("s1", "south", 5, 5),
    soldier("n1", "north", 5, 15),
    soldier(CANARY, "north", 9, 15, seen_by=("north",)),
)
MIX = hashlib.sha256(b"a" * 64).hexdigest()


def toy() -> AnySystem:
    """The toy system with two scenarios, one of which hides a model."""
    tables: dict[str, Table] = {"skirmish": skirmish(), "march": skirmish("move"), "secret": SECRET_TABLE}
    scenarios = tuple(Scenario(key, key.title(), "For tests.", table) for key, table in tables.items())
    return replace(TOY, scenarios=scenarios)


@dataclass
class Sent:
    """One message to the pages of one role."""

    game: str
    role: Role
    event: str
    payload: Any

    @property
    def data(self) -> Any:
        """As the page gets it."""
        return msgspec.json.decode(self.text)

    @property
    def text(self) -> str:
        """As it goes over the line."""
        return msgspec.json.encode(self.payload).decode()


@dataclass
class Recorder:
    """The post that keeps copies."""

    sent: list[Sent] = field(default_factory=list)
    expelled: list[tuple[str, Role, str]] = field(default_factory=list)
    on_send: Callable[[Sent], None] = lambda _sent: None

    def send(self, game: str, role: Role, event: str, payload: object) -> None:
        """Write it down."""
        sent = Sent(game, role, event, payload)
        self.on_send(sent)
        self.sent.append(sent)

    def expel(self, game: str, role: Role, reason: str) -> None:
        """Write it down."""
        self.expelled.append((game, role, reason))

    def to(self, role: Role, event: str) -> list[Sent]:
        """What a role was sent."""
        return [sent for sent in self.sent if sent.role == role and sent.event == event]


class Desk:
    """A service that can be stopped and started again on the same data."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._url = f"sqlite:///{folder / 'games.sqlite'}"
        self.start()

    def start(self) -> None:
        """Open the data and serve."""
        self.post = Recorder()
        self.database = open_database(self._url)
        self.store = Writer(self.database.engine)
        self.service = Service(self.store, {"toy": toy()}, self.post, lambda work: work(), most=50)

    def stop(self) -> None:
        """Let go of the data."""
        self.store.close()
        self.database.close()

    def restart(self) -> None:
        """Stop and start."""
        self.stop()
        self.start()

    def begin(self, scenario: str = "skirmish", **more: Any) -> Created:
        """A battle of both seats on one screen."""
        usual = {"system": "toy", "scenario": scenario, "name": "Ann", "mix": MIX, "hotseat": True}
        return self.service.create(msgspec.convert({**usual, **more}, Order))

    def sit(self, created: Created, role: Role) -> Joined:
        """Join from the beginning."""
        return self.service.join(created.game, role, 0, lambda: self.service.presence.arrive(created.game, role, role))

    def do(self, game: str, role: Role, action: str, args: object = None, **more: Any) -> Done:
        """Start an action."""
        message = Do(**{"id": fresh(), "action": action, "at": self.seq(game), "args": args, **more})
        return self.service.do(game, role, message)

    def answer(self, game: str, role: Role, value: object, **more: Any) -> Done:
        """Answer the first question that waits for this role."""
        with self.service.games.held(game) as hosted:
            question = min(seq for seq, asked in hosted.game.questions.items() if asked.to == role)
        return self.service.answer(game, role, Answer(**{"id": fresh(), "question": question, "value": value, **more}))

    def seq(self, game: str) -> int:
        """The last event of a game."""
        with self.service.games.held(game) as hosted:
            return hosted.game.seq

    def claim(self, created: Created, role: Role, name: str = "Ben", mix: str = MIX) -> None:
        """Sit down."""
        self.service.claim(created.game, role, Claim(name, mix))


def fresh() -> str:
    """An id nobody has used."""
    return secrets.token_hex(8)
