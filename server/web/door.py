"""The outermost step of every request: under which name it came, and whether it may open a line."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from server.web.hosts import is_known, is_own_origin
from server.web.lines import Environ, Lines
from server.web.pages import network

_log = logging.getLogger("linstock.web")
Start = Callable[..., Any]
Wsgi = Callable[[Environ, Start], Iterable[bytes]]


class Door:
    """Refuses foreign names and origins, keeps to the limits, and never lets a line be compressed."""

    def __init__(self, inside: Wsgi, lines: Lines, public_origin: str, path: str = "/socket.io") -> None:
        self._inside = inside
        self._lines = lines
        self._public_origin = public_origin
        self._path = path
        self.is_closing = False

    def __call__(self, environ: Environ, start_response: Start) -> Iterable[bytes]:
        """Answer the request, or let it in."""
        environ.pop("HTTP_SEC_WEBSOCKET_EXTENSIONS", None)
        host = environ.get("HTTP_HOST", "")
        if host and not is_known(host, self._public_origin):
            return _refused(start_response, "400 Bad Request", NAME_UNKNOWN)
        if environ.get("PATH_INFO", "").startswith(self._path):
            trouble = self._keeps_out(environ)
            if trouble is not None:
                return _refused(start_response, *trouble)
        return self._inside(environ, start_response)

    def _keeps_out(self, environ: Environ) -> tuple[str, str] | None:
        if environ.get("REQUEST_METHOD") != "GET":
            return "405 Method Not Allowed", "Lines are opened with GET."
        if not is_own_origin(environ.get("HTTP_ORIGIN"), environ, self._public_origin):
            _log.warning("origin.refused")
            return "403 Forbidden", "This page may not open a line to this server."
        environ["REMOTE_ADDR"] = network(environ.get("REMOTE_ADDR", ""))
        if self.is_closing or not self._lines.has_room(environ["REMOTE_ADDR"]):
            return "503 Service Unavailable", "There is no room for another line just now."
        return None


NAME_UNKNOWN = (
    "This server does not answer to that name. Its host can tell it the name that players use: set LINSTOCK_PUBLIC_URL."
)


def _refused(start_response: Start, status: str, sentence: str) -> list[bytes]:
    body = sentence.encode()
    start_response(
        status,
        [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Length", str(len(body))),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
        ],
    )
    return [body]
