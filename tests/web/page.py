"""A bare websocket client that plays a page, and can also misbehave."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

PATIENCE = 5.0


class Closed(Exception):
    """The server closed the line."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


def http(
    base: str, path: str, body: object = None, token: str | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """A request and its answer, whatever it is."""
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    request = Request(base + path, data=data, headers={"Content-Type": "application/json", **headers})
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urlopen(request, timeout=PATIENCE) as response:
            return response.status, dict(response.headers), response.read()
    except HTTPError as refused:
        with refused:
            return refused.code, dict(refused.headers), refused.read()


class Page:
    """One line to a server."""

    def __init__(self, base: str, game: str = "", **headers: str) -> None:
        host, _, port = base.removeprefix("http://").rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=PATIENCE)
        self._buffer = b""
        self._acks = 0
        self.inbox: list[tuple[str, Any]] = []
        self.joined: Any = None
        self.head = b""
        self.status = self._handshake(f"{host}:{port}", game, headers)

    def _handshake(self, host: str, game: str, headers: dict[str, str]) -> int:
        wanted = {
            "Host": host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Extensions": "permessage-deflate",
            **headers,
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in wanted.items())
        self._socket.sendall(f"GET /socket.io/?EIO=4&transport=websocket&game={game} HTTP/1.1\r\n{lines}\r\n".encode())
        while b"\r\n\r\n" not in self._buffer:
            more = self._socket.recv(4096)
            if not more:
                break
            self._buffer += more
        self.head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        return int(self.head.split()[1]) if self.head else 0

    # Frames

    def frame(self, payload: bytes, opcode: int = 1, first: int = 0x80) -> None:
        """Send one frame."""
        size = len(payload)
        mark = 0x80
        if size < 126:
            head = struct.pack("!BB", first | opcode, mark | size)
        elif size < 65536:
            head = struct.pack("!BBH", first | opcode, mark | 126, size)
        else:
            head = struct.pack("!BBQ", first | opcode, mark | 127, size)
        key = b"\x01\x02\x03\x04"
        body = bytes(byte ^ key[place % 4] for place, byte in enumerate(payload))
        self._socket.sendall(head + key + body)

    def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._socket.sendall(data)

    def text(self, text: str) -> None:
        """Send a text frame."""
        self.frame(text.encode())

    def _take(self, count: int) -> bytes:
        while len(self._buffer) < count:
            try:
                more = self._socket.recv(65536)
            except (ConnectionError, TimeoutError) as gone:
                raise Closed(None) from gone
            if not more:
                raise Closed(None)
            self._buffer += more
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def packet(self) -> str:
        """The next text frame. Raises Closed."""
        while True:
            first, size = self._take(2)
            if size == 126:
                (size,) = struct.unpack("!H", self._take(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self._take(8))
            payload = self._take(size)
            if first & 0x0F == 8:
                raise Closed(struct.unpack("!H", payload[:2])[0] if payload else None)
            if first & 0x0F == 1:
                return payload.decode()

    # Socket.IO

    def connect(self, token: object, protocol: object = 1, auth: object = None) -> str:
        """Connect to the namespace; the server's answer packet."""
        self.text("40/table," + json.dumps(auth if auth is not None else {"token": token, "protocol": protocol}))
        while True:
            packet = self.packet()
            if packet.startswith("4"):
                return packet

    def send(self, event: str, *payload: object) -> int:
        """Send an event that wants an answer; its number."""
        self._acks += 1
        self.text(f"42/table,{self._acks}" + json.dumps([event, *payload]))
        return self._acks

    def ask(self, event: str, *payload: object) -> Any:
        """Send an event and wait for its answer; pushes that come first are kept."""
        number = self.send(event, *payload)
        return self.answer(number)

    def answer(self, number: int) -> Any:
        """The answer to a message; pushes that come first are kept."""
        prefix = f"43/table,{number}["
        while True:
            packet = self.packet()
            if packet.startswith(prefix):
                return json.loads(packet[len(prefix) - 1 :])[0]
            self._keep(packet)

    def next(self, event: str, within: float = PATIENCE) -> Any:
        """The next push of that name."""
        until = time.monotonic() + within
        self._socket.settimeout(within)
        while True:
            for place, (name, payload) in enumerate(self.inbox):
                if name == event:
                    del self.inbox[place]
                    return payload
            if time.monotonic() > until:
                raise TimeoutError(event)
            self._keep(self.packet())

    def _keep(self, packet: str) -> None:
        if packet == "2":
            self.text("3")
        elif packet.startswith("42/table,"):
            name, *payload = json.loads(packet[len("42/table,") :])
            self.inbox.append((name, payload[0] if payload else None))

    def closes(self, within: float = PATIENCE) -> int | None:
        """Wait until the server closes the line; the code it gave."""
        self._socket.settimeout(within)
        try:
            while True:
                self._keep(self.packet())
        except Closed as closed:
            return closed.code

    def close(self) -> None:
        """Hang up."""
        self._socket.close()
