"""Time to answer: a question that outlives its allowance is answered by the server with its default (CM-34, CM-41)."""

from __future__ import annotations

from server.engine.events import Answered
from server.engine.interpreter import Game
from server.play.now import ticks


class Clocks:
    """When each pending question of the games in memory was first seen to wait, on a clock that only goes forward.

    A restart gives the full allowance again: nobody is timed out by a clock that they could not see.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int], float] = {}

    def overdue(self, name: str, game: Game) -> list[int]:
        """The questions of a game whose time has run out."""
        now = ticks()
        open_now = {(name, seq) for seq in game.questions} if not game.closed else set()
        for key in [key for key in self._waiting if key[0] == name and key not in open_now]:
            del self._waiting[key]
        for key in open_now:
            self._waiting.setdefault(key, now)
        allowed = game.options.answer_within
        if not allowed or game.options.on_timeout == "pause_game":
            return []
        late = {seq for seq in game.questions if now - self._waiting[name, seq] >= allowed}
        return sorted(late | _forfeited(game))

    def forget(self, kept: set[str]) -> None:
        """Drop what belongs to games that are no longer in memory."""
        for key in [key for key in self._waiting if key[0] not in kept]:
            del self._waiting[key]


def _forfeited(game: Game) -> set[int]:
    """With `forfeit_choice`: the questions of a seat that has let a choice of this action lapse already."""
    replay = game.replay()
    if game.options.on_timeout != "forfeit_choice" or replay is None:
        return set()
    record = replay[2]
    lapsed = {logged.event.by for logged in record if isinstance(logged.event, Answered) and logged.event.timeout}
    return {seq for seq, question in game.questions.items() if question.to in lapsed}
