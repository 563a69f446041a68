"""Hands, actions and spectators at many tables at once."""

from __future__ import annotations

from typing import Any

from bench.machine import generate, linstock, plain_relay
from bench.report import Report, pair


def load(report: Report, *, quick: bool, ramp: bool) -> None:
    """Everything that needs a server under load."""
    few, many, seconds = (2, 4, 2) if quick else (20, 100, 6)
    report.title("Tables of two players and four spectators, one model of 200 dragged at 10 Hz")
    with linstock() as server:
        _drag(report, generate(url=server.url, pid=server.pid, tables=few, seconds=seconds), None)
        _joins(report, generate(url=server.url, pid=server.pid, tables=few, seconds=seconds, joins=True))
    with linstock() as server:
        found = generate(url=server.url, pid=server.pid, tables=many, seconds=seconds)
        _drag(report, found, None if quick else 5)
        report.below("memory of a table with its six lines", found["memory_per_table"], 0.6, "MB")
    with plain_relay() as server:
        _compare(report, found, generate(url=server.url, pid=server.pid, tables=many, seconds=seconds, plain=True))
    with linstock() as server:
        _actions(report, server.url, server.pid, few, seconds)
    if ramp:
        _ramp(report)


def _drag(report: Report, found: dict[str, Any], aim: float | None) -> None:
    what = f"a drag on every other screen, {found['tables']} tables"
    if aim is None:
        report.row(what, f"{pair(found['seen'])}{found['seen']['p99']:.3g} ms")
    else:
        report.below(what, found["seen"]["p99"], aim, "ms", pair(found["seen"]))
    report.row("  server CPU for 1,000 deliveries", f"{found['cpu_per_thousand']:.3f} s")
    _caveats(report, found)


def _joins(report: Report, found: dict[str, Any]) -> None:
    what = f"the same while spectators join, {found['tables']} tables"
    report.below(what, found["seen"]["p99"], 10, "ms", pair(found["seen"]))
    report.below("  a spectator: from connecting to joined", found["joined"]["p99"], 25, "ms", pair(found["joined"]))
    size = (found["history"] or 0) / 1024
    report.row(
        f"  then the history over HTTP, {size:.1f} KB", f"{pair(found['fetched'])}{found['fetched']['p99']:.3g} ms"
    )
    _caveats(report, found)


def _compare(report: Report, ours: dict[str, Any], plain: dict[str, Any]) -> None:
    ratio = plain["cpu_per_thousand"] / ours["cpu_per_thousand"]
    report.row("a plain Flask-SocketIO relay: its p99", f"{plain['seen']['p99']:.3g} ms")
    report.row("  its CPU, as a multiple of ours", f"x {ratio:.2f}")
    report.row("  its p99, as a multiple of ours", f"x {plain['seen']['p99'] / ours['seen']['p99']:.2f}")
    _caveats(report, plain)


def _actions(report: Report, url: str, pid: int, tables: int, seconds: float) -> None:
    report.title(f"Actions that are on disk before they are shown, {tables} tables, 2 a second at each")
    for action in ("free_roll", "free_move"):
        found = generate(url=url, pid=pid, run="act", hz=2, tables=tables, seconds=seconds, actions=[action])
        report.below(f"{action} on every other screen", found["seen"]["p99"], 10, "ms", pair(found["seen"]))
        answered = found["answered"]
        report.row("  acknowledged to its player", f"{pair(answered)}{answered['p99']:.3g} ms")
        _caveats(report, found)


def _ramp(report: Report) -> None:
    report.title("More and more tables, until the p99 of a drag passes 100 ms")
    with linstock() as server:
        found = generate(url=server.url, pid=server.pid, ramp=True, tables=100, grow=1.25, seconds=4)
    reached = found.get("tables", 0)
    ended = found["ended"]
    report.row("tables before that", f"{reached}", ">= 250", met=reached >= 250)
    if ended is not None:
        report.note(f"at {ended['tables']} tables: p99 {ended['seen']['p99']:.0f} ms, {ended['share']:.0%} delivered")
    if reached:
        _caveats(report, found)


def _caveats(report: Report, found: dict[str, Any]) -> None:
    remarks = []
    if found["share"] < 0.98:
        remarks.append(f"only {found['share']:.0%} delivered")
    if found["other_cpu"] > 0.15:
        remarks.append(f"{found['other_cpu']:.1f} cores were busy with something else: distrust the times")
    if found["generator"] > 0.85:
        remarks.append("the generator was at its limit")
    if found["failed"]:
        remarks.append(f"failed: {found['failed'][0]}")
    if remarks:
        report.note("; ".join(remarks))
