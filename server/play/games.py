"""The games in memory: one lock and one `Game` each, loaded from the log on demand, forgotten when nobody is there.

Memory is a cache of the log. Under the lock of its game, and in this order: catch up, decide, append in one
transaction, publish, acknowledge (I2). If appending fails the cached game is thrown away, so that what was decided but
not written is nowhere; if somebody else wrote first, it is loaded anew and decided again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import msgspec

from server.engine.audience import Viewer, view_table
from server.engine.events import Closed, Logged
from server.engine.interpreter import Game
from server.engine.refusals import Refused, Unknown
from server.engine.system import AnySystem
from server.play.now import ticks
from server.play.seats import WRONG_LINK
from server.play.seeds import Secret
from server.store import events
from server.store import games as rows
from server.store.writer import Connection, Job, StorageFailed, Taken, Writer
from server.table.digest import Digester
from server.table.model import ROLES, Role

_log = logging.getLogger("linstock.play")

MOST_EVENTS = 50_000
NOT_WRITTEN = "The server cannot write to its disk just now. Nothing has changed; try again soon."
T = TypeVar("T")
Decision = Callable[[Game], list[Logged]]


class Unwritten(Refused):
    """It could not be written down, so it did not happen."""

    code = "storage"


class Hosted:
    """A game in memory. Whoever reads or changes it must hold its lock."""

    def __init__(self, row: rows.GameRow, game: Game) -> None:
        self.row = row
        self.game = game
        self.viewers = {role: Viewer(role) for role in ROLES}
        self.views: dict[Role, list[msgspec.Raw]] = {role: [] for role in ROLES}
        """Each event as each role may see it, encoded once for everybody who looks."""
        self._digester = Digester()
        self.answers: dict[str, int] = {}
        """The last event that each message led to."""
        self._answered_by(game.log)

    def note(self, new: Sequence[Logged]) -> None:
        """Remember what led to these events."""
        self._answered_by(new)

    def seen(self, role: Role, since: int = 0) -> list[msgspec.Raw]:
        """The events from `since` on as a role may see them, ready to be sent."""
        views = self.views[role]
        for logged in self.game.log[len(views) :]:
            views.append(self._shared(logged.seq, msgspec.Raw(msgspec.json.encode(self.viewers[role].see(logged)))))
        return views[since:]

    def table_hash(self, role: Role) -> str:
        """The hash of the table that a role sees."""
        return self._digester.digest(view_table(self.game.table, role))

    def _shared(self, seq: int, seen: msgspec.Raw) -> msgspec.Raw:
        """What another role sees, where it is the same: a whole table is large."""
        others = (views[seq] for views in self.views.values() if len(views) > seq)
        return next((other for other in others if other == seen), seen)

    def _answered_by(self, log: Sequence[Logged]) -> None:
        cause = None
        for logged in log:
            cause = logged.cause or cause
            if cause is not None:
                self.answers[cause] = logged.seq


class _Place:
    """Where a game stands in memory, if it does."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.hosted: Hosted | None = None
        self.touched = ticks()


class Games:
    """All games, each behind its lock."""

    def __init__(self, store: Writer, systems: Mapping[str, AnySystem]) -> None:
        self._store = store
        self._systems = systems
        self._places: dict[str, _Place] = {}
        self._guard = threading.Lock()
        self._has_failed = False

    def keep(self, job: Job[T]) -> T:
        """Do `job` in the store. Raises Unwritten when nothing could be written."""
        try:
            kept = self._store.run(job)
        except StorageFailed as failed:
            self._has_failed = True
            _log.error("storage failed: %s", failed.__cause__)
            raise Unwritten(NOT_WRITTEN) from failed
        return kept

    def is_writable(self) -> bool:
        """Whether what happens can be written down: tried for real once a write has failed."""
        if self._has_failed:
            try:
                self.keep(rows.rewrite)
            except Unwritten:
                return False
            self._has_failed = False
        return True

    @contextmanager
    def held(self, game: str) -> Iterator[Hosted]:
        """The game, while nobody else may look at it or change it. Raises Unknown."""
        while True:
            place = self._place(game)
            with place.lock:
                if self._places.get(game) is not place:
                    continue  # it was forgotten while we waited
                place.touched = ticks()
                hosted = place.hosted or self._load(game)
                place.hosted = hosted
                yield hosted
                return

    def add(self, row: rows.GameRow, game: Game) -> None:
        """Keep a game that was just written down in memory: somebody will join it in a moment."""
        place = self._place(row.id)
        with place.lock:
            place.hosted = Hosted(row, game)
            place.touched = ticks()

    def commit(self, game: str, cause: str, decide: Decision, publish: Callable[[Hosted, list[Logged]], None]) -> int:
        """Decide, append, publish; the number of the last event. A message that came before gets its first answer."""
        for _ in range(3):
            with self.held(game) as hosted:
                if cause in hosted.answers:
                    return hosted.answers[cause]
                if len(hosted.game.log) >= MOST_EVENTS:
                    raise Refused("This battle has grown as long as one can. Begin another.")
                new = self._decided(hosted, decide)
                try:
                    self.keep(partial(_append, game=game, new=new))
                except Taken:
                    self._forget(game)
                    continue
                except BaseException:
                    self._forget(game)
                    raise
                hosted.note(new)
                publish(hosted, new)
                return hosted.game.seq
        raise Unwritten("Somebody else keeps writing to this game. Try again.")

    def evict(self, is_needed: Callable[[str], bool], after: float) -> None:
        """Forget the games where nobody is and nothing has happened for `after` seconds."""
        for game, place in list(self._places.items()):
            if ticks() - place.touched < after or is_needed(game):
                continue
            if place.lock.acquire(blocking=False):
                try:
                    self._places.pop(game, None)
                    place.hosted = None
                finally:
                    place.lock.release()

    def loaded(self) -> list[str]:
        """The games in memory."""
        return [game for game, place in list(self._places.items()) if place.hosted is not None]

    def peek(self, game: str) -> Game | None:
        """The game as it stands in memory, without its lock: good enough for what is never stored."""
        place = self._places.get(game)
        return place.hosted.game if place and place.hosted else None

    def _decided(self, hosted: Hosted, decide: Decision) -> list[Logged]:
        game = hosted.game
        try:
            return decide(game)
        except Refused:
            raise
        except BaseException:
            self._forget(hosted.row.id)
            raise
        finally:
            for reference, broken in game.failures:
                _log.error("a rule broke, reference %s, game %s", reference, hosted.row.id, exc_info=broken)
            game.failures.clear()

    def _forget(self, game: str) -> None:
        self._place(game).hosted = None

    def _place(self, game: str) -> _Place:
        with self._guard:
            return self._places.setdefault(game, _Place())

    def _load(self, game: str) -> Hosted:
        row, log = self.keep(partial(_read, game=game))
        if row is None:
            with self._guard:
                self._places.pop(game, None)
            raise Unknown(WRONG_LINK)
        return Hosted(row, Game(self._systems.get(row.system), Secret(game, row.seed), log))


def _read(connection: Connection, game: str) -> tuple[rows.GameRow | None, list[Logged]]:
    return rows.find(connection, game), events.read(connection, game)


def _append(connection: Connection, game: str, new: list[Logged]) -> None:
    events.append(connection, game, new)
    if any(isinstance(logged.event, Closed) for logged in new):
        rows.close(connection, game)
