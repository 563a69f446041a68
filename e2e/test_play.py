"""Two players and a spectator, with a mouse each."""

from __future__ import annotations

from e2e.conftest import Guests, Host
from e2e.pages import Lobby, TablePage


def test_first(host: Host, browser: Guests) -> None:
    ann = Lobby(browser.page(), host.base).open().start_battle("Ann")
    ann.page.screenshot(path="/tmp/e2e-1.png")
    ben = TablePage(browser.page()).open(ann.link("north"))
    ben.page.screenshot(path="/tmp/e2e-2.png")
    ben.claim("Ben")
    ann.tab("Army")
    ben.tab("Army")
    assert ann.places() == ben.places()
    print(ann.places())
    x, y = ann.place("grudge-thrower")
    ann.select(x, y, "Grudge")
    ann.page.screenshot(path="/tmp/e2e-3.png")
