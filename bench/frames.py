# ruff: noqa: E501 (the page and its scripts)
"""Frame times of the table page in Chromium without a GPU: dragging a unit, panning, zooming, aiming, watching a drag.

`python bench/frames.py [models]` serves the browser code from this checkout with a made-up battle, drives a browser and
prints the middle and the 95th percentile of the time between frames, in milliseconds. 16.7 is 60 frames a second.
"""

from __future__ import annotations

import json
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Page, sync_playwright

STATIC = Path(__file__).parent.parent / "static"
CHROMIUM = "/usr/bin/chromium"
PLACES = ("header", "banners", "left", "rail", "notice", "prompt", "right", "over")

PAGE = """<!doctype html><html><head><link rel=stylesheet href=/css/base.css><link rel=stylesheet href=/css/table.css>
<script type=importmap>{"imports":{"socket.io-client":"/vendor/socket.io.js","lit-html":"/vendor/lit-html/lit-html.js","lit-html/":"/vendor/lit-html/"}}</script>
<script type=module>
import { createStore } from "/js/state/store.js";
import { localIntents } from "/js/state/local.js";
import { mountPanels } from "/js/panels/index.js";
import { Board } from "/js/view/board.js";
import { modelAt } from "/js/view/hit.js";
import { takeUp } from "/js/tools/hand.js";
const { events, offers } = await (await fetch("/battle.json")).json();
const store = createStore();
const board = new Board(document.getElementById("board"), store);
const here = { name: "Ann", state: "here", since: 0 };
const no = () => Promise.resolve({ ok: false, error: { code: "unknown", message: "" } });
const intents = { act: no, answer: no, propose: no, vote: no, say: no, mix: no, odds: no, point() {} };
const { camera } = board;
const sight = {
  point: (x, y) => camera.point(x, y), model: (x, y, g) => modelAt(store.get().shown, camera, x, y, g), pan: (x, y) => camera.pan(x, y),
  zoom: (f, x, y) => camera.zoom(f, x, y), fit: () => camera.fit(), home: () => {}, scale: () => camera.scale,
};
store.dispatch({ type: "history", events, hash: "" });
store.dispatch({ type: "joined", role: "south", standing: { questions: {}, motion: null, offers, undo: null, frozen: null }, crowd: { seats: { south: here, north: here }, watching: 0 }, chat: [] });
store.dispatch({ type: "link", link: "live", at: 0 });
takeUp(document.getElementById("board"), { store, intents, local: localIntents(store), sight, skip: () => false });
mountPanels(store, intents);
Object.assign(window, { store, camera });
</script></head><body class=table data-game=bench><div class=desk data-place=desk>%s</div></body></html>"""


def page_text() -> str:
    """The table page, without a server behind it."""
    places = {name: f'<div data-place="{name}"></div>' for name in PLACES}
    places["left"] = '<aside class=left data-place="left"></aside>'
    places["right"] = '<aside class=right data-place="right"></aside>'
    places["rail"] = ""
    board = '<main><div id=board tabindex=0></div><nav class=rail data-place="rail"></nav></main>'
    order = [places["header"].replace("div", "header"), places["banners"], places["left"], board, places["right"]]
    return PAGE % "".join([*order, places["notice"], places["prompt"], places["over"]])


