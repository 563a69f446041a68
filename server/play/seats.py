"""Links. A token is 24 random bytes for one game and role; only its hash is kept, and its holder may replace it."""

from __future__ import annotations

import hashlib
import re
import secrets
from functools import partial

import msgspec

from server.engine.refusals import Unknown
from server.play.now import now_ms
from server.store import games as rows
from server.store.writer import Connection, Writer
from server.table.model import Role, Seat

_SHAPE = re.compile(r"[A-Za-z0-9_-]{32}")
WRONG_LINK = "This link does not open anything here. It may have been replaced by a newer one."
"""The one answer to every token that is not right, so that nothing can be learnt from it."""


class Pass(msgspec.Struct, frozen=True):
    """What a good token opens."""

    game: str
    role: Role
    hashed: str


def new_token() -> str:
    """192 random bits, as they stand in a link."""
    return secrets.token_urlsafe(24)


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Seats:
    """Whose links open what."""

    def __init__(self, store: Writer) -> None:
        self._store = store

    def admit(self, game: str, token: str) -> Pass:
        """What `token` opens in `game`. Raises Unknown, always in the same words."""
        if not _SHAPE.fullmatch(token):
            raise Unknown(WRONG_LINK)
        known = hashed(token)
        found = self._store.run(lambda connection: rows.role_of(connection, known))
        if found is None or found[0] != game:
            raise Unknown(WRONG_LINK)
        return Pass(game, found[1], known)

    def renew(self, game: str, seat: Seat) -> str:
        """A new link for a seat. From now on the old one opens nothing."""
        token = new_token()
        self._store.run(partial(_replace, game=game, role=seat, token=hashed(token), at=now_ms()))
        return token


def _replace(connection: Connection, game: str, role: Role, token: str, at: int) -> None:
    rows.revoke(connection, game, role, at)
    rows.add_token(connection, token, game, role, at)
