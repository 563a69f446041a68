"""The odds of an action, by driving its own procedure on a scratch copy (CM-32): one code path for preview and truth.

The first dice of each trial are dealt out evenly (every face of a small die equally often, a large one in slices), the
rest follow from the trial's number. So the chances of a shot to hit, scatter or misfire come out exact, the same
question always gets the same answer, and nothing is learnt of the game's own dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from server.engine.actions import plan, revive
from server.engine.dice import Die, Face
from server.engine.drive import drive
from server.engine.events import Answered, Asked, Judged, Logged, Rolled, Unsealed
from server.engine.interpreter import Game
from server.engine.options import CommonOptions
from server.engine.questions import AnyQuestion, Choose, Confirm, Question
from server.engine.refusals import Stale
from server.engine.requests import Ask, AskAll, Change, Judge, Note, Request, Roll
from server.engine.scene import Scene
from server.geometry.units import Length
from server.table.facts import ModelsRemoved, TemplateLaid
from server.table.fold import apply
from server.table.model import ModelId, Seat, Table

TRIALS = 432
"""Six scatter faces, six artillery faces, twelve slices of the compass."""

SLICES = 12
"""Into how many slices a die with more faces than that is dealt."""

WHOLE = 10_000
"""Chances are given in ten-thousandths."""


class Landing(msgspec.Struct, frozen=True, array_like=True):
    """Where a template comes to lie, and with what chance."""

    x: Length
    y: Length
    share: int


class Outcome(msgspec.Struct, frozen=True):
    """Something that may come about, as players call it, and its chance."""

    label: str
    chance: int


class Forecast(msgspec.Struct, frozen=True):
    """What would come of an action. Chances in ten-thousandths, `expected` numbers in thousandths.

    `asks` is the next choice that somebody would have to make, with its options and what bars the others.
    """

    trials: int = 0
    hits: Mapping[ModelId, int] = {}
    lost: Mapping[ModelId, int] = {}
    outcomes: tuple[Outcome, ...] = ()
    landings: tuple[Landing, ...] = ()
    expected: Mapping[str, int] = {}
    asks: AnyQuestion | None = None


@dataclass
class _Trial:
    """What one trial brought about. A template has landed when the umpire judges who is under it."""

    hits: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    outcomes: set[str] = field(default_factory=set)
    landed: tuple[Length, Length] | None = None


class _Asks(Exception):
    """A choice was reached that the trial has no answer to."""

    def __init__(self, question: Question[Any]) -> None:
        super().__init__(question.prompt)
        self.question = question


def of_action(game: Game, seat: Seat, action: str, subject: str) -> Forecast:
    """The first real choice that an action would ask, without starting it. Raises Refused if it may not start."""
    if game.system is None or not game.at_rest:
        return Forecast()
    scratch = _Scratch(game.table, game.options, game.profiles, seat, number=0)
    try:
        drive(plan(game.system, scratch.scene, action, subject, None).procedure, scratch.reply)
    except _Asks as reached:
        return Forecast(asks=reached.question)  # type: ignore[arg-type]  # one of the seven kinds
    return Forecast()


def of_option(game: Game, question: int, option: object, trials: int = TRIALS) -> Forecast:
    """What would come of answering the pending question so. Raises Refused for an answer that is not lawful."""
    asked = game.questions.get(question)
    replay = game.replay()
    if asked is None or replay is None:
        raise Stale("That question is no longer open.")
    asked.read(option)
    started, before, record = replay
    tallies = []
    for number in range(trials):
        scratch = _Scratch(before, game.options, game.profiles, started.by, number, record, option, asked.to)
        assert game.system is not None
        procedure = revive(game.system, scratch.scene, started)
        try:
            drive(procedure, scratch.reply)
        except _Asks as reached:
            return Forecast(asks=reached.question)  # type: ignore[arg-type]  # one of the seven kinds
        finally:
            procedure.close()
        tallies.append(scratch.trial)
    assert game.system is not None
    return _tallied(tallies, game.table, started.by, game.system.outcomes)


class _Scratch:
    """One trial: a copy of the table, the replies so far, the answer on trial, and dice of its own."""

    def __init__(
        self,
        table: Table,
        options: CommonOptions,
        profiles: Mapping[str, Any],
        by: Seat,
        number: int,
        record: list[Logged] | None = None,
        option: object = None,
        to: Seat | None = None,
    ) -> None:
        self.table = table
        self.scene: Scene[Any, Any] = Scene(lambda: self.table, options, profiles, by)
        self.trial = _Trial()
        self._dice = _Dealt(number)
        self._has_rolled = False
        self._lying: tuple[Length, Length] | None = None
        self._record = [logged.event for logged in record or ()]
        self._options = [] if record is None else [option]
        self._to = to

    def reply(self, request: Request[object]) -> object:
        """The recorded reply while there is one, then the answer on trial, then what is assumed."""
        match request:
            case Roll():
                return self._roll(request)
            case Ask():
                return self._answer(request)
            case AskAll():
                return self._sealed_answers(request)
            case Judge():
                self.trial.landed = self._lying
                judged = self._recorded(Judged)
                return msgspec.convert(judged.finding, type(request.finding)) if judged else request.finding
            case Change():
                self._change(request)
            case Note():
                self._note(request)
            case _:
                pass
        return None

    def _roll(self, request: Roll[Any]) -> tuple[Face, ...]:
        self._has_rolled = True
        rolled = self._recorded(Rolled)
        return rolled.faces if rolled else tuple(self._dice.face(request.die) for _ in range(request.count))

    def _recorded(self, kind: type[Any]) -> Any:  # the event of that kind, or None
        while self._record:
            event = self._record.pop(0)
            if isinstance(event, kind):
                return event
        return None

    def _answer(self, request: Ask[Any]) -> object:
        if self._recorded(Asked) and (answered := self._recorded(Answered)):
            return request.question.read(answered.value)
        if self._options:
            answer = request.question.read(self._options.pop())
            if request.check is not None:
                request.check(answer)
            return answer
        return self._assumed(request.question)

    def _sealed_answers(self, request: AskAll[Any]) -> tuple[object, ...]:
        """What was unsealed; while it is sealed, the answer on trial, and nothing learnt of the rival's."""
        if unsealed := self._recorded(Unsealed):
            values = zip(request.questions, unsealed.values, strict=True)
            return tuple(question.read(value) for question, value in values)
        return tuple(self._own_or_assumed(question) for question in request.questions)

    def _own_or_assumed(self, question: Question[Any]) -> object:
        if self._options and question.to == self._to:
            return question.read(self._options.pop())
        return self._assumed(question)

    def _assumed(self, question: Question[Any]) -> object:
        """Yes to going on, the default otherwise; but a choice among things on the table ends a trial without dice."""
        if isinstance(question, Confirm):
            return True
        if isinstance(question, Choose) and not self._has_rolled and any(option.refs for option in question.options):
            raise _Asks(question)
        return question.default()

    def _change(self, request: Change) -> None:
        self.table = apply(self.table, request.fact)
        if isinstance(request.fact, ModelsRemoved):
            self.trial.lost.update(request.fact.models)
        elif isinstance(request.fact, TemplateLaid):
            centre = request.fact.template.centre
            self._lying = (centre.x, centre.y)

    def _note(self, request: Note) -> None:
        if request.outcome == "hit":
            self.trial.hits.update(request.refs)
        elif request.outcome:
            self.trial.outcomes.add(request.outcome)


