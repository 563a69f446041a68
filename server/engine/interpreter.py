"""`Game`: the log, the table that follows from it, and the one procedure that may be open (I3).

Each request of a procedure is answered by doing the thing once and appending an event, or, while a game is loaded, by
reading the event that is already there. Nothing here waits, writes to a disk or tells anybody: the caller takes the
new events, stores them, and only then shows them (I2).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from server.engine import motions
from server.engine.actions import plan, revive
from server.engine.dice import Draws, Face, mix_commitment
from server.engine.drive import drive
from server.engine.events import (
    Abandoned,
    Answered,
    AnyEvent,
    Asked,
    Changed,
    Closed,
    EndGame,
    Failed,
    Finished,
    Judged,
    Logged,
    Mixed,
    Motion,
    Noted,
    Opened,
    OptionSet,
    Proposed,
    ResolveNow,
    Rewound,
    Rolled,
    Seated,
    SetOption,
    Started,
    Undo,
    Unsealed,
    Voted,
    append,
    effective,
)
from server.engine.options import CommonOptions, with_setting
from server.engine.questions import AnyQuestion, Question, must_have_a_default
from server.engine.refusals import Busy, NotYours, Refused, Stale, Stuck
from server.engine.requests import Ask, AskAll, Change, Judge, Note, Procedure, Request, Roll
from server.engine.scene import Scene
from server.engine.system import AnySystem
from server.engine.tape import Misfit, Tape
from server.table.fold import apply
from server.table.model import SEATS, Seat, Table


class Source(Protocol):
    """Where a game's dice come from. It holds the secret seed."""

    def draws(self, mixes: tuple[str, str]) -> Draws:
        """The draws that follow from the seed and both seats' mixes."""
        ...

    def reveal(self) -> str:
        """The seed in hexadecimal, told once the game is closed."""
        ...


class _Waits(Exception):
    """The procedure waits for the players."""


class _Open:
    """A procedure in progress: what started it, what it waits for, and sealed answers that are in."""

    def __init__(self, started: Logged, procedure: Procedure, before: Table) -> None:
        self.started = started
        self.procedure = procedure
        self.before = before
        self.waiting: dict[int, Question[Any]] = {}
        self.check: Callable[[Any], None] | None = None
        self.sealed: dict[int, object] | None = None


