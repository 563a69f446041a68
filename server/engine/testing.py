"""Testing rules like an umpire: a stage with a table, and scripts of dice and answers that must be used up exactly.

    stage = scene(SYSTEM, table)
    done = stage.play(fire(stage, gun), asked("ST-13").answer("direct"), rolled(SCATTER, HIT), ...)
    assert gun not in done.table.models

Real dice are never a fallback: an unexpected request, a face the die has not, a wrong addressee or a leftover line
fails, with the transcript and what came next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from server.engine.dice import Die, Face
from server.engine.drive import drive
from server.engine.options import with_setting
from server.engine.questions import Choose, ChooseSome, Question, must_have_a_default
from server.engine.refusals import Refused
from server.engine.requests import Ask, AskAll, Change, Judge, Note, Procedure, Request, Roll
from server.engine.scene import Scene
from server.engine.system import AnySystem
from server.table.facts import Fact
from server.table.fold import apply
from server.table.model import Seat, Table


class OffScript(AssertionError):
    """The procedure and the script went different ways."""


@dataclass(frozen=True)
class Rolled:
    """A line of script: these dice are rolled and show these faces."""

    die: Die[Any]
    faces: tuple[Face, ...]


@dataclass(frozen=True)
class Answers:
    """A line of script: a question under this rule is asked, of this seat if named, and answered so."""

    rule: str
    value: object
    to: Seat | None = None
    refused: tuple[object, ...] = ()


@dataclass(frozen=True)
class asked:  # noqa: N801  reads as a line of script
    """`asked("ST-14", to="south").refusing("x").answer("y")`."""

    rule: str
    to: Seat | None = None
    refused: tuple[object, ...] = ()

    def refusing(self, *values: object) -> asked:
        """Answers that must be refused before the one that is taken."""
        return asked(self.rule, self.to, values)

    def answer(self, value: object) -> Answers:
        """The answer as it comes over the wire."""
        return Answers(self.rule, value, self.to, self.refused)


def rolled(die: Die[Any], *faces: Face) -> Rolled:
    """A line of script for one roll of one or more dice of a kind."""
    return Rolled(die, faces)


Line = Rolled | Answers


@dataclass
class Done:
    """What a played procedure left behind."""

    table: Table
    requests: list[Request[object]] = field(default_factory=list)

    @property
    def notes(self) -> list[Note]:
        """What was said, in order."""
        return [request for request in self.requests if isinstance(request, Note)]

    @property
    def facts(self) -> list[Fact]:
        """What became so, in order."""
        return [request.fact for request in self.requests if isinstance(request, Change)]

    @property
    def findings(self) -> list[Judge[Any]]:
        """What was judged, in order."""
        return [request for request in self.requests if isinstance(request, Judge)]

    @property
    def questions(self) -> list[Question[Any]]:
        """What was asked, in order."""
        return [request.question for request in self.requests if isinstance(request, Ask)]

    def noted(self, rule: str) -> list[Note]:
        """What was said under a rule."""
        return [note for note in self.notes if note.rule == rule]

    def outcomes(self, outcome: str) -> list[str]:
        """The things that notes with this outcome speak of."""
        return [ref for note in self.notes if note.outcome == outcome for ref in note.refs]


class Stage(Scene[Any, Any]):
    """A scene whose table the test owns."""

    def __init__(self, system: AnySystem, table: Table, options: Any, profiles: Mapping[str, Any], by: Seat) -> None:
        super().__init__(lambda: self.now, options, profiles, by)
        self.system = system
        self._lies = [table]

    @property
    def now(self) -> Table:
        """The table as it is now, the same for both seats' scenes."""
        return self._lies[-1]

    def acting(self, by: Seat) -> Stage:
        """The same table with the other seat acting: what happens on one stage is seen on the other."""
        other = Stage(self.system, self.now, self.options, self.profiles, by)
        other._lies = self._lies
        return other

    def change(self, *facts: Fact) -> Stage:
        """The stage after some facts, for setting the scene."""
        for fact in facts:
            self.happens(fact)
        return self

    def happens(self, fact: Fact) -> None:
        """The fact becomes so."""
        self._lies[:] = [apply(self.now, fact)]

    def play(self, procedure: Procedure, *script: Line) -> Done:
        """Play a procedure by the script, which must be used up exactly."""
        prompter = _Prompter(self, list(script))
        try:
            drive(procedure, prompter.reply)
        finally:
            procedure.close()
        if prompter.script:
            raise OffScript(f"left over: {prompter.script}\n{prompter.transcript()}")
        return Done(self.now, prompter.heard)


