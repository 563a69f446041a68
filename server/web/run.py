"""Serving: open the data, listen, tell the address, stop in good order."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
import threading
from types import FrameType
from typing import Any

from server.settings import Settings
from server.store.database import Unusable
from server.web.app import Server, build, server_of
from server.web.assets import folder
from server.web.vendor import vendor_problem

_log = logging.getLogger("linstock")

YIELD_EVERY = 0.0002
"""Seconds after which a thread that works out odds lets the sockets go on: each packet needs the interpreter."""

SWEEP_EVERY = 600
"""Seconds after which everything is looked through for garbage, which takes a moment."""


def serve(settings: Settings) -> int:
    """Serve until told to stop; the exit status."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    for loud in ("alembic", "engineio", "socketio", "werkzeug"):
        logging.getLogger(loud).setLevel(logging.WARNING)
    problem = vendor_problem(folder("static"))
    if problem:
        print(problem, file=sys.stderr)
    try:
        server = server_of(build(settings))
    except Unusable as wrong:
        print(wrong, file=sys.stderr)
        return 3
    try:
        return _serve_gevent(server) if settings.async_mode == "gevent" else _serve_threads(server)
    except OSError as wrong:
        print(f"Cannot listen at {settings.host}:{settings.port}: {wrong.strerror or wrong}", file=sys.stderr)
        return 1


def _serve_gevent(server: Server) -> int:
    import gevent
    from gevent.pywsgi import WSGIHandler, WSGIServer

    class Handler(WSGIHandler):
        """Sends small packets at once, and keeps no large buffer for what it reads: a line has no use for one."""

        def __init__(self, sock: socket.socket, *arguments: Any, **named: Any) -> None:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            super().__init__(sock, *arguments, **named)
            self.rfile.close()
            self.rfile: Any = sock.makefile("rb", 1024)

    sys.setswitchinterval(YIELD_EVERY)
    settings = server.settings
    quiet: Any = _Quiet(_log)
    where = (settings.host, settings.port)
    listener: Any = WSGIServer(where, server.app, handler_class=Handler, log=None, error_log=quiet)
    listener.start()
    _tell(settings)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(number, stop.set)
    gevent.spawn(_keep_tidy, stop)
    stop.wait()
    listener.stop_accepting()
    server.stop()
    listener.stop(timeout=1)
    return 0


def _serve_threads(server: Server) -> int:
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Handler(WSGIRequestHandler):
        """Keeps no access log: it would hold nothing but addresses."""

        def log_request(self, *_arguments: object) -> None:
            """Nothing."""

    settings = server.settings
    listener = make_server(settings.host, settings.port, server.app, threaded=True, request_handler=Handler)
    listener.daemon_threads = True  # type: ignore[attr-defined]  # of the threaded kind
    stop = threading.Event()

    def asked(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, asked)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    _tell(settings)
    stop.wait()
    listener.shutdown()
    server.stop()
    return 0


class _Quiet:
    """Where gevent's server writes what clients got wrong: one line each, never a trace."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log

    def write(self, text: str) -> None:
        """One piece of text; traces are cut to their last line."""
        last = text.strip().rsplit("\n", 1)[-1]
        if last:
            self._log.debug("request: %s", last.encode("ascii", "backslashreplace").decode()[:200])

    def flush(self) -> None:
        """Nothing waits."""


def _tell(settings: Settings) -> None:
    host = "localhost" if settings.host in ("127.0.0.1", "localhost", "::1") else settings.host
    address = settings.public_url or f"http://{f'[{host}]' if ':' in host else host}:{settings.port}/"
    if settings.host in ("0.0.0.0", "::") and not settings.public_url:
        address = f"http://{_own_address()}:{settings.port}/"
    print(f"Linstock is ready: open {address}", flush=True)


def _own_address() -> str:
    """This machine's address in its network, as far as it can tell without asking anybody."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            return str(probe.getsockname()[0])
    except OSError:
        return "localhost"


def _keep_tidy(stop: threading.Event) -> None:
    """Keep the garbage collector from looking through everything time and again while people play."""
    gc.collect()
    gc.freeze()
    beats = 0
    while not stop.wait(1.0):
        beats += 1
        if beats % SWEEP_EVERY == 0:
            gc.unfreeze()
            gc.collect()
        else:
            gc.collect(1)
        gc.freeze()
