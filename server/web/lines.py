"""A websocket line for python-engineio, in place of the stock one under both gevent and threads.

The stock one cuts long messages short for slow readers, accepts compression bombs, never bounds what waits, and prints
a trace for each malformed packet. Here one reader serves a line, whole messages are sent under a lock with a deadline,
the gate looks at each packet first, and whoever does not read or never joins is cut off.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import socket
import threading
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any

from server.play.now import ticks
from server.web import frames
from server.web.gate import NAMESPACE, is_welcome

MOST_BYTES = 64 * 1024
MOST_WAITING, PRESENCE_WAITING = 512, 16
SILENT_FOR = 25.0
_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
PACKET = f"42{NAMESPACE},"
HAND = f'{PACKET}["point",'
KEY = "linstock.line"
"""Where a connection's environment holds its line."""

Environ = MutableMapping[str, Any]  # WSGI gives it no better type


class Lines:
    """All open lines."""

    def __init__(self, most: int, most_per_address: int) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self._open: set[Line] = set()

    def has_room(self, address: str) -> bool:
        """Whether another line may be opened from that address."""
        if len(self._open) < self._most_per_address:
            return True
        mine = sum(line.address == address for line in list(self._open))
        return len(self._open) < self._most and mine < self._most_per_address

    def add(self, line: Line) -> None:
        """A line is open."""
        self._open.add(line)

    def remove(self, line: Line) -> None:
        """A line is closed."""
        self._open.discard(line)

    def sweep(self, patience: float) -> None:
        """Close the lines that were opened longer ago than that and have joined nothing."""
        for line in list(self._open):
            if not line.joined and ticks() - line.opened > patience:
                line.cut(frames.POLICY)

    def close_all(self) -> None:
        """Close every line; the pages will come back."""
        for line in list(self._open):
            line.cut(frames.GOING)

    def __len__(self) -> int:
        return len(self._open)


