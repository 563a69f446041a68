"""Armies that players bring."""

from __future__ import annotations

import json
from typing import Any

import pytest

from server.engine.refusals import Refused, Unknown
from tests.play.desk import Desk

LIST = b"My Host\n\n10 Soldier\n3 Griffon Riders\n"


def test_a_list_is_recognised_and_says_what_must_be_asked(desk: Desk) -> None:
    army = desk.service.recognise("toy", "host.txt", LIST)
    known, unknown = army.units
    assert (known.profile, known.count, known.asks) == ("Soldier", 10, ())
    assert unknown.profile is None
    assert unknown.asks


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", b"<!DOCTYPE x>", b"\xff\xfe\x00", b"{" * 100_000, b"x" * 2_100_000]
)
def test_files_that_are_no_lists_are_refused_in_words(desk: Desk, data: bytes) -> None:
    with pytest.raises(Refused) as refused:
        desk.service.recognise("toy", "list.json", data)
    assert refused.value.message.endswith(".")


def test_lists_are_for_a_system_that_is_here(desk: Desk) -> None:
    with pytest.raises(Unknown):
        desk.service.recognise("nothing", "host.txt", LIST)


def test_an_army_stands_in_place_of_its_sides_own(desk: Desk) -> None:
    profile = json.loads(json.dumps(desk.service.recognise("toy", "host.txt", LIST).units[1].draft))
    units = [{"profile": "Soldier", "count": 10}, {"profile": "custom_griffon", "count": 2, "label": "Riders"}]
    created = desk.begin(armies={"south": units}, profiles={"custom_griffon": {**profile, "name": "Griffon"}})
    with desk.service.games.held(created.game) as hosted:
        models = hosted.game.table.models.values()
        assert sum(model.owner == "south" for model in models) == 12
        assert sum(model.owner == "north" for model in models) == 2
        assert hosted.game.profiles["custom_griffon"].name == "Griffon"
    desk.restart()
    with desk.service.games.held(created.game) as hosted:
        assert hosted.game.profiles["custom_griffon"].name == "Griffon"


@pytest.mark.parametrize(
    "order",
    [
        {"armies": {"south": [{"profile": "Nobody"}]}},
        {"armies": {"south": [{"profile": "Soldier", "count": 10**6}]}},
        {"armies": {"south": [{"profile": "Soldier", "strength": 9}]}},
        {"armies": {"south": ["Soldier"]}},
        {"armies": {"south": [{"profile": "Soldier"}] * 100}},
        {"profiles": {"Soldier": {}}},
        {"profiles": {"custom_x": {"name": "X"}}},
    ],
)
def test_armies_that_cannot_stand_are_refused_in_words(desk: Desk, order: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        desk.begin(**order)
