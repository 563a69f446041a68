"""Driving a procedure by hand: the one loop under play, tests and forecasts."""

from __future__ import annotations

from collections.abc import Callable

from server.engine.requests import Procedure, Request


class NotARequest(TypeError):
    """A procedure awaited something else than the table."""


def drive(procedure: Procedure, reply: Callable[[Request[object]], object], first: object = None) -> None:
    """Run `procedure` to its end, answering each request with `reply`, starting with `first`.

    Whatever `reply` raises leaves the procedure where it waits, to be driven on later.
    """
    answer = first
    while True:
        try:
            request = procedure.send(answer)
        except StopIteration:
            return
        if not isinstance(request, Request):
            raise NotARequest(f"{procedure.__qualname__} awaited {request!r}")
        answer = reply(request)
