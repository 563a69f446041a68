"""What a procedure may await: the only way in which a rule learns of the world or changes it (I5)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Sequence
from typing import Generic, TypeVar, cast

import msgspec

from server.engine.dice import BEARING, SCATTER, Arrow, Die, F, sided
from server.engine.questions import A, Question
from server.geometry.units import Bearing, degrees
from server.table.facts import Fact

R = TypeVar("R", covariant=True)
T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


class Request(Generic[R]):
    """Something a procedure waits for. Awaiting it gives the reply."""

    def __await__(self) -> Generator[Request[R], object, R]:
        reply = yield self
        return cast(R, reply)  # the interpreter answers each request with its own type


Procedure = Coroutine[Request[object], object, None]
"""A rule in progress. It awaits requests and nothing else."""


class Roll(Request[tuple[F, ...]], msgspec.Struct, Generic[F], frozen=True):
    """Roll `count` dice of a kind, for a stated purpose."""

    die: Die[F]
    count: int
    rule: str
    purpose: str
    refs: tuple[str, ...] = ()


class Ask(Request[A], msgspec.Struct, Generic[A], frozen=True):
    """Ask one seat; `check` refuses an answer, with a sentence, before it is recorded."""

    question: Question[A]
    check: Callable[[A], None] | None = None


class AskAll(Request[tuple[A, ...]], msgspec.Struct, Generic[A], frozen=True):
    """Ask several seats at once; each answer stays sealed until all are in."""

    questions: tuple[Question[A], ...]


class Judge(Request[S], msgspec.Struct, Generic[S], frozen=True):
    """Put a finding of geometry on record, so that it is never computed again for this action (CM-35)."""

    rule: str
    subject: str
    finding: S


class Change(Request[None], msgspec.Struct, frozen=True):
    """Make a fact so."""

    fact: Fact


class Modifier(msgspec.Struct, frozen=True):
    """A number that changes another, and the reason that players may argue with."""

    amount: int
    reason: str


class Note(Request[None], msgspec.Struct, frozen=True):
    """Say something in the log. `outcome` names it for forecasts: how often does this come about?"""

    rule: str
    text: str
    refs: tuple[str, ...] = ()
    outcome: str = ""
    modifiers: tuple[Modifier, ...] = ()


async def roll(die: Die[F], rule: str, purpose: str, *refs: str) -> F:
    """One die."""
    (face,) = await Roll(die, 1, rule, purpose, refs)
    return face


async def rolls(die: Die[F], count: int, rule: str, purpose: str, *refs: str) -> tuple[F, ...]:
    """Several dice of a kind at once; none for a count of 0."""
    return await Roll(die, count, rule, purpose, refs) if count else ()


def ask(question: Question[A], check: Callable[[A], None] | None = None) -> Ask[A]:
    """Ask one seat."""
    return Ask(question, check)


def ask_all(questions: Sequence[Question[A]]) -> AskAll[A]:
    """Ask several seats at once, sealed."""
    return AskAll(tuple(questions))


def judge(rule: str, subject: str, finding: S) -> Judge[S]:
    """Put a finding on record and go on with what was recorded."""
    return Judge(rule, subject, finding)


def change(fact: Fact) -> Change:
    """Make a fact so."""
    return Change(fact)


def note(rule: str, text: str, *refs: str, outcome: str = "", modifiers: Sequence[Modifier] = ()) -> Note:
    """Say something in the log, speaking of `refs`."""
    return Note(rule, text, refs, outcome, tuple(modifiers))


class Scatter(msgspec.Struct, frozen=True):
    """A scatter die as it landed: its face, and where its arrow (on a hit: its little arrow) points (CM-19)."""

    face: Arrow
    bearing: Bearing


async def scatter(rule: str, purpose: str = "scatter") -> Scatter:
    """Roll the scatter die: face first, then the bearing in whole degrees (CM-19)."""
    face = await roll(SCATTER, rule, purpose)
    return Scatter(face, degrees(await roll(BEARING, rule, "scatter bearing")))


async def one_at_random(rule: str, purpose: str, candidates: Sequence[T]) -> T | None:
    """One of the candidates, which stand in id order, by an even roll; one alone needs none (CM-23)."""
    if len(candidates) < 2:
        return next(iter(candidates), None)
    return candidates[await roll(sided(len(candidates)), rule, purpose) - 1]
