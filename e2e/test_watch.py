"""Those who watch, and the links that let people in."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from e2e.conftest import Guests, Host
from e2e.pages import Lobby, TablePage
from e2e.scenes import answer_all, ask_for_shot, events, in_step, say, seated, to_phase, wait, watching


def test_somebody_watches_from_the_middle(shared: Host, browser: Guests) -> None:
    ann, ben = seated(shared, browser)
    ann.tab("Army")
    x, y = ann.place("warriors-08")
    ann.select_unit(x, y)
    ann.drag((x, y), 0, 1.5)
    ann.wait_place("warriors-08", x, y + 1.5)
    to_phase(ann, "Shooting")
    ask_for_shot(ann)

    watcher = watching(browser, ann)
    for table in (ann, ben):
        expect(table.page.locator(".watching")).to_have_text("1 watching")
    expect(watcher.waiting).to_contain_text("The table waits for Ann: How does Grudge Thrower fire?")
    expect(watcher.waiting.get_by_role("button")).to_have_count(0)
    expect(watcher.end_phase_button).to_have_count(0)
    expect(watcher.page.locator(".person .name")).to_have_text(["Ann", "Ben"])
    expect(watcher.page.locator('.dot[data-state="here"]')).to_have_count(2)
    watcher.wait_phase("Shooting")
    watcher.tab("Log")
    expect(watcher.page.locator("#log")).to_contain_text("Grudge Thrower: Fire")
    watcher.tab("Army")
    ann.tab("Army")
    assert watcher.places() == ann.places()

    watcher.tab("Log")
    ann.answer("Indirect")
    expect(watcher.waiting).to_contain_text("Nominate a target")
    answer_all(shared, ann, ben)
    expect(watcher.page.locator('#log svg.die[aria-label^="artillery die"]').first).to_be_visible()
    in_step(shared, ann, ben, watcher)

    watcher.tab("Army")
    before = len(events(shared, watcher))
    watcher.drag(watcher.place("warriors-08"), 0, 2)
    expect(watcher.notice).to_contain_text("You are watching")
    assert len(events(shared, watcher)) == before

    ben.page.context.close()
    expect(watcher.page.locator('.dot[data-state="here"]')).to_have_count(1)
    watcher.page.context.close()
    expect(ann.page.locator(".watching")).to_have_text("0 watching")


def test_chat_pings_and_rulers_are_seen_by_all(shared: Host, browser: Guests) -> None:
    ann, ben = seated(shared, browser)
    watcher = watching(browser, ann)
    say(ann, "Is the hill open ground?")
    say(watcher, "Hello from the club!")
    for table in (ann, ben, watcher):
        table.tab("Chat")
        expect(table.page.locator("#chat li")).to_have_text(
            [re.compile("Ann Is the hill open ground"), re.compile("Spectators? Hello from the club!")]
        )

    others = (ben, watcher)
    ann.page.mouse.dblclick(*ann.board_point(40, 12))
    for table in others:
        wait(lambda table=table: ink(table) > 0, "no ping is seen")
    ann.page.mouse.move(*ann.board_point(44, 2))
    ann.page.mouse.move(5, 5)
    for table in others:
        wait(lambda table=table: ink(table) == 0, "the ping stays")

    ann.page.keyboard.press("m")
    ann.drag((6, 40), 9, 0, drop=False)
    for table in others:
        wait(lambda table=table: ink(table) > 300, "no ruler is seen")
    ann.page.mouse.up()
    ann.page.keyboard.press("Escape")
    ann.page.mouse.move(5, 5)
    for table in others:
        wait(lambda table=table: ink(table) == 0, "the ruler stays")


def test_a_link_alone_takes_no_seat_and_a_new_one_ends_the_old(shared: Host, browser: Guests) -> None:
    ann = Lobby(browser.page(), shared.base).open().start_battle("Ann")
    link = ann.link("north")
    curious = TablePage(browser.page()).open(link)
    expect(curious.page.locator(".claim")).to_contain_text("Ann invites you to a battle")
    expect(ann.banners).to_contain_text("North's seat is empty")
    assert not any(event["kind"] == "seated" and event["seat"] == "north" for event in events(shared, ann))
    curious.page.context.close()
    expect(ann.banners).to_contain_text("North's seat is empty")

    ben = TablePage(browser.page()).open(link).claim("Ben")
    expect(ann.page.locator(".person .name", has_text="Ben")).to_be_visible()
    thief = TablePage(browser.page()).open(link)
    expect(thief.page.locator(".claim")).to_have_count(0)
    ben.page.get_by_role("button", name="Links").click()
    ben.page.get_by_role("button", name="New link for my seat").click()
    expect(thief.banners).to_contain_text("does not open the table any more")
    ben.page.keyboard.press("Escape")
    fresh = ben.link("north")
    assert fresh != link
    ben.ready()
    say(ben, "Still here.")
    ann.tab("Chat")
    expect(ann.page.locator("#chat")).to_contain_text("Still here.")
    browser.expect_error("404", "403", "401")
    late = browser.page()
    late.goto(link)
    expect(late.locator(".banner.gone")).to_be_visible()
    again = TablePage(browser.page()).open(fresh)
    expect(again.page.locator(".person .name", has_text="Ben (you)")).to_be_visible()


def ink(table: TablePage) -> int:
    """How many pixels of the layer that shows the others' hands are painted."""
    return table.page.evaluate(_INK)  # type: ignore[no-any-return]


_INK = """() => {
  const canvas = document.querySelector(".layer-presence");
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const pen = copy.getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  let painted = 0;
  for (let at = 3; at < data.length; at += 4) painted += data[at] > 0;
  return painted;
}"""
