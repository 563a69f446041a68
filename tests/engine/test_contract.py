"""The contract, on the toy system and on every installed one: random lawful play with all invariants checked."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.engine.contract import Contract
from server.engine.system import AnySystem, systems
from server.table.model import Table
from tests.engine.toy import TOY, board, skirmish, soldier


def _play(system: AnySystem, table: Table, data: st.DataObject, steps: int) -> Contract:
    contract = Contract(system, table, lambda things: data.draw(st.sampled_from(list(things))))
    for _ in range(steps):
        contract.step()
    return contract


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_the_toy_system_keeps_the_contract(data: st.DataObject) -> None:
    _play(TOY, skirmish(), data, 14)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_is_hidden_stays_hidden_in_random_play(data: st.DataObject) -> None:
    table = board(
        soldier("s1", "south", 5, 5), soldier("n1", "north", 5, 15), soldier("spy", "north", 9, 15, ("north",))
    )
    contract = _play(TOY, table, data, 8)
    assert not any('"spy"' in str(event) for event in contract.streams["watch"])


@pytest.mark.parametrize("system", systems().values(), ids=list(systems()))
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_installed_system_keeps_the_contract(system: AnySystem, data: st.DataObject) -> None:
    scenario = min(system.scenarios, key=lambda known: len(known.table.models))
    _play(system, scenario.table, data, 12)
