"""Games of the toy system for tests: begun, played on, stored and loaded, and refused without a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
import pytest

from server.engine.contract import KnownSeed, seated
from server.engine.events import AnyEvent, Changed, Event, Logged, Motion, Rolled
from server.engine.interpreter import Game
from server.engine.questions import AnyQuestion
from server.engine.refusals import Refused
from server.engine.requests import Procedure
from server.engine.system import Action, AnySystem, Candidates
from server.table.digest import digest
from server.table.facts import AnyFact
from server.table.model import ModelId, Seat, Table, rival_of
from tests.engine.toy import TOY, ToyScene, skirmish

E = TypeVar("E", bound=Event)

Rule = Callable[[ToyScene, ModelId], Procedure]


def all_own(scene: ToyScene) -> Candidates:
    """Every model of the acting side."""
    return Candidates(tuple(key for key, model in sorted(scene.table.models.items()) if model.owner == scene.by))


def with_rule(rule: Rule, version: str = "1") -> AnySystem:
    """The toy system with one action, `act`, that runs `rule`."""
    act = Action("act", "Act", ("TOY-1",), ("fight",), all_own, rule)
    return replace(TOY, actions=(act,), version=version)


def toy_game(table: Table | None = None) -> Game:
    """A game of the toy system with both seats taken, in the fight phase of south."""
    return seated(TOY, table or skirmish())


def acted(rule: Rule, table: Table | None = None) -> Game:
    """A game in which south's s1 has started `rule`."""
    game = seated(with_rule(rule), table or skirmish())
    game.do("south", "act", "s1", at=10)
    return game


def stored(log: list[Logged]) -> list[Logged]:
    """A log as it comes back from the store."""
    return msgspec.json.decode(msgspec.json.encode(log), type=list[Logged])


def loaded(game: Game, system: AnySystem | None) -> Game:
    """The game loaded from its stored log, under these rules."""
    return Game(system, KnownSeed(), stored(game.log))


def pending(game: Game) -> tuple[int, AnyQuestion]:
    """The one question that waits."""
    ((seq, question),) = game.questions.items()
    return seq, question


def reply(game: Game, value: object, at: int = 20) -> list[Logged]:
    """Answer the one question that waits, by the seat that was asked."""
    seq, question = pending(game)
    return game.answer(question.to, seq, value, at=at)


def let_time_run_out(game: Game) -> None:
    """Answer everything that waits with its default until the action is over."""
    while game.questions:
        seq, question = next(iter(game.questions.items()))
        game.answer(question.to, seq, None, timeout=True, at=30)


def duel(game: Game, model: str = "s1", seat: Seat = "south") -> None:
    """A whole duel: yes to fighting, low bids."""
    game.do(seat, "duel", model, at=10)
    reply(game, "n1" if seat == "south" else "s1")
    reply(game, True)
    let_time_run_out(game)


def agree(game: Game, seat: Seat, motion: Motion, at: int = 50) -> list[Logged]:
    """`seat` proposes, its rival agrees."""
    game.propose(seat, motion, at=at)
    assert game.motion is not None, "the motion was carried out without being asked about"
    return game.vote(rival_of(seat), game.motion, yes=True, at=at)


def put_down(game: Game, seat: Seat = "south", name: str = "flag", at: int = 10) -> list[Logged]:
    """The seat puts down a marker: an action that neither rolls nor asks."""
    marker = {"id": name, "by": seat, "kind": "flag", "points": [{"x": 10_000, "y": 10_000}]}
    return game.do(seat, "mark", args={"marker": marker}, at=at)


def kinds(game: Game) -> list[str]:
    """The kinds of all events."""
    return [type(logged.event).__name__ for logged in game.log]


def events(game: Game, kind: type[E]) -> list[E]:
    """The events of a kind, undone ones too."""
    return [logged.event for logged in game.log if isinstance(logged.event, kind)]


def numbers(game: Game, kind: type[AnyEvent]) -> list[int]:
    """Where the events of a kind stand in the log."""
    return [logged.seq for logged in game.log if isinstance(logged.event, kind)]


def facts(game: Game) -> list[AnyFact]:
    """What is in effect of what became so."""
    return [logged.event.fact for logged in game.kept if isinstance(logged.event, Changed)]


def dice(game: Game) -> list[int]:
    """The number of every die that was rolled."""
    return [rolled.number + place for rolled in events(game, Rolled) for place in range(len(rolled.faces))]


State = tuple[list[str], str, Mapping[int, Any], int | None, str | None, Any]


def state(game: Game) -> State:
    """All that a player could notice of a game."""
    return (
        [logged.hash for logged in game.log],
        digest(game.table),
        dict(game.questions),
        game.motion,
        game.stuck,
        game.options,
    )


@contextmanager
def refused(game: Game, kind: type[Refused] = Refused, match: str | None = None) -> Iterator[None]:
    """What is done inside must be refused in just that way, and leave the game as it was."""
    before = state(game)
    with pytest.raises(Refused, match=match) as refusal:
        yield
    assert type(refusal.value) is kind, f"{refusal.value.code}: {refusal.value.message}"
    assert refusal.value.message.endswith("."), refusal.value.message
    assert state(game) == before
