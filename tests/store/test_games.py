"""What stands beside the log."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from server.engine.refusals import Refused
from server.store import games
from server.store.writer import Writer
from tests.store.test_log import GAME


def test_links_open_until_they_are_revoked(store: Writer) -> None:
    store.run(partial(games.create, row=GAME))
    store.run(partial(games.add_token, hashed="aa", game="g1", role="south", at=1))
    store.run(partial(games.add_token, hashed="bb", game="g1", role="north", at=1))
    assert store.run(partial(games.role_of, hashed="aa")) == ("g1", "south")
    store.run(partial(games.revoke, game="g1", role="south", at=2))
    assert store.run(partial(games.role_of, hashed="aa")) is None
    assert store.run(partial(games.role_of, hashed="bb")) == ("g1", "north")


def test_only_open_watchable_games_are_shown(store: Writer) -> None:
    shown = replace(GAME, id="shown", watchable=True, watch="token")
    over = replace(shown, id="over", closed=True)
    for row in (GAME, shown, over):
        store.run(partial(games.create, row=row))
    assert [row.id for row in store.run(partial(games.watchable, most=9))] == ["shown"]


def test_a_seat_has_one_name(store: Writer) -> None:
    store.run(partial(games.create, row=GAME))
    for name in ("Ann", "Ben"):
        store.run(partial(games.seat_person, game="g1", seat="south", name=name, at=5))
    assert store.run(partial(games.seated, games_wanted=["g1"]))["g1"] == [games.PersonRow("south", "Ben", 5)]


def test_chat_is_numbered_once_each_and_bounded(store: Writer) -> None:
    store.run(partial(games.create, row=GAME))
    say = partial(games.say, game="g1", at=1, role="south", name="Ann", text="hi", most=2)
    first = store.run(partial(say, cause="c1"))
    assert first is not None
    assert first.number == 0
    assert store.run(partial(say, cause="c1")) is None
    assert store.run(partial(say, cause="c2")) is not None
    with pytest.raises(Refused):
        store.run(partial(say, cause="c3"))
