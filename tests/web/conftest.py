"""A server on a port of its own, in this process and without gevent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from server.settings import Settings
from server.web.app import Server, build, server_of
from tests.play.desk import MIX, fresh, toy
from tests.web.page import Page, http


class _Silent(WSGIRequestHandler):
    def log_request(self, *_arguments: object) -> None:
        """Nothing."""


@dataclass
class House:
    """A running server and the pages that were opened."""

    server: Server
    base: str
    pages: list[Page] = field(default_factory=list)

    def http(self, path: str, body: object = None, token: str | None = None, **headers: str) -> Any:
        """A request and its answer."""
        return http(self.base, path, body, token, **headers)

    def begin(self, scenario: str = "skirmish", **more: Any) -> Any:
        """A battle of both seats on one screen."""
        usual = {"system": "toy", "scenario": scenario, "name": "Ann", "mix": MIX, "hotseat": True}
        status, _, body = self.http("/api/battles", {**usual, **more})
        assert status == 201, body
        return json.loads(body)

    def page(self, game: str = "", **headers: str) -> Page:
        """A line that has joined nothing."""
        page = Page(self.base, game, **headers)
        self.pages.append(page)
        return page

    def join(self, created: Any, role: str, since: int | None = 0) -> Page:
        """A page that has joined."""
        token = created["watch"] if role == "watch" else created["seats"][role]
        page = self.page(created["game"])
        assert page.connect(token).startswith("40/table")
        page.joined = page.ask("join", {"since": since})
        return page

    def hang_up(self) -> None:
        """Close every line."""
        while self.pages:
            self.pages.pop().close()

    def do(self, page: Page, action: str, args: object = None, **more: object) -> Any:
        """Start an action."""
        return page.ask("do", {"id": fresh(), "action": action, "at": 0, "args": args, **more})


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server for a file of tests."""
    yield from serve(tmp_path_factory.mktemp("house"))


@pytest.fixture
def house(shared: House) -> Iterator[House]:
    """The shared server. No test leaves lines open."""
    yield shared
    shared.hang_up()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server for one test, which may harm it."""
    for house in serve(tmp_path):
        yield house
        house.hang_up()


def serve(folder: Path, **more: Any) -> Iterator[House]:
    """Run a server until the caller is done."""
    usual = {"data_dir": str(folder), "async_mode": "threading", "games_per_hour": 10_000, "sockets_per_address": 100}
    app = build(Settings(**{**usual, **more}), {"toy": toy()})
    listener = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Silent)
    listener.daemon_threads = True  # type: ignore[attr-defined]  # of the threaded kind
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    server = server_of(app)
    yield House(server, f"http://127.0.0.1:{listener.server_port}")
    server.stop()
    listener.shutdown()
    listener.server_close()