class _Dealt:
    """Dice for one trial: the first ones dealt out evenly over all trials, the rest mixed from its number."""

    def __init__(self, number: int) -> None:
        self._left = number
        self._room = TRIALS
        self._state = (number * 0x9E3779B97F4A7C15 + 0x1234567) & 0xFFFFFFFFFFFFFFFF

    def face(self, die: Die[Any]) -> Face:
        """The next face."""
        sides = len(die.faces)
        slices = min(sides, SLICES)
        fraction = self._fraction()
        if self._room >= slices:
            self._room //= slices
            self._left, slice_ = divmod(self._left, slices)
            fraction = (slice_ + fraction) / slices
        face: Face = die.faces[min(int(fraction * sides), sides - 1)]
        return face

    def _fraction(self) -> float:
        """A number from 0 to 1, by splitmix64."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return ((mixed ^ (mixed >> 31)) >> 11) / (1 << 53)


def _tallied(trials: list[_Trial], table: Table, by: Seat, told: Mapping[str, str]) -> Forecast:
    count = len(trials)
    hits = Counter(model for trial in trials for model in trial.hits)
    lost = Counter(model for trial in trials for model in trial.lost)
    outcomes = Counter(outcome for trial in trials for outcome in trial.outcomes)
    landed = Counter(trial.landed for trial in trials if trial.landed is not None)
    own = sum(times for model, times in hits.items() if _owner(table, model) == by)
    return Forecast(
        trials=count,
        hits={ModelId(model): times * WHOLE // count for model, times in sorted(hits.items())},
        lost={ModelId(model): times * WHOLE // count for model, times in sorted(lost.items())},
        outcomes=tuple(Outcome(label, outcomes[name] * WHOLE // count) for name, label in told.items()),
        landings=tuple(Landing(x, y, times * WHOLE // count) for (x, y), times in sorted(landed.items())),
        expected={
            "hits": sum(hits.values()) * 1000 // count,
            "lost": sum(lost.values()) * 1000 // count,
            "own_hits": own * 1000 // count,
        },
    )


def _owner(table: Table, model: str) -> Seat | None:
    known = table.models.get(ModelId(model))
    return known.owner if known else None
