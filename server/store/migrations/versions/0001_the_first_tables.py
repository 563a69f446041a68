"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None


def _of_a_game(**column: object) -> sa.Column[str]:
    return sa.Column("game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), **column)  # type: ignore[arg-type]


def upgrade() -> None:
    """Games with their logs, links, people and chat."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("system", sa.String(64), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("watchable", sa.Boolean, nullable=False),
        sa.Column("watch", sa.String(64)),
        sa.Column("closed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "events",
        _of_a_game(primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("v", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("cause", sa.String(96)),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.UniqueConstraint("game", "cause", name="event_once"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(64), primary_key=True),
        _of_a_game(nullable=False),
        sa.Column("role", sa.String(8), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("revoked", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("tokens_of_game", "tokens", ["game"])
    op.create_table(
        "people",
        _of_a_game(primary_key=True),
        sa.Column("role", sa.String(8), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "chat",
        _of_a_game(primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("role", sa.String(8), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("cause", sa.String(96), nullable=False),
        sa.UniqueConstraint("game", "cause", name="chat_once"),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "sqlite":
        for doing in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER events_only_grow_{doing.lower()} BEFORE {doing} ON events "
                "BEGIN SELECT RAISE(ABORT, 'the log of a game only grows'); END"
            )