def scene(
    system: AnySystem, table: Table, by: Seat = "south", profiles: Mapping[str, Any] | None = None, **options: Any
) -> Stage:
    """A stage for a system: the given table, house options by key, the system's profiles and more."""
    chosen = system.options()
    for key, value in options.items():
        chosen = with_setting(chosen, key, value)
    return Stage(system, table, chosen, {**system.profiles, **(profiles or {})}, by)


class _Prompter:
    """Replies to a procedure from a script."""

    def __init__(self, stage: Stage, script: list[Line]) -> None:
        self.stage = stage
        self.script = script
        self.heard: list[Request[object]] = []

    def reply(self, request: Request[object]) -> object:
        self.heard.append(request)
        match request:
            case Roll():
                return self._faces(request)
            case Ask():
                return self._answer(request.question, request)
            case AskAll():
                return tuple(self._answer(question, request) for question in request.questions)
            case Judge():
                return msgspec.convert(msgspec.to_builtins(request.finding), type(request.finding))
            case Change():
                self.stage.happens(request.fact)
            case _:
                pass
        return None

    def _faces(self, request: Roll[Any]) -> tuple[Face, ...]:
        line = self._line(request)
        if not isinstance(line, Rolled) or line.die != request.die or len(line.faces) != request.count:
            raise OffScript(f"script has {line}, but came {self._said(request)}\n{self.transcript()}")
        if not set(line.faces) <= set(line.die.faces):
            raise OffScript(f"{line.die.name} has no face {line.faces}")
        return line.faces

    def _answer(self, question: Question[Any], request: Request[object]) -> object:
        must_have_a_default(question)
        line = self._line(request)
        if not isinstance(line, Answers) or line.rule != question.rule or line.to not in (None, question.to):
            raise OffScript(f"script has {line}, but came {self._said(request)}\n{self.transcript()}")
        check = request.check if isinstance(request, Ask) else None
        for wrong in line.refused:
            self._must_refuse(question, check, wrong)
        return self._read(question, check, line.value)

    def _read(self, question: Question[Any], check: Any, value: object) -> object:
        answer = question.read(msgspec.to_builtins(value))
        if check is not None:
            check(answer)
        return answer

    def _must_refuse(self, question: Question[Any], check: Any, value: object) -> None:
        try:
            self._read(question, check, value)
        except Refused:
            return
        raise OffScript(f"{value!r} was taken as an answer to {question.prompt!r}")

    def _line(self, request: Request[object]) -> Line:
        if not self.script:
            raise OffScript(f"the script has ended, but came {self._said(request)}\n{self.transcript()}")
        return self.script.pop(0)

    def transcript(self) -> str:
        """What was heard so far, a line each."""
        return "\n".join(f"  {self._said(request)}" for request in self.heard)

    def _said(self, request: Request[object]) -> str:
        match request:
            case Roll():
                return f"roll {request.count} {request.die.name} ({request.rule}, {request.purpose})"
            case Ask():
                return _said_question(request.question)
            case AskAll():
                return " and ".join(_said_question(question) for question in request.questions)
            case Note():
                return f"note {request.rule} {request.text}"
            case _:
                return f"{request}"


def _said_question(question: Question[Any]) -> str:
    said = f"ask {question.to} {question.rule} {question.prompt!r}"
    if isinstance(question, Choose | ChooseSome):
        said += f" of {[option.id for option in question.options]}"
    return said
