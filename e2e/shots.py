"""Pictures of every page in three sizes, and the one of the README: `make shots`."""

from __future__ import annotations

import base64
import shutil
import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
from playwright.sync_api import expect, sync_playwright

from e2e.conftest import ARGUMENTS, BROWSERS, PATIENCE, Guests, Host
from e2e.pages import Lobby, TablePage
from e2e.scenes import answer_all, ask_for_shot, events, in_step, seated, take_up, to_phase, watching

Array = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]

HERE = Path(__file__).parent / "shots"
README = Path(__file__).parent.parent / "docs" / "table.png"
SIZES = ((1440, 900), (1024, 768), (844, 390))
MOST_BYTES = 400_000

SCENARIO = "The road to the karak"
RULES = {"casualties": "owner_chooses"}
"""So that the other side, too, is asked something."""
FIRST, SECOND = "grudge-thrower", "grudge-thrower-2"
TRIES = 8


def main() -> None:
    """Take all pictures, with a server and a browser of their own."""
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        host = Host(Path(folder))
        host.start()
        chromium = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        guests = Guests(chromium, Path(folder))
        try:
            lobby(host, guests)
            battle(host, guests)
        finally:
            guests.close()
            chromium.close()
            host.stop()
    print(f"{len(list(HERE.iterdir()))} pictures: {HERE}; {README.name}: {README.stat().st_size // 1024} KB")


def lobby(host: Host, guests: Guests) -> None:
    """The first page."""
    page = Lobby(guests.page(), host.base).open().page
    expect(page.get_by_role("button", name="Open the table")).to_be_visible()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=HERE / f"lobby-{width}.png")


def battle(host: Host, guests: Guests) -> None:
    """A table at rest, an answered and an open question, a shot that struck, and the next one aimed."""
    for _ in range(TRIES):
        ann, ben = seated(host, guests, SCENARIO, house_rules=RULES)
        to_phase(ann, "Shooting")
        eve = watching(guests, ann)
        take_up(ann, FIRST)
        ann.tab("Log")
        picture(ann, "rest")
        if fired(host, ann, ben, eve):
            break
        guests.close()
    x, y = aimed(ann)
    picture(ann, "aiming", at=(x, y))
    ann.page.mouse.move(0, 0)
    ann.drag((45, 25), 0, 7)  # the table, so that the prompt does not lie on the machine
    readme(guests, ann, (x, y))
    ann.page.keyboard.press("f")
    picture(eve, "spectator")
    ann.page.mouse.move(0, 0)
    ann.answer("Orc Boyz")
    expect(ann.prompt).to_contain_text("Fire Old Stonehand")
    picture(ann, "confirm")
    picture(ben, "army", tab="Army")
    picture(ben, "replay", tab="Replay")


def fired(host: Host, ann: TablePage, ben: TablePage, eve: TablePage) -> bool:
    """One shot; whether it cost the other side something, for whoever looks at pictures."""
    ask_for_shot(ann, FIRST)
    ann.tab("Log")
    picture(ann, "asked")
    picture(ben, "waiting")
    answer_all(host, ann)
    if not ben.prompt.count():
        return False
    picture(ben, "casualties")
    answer_all(host, ann, ben)
    in_step(host, ann, ben, eve)
    for table in (ann, ben, eve):
        table.tab("Log")
    picture(ann, "result")
    return any(event["kind"] == "noted" and event["outcome"] == "hit" for event in events(host, ann))


def aimed(ann: TablePage) -> tuple[float, float]:
    """The second machine is about to nominate a target; a good one stands here."""
    ann.tab("Army")
    place = ann.place("orcs-13")
    ask_for_shot(ann, SECOND)
    ann.tab("Log")
    ann.answer("Indirect")
    ann.asked("Nominate a target")
    return place


def point_at(table: TablePage, at: tuple[float, float]) -> None:
    """Hold the hand over a target until its odds are known."""
    table.page.mouse.move(*table.board_point(*at))
    expect(table.page.locator('[data-place="left"]')).to_contain_text("Expected hits")


def picture(table: TablePage, name: str, tab: str = "", at: tuple[float, float] | None = None) -> None:
    """The page in every size."""
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        if tab:
            table.tab(tab)
        if at:
            point_at(table, at)
        table.page.wait_for_timeout(250)  # drawers slide, and the canvas follows the window
        table.page.screenshot(path=HERE / f"{name}-{width}.png")
        if tab:
            table.close_drawer()
    table.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


def readme(guests: Guests, table: TablePage, at: tuple[float, float]) -> None:
    """The picture at the top of the README, with fewer shades of colour than a screen can show."""
    point_at(table, at)
    table.page.wait_for_timeout(250)
    whole = base64.b64encode(table.page.screenshot()).decode()
    width, height, shades = guests.page().evaluate(_SHADES, whole)
    README.write_bytes(png(np.frombuffer(base64.b64decode(shades), np.uint8).reshape(height, width, 4)))
    if README.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{README} has {README.stat().st_size} bytes; {MOST_BYTES} are allowed")


def png(shades: Array) -> bytes:
    """A PNG of these pixels: each row as it differs from the one above or from the pixel before."""
    rows = (shades[:, :, :3] & 0xFC).reshape(len(shades), -1)
    above, before = np.zeros_like(rows), np.zeros_like(rows)
    above[1:], before[:, 3:] = rows[:-1], rows[:, :-3]
    filtered = {1: rows - before, 2: rows - above}
    cost = {kind: np.abs(row.view(np.int8).astype(int)).sum(axis=1) for kind, row in filtered.items()}
    kinds = np.where(cost[1] < cost[2], 1, 2).astype(np.uint8)
    body = np.column_stack([kinds, np.where((kinds == 1)[:, None], filtered[1], filtered[2])]).tobytes()
    header = struct.pack(">2I5B", shades.shape[1], shades.shape[0], 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(body, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


_SHADES = """async (png) => {
  const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (one) => one.charCodeAt(0))]));
  const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, picture.width, picture.height);
  const parts = [];
  for (let at = 0; at < data.length; at += 8192) parts.push(String.fromCharCode(...data.subarray(at, at + 8192)));
  return [picture.width, picture.height, btoa(parts.join(""))];
}"""


if __name__ == "__main__":
    main()
