"""Opening: sound data only, brought up to date, one server a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from server.store.database import Database, Unusable, open_database
from server.store.schema import metadata


def test_the_migrations_make_what_the_schema_says(database: Database) -> None:
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)])
def test_each_connection_is_safe_against_power_loss(database: Database, pragma: str, value: object) -> None:
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one() == value


def test_opening_again_keeps_what_is_there(url: str) -> None:
    open_database(url).close()
    open_database(url).close()


def test_a_second_server_ends_in_words(database: Database, url: str) -> None:
    with pytest.raises(Unusable, match="Another Linstock"):
        open_database(url)


def test_newer_data_is_refused_in_words(url: str) -> None:
    database = open_database(url)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(Unusable, match="newer Linstock"):
        open_database(url)


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 300])
def test_damaged_or_emptied_data_is_not_served_and_not_touched(url: str, content: bytes) -> None:
    open_database(url).close()
    file = Path(url.removeprefix("sqlite:///"))
    file.write_bytes(content)
    with pytest.raises(Unusable):
        open_database(url)
    assert file.read_bytes() == content


def test_lost_data_is_no_fresh_start(url: str) -> None:
    open_database(url).close()
    Path(url.removeprefix("sqlite:///")).unlink()
    with pytest.raises(Unusable, match="missing"):
        open_database(url)


def test_a_start_that_was_cut_short_is_no_lost_data(url: str) -> None:
    file = Path(url.removeprefix("sqlite:///"))
    file.parent.mkdir(parents=True)
    file.touch()
    open_database(url).close()


def test_an_unusable_folder_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unusable, match="cannot be used"):
        open_database(f"sqlite:///{tmp_path / 'file' / 'games.sqlite'}")
