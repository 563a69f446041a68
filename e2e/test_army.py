"""A battle with an army that a player brings, from the list to the verified dice."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Locator, expect

from e2e.conftest import Guests, Host
from e2e.pages import Lobby, TablePage
from e2e.scenes import answer_all, ask_for_shot, events, header, is_open, take_up, turn_of, wait

LIST = Path(__file__).parent.parent / "tests" / "fixtures" / "list_dwarfs_stone_thrower.owb.json"
UNITS = (
    "Thane",
    "Engineer",
    "Dwarf Warriors",
    "Quarrellers",
    "Grudge Thrower",
    "Grudge Thrower",
    "Cannon",
    "Organ Gun",
)
MODELS = 38
THROWERS = ("south-05-grudge-thrower", "south-06-grudge-thrower")


def bring(lobby: Lobby, side: str, path: Path) -> Locator:
    """Choose a list for a side: what the lobby makes of it."""
    form = lobby.page.locator("#start form")
    form.get_by_text("Bring an army list").click()
    army = form.get_by_role("region", name=f"Army of {side}")
    army.locator("input[type=file]").set_input_files(path)
    expect(army.locator("tbody tr").first).to_be_visible()
    return army


def test_a_battle_from_an_army_list_to_its_end(shared: Host, browser: Guests) -> None:
    lobby = Lobby(browser.page(), shared.base).open()
    army = bring(lobby, "South", LIST)
    expect(army).to_contain_text("Hold garrison · 38 models")
    expect(army.locator("tbody th")).to_contain_text(UNITS)
    assert [field.input_value() for field in army.locator("input[type=number]").all()] == [*"11", "20", "12", *"1111"]
    plays_as = [field.input_value() for field in army.locator("[name$=-profile]").all()]
    assert plays_as[4:6] == ["dwarf_grudge_thrower"] * 2
    assert all(plays_as)
    warriors = army.get_by_role("combobox", name="Base: Dwarf Warriors")
    expect(warriors.locator("option:checked")).to_have_text("20 × 20 mm rectangle")
    lobby.page.get_by_text("House rules", exact=True).click()
    lobby.page.locator('[name="option-rounds"]').fill("2")

    ann = lobby.start_battle("Ann")
    ben = TablePage(browser.page()).open(ann.link("north")).claim("Ben")
    expect(ann.page.locator(".chip").first).to_have_text("Turn 1 of 2")
    ann.tab("Army")
    places = ann.places()
    assert sum(key.startswith("south-") for key in places) == MODELS
    assert set(THROWERS) <= set(places)
    assert all(0 < y < 12 for key, (_, y) in places.items() if key.startswith("south-"))

    phases = play(shared, ann, ben)
    assert phases == [f"{turn} {side} {phase}" for turn in (1, 2) for side in ("south", "north") for phase in PHASES]
    log = events(shared, ann)
    fired = {event["subject"] for event in log if event["kind"] == "started" and event["action"] == "fire"}
    assert fired >= set(THROWERS)
    assert not any(event["kind"] == "failed" for event in log)

    close(ann, ben)
    log = events(shared, ann)
    assert log[-1]["kind"] == "closed"
    assert log[-1]["seed"]
    expect(ann.end_phase_button).to_have_count(0)
    verified(ann, browser, len(log))


PHASES = ("Movement", "Shooting", "Combat")


def play(host: Host, ann: TablePage, ben: TablePage) -> list[str]:
    """Both sides play all their phases; which those were."""
    phases = []
    for _ in range(2 * 2 * len(PHASES)):
        side = turn_of(ann)
        player = ann if side == "south" else ben
        turn = player.page.locator(".chip").first.inner_text().split()[1]
        phases.append(f"{turn} {side} {player.phase()}")
        if player.phase() == "Movement" and turn == "1":
            advance(player, "south-03-dwarf-warriors-01" if side == "south" else "orcs-01")
        if player.phase() == "Shooting":
            for machine in THROWERS if side == "south" else ("rock-lobber",):
                shoot(host, player, machine, ann, ben)
        pass_on(player, (ann, ben))
    expect(ann.page.locator(".chip").first).to_have_text("The battle is over")
    return phases


def pass_on(player: TablePage, players: tuple[TablePage, ...]) -> None:
    """End the phase, and see it ended by everybody."""
    before = header(player)
    player.end_phase_button.click()
    wait(lambda: all(header(table) != before for table in players), "the phase does not end")


def advance(player: TablePage, model: str) -> None:
    """Move the unit of a model forward by two inches, from the form under Army."""
    take_up(player, model)
    player.page.locator("details[open] > button", has_text="The whole unit").click()
    x, y = player.place(model)
    ahead = 2 if turn_of(player) == "south" else -2
    form = player.page.locator(".roster details[open] .form form").first
    form.locator("[name=distance]").fill("2")
    form.get_by_role("button", name="Move").click()
    player.wait_place(model, x, y + ahead)


def shoot(host: Host, player: TablePage, machine: str, *players: TablePage) -> None:
    """Fire a machine, if it still can."""
    player.tab("Army")
    if machine not in player.places():
        return
    take_up(player, machine)
    panel = player.page.locator('[data-place="left"]')
    expect(panel.locator(".offers")).to_contain_text("Fire")
    if player.offer("Fire").count():
        ask_for_shot(player, machine)
        answer_all(host, *players)
        assert not is_open(events(host, player))


def close(ann: TablePage, ben: TablePage) -> None:
    """Close the battle. Once its turns are played it needs no consent; before that it does."""
    expect(ann.waiting).to_contain_text("The battle is over.")
    ann.waiting.get_by_role("button", name="Close it and show the seed").click()
    for table in (ann, ben):
        expect(table.waiting).to_contain_text("The game is over.")
        expect(table.waiting.get_by_role("link", name="Verify the dice")).to_be_visible()
        table.tab("Log")
        expect(table.page.locator("#log .line").last).to_contain_text("seed")


def verified(ann: TablePage, browser: Guests, count: int) -> None:
    """The saved battle verifies, and a battle that was tampered with says where."""
    panel = ann.tab("Replay")
    with ann.page.expect_download() as saving:
        panel.get_by_role("button", name="Save the battle as a file").click()
    lines = saving.value.path().read_text().splitlines()
    assert len(lines) == count
    page = browser.page()
    page.goto(ann.page.evaluate("location.origin") + "/verify")
    proof, field = page.locator("#verify"), page.get_by_label("Saved battle")

    field.set_input_files(saving.value.path())
    expect(proof.get_by_role("heading")).to_have_text("✓ Everything agrees.")
    expect(proof.locator(".proof .good")).to_have_count(4)
    expect(proof).to_contain_text(f"{count} events")

    told = [json.loads(line) for line in lines]
    at = next(place for place, one in enumerate(told) if one["event"].get("die") == "artillery")
    shown = told[at]["event"]["faces"][0]
    forged = "2" if shown != 2 else "4"
    lines[at] = lines[at].replace(f'"faces":{json.dumps([shown])}', f'"faces":[{forged}]')
    field.set_input_files({"name": "forged.jsonl", "mimeType": "text/plain", "buffer": "\n".join(lines).encode()})
    expect(proof.get_by_role("heading")).to_have_text("✗ Something does not agree.")
    expect(proof).to_contain_text(f"Event {at} (rolled) does not follow from the one before it")
    expect(proof).to_contain_text(f"shows {forged}; from seed and mixes it must show {shown}")

    del lines[at]
    field.set_input_files({"name": "cut.jsonl", "mimeType": "text/plain", "buffer": "\n".join(lines).encode()})
    expect(proof).to_contain_text("a roll is missing")


def test_what_a_list_does_not_say_is_asked(shared: Host, browser: Guests, tmp_path: Path) -> None:
    path = tmp_path / "moon.txt"
    path.write_text("10 Moon Wardens\n1 Grudge Thrower\n")
    lobby = Lobby(browser.page(), shared.base).open()
    army = bring(lobby, "North", path)
    expect(army).to_contain_text("Please check: lists do not hold bases and characteristics.")
    expect(army.get_by_role("combobox", name="Base: Moon Wardens").locator("option:checked")).to_have_text(
        "25 × 25 mm rectangle"
    )
    army.get_by_text("Characteristics", exact=True).click()
    expect(army.get_by_label("movement, in")).to_have_value("4")
    army.get_by_label("toughness").fill("6")
    army.get_by_role("combobox", name="Base: Moon Wardens").select_option(label="40 × 40 mm rectangle")

    ann = lobby.start_battle("Ann", side="north")
    ann.tab("Army")
    places = ann.places()
    wardens = sorted(key for key in places if "moon" in key)
    assert len(wardens) == 10
    assert all(36 < places[key][1] < 48 for key in wardens)
    assert abs(places[wardens[0]][0] - places[wardens[1]][0]) >= 40 / 25.4 - 0.01
    take_up(ann, wardens[0])
    card = ann.page.locator('[data-place="left"]')
    expect(card.locator("tr", has_text="toughness")).to_contain_text("6")

    path.write_bytes(b"\x00\xff\x00")
    lobby = Lobby(browser.page(), shared.base).open()
    browser.expect_error("400")
    form = lobby.page.locator("#start form")
    form.get_by_text("Bring an army list").click()
    army = form.get_by_role("region", name="Army of South")
    army.locator("input[type=file]").set_input_files(path)
    expect(army.get_by_role("alert")).to_be_visible()
