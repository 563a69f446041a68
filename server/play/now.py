"""Two clocks: one for people, one for measuring. Order never depends on either."""

from __future__ import annotations

import time


def now_ms() -> int:
    """UTC in milliseconds, for people to read."""
    return time.time_ns() // 1_000_000


def ticks() -> float:
    """Seconds that only go forward, for measuring."""
    return time.monotonic()