def battle(count: int) -> dict[str, Any]:
    """Units of twenty on both sides, hills and woods between them."""
    models: dict[str, Any] = {}
    for number in range(count):
        unit, place = divmod(number, 20)
        side = "south" if unit % 2 else "north"
        column, row = (unit // 2) % 7, unit // 14
        x = 6 + column * 9 + (place % 5) * 0.8
        y = (6 + row * 5 + (place // 5) * 0.8) if side == "south" else (42 - row * 5 - (place // 5) * 0.8)
        pose = {"x": round(x * 10_000), "y": round(y * 10_000), "facing": 0 if side == "south" else 18_000, "z": 0}
        models[f"m{number:04}"] = {
            "id": f"m{number:04}", "unit": f"u{unit}", "owner": side, "profile": "spear", "label": "", "seen_by": None,
            "base": {"kind": "rectangle", "width": 2000, "length": 2000, "height": 12_500}, "pose": pose, "status": {},
        }  # fmt: skip
    units: dict[str, Any] = {
        f"u{unit}": {"id": f"u{unit}", "owner": "south" if unit % 2 else "north", "label": f"Unit {unit}", "status": {},
                     "seen_by": None}
        for unit in range(count // 20 + 1)
    }  # fmt: skip
    table = {
        "width": 720_000, "depth": 480_000, "models": models, "removed": {}, "units": units, "terrain": terrain(),
        "templates": {}, "markers": {}, "scores": {},
        "clock": {"round": 1, "rounds": 6, "turn": "south", "phase": "movement", "over": False},
    }  # fmt: skip
    opened = {"seq": 0, "at": 0, "kind": "opened", "game": "bench", "system": "none", "version": "1", "title": "Bench",
              "options": {}, "profiles": {}, "table": table, "commitment": ""}  # fmt: skip
    own = [key for key, model in models.items() if model["owner"] == "south"]
    move = {"action": "move", "label": "Move", "rule": "", "models": own, "barred": [], "reach": {}, "manual": False,
            "limits": dict.fromkeys(own, 60_000)}  # fmt: skip
    return {"events": [opened], "offers": [move]}


def terrain() -> dict[str, Any]:
    """A dozen pieces."""
    found = {}
    for number in range(12):
        kind = ("hill", "wood", "ruin", "wall")[number % 4]
        oval = kind in ("hill", "wood")
        shape = {"kind": "oval" if oval else "rectangle", "width": 18_000, "length": 800 if kind == "wall" else 12_000,
                 "height": 20_000}  # fmt: skip
        pose = {
            "x": 60_000 + (number % 6) * 120_000,
            "y": 190_000 + (number // 6) * 90_000,
            "facing": number * 1_300,
            "z": 0,
        }
        found[f"t{number}"] = {"id": f"t{number}", "kind": kind, "shape": shape, "pose": pose, "label": "", "blocks": False,
                               "soft": kind == "wood", "solid": False, "building": False, "floors": [0]}  # fmt: skip
    return found


class Handler(SimpleHTTPRequestHandler):
    """The static files, the page and its battle."""

    count = 300

    def do_GET(self) -> None:
        made = {
            "/": ("text/html", page_text),
            "/battle.json": ("application/json", lambda: json.dumps(battle(self.count))),
        }
        if self.path not in made:
            return super().do_GET()
        kind, make = made[self.path]
        body = make().encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


WATCH = """() => { window.frames = []; let last = 0; window.watching = true;
  const step = now => { if (last) frames.push(now - last); last = now; if (window.watching) requestAnimationFrame(step); };
  requestAnimationFrame(step); }"""


def measured(page: Page, name: str, act: Any) -> None:
    """Do something and print how the frames went meanwhile."""
    page.wait_for_timeout(400)
    page.evaluate(WATCH)
    act()
    times = page.evaluate("() => { window.watching = false; return window.frames; }")
    p95 = quantiles(times, n=20)[-1]
    print(f"{name:28} {len(times):5} frames   p50 {median(times):5.1f}   p95 {p95:5.1f}   longest {max(times):6.1f} ms")


def run(page: Page) -> None:
    """All measurements."""
    where = "id => { const b = document.getElementById('board').getBoundingClientRect(); const [x, y] = camera.at(store.get().shown.models[id].pose); return [b.left + x, b.top + y]; }"
    own = page.evaluate("() => store.get().standing.offers[0].models[0]")
    unit = page.evaluate(
        "id => { const { models } = store.get().shown; return Object.values(models).filter(m => m.unit === models[id].unit).map(m => m.id); }",
        own,
    )
    x, y = page.evaluate(where, own)

    def sweep(left: float, top: float, steps: int = 120) -> None:
        for step in range(steps):
            page.mouse.move(left + 160 * step / steps, top - 90 * step / steps)

    def drag() -> None:
        page.mouse.move(x, y)
        page.mouse.down()
        sweep(x, y)
        page.keyboard.press("Escape")
        page.mouse.up()

    def pan() -> None:
        page.keyboard.down("Space")
        page.mouse.down()
        sweep(x, y)
        page.mouse.up()
        page.keyboard.up("Space")

    def zoom() -> None:
        for step in range(60):
            page.mouse.wheel(0, -60 if step < 30 else 60)

    def ghosts() -> None:
        page.evaluate(
            """async ids => { for (let i = 0; i < 40; i += 1) {
          const { models } = store.get().shown;
          const spots = ids.map(id => ({ model: id, x: models[id].pose.x + i * 2000, y: models[id].pose.y - i * 1500, facing: 0 }));
          store.dispatch({ type: "presence", items: [{ role: "north", kind: "drag", spots }], at: performance.now() });
          await new Promise(r => setTimeout(r, 50)); } }""",
            unit,
        )

    measured(page, "one model dragged", drag)
    page.evaluate("ids => store.dispatch({ type: 'set', patch: { selection: ids } })", unit)
    measured(page, "a unit of 20 dragged", drag)
    measured(page, "panned", pan)
    measured(page, "zoomed in and out", zoom)
    measured(page, "another's drag of 20 watched", ghosts)


def main() -> None:
    """Serve, drive, print."""
    Handler.count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(STATIC)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.on("pageerror", lambda error: print(error))
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_function("window.store && store.get().shown")
        page.wait_for_timeout(800)
        if len(sys.argv) > 2:
            page.screenshot(path=sys.argv[2])
        run(page)
        browser.close()


if __name__ == "__main__":
    main()
