"""Motions: what needs the other seat's consent, and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from server.engine.events import (
    Answered,
    Asked,
    EndGame,
    Logged,
    Motion,
    Proposed,
    ResolveNow,
    Rolled,
    SetOption,
    Started,
    Undo,
    Voted,
)
from server.engine.options import with_setting
from server.engine.refusals import Busy, Refused
from server.table.model import Seat

if TYPE_CHECKING:
    from server.engine.interpreter import Game

PATIENCE = 2
"""How often a seat may be refused before its next proposal has to wait."""

WAIT = 30_000
"""How much longer (ms) each further refusal makes it wait."""


def free_undo(kept: Sequence[Logged], seat: Seat) -> int | None:
    """The start of the last action in effect, if it was the seat's own, is finished and neither rolled nor asked."""
    for logged in reversed(kept):
        if isinstance(logged.event, Rolled | Asked):
            return None
        if isinstance(logged.event, Started):
            return logged.seq if logged.event.by == seat else None
    return None


def must_be_possible(game: Game, motion: Motion) -> None:
    """Raises Refused for a motion that could not be carried out now."""
    match motion:
        case Undo():
            if not any(logged.seq == motion.to and _can_go_back_to(logged) for logged in game.kept):
                raise Refused("The game cannot go back to there.")
        case ResolveNow():
            if not game.questions and game.stuck is None:
                raise Refused("No question is open.")
        case SetOption():
            if not game.at_rest:
                raise Busy("House options can only change between actions.")
            with_setting(game.options, motion.key, motion.value)
        case EndGame():
            pass


def needs_no_consent(game: Game, seat: Seat, motion: Motion) -> bool:
    """Whether the motion happens at once."""
    match motion:
        case Undo():
            return motion.to == game.undoable(seat)
        case EndGame():
            return game.table.clock.over and game.at_rest
        case _:
            return False


def must_have_waited(log: Sequence[Logged], seat: Seat, at: int) -> None:
    """Raises Refused while a seat that was refused repeatedly has to wait (the longer, the more often)."""
    refused, last = _refusals(log, seat)
    wait = last + WAIT * (refused - PATIENCE + 1) - at
    if refused >= PATIENCE and wait > 0:
        raise Refused(f"The other player has declined {refused} times: ask again in {-(-wait // 1000)} seconds.")


def _refusals(log: Sequence[Logged], seat: Seat) -> tuple[int, int]:
    """How often in a row the rival declined what the seat proposed, and when last."""
    count, last, by = 0, 0, None
    for logged in log:
        if isinstance(logged.event, Proposed):
            by = logged.event.by
        elif isinstance(logged.event, Voted) and by == seat and logged.event.by != seat:
            count, last = (0, 0) if logged.event.yes else (count + 1, logged.at)
    return count, last


def _can_go_back_to(logged: Logged) -> bool:
    return isinstance(logged.event, Started | Rolled | Answered)
