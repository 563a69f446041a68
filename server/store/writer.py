"""One real thread writes, and commits in one transaction whatever has gathered meanwhile.

A caller waits until its own job is on disk. While one commit is under way the next ones queue up and share a single
flush, so a busy evening costs few of them. Under gevent the thread comes from gevent's own pool, so that nobody's drag
waits for a disk; elsewhere it is a plain thread.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

T = TypeVar("T")

__all__ = ["Connection", "Job", "StorageFailed", "Taken", "Thread", "Writer", "real_thread"]

Job = Callable[[Connection], T]
Thread = Callable[[Callable[[], None]], object]
"""Runs something in the writing thread and waits for it."""


class StorageFailed(Exception):
    """Nothing was written. Whatever waited for it must be refused."""


class Taken(Exception):
    """Somebody else wrote that row first."""


class _Ticket(Generic[T]):
    """A job that waits, and what became of it."""

    def __init__(self, job: Job[T]) -> None:
        self.job = job
        self.done = False
        self.result: list[T] = []
        self.failure: Exception | None = None

    def run(self, connection: Connection) -> None:
        """Do the job inside a savepoint, so that its failure is its own."""
        try:
            with connection.begin_nested():
                self.result = [self.job(connection)]
        except IntegrityError as taken:
            self.failure = Taken(str(taken.orig))
        except DBAPIError:
            raise
        except Exception as wrong:  # the caller's own mistake is the caller's to hear of
            self.failure = wrong

    def taken_back(self) -> T:
        """The result, once done; raises what went wrong."""
        if self.failure is not None:
            raise self.failure
        return self.result[0]


class Writer:
    """Group commit. Whoever gets the turn commits for everybody who waits."""

    def __init__(self, engine: Engine, thread: Thread | None = None) -> None:
        self._engine = engine
        self._thread = thread or real_thread()
        self._waiting: list[_Ticket[object]] = []
        self._turn = threading.Lock()
        self._connection: Connection | None = None

    def run(self, job: Job[T]) -> T:
        """Do `job` in a transaction and return once it is on disk. Raises Taken or StorageFailed."""
        ticket = _Ticket(job)
        self._waiting.append(ticket)  # type: ignore[arg-type]  # a ticket only ever hands its own result back
        with self._turn:
            if not ticket.done:
                self._commit_what_waits()
        return ticket.taken_back()

    def close(self) -> None:
        """Let go of the connection."""
        with self._turn:
            self._thread(self._disconnect)

    def _commit_what_waits(self) -> None:
        batch, self._waiting = self._waiting, []
        self._thread(lambda: self._commit(batch))

    def _commit(self, batch: Sequence[_Ticket[object]]) -> None:
        try:
            connection = self._connected()
            with connection.begin():
                for ticket in batch:
                    ticket.run(connection)
        except Exception as broken:
            self._disconnect()
            for ticket in batch:
                ticket.failure = StorageFailed(type(broken).__name__)
                ticket.failure.__cause__ = broken
        for ticket in batch:
            ticket.done = True

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.invalidate()
            finally:
                connection.close()


def real_thread() -> Thread:
    """A thread of its own, also where gevent has replaced the usual ones."""
    monkey = sys.modules.get("gevent.monkey")
    if monkey is not None and monkey.is_module_patched("threading"):
        from gevent.threadpool import ThreadPool  # only where gevent runs

        pool = ThreadPool(1)
        return lambda work: pool.apply(work)
    executor = ThreadPoolExecutor(1, "writer")
    return lambda work: executor.submit(work).result()