class Line:
    """One line, as python-engineio expects it: called with the environment, then `wait`, `send`, `close`."""

    def __init__(self, lines: Lines, handler: Callable[[Line], Any]) -> None:
        self._lines = lines
        self._handler = handler
        self._socket: socket.socket | None = None
        self._sending = threading.Lock()
        self._rest = b""
        self._waiting: Callable[[], int] = lambda: 0
        self._reader: frames.Reader | None = None
        self.opened = ticks()
        self.joined = False
        self.is_taken = False
        """Whether somebody was admitted over this line: nobody else is then, until they leave."""
        self.on_hand: Callable[[str], bool] = _not_yet
        """Takes a hand past the library, which would take three times as long; whether it did."""
        self.address = ""

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Shake hands, then serve until the line closes."""
        accept = _accept(environ)
        if accept is None:
            start_response("400 Bad Request", [("Content-Type", "text/plain"), ("Connection", "close")])
            return [b"Not a websocket handshake."]
        self.address = environ.get("REMOTE_ADDR", "")
        self._socket = _raw_socket(environ)
        self._socket.settimeout(SILENT_FOR)
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = frames.Reader(self._receive, self._send, MOST_BYTES)
        environ[KEY] = self
        self._lines.add(self)
        try:
            self._send(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
            )
            self._handler(self)
        except OSError:
            pass
        finally:
            self._lines.remove(self)
            self.cut(frames.NORMAL)
        return _finished(environ)

    def wait(self) -> str | None:
        """The next packet that the gate lets through; None when the line is closed."""
        text = self._message()
        while text is not None and text.startswith(HAND) and self.on_hand(text[len(PACKET) :]):
            text = self._message()
        if text is not None and (not is_welcome(text) or (self.is_taken and text.startswith("40"))):
            self.cut(frames.POLICY)
            return None
        return text

    def _message(self) -> str | None:
        assert self._reader is not None
        try:
            return self._reader.message()
        except frames.Broken as broken:
            self.cut(broken.code)
        except (EOFError, OSError):
            pass
        return None

    def free(self) -> None:
        """Whoever was admitted has left: the line closes soon unless somebody joins over it."""
        self.is_taken = self.joined = False
        self.on_hand = _not_yet
        self.opened = ticks()

    def send(self, packet: str) -> None:
        """Send one packet, whole. Raises OSError when it cannot be done in time."""
        self._send(frames.frame(packet.encode()))

    def offer(self, frame: bytes) -> bool:
        """Send a frame at once where nothing waits and all of it fits. Whether that, or a closed line, settles it.

        It saves a queue and a change of task for each hand that each spectator sees.
        """
        if self._waiting() or not self._sending.acquire(blocking=False):
            return False
        try:
            raw = self._socket
            at_once = getattr(raw, "_sock", None)  # the one beneath gevent's, which never waits
            if at_once is None or self._rest:
                return raw is None
            self._rest = frame[at_once.send(frame) :]
            return not self._rest
        except BlockingIOError:
            return False
        except OSError:
            return True  # the reader notices, too
        finally:
            self._sending.release()

    def close(self) -> None:
        """Close the line in good order."""
        self.cut(frames.NORMAL)

    def cut(self, code: int) -> None:
        """Say why, if the other side is listening, and close. Writers and readers that wait come to an end."""
        raw, self._socket = self._socket, None
        if raw is None:
            return
        with contextlib.suppress(OSError):
            if self._sending.acquire(blocking=False):
                try:
                    if not self._rest:
                        raw.settimeout(0)
                        raw.send(frames.closing(code))
                finally:
                    self._sending.release()
        with contextlib.suppress(OSError):
            raw.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            raw.close()

    def bound(self, engine: Any) -> None:  # python-engineio's socket comes without types
        """Let no more than some packets wait for this line: presence is dropped first, then the line."""
        send = engine.send
        self._waiting = engine.queue.qsize

        def bounded(packet: object) -> None:
            waiting = self._waiting()
            if waiting > MOST_WAITING:
                self.cut(frames.POLICY)
            elif waiting <= PRESENCE_WAITING or not _is_presence(packet):
                send(packet)

        engine.send = bounded

    def _receive(self, most: int) -> bytes:
        raw = self._socket
        return raw.recv(most) if raw is not None else b""

    def _send(self, data: bytes) -> None:
        with self._sending:
            raw = self._socket
            if raw is None:
                raise OSError("the line is closed")
            rest, self._rest = self._rest, b""
            raw.sendall(rest + data)


def _not_yet(_text: str) -> bool:
    return False


def _is_presence(item: object) -> bool:
    data = getattr(item, "data", None)
    return isinstance(data, str) and data.startswith('2/table,["presence"')


def _accept(environ: Environ) -> bytes | None:
    key = environ.get("HTTP_SEC_WEBSOCKET_KEY", "")
    try:
        is_key = len(base64.b64decode(key, validate=True)) == 16
    except (binascii.Error, ValueError):
        is_key = False
    if not is_key or environ.get("HTTP_SEC_WEBSOCKET_VERSION") != "13":
        return None
    return base64.b64encode(hashlib.sha1(key.encode() + _MAGIC, usedforsecurity=False).digest())


def _raw_socket(environ: Environ) -> socket.socket:
    """The socket under a request, as the server at hand gives it away."""
    if "werkzeug.socket" in environ:
        given: socket.socket = environ["werkzeug.socket"]
        return given.dup()
    if "gunicorn.socket" in environ:
        given = environ["gunicorn.socket"]
        return given.dup()
    stream = environ["wsgi.input"]
    raw: Any = getattr(stream, "rfile", stream)  # gevent's own wrapper
    return raw.raw._sock.dup()  # type: ignore[no-any-return]


def _finished(environ: Environ) -> Iterable[bytes]:
    """End the request in the way that keeps each server from writing an HTTP answer to a closed line."""
    if "werkzeug.socket" in environ:
        raise ConnectionError
    if "gunicorn.socket" in environ:
        raise StopIteration
    return []
