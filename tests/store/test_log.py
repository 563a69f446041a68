"""The log: what goes in comes out, it only grows, and a number is taken once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, text

from server.engine.events import Finished, Logged, Noted, Started, append, broken_link
from server.store import events, games
from server.store.writer import StorageFailed, Taken, Writer

GAME = games.GameRow("g1", "toy", "A battle", 1, 1, b"seed", watchable=False, watch=None, closed=False)


def written(store: Writer, count: int = 3, cause: str | None = "south:one") -> list[Logged]:
    """A game with a few events."""
    log: list[Logged] = []
    for number in range(count):
        event = Noted("R-1", f"line {number} – ünïcode ☃", ("a",))
        log.append(append(log, 1000 + number, event, cause if number == 0 else None))
    store.run(partial(games.create, row=GAME))
    store.run(partial(events.append, game="g1", new=log))
    return log


def test_what_was_written_is_read_back_with_an_unbroken_chain(store: Writer) -> None:
    log = written(store)
    read = store.run(partial(events.read, game="g1"))
    assert read == log
    assert broken_link(read) is None
    assert store.run(partial(events.read, game="g1", since=2)) == log[2:]


def test_a_number_is_taken_once(store: Writer) -> None:
    log = written(store)
    late = append(log[:2], 2000, Finished())
    with pytest.raises(Taken):
        store.run(partial(events.append, game="g1", new=[late]))
    assert store.run(partial(events.read, game="g1")) == log


def test_a_cause_is_taken_once_within_a_game(store: Writer) -> None:
    log = written(store)
    again = append(log, 2000, Started("duel", "south", "1"), "south:one")
    with pytest.raises(Taken):
        store.run(partial(events.append, game="g1", new=[again]))


@pytest.mark.parametrize("change", ["UPDATE events SET body = '{}'", "DELETE FROM events"])
def test_the_log_only_grows(store: Writer, change: str) -> None:
    log = written(store)
    with pytest.raises(Taken, match="only grows"):
        store.run(lambda connection: connection.execute(text(change)))
    assert store.run(partial(events.read, game="g1")) == log


def test_a_failed_job_leaves_its_neighbours_alone(store: Writer) -> None:
    log = written(store)
    outcomes: dict[int, str] = {}

    def one(number: int) -> None:
        new = append(log if number == 0 else log[:1], 2000 + number, Finished())
        try:
            store.run(partial(events.append, game="g1", new=[new]))
            outcomes[number] = "written"
        except Taken:
            outcomes[number] = "taken"

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {0: "written", **dict.fromkeys(range(1, 8), "taken")}


def test_many_writers_share_commits(store: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    store.run(partial(games.create, row=GAME))
    commits: list[int] = []
    commit = store._commit

    def counted(batch: Sequence[Any]) -> None:
        commits.append(len(batch))
        commit(batch)

    monkeypatch.setattr(store, "_commit", counted)
    gate = threading.Barrier(12)

    def one(number: int) -> None:
        gate.wait()
        for step in range(5):
            cause = f"{number}-{step}"
            say = partial(games.say, game="g1", at=1, role="watch", name="n", text="t", cause=cause, most=1000)
            store.run(say)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(commits) == 60
    assert len(commits) < 60
    assert [line.number for line in store.run(partial(games.lines, game="g1", most=100))] == list(range(60))


def test_after_a_failure_the_next_write_works(store: Writer) -> None:
    def broken(connection: Connection) -> None:
        connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    with pytest.raises(StorageFailed):
        store.run(broken)
    assert written(store)


def test_an_event_of_another_form_is_not_guessed_at(store: Writer) -> None:
    written(store, 1)
    store.run(lambda connection: connection.execute(text("DROP TRIGGER events_only_grow_update")))
    store.run(lambda connection: connection.execute(text("UPDATE events SET v = 99")))
    with pytest.raises(events.Corrupt):
        store.run(partial(events.read, game="g1"))