class Game:
    """A game as the fold of its log.

    Every method that changes it returns the events it appended, or raises Refused and has changed nothing. `at` is
    the time in UTC milliseconds, `cause` the message that brought it about (kept with the first of its events).
    """

    def __init__(self, system: AnySystem | None, source: Source, log: Sequence[Logged]) -> None:
        self.system = system
        self.source = source
        self.log: list[Logged] = list(log)
        self.failures: list[tuple[str, Exception]] = []
        """Procedures that broke, by reference, for the caller's own log (I10)."""
        self.kept: list[Logged] = []
        """The events in effect."""
        self.table: Table = self.opened.table
        self.options: Any = CommonOptions()
        self.profiles: Mapping[str, Any] = {}
        self.motion: int | None = None
        """The proposal that waits for a vote, by the number of its event."""
        self.stuck: str | None = None
        """Why the open action cannot go on, if it no longer fits its record."""
        self._running: _Open | None = None
        self._no_rules = f"The rules of this game ({self.opened.system}) are not installed here."
        self._drawn = 0
        self._stamp: tuple[int, str | None] = (0, None)
        self._load(goes_on=False)

    @classmethod
    def open(cls, system: AnySystem, source: Source, opened: Opened, at: int) -> Game:
        """A new game with one event in its log."""
        return cls(system, source, [append([], at, opened)])

    # What stands

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return len(self.log) - 1

    @property
    def opened(self) -> Opened:
        """How the game began."""
        first = self.log[0].event
        assert isinstance(first, Opened)
        return first

    @property
    def questions(self) -> Mapping[int, AnyQuestion]:
        """The questions that wait for an answer, by the number of their event."""
        if self._running is None or self.stuck is not None or self.closed:
            return {}
        sealed = self._running.sealed or {}
        return {seq: self._asked_by(seq) for seq in self._running.waiting if seq not in sealed}

    @property
    def acting(self) -> Started | None:
        """The action in progress, if there is one."""
        started = self._running.started.event if self._running is not None else None
        return started if isinstance(started, Started) else None

    @property
    def at_rest(self) -> bool:
        """Whether a new action could begin."""
        idle = self._running is None and self.stuck is None
        return idle and not self.closed and self.system is not None

    @property
    def closed(self) -> bool:
        """Whether the game is over for good."""
        return isinstance(self.log[-1].event, Closed)

    @property
    def seated(self) -> tuple[Seat, ...]:
        """The seats that were ever taken."""
        taken: set[Seat] = set()
        for logged in self.log:
            if isinstance(logged.event, Seated):
                taken.add(logged.event.seat)
                if len(taken) == len(SEATS):
                    break  # as a rule near the beginning of a long log
        return tuple(seat for seat in SEATS if seat in taken)

    @property
    def mixes(self) -> tuple[str, str]:
        """What each seat mixes into the dice: what it revealed before the first roll, else its hash, else nothing."""
        south, north = (self._mixed(seat) for seat in SEATS)
        return south, north

    def scene(self, by: Seat) -> Scene[Any, Any]:
        """What a procedure of that seat may look at."""
        return Scene(lambda: self.table, self.options, self.profiles, by)

    def undoable(self, seat: Seat) -> int | None:
        """The event just before which the seat may go back without asking: its own last action, if that neither
        rolled nor asked."""
        return motions.free_undo(self.kept, seat) if self._running is None and not self.closed else None

    def replay(self) -> tuple[Started, Table, list[Logged]] | None:
        """The open action, the table before it and its recorded replies: what a forecast starts from."""
        if self._running is None or self.stuck is not None or self.acting is None:
            return None
        begun = self._running.started.seq
        return self.acting, self._running.before, [logged for logged in self.kept if logged.seq > begun]

    # Taking part

    def seat(self, seat: Seat, mix: str, *, at: int, cause: str | None = None) -> list[Logged]:
        """A seat is taken; `mix` is the hash of what it will reveal."""
        return self._commit(at, cause, lambda: self._append(Seated(seat, mix)))

    def mix(self, seat: Seat, mix: str, *, at: int, cause: str | None = None) -> list[Logged]:
        """A seat reveals its mix, which must be what it promised, once, before the first die is rolled."""

        def reveal() -> None:
            if self._drawn:
                raise Refused("Dice have been rolled: what goes into them is settled.")
            if mix_commitment(mix) != self._mixed(seat):
                raise Refused("That is not what this seat has promised to mix into the dice.")
            self._append(Mixed(seat, mix))

        return self._commit(at, cause, reveal)

    def do(
        self,
        seat: Seat,
        action: str,
        subject: str = "",
        args: object = None,
        *,
        at: int,
        seen: int | None = None,
        cause: str | None = None,
    ) -> list[Logged]:
        """Start an action. `seen` is the last event its player knew: Stale if the rival acted since and it minds."""

        def start() -> None:
            system = self._free_to_act()
            chosen = plan(system, self.scene(seat), action, subject, args)
            if chosen.minds and self._rival_acted_since(seat, seen):
                chosen.procedure.close()
                raise Stale("The other player has acted in the meantime: look again.")
            logged = self._append(Started(action, seat, system.version, subject, args, chosen.manual))
            self._running = _Open(logged, chosen.procedure, self.table)
            self._run(self._running, Tape(goes_on=True))

        return self._commit(at, cause, start)

    def answer(
        self, seat: Seat, question: int, value: object, *, at: int, cause: str | None = None, timeout: bool = False
    ) -> list[Logged]:
        """Answer the question asked by event `question`; with `timeout` its default is taken instead of `value`."""

        def take() -> None:
            asked = self.questions.get(question)
            if asked is None:
                raise Stale("That question is no longer open.")
            if asked.to != seat:
                raise NotYours("The other player must answer this question.", asked.rule)
            self._take(question, value, timeout=timeout)

        return self._commit(at, cause, take)

    def propose(self, seat: Seat, motion: Motion, *, at: int, cause: str | None = None) -> list[Logged]:
        """Propose something that needs the rival's consent; what needs none happens at once."""

        def put() -> None:
            if self.motion is not None:
                raise Busy("Another proposal waits for an answer.")
            motions.must_be_possible(self, motion)
            if motions.needs_no_consent(self, seat, motion):
                self._carry_out(motion, seat)
            else:
                motions.must_have_waited(self.log, seat, at)
                self._append(Proposed(motion, seat))

        return self._commit(at, cause, put)

    def vote(self, seat: Seat, motion: int, *, yes: bool, at: int, cause: str | None = None) -> list[Logged]:
        """Agree to or decline the motion proposed by event `motion`; its proposer may only withdraw it."""

        def decide() -> None:
            proposed = self.log[motion].event if motion == self.motion else None
            if not isinstance(proposed, Proposed):
                raise Stale("That proposal is no longer open.")
            if proposed.by == seat and yes:
                raise NotYours("The other player must agree.")
            if yes:
                motions.must_be_possible(self, proposed.motion)
            self._append(Voted(seat, yes))
            self.motion = None
            if yes:
                self._carry_out(proposed.motion, proposed.by)

        return self._commit(at, cause, decide)

    # Carrying out

    def _commit(self, at: int, cause: str | None, act: Callable[[], object]) -> list[Logged]:
        """The events that `act` appends; if it raises, the game is as it was before."""
        mark = len(self.log)
        self._stamp = (at, cause)
        try:
            if self.closed:
                raise Refused("The game is over.")
            act()
        except BaseException:
            if len(self.log) > mark:
                del self.log[mark:]
                self._load(goes_on=False)
            raise
        return self.log[mark:]

    def _append(self, event: AnyEvent) -> Logged:
        at, cause = self._stamp
        logged = append(self.log, at, event, cause)
        self._stamp = (at, None)
        self.log.append(logged)
        self.kept.append(logged)
        if isinstance(event, Proposed):
            self.motion = logged.seq
        return logged

    def _carry_out(self, motion: Motion, by: Seat) -> None:
        match motion:
            case Undo():
                self._append(Rewound(motion.to, by))
                self._load(goes_on=True)
            case ResolveNow():
                self._resolve()
            case EndGame():
                self._append(Closed(self.source.reveal(), "The players ended the game."))
            case SetOption():
                self._append(OptionSet(motion.key, motion.value))
                self.options = with_setting(self.options, motion.key, motion.value)

    def _resolve(self) -> None:
        """Take the defaults of the questions that wait; close a procedure that is stuck."""
        if self.stuck is not None:
            self._append(Abandoned())
            self._load(goes_on=False)
        for seq in list(self.questions):
            self._take(seq, None, timeout=True)

    def _free_to_act(self) -> AnySystem:
        """The system, if an action may begin."""
        if self.stuck is not None:
            raise Stuck("The last action no longer fits its record: rewind or close it first.")
        if self.system is None:
            raise Stuck(self._no_rules)
        if self._running is not None:
            raise Busy("A question is open: it must be answered first.")
        if len(self.seated) < len(SEATS):
            raise Busy("The other seat is still empty: send the link, or play both sides here.")
        return self.system

    def _rival_acted_since(self, seat: Seat, seen: int | None) -> bool:
        since = self.log[seen + 1 :] if seen is not None else []
        return any(isinstance(logged.event, Started) and logged.event.by != seat for logged in since)

    # Loading

    def _load(self, *, goes_on: bool) -> None:
        """Fold what is in effect, then run the open procedure again on its record (and further, if it `goes_on`)."""
        self.kept = effective(self.log)
        self._drawn = sum(len(logged.event.faces) for logged in self.log if isinstance(logged.event, Rolled))
        self.motion = _open_motion(self.log)
        self.stuck = None
        self._running = None
        self._settle()
        self.table, begun = self._fold()
        if begun is not None:
            self._rerun(begun, goes_on=goes_on)

    def _settle(self) -> None:
        """The options and profiles in force; without the system nobody reads them.

        A system that cannot read what it once wrote is as good as not installed: the game still loads (I4).
        """
        if self.system is None:
            return
        try:
            self._read_rules(self.system)
        except (msgspec.ValidationError, Refused) as wrong:
            self._no_rules = f"{self.system.name} {self.system.version} cannot read this game any more: {wrong}."
            self.system, self.options, self.profiles = None, CommonOptions(), {}

    def _read_rules(self, system: AnySystem) -> None:
        self.options = msgspec.convert(self.opened.options, system.options)
        self.profiles = {key: msgspec.convert(row, system.profile) for key, row in self.opened.profiles.items()}
        for logged in self.kept:
            if isinstance(logged.event, OptionSet):
                self.options = with_setting(self.options, logged.event.key, logged.event.value)

    def _fold(self) -> tuple[Table, int | None]:
        """The table after all finished work, and where in `kept` an unfinished procedure begins."""
        begun = None
        for place, logged in enumerate(self.kept):
            if isinstance(logged.event, Started):
                begun = place
            elif isinstance(logged.event, Finished | Abandoned):
                begun = None
        table = self.opened.table
        for logged in self.kept[:begun]:
            if isinstance(logged.event, Changed):
                table = apply(table, logged.event.fact)
        return table, begun

    def _rerun(self, begun: int, *, goes_on: bool) -> None:
        logged, record = self.kept[begun], self.kept[begun + 1 :]
        before = self.table
        assert isinstance(logged.event, Started)
        try:
            if self.system is None:
                raise Misfit(self._no_rules)
            procedure = revive(self.system, self.scene(logged.event.by), logged.event)
            self._running = _Open(logged, procedure, before)
            self._run(self._running, Tape(record, goes_on=goes_on))
        except Misfit as misfit:
            self._stick(logged, before, record, str(misfit))

    def _stick(self, started: Logged, before: Table, record: Sequence[Logged], why: str) -> None:
        """The open procedure no longer fits: the table stands as recorded, and the players decide how to go on."""
        action = started.event.action if isinstance(started.event, Started) else ""
        self.stuck = f"The action “{action}” of event {started.seq} no longer fits its record. {why}"
        self.table = before
        for logged in record:
            if isinstance(logged.event, Changed):
                self.table = apply(self.table, logged.event.fact)

    # Driving

    def _run(self, running: _Open, tape: Tape, first: object = None) -> None:
        """Drive the open procedure until it waits, ends or breaks."""
        try:
            drive(running.procedure, lambda request: self._reply(running, request, tape), first)
        except _Waits:
            return
        except Misfit:
            raise
        except Exception as broken:
            if tape or not tape.goes_on:
                raise Misfit(f"The rule now breaks: {broken}") from broken
            if isinstance(broken, Refused) and self._has_only_begun(running):
                raise
            self._fail(running, broken)
        else:
            tape.end()
            self._running = None
            self._append(Finished())

    def _has_only_begun(self, running: _Open) -> bool:
        since = self.log[running.started.seq + 1 :]
        return not any(isinstance(logged.event, Rolled | Asked) for logged in since)

    def _fail(self, running: _Open, broken: Exception) -> None:
        ref = f"{self.opened.game}-{len(self.log)}"
        self.failures.append((ref, broken))
        self._append(Failed(ref, running.started.seq))
        self._load(goes_on=False)

    def _reply(self, running: _Open, request: Request[object], tape: Tape) -> object:
        match request:
            case Roll():
                return self._roll(request, tape)
            case Ask():
                return self._ask(running, request, tape)
            case AskAll():
                return self._ask_all(running, request, tape)
            case Judge():
                return self._judge(request, tape)
            case Change():
                self._change(request, tape)
            case Note():
                if tape.take(Noted) is None:
                    self._append(Noted(request.rule, request.text, request.refs, request.outcome, request.modifiers))
            case _:
                raise TypeError(f"no way to answer {request!r}")
        return None

    def _roll(self, request: Roll[Any], tape: Tape) -> tuple[Face, ...]:
        recorded = tape.take(Rolled)
        if recorded is None:
            number = self._drawn
            draws = self.source.draws(self.mixes)
            faces = tuple(draws.face(number + offset, request.die) for offset in range(request.count))
            self._append(Rolled(number, request.die.name, faces, request.rule, request.purpose, request.refs))
            self._drawn += request.count
            return faces
        seq, rolled = recorded
        if (rolled.die, len(rolled.faces)) != (request.die.name, request.count):
            raise Misfit(
                f"Event {seq} rolled {len(rolled.faces)} {rolled.die}; "
                f"the rule now rolls {request.count} {request.die.name}."
            )
        return rolled.faces

    def _ask(self, running: _Open, request: Ask[Any], tape: Tape) -> object:
        seq = self._asked(request.question, tape, sealed=False)
        if not tape:
            running.waiting, running.check, running.sealed = {seq: request.question}, request.check, None
            raise _Waits
        return self._recorded_answer(request.question, tape, request.check)

    def _ask_all(self, running: _Open, request: AskAll[Any], tape: Tape) -> tuple[object, ...]:
        asked = {self._asked(question, tape, sealed=True): question for question in request.questions}
        running.waiting, running.check, running.sealed = asked, None, {}
        while tape and len(running.sealed) < len(asked):
            recorded = tape.take(Answered)
            assert recorded is not None
            seq = recorded[1].question
            if seq not in asked:
                raise Misfit(f"Event {recorded[0]} answers question {seq}, which the rule does not ask now.")
            running.sealed[seq] = _reread(asked[seq], recorded[1].value, None)
        if len(running.sealed) < len(asked):
            raise _Waits
        return self._unseal(running, tape)

    def _unseal(self, running: _Open, tape: Tape) -> tuple[object, ...]:
        assert running.sealed is not None
        values = tuple(running.sealed[seq] for seq in running.waiting)
        if tape.take(Unsealed) is None:
            self._append(Unsealed(tuple(running.waiting), tuple(msgspec.to_builtins(value) for value in values)))
        running.waiting, running.sealed = {}, None
        return values

    def _asked(self, question: Question[Any], tape: Tape, *, sealed: bool) -> int:
        recorded = tape.take(Asked)
        if recorded is None:
            must_have_a_default(question)
            return self._append(Asked(question, sealed)).seq  # type: ignore[arg-type]  # one of the seven kinds
        seq, asked = recorded
        if (type(asked.question), asked.question.to) != (type(question), question.to):
            raise Misfit(
                f"Event {seq} asked {asked.question.to} a {type(asked.question).__name__}; "
                f"the rule now asks {question.to} a {type(question).__name__}."
            )
        return seq

    def _recorded_answer(self, question: Question[Any], tape: Tape, check: Callable[[Any], None] | None) -> object:
        recorded = tape.take(Answered)
        assert recorded is not None
        return _reread(question, recorded[1].value, None if recorded[1].timeout else check)

    def _take(self, seq: int, value: object, *, timeout: bool) -> None:
        """Record the answer to a waiting question and go on."""
        running = self._running
        assert running is not None
        question = running.waiting[seq]
        answer = question.default() if timeout else question.read(value)
        if running.check is not None and not timeout:
            running.check(answer)
        sealed = running.sealed is not None
        self._append(Answered(seq, msgspec.to_builtins(answer), question.to, timeout, sealed))
        tape = Tape(goes_on=True)
        if running.sealed is None:
            running.waiting = {}
            self._run(running, tape, answer)
            return
        running.sealed[seq] = answer
        if len(running.sealed) == len(running.waiting):
            self._run(running, tape, self._unseal(running, tape))

    def _judge(self, request: Judge[Any], tape: Tape) -> object:
        recorded = tape.take(Judged)
        if recorded is None:
            finding = msgspec.to_builtins(request.finding)
            self._append(Judged(request.rule, request.subject, finding))
            return request.finding
        seq, judged = recorded
        if judged.subject != request.subject:
            raise Misfit(f"Event {seq} judged {judged.subject}; the rule now judges {request.subject}.")
        try:
            return msgspec.convert(judged.finding, type(request.finding))
        except msgspec.ValidationError as wrong:
            raise Misfit(f"The finding of event {seq} cannot be read any more: {wrong}") from wrong

    def _change(self, request: Change, tape: Tape) -> None:
        recorded = tape.take(Changed)
        if recorded is None:
            self.table = apply(self.table, request.fact)
            self._append(Changed(request.fact))  # type: ignore[arg-type]  # one of the known facts
            return
        seq, changed = recorded
        if changed.fact != request.fact:
            raise Misfit(f"Event {seq} changed the table in another way than the rule does now.")
        self.table = apply(self.table, changed.fact)

    # Reading the log

    def _asked_by(self, seq: int) -> AnyQuestion:
        asked = self.log[seq].event
        assert isinstance(asked, Asked)
        return asked.question

    def _mixed(self, seat: Seat) -> str:
        """A seat's mix as it stood when the first die was rolled."""
        mix = ""
        for logged in self.log:
            if isinstance(logged.event, Rolled):
                break
            if isinstance(logged.event, Seated | Mixed) and logged.event.seat == seat:
                mix = logged.event.mix
        return mix


def _open_motion(log: Sequence[Logged]) -> int | None:
    """The motion that waits for a vote: going back in the game does not reopen an old one."""
    for logged in reversed(log):
        if isinstance(logged.event, Proposed):
            return logged.seq
        if isinstance(logged.event, Voted | Rewound | Closed):
            return None
    return None


def _reread(question: Question[Any], value: object, check: Callable[[Any], None] | None) -> object:
    """A recorded answer, which the question must still accept."""
    try:
        answer = question.read(value)
        if check is not None:
            check(answer)
    except Refused as refused:
        raise Misfit(f"A recorded answer under {question.rule} is not lawful any more: {refused.message}") from refused
    return answer
