"""Lines that break: nothing is lost, nothing comes twice, and everybody is back by themselves."""

from __future__ import annotations

from playwright.sync_api import CDPSession, expect

from e2e.conftest import Guests, Host
from e2e.pages import TablePage
from e2e.scenes import CUT, answer_all, ask_for_shot, events, free_roll, in_step, say, seated, to_phase, watching


def away(table: TablePage) -> None:
    """Wait until the page says that its line is cut."""
    expect(table.banners).to_contain_text("You are away since", timeout=40_000)


def back(table: TablePage) -> None:
    """Wait until the page is at the table again."""
    expect(table.banners).not_to_contain_text("You are away", timeout=30_000)


def test_the_server_is_killed_while_a_question_is_open(host: Host, browser: Guests) -> None:
    browser.expect_error(*CUT)
    ann, ben = seated(host, browser)
    watcher = watching(browser, ann)
    everybody = (ann, ben, watcher)
    for table in everybody:
        table.page.evaluate("window.sameLoad = true")
    ben.tab("Chat")
    ben.page.get_by_role("button", name="Good luck!").click()
    expect(ben.page.locator("#chat")).to_contain_text("Good luck!")
    to_phase(ann, "Shooting")
    ask_for_shot(ann)
    ann.asked("How does Grudge Thrower fire?")
    expect(ben.waiting).to_contain_text("waits for Ann")
    expect(watcher.waiting).to_contain_text("waits for Ann")
    before = events(host, ann)

    host.kill()
    for table in everybody:
        away(table)
    host.start()
    for table in everybody:
        back(table)

    assert events(host, ann) == before
    ann.asked("How does Grudge Thrower fire?")
    expect(ben.waiting).to_contain_text("waits for Ann: How does Grudge Thrower fire?")
    expect(watcher.waiting).to_contain_text("waits for Ann")
    ann.answer("Indirect")
    answer_all(host, ann, ben)
    ann.end_phase()
    after = in_step(host, *everybody)
    assert after[: len(before)] == before
    assert any(event["kind"] == "rolled" for event in after)
    ben.tab("Chat")
    expect(ben.page.locator("#chat")).to_contain_text("Good luck!")
    assert all(table.page.evaluate("window.sameLoad") for table in everybody)


def test_a_player_is_cut_off_while_the_other_acts(host: Host, browser: Guests) -> None:
    browser.expect_error(*CUT)
    ann, ben = seated(host, browser)
    missed = len(in_step(host, ann, ben))

    ben.page.context.set_offline(True)
    away(ben)
    expect(ann.page.locator(".dot[data-state=here]")).to_have_count(1)
    reasons = ["first", "second", "third", "fourth"]
    for why in reasons:
        free_roll(ann, why)
    to_phase(ann, "Shooting")
    ask_for_shot(ann)
    answer_all(host, ann)
    ann.tab("Chat")
    ann.page.get_by_role("button", name="One moment, please.").click()
    ben.page.context.set_offline(False)
    back(ben)
    expect(ann.page.locator(".dot[data-state=here]")).to_have_count(2)

    answer_all(host, ann, ben)
    log = in_step(host, ann, ben)
    assert [event["seq"] for event in log] == list(range(len(log)))
    assert len(log) - missed > 4 * 2 + 10
    for table in (ann, ben):
        table.tab("Log")
        expect(table.page.locator("#log")).to_contain_text("How does Grudge Thrower fire?")
    lines = ben.lines()
    assert lines == ann.lines()
    told = [why for line in lines for why in reasons if why in line]
    assert list(dict.fromkeys(told)) == reasons
    assert len(told) == len(reasons) * told.count("first")
    ben.tab("Chat")
    expect(ben.page.locator("#chat li", has_text="One moment, please.")).to_have_count(1)


def test_what_is_done_while_away_is_done_once_or_refused(host: Host, browser: Guests) -> None:
    browser.expect_error(*CUT)
    ann, ben = seated(host, browser)
    again = TablePage(ann.page.context.new_page()).open(f"{host.base}/t/{ann.game}")
    to_phase(ann, "Shooting")

    ben.page.context.set_offline(True)
    away(ben)
    say(ben, "Are you there?")
    expect(ben.page.locator("#chat")).to_contain_text("Are you there? (Sending …)")
    ben.page.context.set_offline(False)
    back(ben)
    ann.tab("Chat")
    expect(ann.page.locator("#chat li", has_text="Are you there?")).to_have_count(1)
    expect(ben.page.locator("#chat")).not_to_contain_text("Sending")

    ask_for_shot(ann)
    again.asked("How does Grudge Thrower fire?")
    line = cut(again)
    away(again)
    again.prompt.get_by_role("button", name="Indirect").click()
    expect(again.prompt).to_have_attribute("aria-busy", "true")
    ann.answer("Direct")
    ann.asked("Nominate a target for the direct shot")
    line.detach()
    back(again)
    expect(again.notice).to_be_visible()
    again.asked("Nominate a target for the direct shot")
    log = in_step(host, ann, ben, again)
    assert [event["value"] for event in log if event["kind"] == "answered"] == ["direct"]


def test_a_second_tab_stays_in_step_and_a_reload_keeps_the_seat(shared: Host, browser: Guests) -> None:
    ann, ben = seated(shared, browser)
    again = TablePage(ann.page.context.new_page()).open(f"{shared.base}/t/{ann.game}")
    for table in (ann, ben, again):
        table.tab("Army")
    assert again.places() == ann.places()
    x, y = ann.place("warriors-08")
    ann.select_unit(x, y)
    ann.drag((x, y), 0, 2)
    for table in (ann, ben, again):
        table.wait_place("warriors-08", x, y + 2)
    expect(ben.page.locator(".dot[data-state=here]")).to_have_count(2)

    to_phase(again, "Shooting")
    ask_for_shot(again)
    ann.asked("How does Grudge Thrower fire?")
    ann.page.reload()
    ann.ready()
    assert "#" not in ann.page.url
    ann.asked("How does Grudge Thrower fire?")
    ann.answer("Indirect")
    again.asked("Nominate a target for the indirect shot")
    again.page.close()
    expect(ben.page.locator(".dot[data-state=here]")).to_have_count(2)
    answer_all(shared, ann, ben)
    in_step(shared, ann, ben)


def cut(table: TablePage) -> CDPSession:
    """Cut the line of one tab alone; it is whole again when the session is detached."""
    session = table.page.context.new_cdp_session(table.page)
    session.send("Network.enable")
    still = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", still)
    return session
