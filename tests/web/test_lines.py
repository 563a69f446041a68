"""Hands are sent at once where they fit; whoever reads slowly still gets whole frames, in order."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from server.web import frames
from server.web.lines import Line, Lines


class Above:
    """A socket as gevent gives it: one that waits, above one that never does."""

    def __init__(self, raw: socket.socket) -> None:
        raw.setblocking(False)
        self._sock = raw

    def sendall(self, data: bytes) -> None:
        """Wait until all of it is gone."""
        self._sock.settimeout(5)
        self._sock.sendall(data)
        self._sock.setblocking(False)


class Engine:
    """What is left of python-engineio's socket for this."""

    def __init__(self) -> None:
        self.waiting = 0
        self.queue = self

    def qsize(self) -> int:
        """How many packets wait."""
        return self.waiting

    def send(self, packet: object) -> None:
        """Another one waits."""
        self.waiting += 1


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Ours and theirs."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.settimeout(5)
        yield ours, theirs


def line_on(above: Any) -> Line:
    line = Line(Lines(1, 1), lambda _line: None)
    line._socket = above
    return line


def test_what_fits_is_sent_at_once(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    assert line_on(Above(ours)).offer(frames.frame(b"hand"))
    assert theirs.recv(100) == frames.frame(b"hand")


def test_nothing_overtakes_what_waits(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, _ = ends
    line, engine = line_on(Above(ours)), Engine()
    line.bound(engine)
    engine.send("a packet")
    assert not line.offer(frames.frame(b"hand"))
    engine.waiting = 0
    assert line.offer(frames.frame(b"hand"))


def test_a_frame_sent_in_part_is_finished_first(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    line = line_on(Above(ours))
    frame = frames.frame(b"x" * 50_000)
    count = 1
    while line.offer(frame):
        count += 1
    assert not line.offer(frame)
    got = bytearray()
    while len(got) < 40_000:
        got += theirs.recv(65536)
    theirs.setblocking(False)
    try:
        while more := theirs.recv(65536):
            got += more
    except BlockingIOError:
        pass
    theirs.settimeout(5)
    line.send("after")
    wanted = frame * (len(got) // len(frame) + 1) + frames.frame(b"after")
    while len(got) < len(wanted):
        got += theirs.recv(65536)
    assert bytes(got) in (frame * (count - 1) + frames.frame(b"after"), frame * count + frames.frame(b"after"))


def test_a_closed_line_and_a_plain_socket(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    assert not line_on(ours).offer(frames.frame(b"hand"))
    assert line_on(None).offer(frames.frame(b"hand"))
    theirs.close()
    line = line_on(Above(ours))
    assert all(line.offer(frames.frame(b"hand")) for _ in range(3))


def test_a_hand_passes_by_the_library_and_what_is_none_does_not(ends: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = ends
    line = line_on(ours)
    line._reader = frames.Reader(ours.recv, lambda _answer: None, 1000)
    hands: list[str] = []

    def on_hand(text: str) -> bool:
        hands.append(text)
        return "bad" not in text

    line.on_hand = on_hand
    for packet in ('["point",{"kind":"cursor"}]', '["point",{"kind":"ping"}]', '["point","bad"]', '["say",{}]'):
        theirs.sendall(masked(f"42/table,{packet}"))
    assert line.wait() == '42/table,["point","bad"]'
    assert line.wait() == '42/table,["say",{}]'
    assert hands == ['["point",{"kind":"cursor"}]', '["point",{"kind":"ping"}]', '["point","bad"]']
    line.free()
    theirs.sendall(masked('42/table,["point",{"kind":"cursor"}]'))
    assert line.wait() == '42/table,["point",{"kind":"cursor"}]'


def masked(text: str) -> bytes:
    """A short text as a browser sends it."""
    return bytes((0x81, 0x80 | len(text))) + bytes(4) + text.encode()
