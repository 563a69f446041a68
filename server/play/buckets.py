"""Token buckets: how often something may happen, on a clock that only goes forward."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from server.play.now import ticks


class Bucket:
    """Holds `size` tokens at most and gains `refill` a second. Taking from an empty one runs up a debt."""

    __slots__ = ("_at", "_clock", "_left", "_refill", "_size")

    def __init__(self, size: float, refill: float, clock: Callable[[], float] = ticks) -> None:
        self._size = size
        self._refill = refill
        self._clock = clock
        self._left = size
        self._at = clock()

    def take(self) -> bool:
        """Whether it may happen now."""
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._at) * self._refill)
        self._at = now
        self._left = max(self._left - 1, -4 * self._size)
        return self._left >= 0

    @property
    def is_flooded(self) -> bool:
        """Whether whoever takes has long stopped listening: three buckets of debt."""
        return self._left < -3 * self._size

    @property
    def is_full(self) -> bool:
        """Whether nothing was taken lately."""
        return self._left + (self._clock() - self._at) * self._refill >= self._size


class Buckets:
    """A bucket for each of many addresses; those that are full again are forgotten."""

    def __init__(self, size: float, refill: float, most: int = 10_000) -> None:
        self._size = size
        self._refill = refill
        self._most = most
        self._of: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """Whether it may happen now to `key`."""
        bucket = self._of.setdefault(key, Bucket(self._size, self._refill))
        self._of.move_to_end(key)
        if len(self._of) > self._most:
            self._of.popitem(last=False)
        return bucket.take()
