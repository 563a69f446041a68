"""A battle played with fingers, on a tablet and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from e2e.conftest import Guests, Host
from e2e.pages import GUARD, Fingers, Lobby, TablePage

TABLET = {"size": (1024, 768), "has_touch": True}
PHONE = {"size": (844, 390), "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.mark.parametrize("device", [TABLET, PHONE], ids=["tablet", "phone"])
def test_a_shot_with_fingers(shared: Host, browser: Guests, device: dict[str, object]) -> None:
    page = browser.page(**device)  # type: ignore[arg-type]
    table = Lobby(page, shared.base).open().start_battle("Ann", hotseat=True)
    fingers = Fingers(page)
    table.tab("Army")
    table.close_drawer()

    a_finger_pans(table, fingers)
    two_fingers_zoom(table, fingers)
    a_second_finger_lets_go(shared, table, fingers)
    a_model_is_dragged(table, fingers)

    tap(table.end_phase_button)
    table.wait_phase("Shooting")
    fingers.tap(table.board_point(24, 3))
    tap(table.offer("Fire"))
    table.asked("How does")
    tap(table.prompt.locator('[data-option="direct"]'))
    a_target_is_looked_at_and_chosen(table, fingers)
    table.asked("Fire Grudge Thrower at Orc Boyz 13")
    tap(table.prompt.get_by_role("button", name="Fire"))
    expect(table.prompt.filter(has_text="Fire Grudge Thrower at")).to_have_count(0)
    table.settle()
    kinds = [event["kind"] for event in shared.history(table.game, table.token)]
    assert kinds.count("rolled") >= 2
    assert kinds[-1] == "finished"


def tap(button: Locator) -> None:
    """Tap what can be tapped, which must be as large as a finger needs."""
    expect(button).to_be_visible()
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 32, box
    button.tap()


def a_finger_pans(table: TablePage, fingers: Fingers) -> None:
    _, left, top = table.look
    x, y = table.board_point(36, 24)
    fingers.drag((x, y), (x + 40, y + 25))
    panned = pytest.approx((left + 40, top + 25), abs=1)
    table.until(lambda: table.look[1:] == panned, lambda: f"from {left, top} to {table.look}")


def two_fingers_zoom(table: TablePage, fingers: Fingers) -> None:
    scale, *_ = table.look
    fingers.pinch(table.board_point(20, 12), 60, 120)
    table.until(lambda: table.look[0] == pytest.approx(2 * scale, rel=0.02), lambda: f"{table.look}, not 2 x {scale}")
    fingers.pinch(table.board_point(20, 12), 120, 60)
    table.until(lambda: table.look[0] == pytest.approx(scale, rel=0.02), lambda: f"{table.look}, not {scale}")
    x, y = table.board_point(24, 24)
    box = table.board.bounding_box()
    assert box is not None
    fingers.drag((x, y), (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))


def a_second_finger_lets_go(shared: Host, table: TablePage, fingers: Fingers) -> None:
    before = table.places()
    x, y = table.board_point(*before["warriors-05"])
    fingers.drag((x, y), (x + 30, y - 10), lift=False)
    fingers.down((x + 30, y - 10), (x + 120, y - 60))
    fingers.move((x + 31, y - 10), (x + 121, y - 60))
    fingers.up()
    table.page.wait_for_timeout(200)
    assert [event for event in shared.history(table.game, table.token) if event["kind"] == "started"] == []
    assert table.places() == before


def a_model_is_dragged(table: TablePage, fingers: Fingers) -> None:
    x, y = table.place("warriors-05")
    fingers.drag(table.board_point(x, y), table.board_point(x + 2, y + 1.5))
    wanted = pytest.approx((x + 2, y + 1.5), abs=0.2)
    table.until(lambda: table.place("warriors-05") == wanted, lambda: f"{table.place('warriors-05')}, not {wanted}")


def a_target_is_looked_at_and_chosen(table: TablePage, fingers: Fingers) -> None:
    table.asked("Nominate")
    table.page.wait_for_timeout(GUARD)
    point = table.board_point(*table.place("orcs-13"))
    fingers.tap(point)
    expect(table.prompt).to_contain_text("Nominate")
    fingers.tap(point)
