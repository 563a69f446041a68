"""WebSocket frames (RFC 6455), read strictly: masked, unextended, bounded, in order, in UTF-8."""

from __future__ import annotations

import struct
from collections.abc import Callable

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
NORMAL, GOING, PROTOCOL, UNSUPPORTED, NOT_TEXT, POLICY, TOO_BIG = 1000, 1001, 1002, 1003, 1007, 1008, 1009


class Broken(Exception):
    """The other side does not keep to the protocol; `code` tells it why the line is closed."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def frame(payload: bytes, opcode: int = TEXT) -> bytes:
    """An unmasked, final frame, as servers send them."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, size)
    elif size < 65536:
        head = struct.pack("!BBH", 0x80 | opcode, 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 127, size)
    return head + payload


def closing(code: int) -> bytes:
    """The frame that closes a line."""
    return frame(struct.pack("!H", code), CLOSE)


class Reader:
    """Whole text messages out of a stream of bytes. `answer` sends what the protocol itself demands (pongs)."""

    def __init__(self, receive: Callable[[int], bytes], answer: Callable[[bytes], None], most: int) -> None:
        self._receive = receive
        self._answer = answer
        self._most = most
        self._buffer = bytearray()

    def message(self) -> str | None:
        """The next text message; None when the other side has closed. Raises Broken."""
        parts = bytearray()
        begun = False
        while True:
            final, opcode, payload = self._frame(self._most - len(parts))
            if opcode >= CLOSE:
                if self._control(opcode, payload):
                    return None
                continue
            if opcode == BINARY:
                raise Broken(UNSUPPORTED)
            if (opcode == TEXT) == begun:
                raise Broken(PROTOCOL)
            begun = True
            parts += payload
            if final:
                return _text(parts)

    def _control(self, opcode: int, payload: bytes) -> bool:
        if opcode == CLOSE:
            return True
        if opcode == PING:
            self._answer(frame(payload, PONG))
        elif opcode != PONG:
            raise Broken(PROTOCOL)
        return False

    def _frame(self, room: int) -> tuple[bool, int, bytes]:
        first, second = self._take(2)
        opcode, size = first & 0x0F, second & 0x7F
        if first & 0x70 or not second & 0x80 or 2 < opcode < CLOSE:
            raise Broken(PROTOCOL)
        if opcode >= CLOSE and (size > 125 or not first & 0x80):
            raise Broken(PROTOCOL)
        if size == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        if opcode < CLOSE and size > room:
            raise Broken(TOO_BIG)
        return bool(first & 0x80), opcode, _unmasked(self._take(4), self._take(size))

    def _take(self, count: int) -> bytes:
        while len(self._buffer) < count:
            more = self._receive(65536)
            if not more:
                raise EOFError
            self._buffer += more
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken


def _unmasked(mask: bytes, payload: bytes) -> bytes:
    size = len(payload)
    if not size:
        return b""
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")


def _text(parts: bytearray) -> str:
    try:
        return parts.decode()
    except UnicodeDecodeError as wrong:
        raise Broken(NOT_TEXT) from wrong
