"""The past of a battle, looked at while it goes on."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from e2e.conftest import Guests, Host
from e2e.pages import TablePage
from e2e.scenes import answer_all, ask_for_shot, events, in_step, picture, seated, take_up, to_phase, watching


def test_scrub_back_and_forward(shared: Host, browser: Guests) -> None:
    ann, ben = seated(shared, browser)
    moved = advance_unit(ann)
    to_phase(ann, "Shooting")
    ask_for_shot(ann)
    answer_all(shared, ann, ben)
    log = in_step(shared, ann, ben)
    last = log[-1]["seq"]
    before_move = next(event["seq"] for event in log if is_fact(event, "models_moved")) - 1
    ann.page.keyboard.press("Escape")
    live, live_places = picture(ann.page), places(ann)

    scrub(ann, before_move)
    expect(ann.banners).to_contain_text(f"You look at the past: event {before_move + 1}.")
    assert picture(ann.page) != live
    then = places(ann)
    assert then == folded(ann, before_move)
    assert then["warriors-08"] == (moved[0], moved[1] - 2)
    no_tool_acts(shared, ann, then["warriors-08"])
    assert places(ben) == live_places

    scrub(ann, last)
    assert places(ann) == live_places
    ann.tab("Replay").get_by_role("button", name="Back to the present").click()
    expect(ann.banners).not_to_contain_text("You look at the past")
    assert picture(ann.page) == live
    assert places(ann) == live_places == folded(ann, last)
    assert hash_of(ann) == shared.get(f"/api/t/{ann.game}/history", ann.token)["hash"]
    expect(ann.end_phase_button).to_be_visible()
    ann.end_phase()


def test_steps_play_and_a_link_to_a_moment(shared: Host, browser: Guests) -> None:
    ann, ben = seated(shared, browser)
    advance_unit(ann)
    to_phase(ann, "Shooting")
    ask_for_shot(ann)
    answer_all(shared, ann, ben)
    ann.end_phase()
    watcher = watching(browser, ann)
    last = len(events(shared, ann))

    timeline = watcher.tab("Replay").locator(".timeline")
    timeline.get_by_role("button", name="To the beginning").click()
    expect(timeline).to_contain_text(f"Event 1 of {last}")
    timeline.get_by_role("button", name="One step on").click()
    expect(timeline).not_to_contain_text("Event 1 of")
    watcher.page.keyboard.press("ArrowLeft")
    expect(timeline).to_contain_text(f"Event 1 of {last}")
    watcher.page.keyboard.press("End")
    expect(timeline).to_contain_text(f"Event {last} of {last}")
    timeline.get_by_role("button", name="To the beginning").click()
    timeline.get_by_role("button", name="8×").click()
    timeline.get_by_role("button", name="Play").click()
    ann.end_phase()
    expect(timeline.get_by_role("button", name="Pause")).to_be_visible()
    expect(timeline.get_by_role("button", name="Play")).to_be_visible(timeout=30_000)
    expect(timeline).to_contain_text(f"Event {len(events(shared, ann))} of {len(events(shared, ann))}")

    scrub(watcher, 3)
    watcher.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    timeline.get_by_role("button", name="Copy a link to this moment").click()
    expect(watcher.notice).to_contain_text("Copied")
    link = watcher.page.evaluate("navigator.clipboard.readText()")
    other = TablePage(browser.page()).open(link)
    expect(other.banners).to_contain_text("You look at the past: event 4.")
    expect(other.page.get_by_role("tab", name="Replay")).to_have_attribute("aria-selected", "true")


def test_a_battle_ends_early_only_in_agreement(shared: Host, browser: Guests) -> None:
    ann, ben = seated(shared, browser)
    for agree in (False, True):
        ann.tab("Replay").get_by_role("button", name="Propose to end the battle").click()
        motion = ben.page.locator(".banner.motion")
        expect(motion).to_contain_text("Ann proposes to end the battle here. The seed of the dice is then shown.")
        expect(ann.banners).to_contain_text("waiting for the other side")
        expect(motion).to_have_attribute("data-guard", "false")
        motion.get_by_role("button", name="Agree" if agree else "Decline").click()
        expect(motion).to_have_count(0)
        expect(ann.banners.locator(".motion")).to_have_count(0)
        assert (events(shared, ann)[-1]["kind"] == "closed") == agree
    expect(ann.waiting).to_contain_text("The game is over.")


def advance_unit(player: TablePage) -> tuple[float, float]:
    """Drag the warriors two inches north; where one of them then stands."""
    player.tab("Army")
    x, y = player.place("warriors-08")
    player.select_unit(x, y)
    take_up(player, "warriors-08")
    player.page.locator("details[open] > button", has_text="The whole unit").click()
    form = player.page.locator(".roster details[open] .form form").first
    form.locator("[name=distance]").fill("2")
    form.get_by_role("button", name="Move").click()
    player.wait_place("warriors-08", x, y + 2)
    return x, y + 2


def scrub(table: TablePage, seq: int) -> None:
    """Draw the slider to an event."""
    timeline = table.tab("Replay").locator(".timeline")
    timeline.get_by_role("slider").fill(str(seq))
    expect(timeline).to_contain_text(f"Event {seq + 1} of")


def places(table: TablePage) -> dict[str, tuple[float, float]]:
    """Where the page shows every model."""
    table.tab("Army")
    return table.places()


def no_tool_acts(host: Host, player: TablePage, at: tuple[float, float]) -> None:
    """In the past nothing can be done."""
    expect(player.end_phase_button).to_have_count(0)
    expect(player.page.get_by_role("button", name="Free play: move without limit")).to_have_count(0)
    count = len(events(host, player))
    player.drag(at, 0, 2)
    expect(player.notice).to_contain_text("This is the past.")
    player.tab("Army")
    expect(player.page.locator(".roster form")).to_have_count(0)
    assert len(events(host, player)) == count


def is_fact(event: dict[str, Any], kind: str) -> bool:
    """Whether an event changed the table in this way."""
    return bool(event["kind"] == "changed" and event["fact"]["fact"] == kind)


def folded(table: TablePage, seq: int) -> dict[str, tuple[float, float]]:
    """Where the server's log, up to an event, has every model: in inches, as the list under Army would say."""
    rows = table.page.evaluate(_FOLDED, [table.game, table.token, seq])
    return {row[0]: (float(row[1]), float(row[2])) for row in rows}


def hash_of(table: TablePage) -> str:
    """The hash of the table that the page makes of the server's log."""
    return table.page.evaluate(_HASH, [table.game, table.token])  # type: ignore[no-any-return]


_READ = """
  const js = document.querySelector("script[src$='main.js']").src;
  const { tableOf } = await import(new URL("state/log.js", js));
  const { digest } = await import(new URL("state/digest.js", js));
  const answer = await fetch(`/api/t/${game}/history`, { headers: { authorization: `Bearer ${token}` } });
  const { events } = await answer.json();"""

_FOLDED = (
    "async ([game, token, seq]) => {"
    + _READ
    + """
  const { models } = tableOf(events.filter((event) => event.seq <= seq));
  return Object.values(models).map(({ id, pose }) => [id, ...[pose.x, pose.y].map((at) => (at / 10000).toFixed(2))]);
}"""
)

_HASH = "async ([game, token]) => {" + _READ + " return digest(tableOf(events)); }"
