"""The pages in the words of those who use them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

from playwright.sync_api import Locator, Page, expect

Seat = Literal["south", "north"]
Places = dict[str, tuple[float, float]]
"""Models by id, and where the list under Army says they stand, in inches."""

PATIENCE = 15_000
"""Milliseconds that a busy machine may take to show what was asked for."""

WHOLE_SHOT = 60_000
"""Milliseconds that a shot may take with everything that is asked in it."""

GUARD = 550
"""Milliseconds for which a new prompt takes no answer, and a little more."""

BLOCK = "One catapult, one block"


class Lobby:
    """The first page."""

    def __init__(self, page: Page, base: str) -> None:
        self.page = page
        self.base = base

    def open(self) -> Lobby:
        """Go there."""
        self.page.goto(self.base)
        return self

    def start_battle(
        self,
        name: str = "Ann",
        *,
        scenario: str = BLOCK,
        side: Seat = "south",
        house_rules: Mapping[str, str] | None = None,
        hotseat: bool = False,
        watchable: bool = False,
    ) -> TablePage:
        """Fill in the form and open the table."""
        form = self.page.locator("#start form")
        form.locator(".pick", has_text=scenario).get_by_role("radio").check()
        form.get_by_label("Your name").fill(name)
        form.locator(f'[name="side"][value="{side}"]').check()
        for wanted, field in ((hotseat, "hotseat"), (watchable, "watchable")):
            form.locator(f'[name="{field}"]').set_checked(wanted)
        if house_rules:
            form.get_by_text("House rules", exact=True).click()
            for key, value in house_rules.items():
                form.locator(f'select[name="option-{key}"]').select_option(label=value.replace("_", " "))
        form.get_by_role("button", name="Open the table").click()
        self.page.wait_for_url(re.compile("/t/"))
        return TablePage(self.page).ready()


class TablePage:
    """A table, as one of its players or spectators sees it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board = page.locator("#board")
        self.prompt = page.locator("#prompt")
        self.waiting = page.locator(".prompt.waiting")
        self.notice = page.locator(".notice")
        self.banners = page.locator('[data-place="banners"]')
        self.end_phase_button = page.get_by_role("button", name="End phase")

    # ------------------------------------------------------------ coming and going

    def open(self, link: str) -> TablePage:
        """Follow a link."""
        self.page.goto(link)
        return self.ready()

    def ready(self) -> TablePage:
        """Wait until the table is laid and the line stands."""
        expect(self.board).to_have_attribute("data-scale", re.compile(r"\d"))
        expect(self.page.locator(".chip").first).to_be_attached()
        expect(self.banners).not_to_contain_text("Connecting")
        expect(self.page.locator(".phases li").first).to_be_attached()
        return self

    @property
    def game(self) -> str:
        """The game's name in the address."""
        return self.page.evaluate("document.body.dataset.game")  # type: ignore[no-any-return]

    @property
    def links(self) -> dict[str, str]:
        """The tokens this device holds, by role."""
        return self.page.evaluate("JSON.parse(localStorage.getItem(`linstock:links:${document.body.dataset.game}`))")  # type: ignore[no-any-return]

    @property
    def token(self) -> str:
        """The token of this tab."""
        return self.page.evaluate("sessionStorage.getItem(`linstock:token:${document.body.dataset.game}`)")  # type: ignore[no-any-return]

    def link(self, role: str) -> str:
        """A whole link to this table, which this device holds."""
        origin = self.page.evaluate("location.origin")
        return f"{origin}/t/{self.game}#{self.links[role]}"

    def claim(self, name: str) -> TablePage:
        """Take the seat of the opened link."""
        form = self.page.locator(".claim")
        form.get_by_label("Your name").fill(name)
        form.get_by_role("button", name="Take the seat").click()
        expect(form).to_have_count(0)
        return self

    # ------------------------------------------------------------ looking

    def tab(self, name: str) -> Locator:
        """Open Log, Chat, Army or Replay: the panel."""
        tab = self.page.get_by_role("tab", name=name)
        if not tab.is_visible():
            self.page.locator("button.drawer-toggle").last.click()
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        return self.page.locator("#tabpanel")

    def close_drawer(self) -> None:
        """On small screens: put the side panel away."""
        scrim = self.page.locator("button.scrim")
        if scrim.count():
            scrim.dispatch_event("click")
            expect(scrim).to_have_count(0)

    def places(self) -> Places:
        """Where every model stands, as the open list under Army has it."""
        rows = self.page.evaluate(_ROWS)
        return {row[0]: (float(row[1]), float(row[2])) for row in rows}

    def place(self, model: str) -> tuple[float, float]:
        """Where a model stands, as the open list under Army has it."""
        return self.places()[model]

    def wait_place(self, model: str, x: float, y: float) -> None:
        """Wait until the open list under Army has the model there, to a hundredth of an inch."""
        row = self.page.locator(f'.roster button[data-refs="{model}"]')
        expect(row).to_contain_text(f"{x:.2f}, {y:.2f}")

    def lines(self) -> list[str]:
        """The open log, line by line, without who "you" is."""
        texts = self.page.locator("#log .line, #log .divider").all_text_contents()
        return [" ".join(text.split()) for text in texts]

    def phase(self) -> str:
        """The phase that the header marks."""
        return self.page.locator('.phases [aria-current="step"]').inner_text().strip()

    def wait_phase(self, name: str) -> None:
        """Wait until the header marks this phase."""
        expect(self.page.locator('.phases [aria-current="step"]')).to_have_text(re.compile(name, re.IGNORECASE))

    def until(self, true: Callable[[], bool], otherwise: Callable[[], str], patience: int = PATIENCE) -> None:
        """Wait until something is true that no locator can tell."""
        until = time.monotonic() + patience / 1000
        while not true():
            if time.monotonic() > until:
                raise AssertionError(otherwise())
            self.page.wait_for_timeout(50)

    def ink(self, layer: str, x: float, y: float) -> bool:
        """Whether a layer of the picture has something at a place of the table."""
        scale, left, top, _ = self.page.evaluate(_LOOK)
        return self.page.evaluate(_INK, [layer, left + x * scale, top - y * scale])  # type: ignore[no-any-return]

    # ------------------------------------------------------------ the board

    def board_point(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of the window that shows a place of the table, in inches from its south-west corner."""
        scale, left, top, box = self.page.evaluate(_LOOK)
        return box["x"] + left + x * scale, box["y"] + top - y * scale

    @property
    def look(self) -> tuple[float, float, float]:
        """Pixels per inch, and where on the board the table's south-west corner lies."""
        scale, left, top, _ = self.page.evaluate(_LOOK)
        return scale, left, top

    def click_table(self, x: float, y: float) -> None:
        """Click a place of the table."""
        self.page.mouse.move(*self.board_point(x, y))
        self.page.mouse.click(*self.board_point(x, y))

    def select(self, x: float, y: float, name: str = "") -> None:
        """Click the model that stands there."""
        self.click_table(x, y)
        if name:
            expect(self.page.locator(".selected h2")).to_contain_text(name)

    def choose(self, model: str) -> None:
        """Choose a model in the open list under Army."""
        button = self.page.locator(f'.roster li button[data-refs="{model}"]')
        fold = self.page.locator(".roster details", has=self.page.locator(f'li button[data-refs="{model}"]'))
        if not button.is_visible():
            fold.locator("summary").click()
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")

    def select_unit(self, x: float, y: float) -> None:
        """Double-click one of a unit's models."""
        self.page.mouse.dblclick(*self.board_point(x, y))
        expect(self.page.locator(".selected h2")).to_be_visible()

    def drag(self, start: tuple[float, float], dx: float, dy: float, *, drop: bool = True) -> None:
        """Drag what stands at `start` by so many inches east and north."""
        x, y = start
        mouse = self.page.mouse
        mouse.move(*self.board_point(x, y))
        mouse.down()
        for share in (0.3, 0.6, 1.0):
            mouse.move(*self.board_point(x + dx * share, y + dy * share), steps=2)
        if drop:
            mouse.up()

    # ------------------------------------------------------------ acting

    def end_phase(self) -> None:
        """End the phase by its button."""
        before = self.phase()
        self.end_phase_button.click()
        expect(self.page.locator('.phases [aria-current="step"]')).not_to_have_text(before)

    def offer(self, label: str) -> Locator:
        """The button of something the selected model can do, in the side panel or over the table."""
        return self.page.locator(".offers button, .prompt.bar button").filter(visible=True, has_text=label)

    def fire(self) -> None:
        """Fire with the selected machine."""
        self.offer("Fire").click()
        self.asked("How does")

    def asked(self, words: str) -> Locator:
        """Wait for a prompt that says this, until it takes an answer."""
        expect(self.prompt).to_contain_text(words)
        expect(self.prompt).to_have_attribute("data-guard", "false")
        return self.prompt

    def answer(self, words: str) -> None:
        """Answer the open prompt by the button that says this, and see it taken."""
        self._taken(lambda: self.prompt.get_by_role("button", name=words).first.click())

    def _taken(self, answer: Callable[[], None]) -> None:
        """Answer once the prompt lets one, and wait until it is gone."""
        expect(self.prompt).to_have_attribute("data-guard", "false")
        this = self.prompt.element_handle()
        answer()
        this.wait_for_element_state("hidden")

    def pick_target(self, x: float, y: float) -> None:
        """Click a target on the table while it is asked for."""
        self.asked("Nominate")
        self.page.wait_for_timeout(GUARD)
        self.click_table(x, y)

    def answer_somehow(self, *preferred: str) -> bool:
        """Answer the open prompt, if there is one, by a preferred option or the first; whether there was."""
        if not self.prompt.is_visible():
            return False
        words = self.prompt.inner_text()
        boxes = self.prompt.get_by_role("checkbox")
        if boxes.count():
            least = int(re.search(r"Choose (?:exactly )?(\d+)", words)[1])  # type: ignore[index]
            for number in range(least):
                boxes.nth(number).check()
            self.answer("Done")
        else:
            wanted = self.prompt.locator(", ".join(f'[data-option="{one}"]' for one in preferred) or "[data-none]")
            button = wanted if wanted.count() else self.prompt.locator(".answers button")
            self._taken(button.first.click)
        return True

    def settle(self) -> None:
        """At one screen: answer whatever is asked until the phase could be ended."""
        ended = lambda: not self.answer_somehow() and self.end_phase_button.is_visible()  # noqa: E731
        self.until(ended, lambda: "the shot does not end", WHOLE_SHOT)

    def undo(self) -> None:
        """Take back the own last move."""
        self.page.locator('[data-place="left"]').get_by_role("button", name=re.compile("^Undo")).click()

    def forge(self, event: str, payload: object) -> Any:
        """What the server answers to a message that this page's own controls would not send."""
        return self.page.evaluate(_FORGE, [self.game, self.token, event, payload])


class Fingers:
    """Fingers on the glass, each at a pixel of the window."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._line = page.context.new_cdp_session(page)

    def down(self, *points: tuple[float, float]) -> None:
        """Put fingers down, or one more beside those that rest."""
        self._send("touchStart", points)

    def move(self, *points: tuple[float, float]) -> None:
        """Move all fingers that are down."""
        self._send("touchMove", points)

    def up(self) -> None:
        """Lift all fingers."""
        self._send("touchEnd", ())

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, lift: bool = True) -> None:
        """Draw one finger from a pixel to another."""
        self.down(start)
        for share in (0.15, 0.4, 0.7, 1.0):
            self.move((start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))
        if lift:
            self.up()

    def pinch(self, middle: tuple[float, float], before: float, after: float) -> None:
        """Bring two fingers from one distance to another."""
        x, y = middle
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            half = (before + (after - before) * share) / 2
            (self.move if share else self.down)((x - half, y), (x + half, y))
        self.up()

    def tap(self, point: tuple[float, float]) -> None:
        """Tap a pixel."""
        self.down(point)
        self.up()

    def _send(self, kind: str, points: tuple[tuple[float, float], ...]) -> None:
        spots = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})


# The table makes room for a prompt in the frame after it came up.
_LOOK = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const board = document.getElementById("board");
  const { x, y } = board.getBoundingClientRect();
  return [Number(board.dataset.scale), Number(board.dataset.left), Number(board.dataset.top), { x, y }];
}"""

_INK = """([layer, px, py]) => {
  const canvas = document.querySelector(`#board .layer-${layer}`);
  const ratio = canvas.width / canvas.getBoundingClientRect().width;
  const spot = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  spot.drawImage(canvas, -Math.round(px * ratio), -Math.round(py * ratio));
  return spot.getImageData(0, 0, 1, 1).data[3] > 0;
}"""

_FORGE = """async ([game, token, event, payload]) => {
  const { io } = await import("socket.io-client");
  const auth = { token, protocol: 1 };
  const socket = io("/table", { transports: ["websocket"], query: { game }, auth, forceNew: true });
  await new Promise((done) => socket.on("connect", done));
  await socket.timeout(5000).emitWithAck("join", { since: null });
  const reply = await socket.timeout(5000).emitWithAck(event, payload);
  socket.disconnect();
  return reply;
}"""

_ROWS = """() => [...document.querySelectorAll(".roster li button[data-refs]")].map((row) => {
  const [, x, y] = row.textContent.match(/(-?[\\d.]+), (-?[\\d.]+)\\s*$/);
  return [row.dataset.refs, x, y];
})"""
