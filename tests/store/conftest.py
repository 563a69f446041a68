"""A database in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store.database import Database, open_database
from server.store.writer import Writer


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a database that does not exist yet."""
    return f"sqlite:///{tmp_path / 'data' / 'games.sqlite'}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """A fresh database."""
    database = open_database(url)
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> Iterator[Writer]:
    """Its writer."""
    writer = Writer(database.engine)
    yield writer
    writer.close()
