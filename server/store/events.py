"""The log of a game, written and read. An event's body is its JSON; `v` numbers the form of that JSON."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, func, insert, select

from server.engine.events import AnyEvent, Logged
from server.store.schema import events, games

VERSION = 1
"""The form in which events are written now."""

_decoder = msgspec.json.Decoder(AnyEvent)


class Corrupt(Exception):
    """A log that this program cannot read."""


def append(connection: Connection, game: str, new: Sequence[Logged]) -> None:
    """Write `new` at the end of the log. An event whose number is taken makes the whole transaction fail."""
    if not new:
        return
    connection.execute(insert(events), [_row(game, logged) for logged in new])
    connection.execute(games.update().where(games.c.id == game).values(touched=new[-1].at))


def read(connection: Connection, game: str, since: int = 0) -> list[Logged]:
    """The log of a game from event `since` on."""
    wanted = select(events).where(events.c.game == game, events.c.seq >= since).order_by(events.c.seq)
    return [_logged(*row) for row in connection.execute(wanted)]


def length(connection: Connection, game: str) -> int:
    """How many events the log of a game holds."""
    return connection.execute(select(func.count()).where(events.c.game == game)).scalar_one()


def _row(game: str, logged: Logged) -> dict[str, object]:
    return {
        "game": game,
        "seq": logged.seq,
        "at": logged.at,
        "kind": type(logged.event).__name__.lower(),
        "v": VERSION,
        "body": msgspec.json.encode(logged.event).decode(),
        "cause": logged.cause,
        "hash": logged.hash,
    }


def _logged(game: str, seq: int, at: int, kind: str, v: int, body: str, cause: str | None, hash: str) -> Logged:
    if v != VERSION:
        raise Corrupt(f"Event {seq} of game {game} was written by another version ({v}).")
    try:
        return Logged(seq, at, _decoder.decode(body), cause, hash)
    except msgspec.DecodeError as wrong:
        raise Corrupt(f"Event {seq} of game {game} ({kind}) cannot be read: {wrong}") from wrong
