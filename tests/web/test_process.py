"""The real thing: `python -m server` on gevent, killed, stopped and started again."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.play.desk import MIX, fresh
from tests.web.page import Closed, Page, http

ROLL = {"sides": 6, "count": 3}


class Process:
    """A server process on a folder that outlives it."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self.said = folder / "said.txt"
        self.pages: list[Page] = []

    def start(self) -> None:
        """Start and wait until it answers."""
        environment = {**os.environ, "LINSTOCK_DATA_DIR": str(self.folder), "LINSTOCK_GAMES_PER_HOUR": "1000"}
        command = [sys.executable, "-m", "server", "--port", str(self.port)]
        with self.said.open("ab") as said:
            self.process = subprocess.Popen(command, env=environment, stdout=said, stderr=said)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                if http(self.base, "/readyz")[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(self.said.read_text())

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and wait; the exit status."""
        self.process.send_signal(number)
        status = self.process.wait(10)
        while self.pages:
            self.pages.pop().close()
        return status

    def begin(self) -> Any:
        """A battle of both seats on one screen."""
        (system, *_) = json.loads(http(self.base, "/api/systems")[2])
        order = {"system": system["id"], "scenario": system["scenarios"][0]["id"], "name": "Ann", "mix": MIX}
        return json.loads(http(self.base, "/api/battles", {**order, "hotseat": True})[2])

    def join(self, created: Any, role: str, since: int = 0) -> Page:
        """A page that has joined."""
        page = Page(self.base, created["game"])
        self.pages.append(page)
        page.connect(created["watch"] if role == "watch" else created["seats"][role])
        page.joined = page.ask("join", {"since": since})
        return page

    def history(self, created: Any) -> Any:
        """The log as a spectator sees it."""
        return json.loads(http(self.base, f"/api/t/{created['game']}/history", token=created["watch"])[2])


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    """A running server process."""
    process = Process(tmp_path)
    process.start()
    yield process
    if process.process.poll() is None:
        process.stop(signal.SIGKILL)


def roll(page: Page, id: str | None = None) -> Any:
    """Roll some dice."""
    return page.ask("do", {"id": id or fresh(), "action": "free_roll", "at": 0, "args": ROLL})


def test_kills_in_mid_play_lose_and_double_nothing(process: Process) -> None:
    created = process.begin()
    acknowledged: dict[str, int] = {}
    shown: dict[int, Any] = {}
    for _ in range(3):
        page, watch = process.join(created, "south"), process.join(created, "watch")
        timer = threading.Timer(0.25, process.process.send_signal, (signal.SIGKILL,))
        timer.start()
        unanswered = ""
        try:
            while True:
                unanswered = fresh()
                reply = roll(page, unanswered)
                if reply["ok"]:
                    acknowledged[unanswered] = reply["seq"]
                else:
                    time.sleep(0.05)
        except (Closed, OSError):
            pass
        timer.join()
        try:
            while True:
                shown.update({event["seq"]: event for event in watch.next("events", within=0.5)["events"]})
        except (Closed, OSError):
            pass
        process.stop(signal.SIGKILL)
        process.start()
        again = process.join(created, "south")
        first = roll(again, unanswered)
        assert roll(again, unanswered) == first
        acknowledged[unanswered] = first["seq"]
    events = process.history(created)["events"]
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert sum(event["kind"] == "started" for event in events) == len(acknowledged)
    assert max(acknowledged.values()) == len(events) - 1
    assert all(events[seq] == event for seq, event in shown.items())
    numbers = [event["number"] for event in events if event["kind"] == "rolled"]
    assert numbers == list(range(numbers[0], numbers[0] + 3 * len(numbers), 3))


def test_stopping_in_good_order_takes_a_moment_and_says_goodbye(process: Process) -> None:
    created = process.begin()
    page = process.join(created, "south")
    seq = roll(page)["seq"]
    process.process.send_signal(signal.SIGTERM)
    assert page.next("bye") == {"reason": "restarting"}
    began = time.monotonic()
    assert process.stop() == 0
    assert time.monotonic() - began < 5
    process.start()
    assert process.join(created, "south").joined["seq"] == seq


def test_a_slow_reader_gets_whole_messages_and_holds_nobody_up(process: Process) -> None:
    created = process.begin()
    slow, page = process.join(created, "watch"), process.join(created, "south")
    slow._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sent = 0
    for _ in range(30):
        sent += roll(page)["ok"]
    assert sent == 30
    assert slow.next("events")["first"] == 3
    seqs = [event["seq"] for _ in range(29) for event in slow.next("events")["events"]]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


def test_a_second_server_on_the_same_data_ends_in_words(process: Process) -> None:
    environment = {**os.environ, "LINSTOCK_DATA_DIR": str(process.folder)}
    second = subprocess.run(
        [sys.executable, "-m", "server", "--port", "1"], env=environment, capture_output=True, text=True, timeout=20
    )
    assert second.returncode == 3
    assert "Another Linstock" in second.stderr
    assert "Traceback" not in second.stderr
    assert http(process.base, "/healthz")[0] == 200


def test_what_it_says_holds_an_address_and_no_secret(process: Process) -> None:
    created = process.begin()
    roll(process.join(created, "south"))
    Page(process.base, created["game"]).close()
    bad = Page(process.base, created["game"])
    bad.text("rubbish")
    bad.closes()
    bad.close()
    with socket.create_connection(("127.0.0.1", process.port)) as odd:
        odd.sendall(b"NONSENSE\r\n\r\n")
        odd.recv(100)
    assert process.stop() == 0
    said = process.said.read_text()
    assert f"http://localhost:{process.port}/" in said
    assert "Traceback" not in said
    assert not any(token in said for token in (*created["seats"].values(), created["watch"]))


@pytest.mark.parametrize("arguments", [["--port", "many"], ["serve", "--colour"], ["dance"]])
def test_wrong_arguments_are_told_in_words(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "server", *arguments], capture_output=True, text=True, timeout=20)
    assert done.returncode == 2
    assert "usage:" in done.stderr


def test_wrong_settings_are_told_in_words() -> None:
    environment = {**os.environ, "LINSTOCK_PROT": "1"}
    done = subprocess.run([sys.executable, "-m", "server"], env=environment, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert "prot" in done.stderr
    assert "Traceback" not in done.stderr
