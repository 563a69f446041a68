"""What every rule system is held to, whoever wrote it: random lawful play, with the invariants checked after each step.

`Contract(system, choose)` needs only a way to choose (hypothesis in our tests, anything else in yours):

    contract = Contract(SYSTEM, scenario, choose)
    for _ in range(30):
        contract.step()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from server.engine import actions
from server.engine.audience import Viewer, view_table
from server.engine.dice import FairDraws, commitment, mix_commitment
from server.engine.events import (
    Changed,
    Logged,
    Opened,
    Rolled,
    Started,
    Undo,
    broken_link,
    effective,
)
from server.engine.interpreter import Game
from server.engine.questions import (
    Aim,
    Allocate,
    AnyQuestion,
    Choose,
    ChooseSome,
    Confirm,
    Guess,
    Place,
    Question,
)
from server.engine.refusals import Refused
from server.engine.system import AnySystem
from server.geometry.units import Length, Pose
from server.table.digest import digest
from server.table.fold import fold
from server.table.model import ROLES, SEATS, Seat, Table, rival_of

T = TypeVar("T")


class Chooser(Protocol):
    """Picks one of some things, which are never none."""

    def __call__(self, things: Sequence[T]) -> T: ...


class Broken(AssertionError):
    """The system broke the contract."""


class KnownSeed:
    """A source of fair dice whose seed is known: for tests, benches and demonstrations."""

    def __init__(self, game: str = "contract", seed: bytes = b"contract") -> None:
        self._game = game
        self._seed = seed

    def draws(self, mixes: tuple[str, str]) -> FairDraws:
        """The draws of this seed."""
        return FairDraws(self._game, self._seed, mixes)

    def reveal(self) -> str:
        """The seed."""
        return self._seed.hex()


def opening(system: AnySystem, table: Table, options: Any = None, game: str = "contract") -> Opened:
    """The first event of a game of that system on that table."""
    chosen = system.options() if options is None else options
    table = replace(table, clock=replace(table.clock, rounds=chosen.rounds))
    return Opened(
        game=game,
        system=system.id,
        version=system.version,
        title=system.name,
        options=msgspec.to_builtins(chosen),
        profiles={key: msgspec.to_builtins(profile) for key, profile in system.profiles.items()},
        table=table,
        commitment=commitment(game, b"contract"),
    )


def seated(system: AnySystem, table: Table, options: Any = None) -> Game:
    """A game with both seats taken and their mixes revealed."""
    game = Game.open(system, KnownSeed(), opening(system, table, options), at=0)
    for seat in SEATS:
        mix = seat.encode().hex().ljust(64, "0")
        game.seat(seat, mix_commitment(mix), at=1)
        game.mix(seat, mix, at=2)
    return game


class Contract:
    """One game of random lawful play."""

    def __init__(self, system: AnySystem, table: Table, choose: Chooser, options: Any = None) -> None:
        self.system = system
        self.choose = choose
        self.game = seated(system, table, options)
        self.viewers = {role: Viewer(role) for role in ROLES}
        self.streams: dict[str, list[dict[str, object]]] = {role: [] for role in ROLES}
        self.at = 10
        self._heard()
        must_cite_known_rules(system)

    def step(self) -> None:
        """Do something lawful, and check everything."""
        self.at += 1
        if self.game.questions:
            self._answer()
        elif self.choose((True, False, False, False, False)):
            self._undo()
        else:
            self._act()
        self._heard()
        self.check()

    def _answer(self) -> None:
        seq, question = self.choose(sorted(self.game.questions.items()))
        self._nobody_else_may_answer(seq, question)
        for _ in range(20):
            try:
                self.game.answer(question.to, seq, example(question, self.choose), at=self.at)
            except Refused:
                continue
            return
        self.game.answer(question.to, seq, None, timeout=True, at=self.at)

    def _nobody_else_may_answer(self, seq: int, question: AnyQuestion) -> None:
        try:
            self.game.answer(rival_of(question.to), seq, example(question, self.choose), at=self.at)
        except Refused:
            return
        raise Broken(f"{rival_of(question.to)} answered what {question.to} was asked")

    def _undo(self) -> None:
        places = [logged for logged in self.game.kept if isinstance(logged.event, Started)]
        if not places:
            return self._act()
        to = self.choose(places).seq
        seat = self.choose(SEATS)
        free = self.game.undoable(seat) == to
        self.game.propose(seat, Undo(to), at=self.at * 1_000_000)
        if not free:
            assert self.game.motion is not None
            self.game.vote(rival_of(seat), self.game.motion, yes=True, at=self.at * 1_000_000)
        wanted = self._table_before(to)
        if digest(wanted) != digest(self.game.table):
            raise Broken(f"going back to {to} gave another table")
        return None

    def _table_before(self, to: int) -> Table:
        events = effective(self.game.log[:to])
        return fold(self.game.opened.table, [log.event.fact for log in events if isinstance(log.event, Changed)])

    def _act(self) -> None:
        seat = self.game.table.clock.turn
        offers = actions.offers(self.system, self.game.scene(seat))
        due = [offer for offer in offers if offer.models and not offer.manual and offer.action != "move"]
        kinds: list[Callable[[], object]] = [lambda: self._pass(seat), lambda: self._move(seat), lambda: self._roll()]
        kinds += [lambda: self._start(seat, due)] * (4 if due else 0)
        self.choose(kinds)()

    def _start(self, seat: Seat, due: Sequence[Any]) -> None:
        offer = self.choose(due)
        model = self.choose(offer.models)
        try:
            self.game.do(rival_of(seat), offer.action, model, at=self.at)
        except Refused:
            self.game.do(seat, offer.action, model, at=self.at)
            return
        raise Broken(f"{rival_of(seat)} acted in the turn of {seat}")

    def _pass(self, seat: Seat) -> None:
        if not self.game.table.clock.over:
            self.game.do(seat, "pass", at=self.at)

    def _roll(self) -> None:
        self.game.do(self.choose(SEATS), "free_roll", args={"sides": 6, "count": 2}, at=self.at)

    def _move(self, seat: Seat) -> None:
        own = [model for model in self.game.table.models.values() if model.owner == seat]
        if not own:
            return
        model = self.choose(sorted(own, key=lambda known: known.id))
        step = Length(self.choose((-9000, 0, 7000)))
        pose = Pose(Length(model.pose.x + step), model.pose.y, model.pose.facing, model.pose.z)
        args = {"moves": [{"model": model.id, "pose": msgspec.to_builtins(pose)}]}
        try:
            self.game.do(seat, self.choose(("move", "free_move")), args=args, at=self.at)
        except Refused:
            return

    def _heard(self) -> None:
        for role, viewer in self.viewers.items():
            heard = len(self.streams[role])
            self.streams[role] += viewer.read(self.game.log[heard:])

    # What must hold

    def check(self) -> None:
        """Raise Broken unless all invariants hold."""
        log = self.game.log
        if self.game.failures:
            raise Broken(f"a rule broke: {self.game.failures[-1][1]!r}") from self.game.failures[-1][1]
        if (place := broken_link(log)) is not None:
            raise Broken(f"event {place} does not follow from the one before")
        must_number_every_die(log)
        self._must_reload()
        self._must_follow_from_its_facts()
        for role in ROLES:
            self._must_be_dense(role)

    def _must_reload(self) -> None:
        stored = msgspec.json.decode(msgspec.json.encode(self.game.log), type=list[Logged])
        again = Game(self.system, KnownSeed(), stored)
        if again.stuck is not None:
            raise Broken(again.stuck)
        if digest(again.table) != digest(self.game.table) or again.questions.keys() != self.game.questions.keys():
            raise Broken("the stored log gives another game")

    def _must_follow_from_its_facts(self) -> None:
        facts = [logged.event.fact for logged in effective(self.game.log) if isinstance(logged.event, Changed)]
        if digest(fold(self.game.opened.table, facts)) != digest(self.game.table):
            raise Broken("the table is not the fold of its facts")

    def _must_be_dense(self, role: Any) -> None:
        stream = self.streams[role]
        if [event["seq"] for event in stream] != list(range(len(self.game.log))):
            raise Broken(f"the stream of {role} has gaps")
        hidden = self.game.table.models.keys() - view_table(self.game.table, role).models.keys()
        said = msgspec.json.encode(stream).decode()
        if any(f'"{model}"' in said for model in hidden):
            raise Broken(f"the stream of {role} names a hidden model")


def example(question: Question[Any], choose: Chooser) -> object:
    """An answer to a question as it comes over the wire; a rule's own check may still refuse it."""
    match question:
        case Confirm():
            return choose((True, True, False))
        case Choose():
            return choose(question.options).id
        case ChooseSome():
            count = choose(range(question.least, question.most + 1))
            return [option.id for option in _some(question.options, count, choose)]
        case Place():
            return msgspec.to_builtins(choose((question.suggested, *question.region.outline)))
        case Aim():
            return (question.origin.facing + choose((-question.arc // 2, 0, question.arc // 2))) % 36000
        case Allocate():
            return dict(question.default())
        case Guess():
            return choose((question.least, question.most))
        case _:
            raise TypeError(f"no example for {question!r}")


def _some(things: Sequence[T], count: int, choose: Chooser) -> list[T]:
    left = list(things)
    return [left.pop(choose(range(len(left)))) for _ in range(count)]


def must_number_every_die(log: Sequence[Logged]) -> None:
    """Raise Broken unless the dice are counted without gaps (I7)."""
    number = 0
    for logged in log:
        if isinstance(logged.event, Rolled):
            if logged.event.number != number:
                raise Broken(f"event {logged.seq} rolls die {logged.event.number}, not {number}")
            number += len(logged.event.faces)


def must_cite_known_rules(system: AnySystem) -> None:
    """Raise Broken unless each action cites rules that the system knows."""
    for action in system.actions:
        unknown = [rule for rule in action.rules if rule not in system.rules]
        if unknown or not action.rules:
            raise Broken(f"action {action.name} cites {unknown or 'no rule'}")
