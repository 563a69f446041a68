"""The tables. They change only through `migrations/`; a test checks that both agree."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("system", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("watchable", Boolean, nullable=False),
    Column("watch", String(64)),
    Column("closed", Boolean, nullable=False),
)
"""One row a game. `seed` is the secret of its dice until the log's last event reveals it; `watch` is the spectators'
link of a game that is shown in the lobby, and empty for others."""

events = Table(
    "events",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("v", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("cause", String(96)),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("game", "cause", name="event_once"),
    sqlite_with_rowid=False,
)
"""The log (I1). The primary key is the referee between two writers; the first event of what a message led to carries
that message's id as its `cause`, so that the same message never counts twice."""

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("role", String(8), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("revoked", BigInteger),
    Index("tokens_of_game", "game"),
    sqlite_with_rowid=False,
)
"""Links: only what a token hashes to is kept."""

people = Table(
    "people",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("role", String(8), primary_key=True),
    Column("name", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
"""Who sits where, beside the log (I13)."""

chat = Table(
    "chat",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("role", String(8), nullable=False),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("cause", String(96), nullable=False),
    UniqueConstraint("game", "cause", name="chat_once"),
    sqlite_with_rowid=False,
)
"""What was said, beside the log (I13)."""
