"""The table that is printed: what was measured, the figure, its aim."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from time import thread_time
from typing import Protocol


class Work(Protocol):
    """Something to time."""

    def __call__(self) -> object: ...


class Report:
    """Prints each row as soon as it is known, and counts what misses its aim."""

    def __init__(self) -> None:
        self.missed = 0

    def title(self, text: str) -> None:
        """Another part begins."""
        print(f"\n{text}\n{'-' * len(text)}", flush=True)

    def row(self, what: str, figure: str, aim: str = "", met: bool | None = None) -> None:
        """One figure; `met` says whether it reaches its aim."""
        verdict = {None: "", True: "met", False: "MISSED"}[met]
        self.missed += met is False
        print(f"  {what:<62}{figure:>22}  {aim:<14}{verdict}".rstrip(), flush=True)

    def below(self, what: str, value: float | None, limit: float, unit: str, also: str = "") -> None:
        """A figure that should stay below a limit."""
        aim = f"< {limit:g} {unit}"
        if value is None:
            self.row(what, "nothing measured", aim, met=False)
        else:
            self.row(what, f"{also}{_round(value)} {unit}", aim, met=value < limit)

    def note(self, text: str) -> None:
        """A remark."""
        print(f"  ({text})", flush=True)


def pair(spread: dict[str, float | None]) -> str:
    """The middle of a spread, to stand before its 99th percentile."""
    middle = spread["p50"]
    return "" if middle is None else f"p50 {_round(middle)}  p99 "


def timed(work: Work, times: int) -> float:
    """The middle of so many runs, in milliseconds of CPU time: what else runs on the machine hardly matters."""
    taken = []
    for _ in range(times):
        start = thread_time()
        work()
        taken.append((thread_time() - start) * 1000)
    return median(taken)


def share(values: Sequence[float], part: float) -> float:
    """The value that this part of them does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def _round(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"
