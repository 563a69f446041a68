"""Opening the database: checked before anything may write, then brought up to date."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import IO, Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

_MIGRATIONS = Path(__file__).with_name("migrations")
_PRAGMAS = (
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
    "wal_autocheckpoint=1000",
)
APPLICATION_ID = 0x4C4E5354
"""Marks a SQLite file as ours ("LNST")."""


class Unusable(Exception):
    """The database must not be used. The text tells the operator why, in one line."""


class Database:
    """An open database and the hold on its folder."""

    def __init__(self, engine: Engine, lock: IO[str] | None) -> None:
        self.engine = engine
        self._lock = lock

    def close(self) -> None:
        """Let go of everything."""
        self.engine.dispose()
        if self._lock is not None:
            self._lock.close()


def open_database(url: str) -> Database:
    """The database at `url`, its data sound and its tables those of this program. Raises Unusable."""
    engine = create_engine(url)
    file = _sqlite_file(engine)
    lock = _hold(file) if file else None
    try:
        if engine.dialect.name == "sqlite":
            _prepare_sqlite(engine)
        if file:
            _refuse_lost(file)
        with engine.connect() as connection:
            _check(connection)
            migrate(connection)
        if file:
            _marker(file).touch()
    except (SQLAlchemyError, OSError) as wrong:
        Database(engine, lock).close()
        reason = getattr(wrong, "orig", None) or wrong
        raise Unusable(f"The database {make_url(url).render_as_string()} cannot be used: {reason}") from wrong
    except Unusable:
        Database(engine, lock).close()
        raise
    return Database(engine, lock)


def migrate(connection: Connection) -> None:
    """Take the steps that this database has not taken yet."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    _refuse_newer(connection, ScriptDirectory.from_config(config))
    command.upgrade(config, "head")
    connection.commit()


def _refuse_newer(connection: Connection, steps: ScriptDirectory) -> None:
    if "alembic_version" not in inspect(connection).get_table_names():
        return
    for (revision,) in connection.execute(text("SELECT version_num FROM alembic_version")):
        try:
            steps.get_revision(revision)
        except CommandError as unknown:
            raise Unusable(
                f"The games were last kept by a newer Linstock (step {revision}). "
                "Start that version, or restore a backup made before the upgrade."
            ) from unknown


def _check(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return
    findings = connection.exec_driver_sql("PRAGMA quick_check(5)").scalars().all()
    if list(findings) != ["ok"]:
        raise Unusable(f"The database is damaged ({findings[0]}). Restore a backup; nothing was changed.")
    connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
    connection.commit()


def _prepare_sqlite(engine: Engine) -> None:
    """Pragmas for each connection, and transactions that begin by taking the write lock."""

    @event.listens_for(engine, "connect")
    def _set_up(raw: sqlite3.Connection, _record: Any) -> None:  # a type internal to SQLAlchemy
        raw.isolation_level = None
        for pragma in _PRAGMAS:
            raw.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _sqlite_file(engine: Engine) -> Path | None:
    path = engine.url.database if engine.dialect.name == "sqlite" else None
    return Path(path) if path and path != ":memory:" else None


def _hold(file: Path) -> IO[str]:
    """Make the folder, and keep a second server out of it for as long as this one runs."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = file.with_suffix(".lock").open("w")
    except OSError as wrong:
        raise Unusable(f"The folder {file.parent} cannot be used: {wrong.strerror or wrong}") from wrong
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as held:
        lock.close()
        raise Unusable(f"Another Linstock is already using the folder {file.parent}.") from held
    return lock


def _marker(file: Path) -> Path:
    return file.with_suffix(".marker")


def _refuse_lost(file: Path) -> None:
    """A missing or empty file where games were is a failure, not a fresh start."""
    if _marker(file).exists() and (not file.exists() or file.stat().st_size == 0):
        raise Unusable(
            f"{file} is missing or empty, but games were kept in it. Restore a backup, or delete {_marker(file).name}."
        )
