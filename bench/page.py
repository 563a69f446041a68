"""The table page in Chromium without a GPU: its weight, when the table is there, and the time between frames."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

from bench.machine import Running, generate, linstock
from bench.report import Report, share

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZE = {"width": 1440, "height": 900}
SIXTY = 1000 / 60
LAID = "document.getElementById('board')?.dataset.scale"
MODELS = 300

NOTE_WHEN_LAID = """
new MutationObserver((_changes, watch) => {
  if (!document.getElementById("board")?.dataset.scale) return;
  watch.disconnect();
  requestAnimationFrame(() => { window.laidAt = performance.now(); });
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
WATCH = """() => {
  window.times = [];
  let last = 0;
  const step = (now) => {
    if (last) window.times.push(now - last);
    last = now;
    window.going = requestAnimationFrame(step);
  };
  window.going = requestAnimationFrame(step);
}"""
STOP = "() => { cancelAnimationFrame(window.going); return window.times; }"


def page(report: Report, *, quick: bool) -> None:
    """Everything that needs a browser."""
    report.title(f"The page, {MODELS} models, Chromium without a GPU")
    executable = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if executable is None:
        report.note("no Chromium here: nothing measured")
        return
    with linstock() as server, sync_playwright() as play:
        battle = generate(url=server.url, run="fill", models=MODELS)
        browser = play.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        try:
            _first_view(report, browser, server, battle)
            _frames(report, browser, server, battle, 30 if quick else 180)
        finally:
            browser.close()


def _first_view(report: Report, browser: Browser, server: Running, battle: dict[str, Any]) -> None:
    """A spectator who was never here before."""
    with browser.new_context(viewport=SIZE) as context:  # type: ignore[arg-type]  # two numbers
        view = context.new_page()
        view.add_init_script(NOTE_WHEN_LAID)
        weights: dict[str, float] = {}
        kinds: dict[str, str] = {}
        network = context.new_cdp_session(view)
        network.on("Network.responseReceived", lambda told: kinds.update({told["requestId"]: told["type"]}))
        network.on(
            "Network.loadingFinished", lambda told: weights.update({told["requestId"]: told["encodedDataLength"]})
        )
        network.send("Network.enable")
        view.goto(f"{server.url}/t/{battle['game']}#{battle['watch']}")
        view.wait_for_function("window.laidAt")
        view.wait_for_timeout(800)
        laid = view.evaluate("window.laidAt")
    code = sum(weight for request, weight in weights.items() if kinds.get(request) not in ("Fetch", "XHR")) / 1024
    data = sum(weight for request, weight in weights.items() if kinds.get(request) in ("Fetch", "XHR")) / 1024
    report.below(f"weight of the first view, {len(weights)} requests", code, 120, "KB")
    report.row("  the battle itself and its rules, over HTTP", f"{data:.1f} KB")
    report.row("  until the table is there", f"{laid:.0f} ms")


def _frames(report: Report, browser: Browser, server: Running, battle: dict[str, Any], steps: int) -> None:
    with browser.new_context(viewport=SIZE) as context:  # type: ignore[arg-type]  # two numbers
        view = context.new_page()
        view.goto(f"{server.url}/t/{battle['game']}#{battle['seats']['south']}")
        view.wait_for_function(LAID)
        _sit_down(view)
        view.wait_for_timeout(1200)
        x, y = _place_of(view, battle["model"]["pose"])
        _measured(report, view, "frames while a model is dragged", lambda: _drag(view, x, y, steps))
        _measured(report, view, "frames while the table is panned", lambda: _pan(view, x, y, steps))
        _measured(report, view, "frames while it is zoomed", lambda: _zoom(view, steps))


def _sit_down(view: Page) -> None:
    form = view.locator(".claim")
    try:
        form.get_by_label("Your name").fill("Bench", timeout=3000)
        form.get_by_role("button", name="Take the seat").click()
    except BrowserError:
        return  # nobody is asked who they are


def _place_of(view: Page, pose: dict[str, int]) -> tuple[float, float]:
    left, top, scale, x, y = view.evaluate(
        """() => {
          const board = document.getElementById("board");
          const box = board.getBoundingClientRect();
          return [Number(board.dataset.left), Number(board.dataset.top), Number(board.dataset.scale), box.x, box.y];
        }"""
    )
    return x + left + pose["x"] / 10_000 * scale, y + top - pose["y"] / 10_000 * scale


def _drag(view: Page, x: float, y: float, steps: int) -> None:
    view.mouse.move(x, y)
    view.mouse.down()
    _sweep(view, x, y, steps)
    view.keyboard.press("Escape")
    view.mouse.up()


def _pan(view: Page, x: float, y: float, steps: int) -> None:
    view.keyboard.down("Space")
    view.mouse.down()
    _sweep(view, x, y, steps)
    view.mouse.up()
    view.keyboard.up("Space")


def _zoom(view: Page, steps: int) -> None:
    for step in range(steps // 2):
        view.mouse.wheel(0, -60 if step < steps // 4 else 60)


def _sweep(view: Page, x: float, y: float, steps: int) -> None:
    for step in range(steps):
        part = abs(2 * step / steps - 1)
        view.mouse.move(x + 160 * (1 - part), y - 90 * (1 - part))


def _measured(report: Report, view: Page, what: str, act: Callable[[], None]) -> None:
    view.wait_for_timeout(500)
    view.evaluate(WATCH)
    act()
    times = view.evaluate(STOP)
    if len(times) < 3:
        report.note(f"{what}: too few frames")
        return
    middle, most = share(times, 0.5), share(times, 0.95)
    figure = f"p50 {middle:.1f}  p95 {most:.1f} ms"
    report.row(f"{what} ({len(times)})", figure, "60 a second", met=most < SIXTY * 1.1)
