"""A battle played without a mouse."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.conftest import Guests, Host
from e2e.pages import WHOLE_SHOT, Lobby, TablePage


def test_a_shot_with_the_keyboard_alone(shared: Host, browser: Guests) -> None:
    table = begin(Lobby(browser.page(), shared.base).open())
    keyboard = table.page.keyboard

    everything_is_reached(table.page)
    tab_to(table.page, "To the table")
    keyboard.press("Enter")
    keyboard.press("a")
    expect(table.page.get_by_role("tab", name="Army")).to_have_attribute("aria-selected", "true")
    a_model_is_moved_by_distance_and_bearing(table)
    a_model_is_moved_by_arrows(table)

    tab_to(table.page, "End phase")
    keyboard.press("Enter")
    table.wait_phase("Shooting")

    open_unit(table.page, "Grudge Thrower")
    tab_to(table.page, "24.00, 3.00")
    keyboard.press("Enter")
    expect(table.page.locator(".selected h2")).to_contain_text("Grudge Thrower")
    keyboard.press("1")
    for words, key in (("How does", "1"), ("Nominate", "3"), ("Fire Grudge Thrower at Orc Boyz 03", "y")):
        table.asked(words)
        keyboard.press(key)
        expect(table.prompt.filter(has_text=words)).to_have_count(0)
    answer_by_keys(table)
    keyboard.press("l")
    expect(table.page.locator("#log")).to_contain_text("artillery")
    kinds = [event["kind"] for event in shared.history(table.game, table.token)]
    assert kinds.count("rolled") >= 2
    assert kinds[-1] == "finished"


def begin(lobby: Lobby) -> TablePage:
    """From the first page to the table."""
    page = lobby.page
    expect(page.get_by_label("Your name")).to_be_visible()
    tab_to(page, "Your name")
    page.keyboard.type("Ann")
    tab_to(page, "Play both sides")
    page.keyboard.press("Space")
    tab_to(page, "Open the table")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))
    return TablePage(page).ready()


def tab_to(page: Page, words: str) -> None:
    """Press Tab until what has the focus is called so."""
    passed = []
    for _ in range(120):
        page.keyboard.press("Tab")
        passed.append(page.evaluate(_FOCUSED))
        if words in passed[-1]:
            return
    raise AssertionError(f"Tab does not come to {words!r}: {passed}")


def open_unit(page: Page, unit: str) -> None:
    """Unfold a unit in the list under Army."""
    tab_to(page, f"{unit} ")
    while not page.evaluate("document.activeElement.matches('summary')"):
        tab_to(page, f"{unit} ")
    if page.evaluate("!document.activeElement.parentElement.open"):
        page.keyboard.press("Enter")


def everything_is_reached(page: Page) -> None:
    """Tab comes to every control there is, and each shows that it has the focus."""
    page.evaluate(_WATCH)
    for _ in range(80):
        page.keyboard.press("Tab")
        page.wait_for_timeout(10)
    assert page.evaluate(_MISSED) == []


def a_model_is_moved_by_distance_and_bearing(table: TablePage) -> None:
    x, y = table.place("warriors-05")
    open_unit(table.page, "Clan Warriors")
    tab_to(table.page, f"{x:.2f}, {y:.2f}")
    table.page.keyboard.press("Enter")
    for field, value in (("Distance, in", "2"), ("Bearing", "90")):
        tab_to(table.page, field)
        table.page.keyboard.type(value)
    table.page.keyboard.press("Enter")
    table.wait_place("warriors-05", x + 2, y)


def a_model_is_moved_by_arrows(table: TablePage) -> None:
    x, y = table.place("warriors-05")
    tab_to(table.page, "To the table")
    table.page.keyboard.press("Enter")
    assert table.page.evaluate("document.activeElement.id") == "board"
    for key in ("Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowRight", "Enter"):
        table.page.keyboard.press(key)
    wanted = pytest.approx((x + 0.1, y + 0.2), abs=0.011)
    table.until(lambda: table.place("warriors-05") == wanted, lambda: f"{table.place('warriors-05')}")


def answer_by_keys(table: TablePage) -> None:
    """Answer whatever is asked until the phase could be ended."""

    def ended() -> bool:
        if not table.prompt.is_visible():
            return table.end_phase_button.is_visible()
        expect(table.prompt).to_have_attribute("data-guard", "false")
        this = table.prompt.element_handle()
        ANSWERS.get(this.get_attribute("data-kind") or "", take_the_first)(table)
        this.wait_for_element_state("hidden")
        return False

    table.until(ended, lambda: "the shot does not end", WHOLE_SHOT)


def take_the_first(table: TablePage) -> None:
    """Go to the question and take what it suggests."""
    table.page.keyboard.press("g")
    table.page.keyboard.press("Enter")


def tick_and_send(table: TablePage) -> None:
    """Tick as many as are wanted, from the first on."""
    wanted = int(re.search(r"Choose (?:exactly )?(\d+)", table.prompt.inner_text())[1])  # type: ignore[index]
    table.page.keyboard.press("g")
    for number in range(wanted):
        if number:
            table.page.keyboard.press("Tab")
        table.page.keyboard.press("Space")
    tab_to(table.page, "Done")
    table.page.keyboard.press("Enter")


ANSWERS = {
    "confirm": lambda table: table.page.keyboard.press("y"),
    "choose": lambda table: table.page.keyboard.press("1"),
    "choosesome": tick_and_send,
}

_FOCUSED = """() => {
  const it = document.activeElement;
  if (it === document.body) return "";
  return [it.getAttribute("aria-label"), ...[...(it.labels ?? [])].map((label) => label.textContent), it.textContent]
    .filter(Boolean).join(" ").replace(/\\s+/g, " ").trim();
}"""

_WATCH = """() => {
  window.reached = new Set();
  window.unmarked = new Set();
  document.addEventListener("focusin", ({ target }) => {
    window.reached.add(target);
    const { outlineStyle, boxShadow } = getComputedStyle(target);
    if (outlineStyle === "none" && boxShadow === "none") window.unmarked.add(target.outerHTML.slice(0, 120));
  });
}"""

_MISSED = """() => {
  const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const all = [...document.querySelectorAll(controls)].filter((one) => one.checkVisibility({ visibilityProperty: true })
    && !one.disabled && one.tabIndex >= 0 && !window.reached.has(one));
  const missed = all.map((one) => `not reached: ${one.outerHTML.slice(0, 120)}`);
  return [...missed, ...[...window.unmarked].map((one) => `no mark: ${one}`)];
}"""
