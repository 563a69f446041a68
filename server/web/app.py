"""Putting it together: store, play, pages and sockets, and what runs beside the requests."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask
from flask_socketio import SocketIO
from werkzeug.middleware.proxy_fix import ProxyFix

from server.engine.system import AnySystem, systems
from server.play.service import Service
from server.settings import Settings
from server.settings import settings as from_environment
from server.store.database import open_database
from server.store.writer import Writer, real_thread
from server.web import json
from server.web.assets import Assets, folder, script_hash
from server.web.door import Door
from server.web.gate import NAMESPACE
from server.web.headers import harden
from server.web.lines import MOST_BYTES, Line, Lines
from server.web.pages import Desk, register
from server.web.sockets import Mail, Sockets

_log = logging.getLogger("linstock.web")

JOIN_WITHIN = 8.0
"""Seconds from the handshake until a page has joined its game."""


class Server:
    """Everything that runs. Flask finds it under `app.extensions["linstock"]`."""

    def __init__(self, settings: Settings, installed: Mapping[str, AnySystem]) -> None:
        self.settings = settings
        self.database = open_database(settings.database)
        self.store = Writer(self.database.engine)
        self.lines = Lines(settings.sockets, settings.sockets_per_address)
        self.mail = Mail()
        self.service = Service(self.store, installed, self.mail, real_thread(), settings.games)
        self.assets = Assets(folder("static"), is_live=settings.dev)
        self.app = Flask("linstock", static_folder=None, template_folder=str(folder("templates")))
        self._stopped = threading.Event()
        self._build_app()
        self.socketio = self._build_socketio()
        self.sockets = Sockets(self.service, self.mail)
        self.sockets.register()
        inside: Any = self.app.wsgi_app
        self.door = Door(inside, self.lines, settings.public_origin)
        self.app.wsgi_app = self._behind_proxies(self.door)  # type: ignore[method-assign]
        self._run_beside()

    def _build_app(self) -> None:
        app = self.app
        app.config.update(MAX_CONTENT_LENGTH=2 * 1024 * 1024, TEMPLATES_AUTO_RELOAD=self.settings.dev)
        app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
        app.extensions["linstock"] = self
        register(app, Desk(self.service, self.assets, self.settings, lambda: not self._stopped.is_set()))
        harden(app, self.settings, script_hash(self.assets.import_map()))

    def _build_socketio(self) -> Any:  # its types know less than it does
        chosen: dict[str, Any] = {
            "async_mode": self.settings.async_mode,
            "transports": ["websocket"],
            "namespaces": [NAMESPACE],
            "async_handlers": False,
            "manage_session": False,
            "max_http_buffer_size": MOST_BYTES,
            "ping_interval": 10,
            "ping_timeout": 10,
            "cors_allowed_origins": [],  # the door has looked already
            "http_compression": False,
            "json": json,
            "logger": False,
            "engineio_logger": False,
        }
        socketio: Any = SocketIO(self.app, **chosen)
        socketio.server.eio._async = {**socketio.server.eio._async, "websocket": self._line}
        self.mail.server = socketio.server
        return socketio

    def _line(self, handler: Callable[[Line], Any], _engine: object) -> Line:
        return Line(self.lines, handler)

    def _behind_proxies(self, inside: Any) -> Any:  # a WSGI application, which every library types its own way
        count = self.settings.trusted_proxies
        return ProxyFix(inside, x_for=count, x_proto=count, x_host=count) if count else inside

    # Beside the requests

    def _run_beside(self) -> None:
        self._every(0.05, self.service.flush)
        self._every(0.5, self.service.flush_crowds)
        self._every(1.0, self.service.tick, lambda: self.lines.sweep(JOIN_WITHIN))
        self._every(20.0, lambda: self.service.evict(self.settings.idle_minutes * 60.0))

    def _every(self, seconds: float, *works: Callable[[], object]) -> None:
        def run() -> None:
            while not self._stopped.is_set():
                for work in works:
                    try:
                        work()
                    except Exception:
                        _log.exception("work beside the requests failed")
                self.socketio.sleep(seconds)

        self.socketio.start_background_task(run)

    def stop(self) -> None:
        """Finish what is being written, tell the pages, close the lines."""
        self.sockets.is_stopping = self.door.is_closing = True
        self._stopped.set()
        self.mail.farewell()
        self.socketio.sleep(0.2)
        self.lines.close_all()
        self.store.close()
        self.database.close()


def build(settings: Settings | None = None, installed: Mapping[str, AnySystem] | None = None) -> Flask:
    """The application. Raises `Unusable` or `BadSetting`, in words for whoever runs it."""
    settings = settings or from_environment()
    return Server(settings, systems() if installed is None else installed).app


def server_of(app: Flask) -> Server:
    """Everything behind an application."""
    server: Server = app.extensions["linstock"]
    return server
