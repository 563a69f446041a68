"""Ways into the middle of a battle, and playing on from there through the page alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from e2e.conftest import Guests, Host
from e2e.pages import BLOCK, Lobby, TablePage

Event = dict[str, Any]

CUT = ("WebSocket connection", "ERR_CONNECTION", "ERR_INTERNET_DISCONNECTED", "ERR_EMPTY_RESPONSE", "ERR_FAILED")
"""What a browser says in its console when the line is cut."""

ENDS = ("finished", "failed", "abandoned", "rewound")

MOST_ANSWERS = 40


def seated(host: Host, browser: Guests, scenario: str = BLOCK, **how: Any) -> tuple[TablePage, TablePage]:
    """Ann in the south and Ben in the north, with a device each."""
    ann = Lobby(browser.page(), host.base).open().start_battle("Ann", scenario=scenario, **how)
    ben = TablePage(browser.page()).open(ann.link("north")).claim("Ben")
    expect(ann.page.locator(".person .name", has_text="Ben")).to_be_visible()
    return ann, ben


def watching(browser: Guests, ann: TablePage) -> TablePage:
    """Somebody who opens the spectator link."""
    return TablePage(browser.page()).open(ann.link("watch"))


def to_phase(player: TablePage, name: str) -> None:
    """End phases until the header marks this one."""
    for _ in range(3):
        if name.lower() in player.phase().lower():
            return
        player.end_phase()
    raise AssertionError(f"{name} never came")


def ask_for_shot(player: TablePage, machine: str = "grudge-thrower") -> None:
    """In the player's shooting phase: select the machine and let it fire, up to the first question."""
    take_up(player, machine)
    player.offer("Fire").click()
    expect(player.prompt).to_be_visible()


def take_up(player: TablePage, model: str) -> None:
    """Select a model in the list under Army."""
    player.tab("Army")
    row = player.page.locator(f'.roster button[data-refs="{model}"]')
    row.evaluate("row => { row.closest('details').open = true; }")
    row.click()
    expect(row).to_have_attribute("aria-pressed", "true")


def free_roll(player: TablePage, why: str) -> None:
    """Roll a die by hand, from the form under Army."""
    free = player.tab("Army").locator("details.free")
    free.evaluate("free => { free.open = true; }")
    free.locator("[name=why]").fill(why)
    free.get_by_role("button", name="Roll").click()
    expect(player.page.get_by_text("Sending …")).to_have_count(0)


def say(table: TablePage, words: str) -> None:
    """Type a line of chat."""
    table.tab("Chat")
    table.page.locator(".say input").fill(words)
    table.page.locator(".say button").click()


def answer_all(host: Host, *players: TablePage) -> list[str]:
    """Answer whatever these are asked until the action is over, or waits for somebody else; the prompts that came."""
    asked = []
    for _ in range(MOST_ANSWERS):
        player = _asked(host, players)
        if player is None:
            return asked
        asked.append(player.page.locator("#prompt-text").inner_text())
        player.answer_somehow()
    raise AssertionError(f"It goes on asking: {asked}")


def _asked(host: Host, players: tuple[TablePage, ...]) -> TablePage | None:
    """Who has a prompt; None once the action is over or all wait for somebody else."""

    def look() -> TablePage | bool:
        shown = next((player for player in players if player.prompt.count()), None)
        return shown or all(player.waiting.count() for player in players) or not is_open(events(host, players[0]))

    found = wait(look, "neither a prompt nor an end")
    return found if isinstance(found, TablePage) else None


def events(host: Host, player: TablePage) -> list[Event]:
    """The log as this page's link may see it."""
    return host.history(player.game, player.token)


def is_open(log: list[Event]) -> bool:
    """Whether an action is under way."""
    last = next((event["kind"] for event in reversed(log) if event["kind"] in ("started", *ENDS)), "finished")
    return last == "started"


def in_step(host: Host, *players: TablePage) -> list[Event]:
    """Wait until every page shows as many events as the server has; the log."""
    log = events(host, players[0])
    for player in players:
        player.tab("Replay")
        expect(player.page.locator(".timeline")).to_contain_text(f"Event {len(log)} of {len(log)}")
    return log


def turn_of(table: TablePage) -> str:
    """Whose turn the header shows."""
    name = table.page.locator('.person[data-turn="true"] .name')
    return "south" if "south" in (name.get_attribute("class") or "") else "north"


def header(table: TablePage) -> str:
    """Turn, side and phase as the header shows them."""
    return table.page.locator("header").evaluate(_HEADER)  # type: ignore[no-any-return]


_HEADER = """(header) => [...header.querySelectorAll(".chip, .phases [aria-current], .person[data-turn=true] .name")]
  .map((one) => one.textContent.trim()).join(" | ")"""


def wait(look: Callable[[], Any], failing: str, patience: float = 15) -> Any:
    """What `look` returns once that is something."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(failing)


def picture(page: Page, layer: str = "models") -> str:
    """What a layer of the board shows, once it rests."""
    return page.evaluate(_PICTURE, layer)  # type: ignore[no-any-return]


_PICTURE = """async (layer) => {
  const canvas = document.querySelector(`.layer-${layer}`);
  const frame = () => new Promise(requestAnimationFrame);
  for (let before = ""; ; ) {
    await frame(); await frame(); await frame();
    const now = canvas.toDataURL();
    if (now === before) return now;
    before = now;
  }
}"""
