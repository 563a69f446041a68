"""A real server and a real browser for each test."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright

from e2e.pages import PATIENCE

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]
WIDE = (1440, 900)


class Host:
    """A server process on a port and a folder that outlive it."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.folder = folder / "data"
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait until the server answers."""
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("LINSTOCK_")},
            "LINSTOCK_DATA_DIR": str(self.folder),
            "LINSTOCK_GAMES_PER_HOUR": "1000",
        }
        command = [sys.executable, "-m", "server", "--port", str(self.port)]
        root = Path(__file__).parent.parent
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=log)
        until = time.monotonic() + 40
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with urlopen(f"{self.base}/readyz", timeout=5):
                    return
            except (URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        raise AssertionError(f"The server did not start:\n{self.said()}")

    def kill(self) -> None:
        """What a power cut does."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """What an operator does; the exit status."""
        return self._end(signal.SIGTERM)

    def restart(self) -> None:
        """Stop in good order and start again: same port, same data."""
        self.stop()
        self.start()

    def _end(self, number: signal.Signals) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(number)
        status = self.process.wait(20)
        self.process = None
        return status

    def said(self) -> str:
        """The server's log."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def get(self, path: str, token: str | None = None) -> Any:
        """What the server answers to a GET, as JSON."""
        return self._json(Request(self.base + path), token)

    def post(self, path: str, body: object, token: str | None = None) -> Any:
        """What the server answers to a POST, as JSON."""
        request = Request(self.base + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return self._json(request, token)

    def _json(self, request: Request, token: str | None) -> Any:
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urlopen(request, timeout=15) as response:
                return json.loads(response.read())
        except HTTPError as refused:
            with refused:
                raise AssertionError(f"{request.full_url}: {refused.code} {refused.read().decode()}") from refused

    def history(self, game: str, token: str) -> list[dict[str, Any]]:
        """The log as the holder of a token may see it."""
        events: list[dict[str, Any]] = self.get(f"/api/t/{game}/history", token)["events"]
        return events


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A running server of one's own, to be stopped and killed. Nothing it says may be a traceback."""
    yield from running(tmp_path)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A running server for tests that do it no harm."""
    yield from running(tmp_path_factory.mktemp("shared"))


def running(folder: Path) -> Iterator[Host]:
    """Run a server until the caller is done."""
    host = Host(folder)
    host.start()
    try:
        yield host
    finally:
        host.stop()
    said = host.said()
    assert "Traceback" not in said, said


class Guests:
    """The browser, as several people with a device each."""

    def __init__(self, chromium: Chromium, folder: Path) -> None:
        self._chromium = chromium
        self._folder = folder
        self._contexts: list[BrowserContext] = []
        self._expected: list[str] = []
        self.errors: list[str] = []

    def page(self, size: tuple[int, int] = WIDE, **how: Any) -> Page:
        """A page on a device of its own. Motion is reduced unless `reduced_motion="no-preference"`."""
        width, height = size
        how = {"reduced_motion": "reduce", "viewport": {"width": width, "height": height}, **how}
        context = self._chromium.new_context(**how)
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        context.on("page", self._listen)
        return context.new_page()

    def expect_error(self, *parts: str) -> None:
        """Console errors that hold one of these are meant to come, as when the server is killed."""
        self._expected += parts

    def _listen(self, page: Page) -> None:
        page.on("console", self._said)
        page.on("pageerror", lambda error: self._note(f"page error: {error}"))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _note(self, error: str) -> None:
        self.errors.append(error)

    def unexpected(self) -> list[str]:
        """What went wrong on some page and was not meant to."""
        return [error for error in self.errors if not any(part in error for part in self._expected)]

    def pictures(self) -> None:
        """A picture of every open page, for whoever looks at a failed test."""
        pages = [page for context in self._contexts for page in context.pages]
        for number, page in enumerate(pages):
            page.screenshot(path=self._folder / f"page-{number}.png")
        print(f"pictures of {len(pages)} pages: {self._folder}")

    def close(self) -> None:
        """Everybody leaves."""
        while self._contexts:
            self._contexts.pop().close()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """The driver of the browser."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Chromium]:
    """Chromium as this machine has it."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail("Chromium is not installed: see README, or run make browser")
    browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture
def browser(chromium: Chromium, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Guests]:
    """People with a device each, who leave before their server does. An error on any page fails the test."""
    for name in {"host", "shared"} & set(request.fixturenames):
        request.getfixturevalue(name)
    guests = Guests(chromium, tmp_path)
    try:
        yield guests
        if request.node.stash.get(FAILED, False):
            guests.pictures()
    finally:
        guests.close()
    assert guests.unexpected() == []


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Remember what failed, so that pictures are taken of it."""
    report = yield
    if call.when == "call":
        item.stash[FAILED] = call.excinfo is not None
    return report  # type: ignore[return-value]
