"""Two players and a spectator, with a mouse each."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from e2e.conftest import Guests, Host
from e2e.pages import GUARD, WHOLE_SHOT, Lobby, Places, TablePage

AGREE = {"los_mode": "players_agree", "casualties": "owner_chooses"}
"""House rules under which a shot asks both players, and the owner who is taken off."""


def test_from_the_lobby_to_the_first_shot(shared: Host, browser: Guests) -> None:
    moving = {"reduced_motion": "no-preference"}
    ann = Lobby(browser.page(**moving), shared.base).open().start_battle("Ann", house_rules=AGREE)
    expect(ann.banners).to_contain_text("Invite your opponent")
    ben = TablePage(browser.page()).open(ann.link("north"))
    expect(ben.page.locator(".claim")).to_contain_text("Ann invites you")
    assert [event["seat"] for event in shared.history(ann.game, ben.token) if event["kind"] == "seated"] == ["south"]
    ben.claim("Ben")
    eve = TablePage(browser.page(**moving)).open(ann.link("watch"))
    everybody = (ann, ben, eve)
    for guest in everybody:
        expect(guest.page.locator(".people")).to_contain_text("Ben")
        expect(guest.page.locator(".watching")).to_have_text("1 watching")
        guest.tab("Army")
    expect(ann.banners).not_to_contain_text("Invite")

    a_model_and_a_unit_move(ann, everybody)
    a_refused_move_glides_back(ann, everybody)
    ann.end_phase()
    for guest in everybody:
        guest.wait_phase("Shooting")
        guest.tab("Log")
    a_shot(ann, ben)
    settle(ann, ben)
    same_log(everybody)
    for guest in everybody:
        guest.tab("Army")
    agreed(everybody, ben.places())
    a_spectator_changes_nothing(shared, eve)


def a_model_and_a_unit_move(ann: TablePage, everybody: tuple[TablePage, ...]) -> None:
    before = ann.places()
    ann.drag(before["warriors-05"], 1.2, 0.9)
    moved = near(ann, "warriors-05", before, 1.2, 0.9)
    agreed(everybody, moved)

    ann.select_unit(*moved["warriors-08"])
    ann.drag(moved["warriors-08"], -0.4, 0.9)
    unit = near(ann, "warriors-11", moved, -0.4, 0.9)
    for key in moved:
        dx, dy = (unit[key][0] - moved[key][0], unit[key][1] - moved[key][1])
        wanted = (-0.4, 0.9) if key.startswith("warriors") else (0, 0)
        assert (dx, dy) == pytest.approx(wanted, abs=0.1), key
    agreed(everybody, unit)

    ann.undo()
    agreed(everybody, moved)


def near(table: TablePage, model: str, before: Places, dx: float, dy: float) -> Places:
    """The places once a model has come within a tenth of an inch of where it was dragged."""
    x, y = before[model]
    wanted = pytest.approx((x + dx, y + dy), abs=0.1)
    table.until(lambda: table.place(model) == wanted, lambda: f"{model}: {table.place(model)}, not {wanted}")
    return table.places()


def agreed(everybody: tuple[TablePage, ...], places: Places) -> None:
    """Every screen comes to show these places, to a hundredth of an inch."""
    for guest in everybody:
        guest.until(lambda guest=guest: guest.places() == places, lambda: "the screens differ")


def a_refused_move_glides_back(ann: TablePage, everybody: tuple[TablePage, ...]) -> None:
    before = ann.places()
    (x, y), (to_x, to_y) = before["warriors-15"], before["warriors-14"]
    ann.page.keyboard.press("Escape")
    ann.drag((x, y), to_x - x, to_y - y)
    expect(ann.notice).to_contain_text("Clan Warriors would stand on Clan Warriors")
    agreed(everybody, before)
    ann.until(lambda: ann.ink("models", x, y), lambda: "the model did not come back")
    ann.notice.get_by_role("button", name="Close").click()


def a_shot(ann: TablePage, ben: TablePage, machine: tuple[float, float] = (24, 3)) -> None:
    """Ann fires the machine that stands there at the first of the orcs, and both agree that they are seen."""
    ann.select(*machine, "Grudge")
    ann.fire()
    expect(ben.waiting).to_contain_text("waits for Ann")
    ann.answer("Direct")
    ann.pick_target(24, 33.49)
    ben.asked("see Orc Boyz")
    ann.asked("see Orc Boyz")
    ann.answer("Yes")
    expect(ann.waiting).to_contain_text("waits for Ben")
    ben.answer("Yes")
    ann.asked("Fire Grudge Thrower at Orc Boyz")
    ann.answer("Fire")


def settle(ann: TablePage, ben: TablePage) -> list[str]:
    """Answer whatever is still asked until Ann could end the phase; what Ben was asked."""
    asked = []

    def done() -> bool:
        if ben.prompt.is_visible():
            asked.append(ben.prompt.inner_text())
        return not ann.answer_somehow() and not ben.answer_somehow() and ann.end_phase_button.is_visible()

    ann.until(done, lambda: "the shot does not end", WHOLE_SHOT)
    return asked


def same_log(everybody: tuple[TablePage, ...]) -> None:
    """All read the same, dice and all."""
    first, *others = everybody
    first.until(lambda: any("scatter" in line.lower() for line in first.lines()), lambda: f"{first.lines()}")
    for guest in others:
        guest.until(lambda guest=guest: guest.lines() == first.lines(), lambda guest=guest: f"{guest.lines()}")


def a_spectator_changes_nothing(shared: Host, eve: TablePage) -> None:
    before = eve.places()
    expect(eve.end_phase_button).to_have_count(0)
    eve.drag(before["warriors-01"], 1, 1)
    expect(eve.notice).to_contain_text("You are watching")
    eve.select(*before["grudge-thrower"], "Grudge")
    expect(eve.page.locator(".offers, #tabpanel form, #prompt")).to_have_count(0)
    events = len(shared.history(eve.game, eve.token))
    for event, payload in FORGED:
        reply = eve.forge(event, {"id": f"forged-{event}-0001", **payload})
        assert not reply["ok"], reply
    assert len(shared.history(eve.game, eve.token)) == events
    assert eve.places() == before


FORGED = (
    ("do", {"action": "pass", "subject": "", "args": None, "at": 0}),
    ("do", {"action": "free_roll", "subject": "", "args": {"sides": 6, "count": 1, "why": ""}, "at": 0}),
    ("answer", {"question": 1, "value": True}),
    ("propose", {"motion": {"motion": "end"}}),
)


def test_the_owner_picks_on_the_table_who_is_taken_off(shared: Host, browser: Guests) -> None:
    ann = Lobby(browser.page(), shared.base).open().start_battle("Ann", scenario="Grand battery", house_rules=OWNER)
    ben = TablePage(browser.page()).open(ann.link("north")).claim("Ben")
    for guest in (ann, ben):
        guest.tab("Army")
    ann.end_phase()
    ann.wait_phase("Shooting")
    fire_until_some_must_go(ann, ben)

    words = ben.asked("taken off?").inner_text()
    expect(ann.waiting).to_contain_text("waits for Ben")
    count = int(re.search(r"Which (\d+) model", words)[1])  # type: ignore[index]
    options = ben.prompt.locator(".options label")
    chosen = [options.nth(place).get_attribute("data-refs") or "" for place in range(options.count())][-count:]
    places = ben.places()
    ben.page.wait_for_timeout(GUARD)
    for model in chosen:
        ben.click_table(*places[model])
    expect(ben.prompt).to_contain_text(f"{count} chosen")
    ben.answer("Done")
    left = {key: place for key, place in places.items() if key not in chosen}
    for guest in (ann, ben):
        guest.until(lambda guest=guest: not set(chosen) & set(guest.places()), lambda: f"{chosen} still stand")
    assert set(ann.places()) == set(ben.places()) <= set(left)


MIDDLE = ("orcs-12", "black-orcs-08", "goblins-15", "warriors-08")
"""Targets in the middle of a block."""

OWNER = {"casualties": "owner_chooses", "panic": "off"}


def fire_until_some_must_go(ann: TablePage, ben: TablePage) -> None:
    """One machine after another, each at the middle of a block, until Ben has to choose; turn after turn if need be."""
    for _ in range(3):
        for machine in ("mortar", "grudge-west", "grudge-east", "rockets"):
            if machine in ann.places():
                ann.choose(machine)
                if ann.offer("Fire").is_visible():
                    ann.fire()
                    if fired(ann, ben):
                        return
        for player in (ann, ann, ben, ben, ben, ann):
            player.end_phase()
    raise AssertionError("three turns of four machines, and nobody had to choose")


def fired(ann: TablePage, ben: TablePage) -> bool:
    """Answer Ann's questions until her shot is done; whether Ben is asked who goes."""
    asked = False

    def over() -> bool:
        nonlocal asked
        asked = ben.prompt.filter(has_text="taken off?").is_visible()
        return asked or (
            not ann.answer_somehow(*MIDDLE) and not ben.answer_somehow() and ann.end_phase_button.is_visible()
        )

    ann.until(over, lambda: "the shot does not end", WHOLE_SHOT)
    return asked
