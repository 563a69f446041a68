"""Whole games through the interpreter: the contract under all house options, odds, undo and reload."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from server.engine.contract import Contract, seated
from server.engine.forecast import of_action, of_option
from server.engine.interpreter import Game
from server.engine.options import choices
from server.engine.questions import Choose
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.options import Options
from server.table.model import Table
from tests.rules.stone_thrower.scenes import GUN, block, gun, house, orc, orcs, single, table


def some_options() -> st.SearchStrategy[Options]:
    """Any lawful house options."""
    fixed = {"rounds", "answer_within", "on_timeout", "body_width", "hole_diameter_mm"}
    free = {choice.key: st.sampled_from(choice.values) for choice in choices(Options) if choice.key not in fixed}
    return st.fixed_dictionaries(free).map(lambda chosen: msgspec.convert(chosen, Options))


def battlefield() -> Table:
    """A bit of everything that the rules speak of, in the shooting phase."""
    inside = block("inside", "north", "goblin", 4, (14, 30), flags={"garrison": "house"})
    ruin = house(34, 30, 5, 5, "ruin", kind="ruin", floors=(0, 3), height=6)
    return table(
        gun(x=24, y=2),
        single("mortar", "south", "empire_mortar", 30, 2),
        single("rockets", "south", "empire_rocket_battery", 18, 2, status={"wounds": 1}),
        block("dwarfs", "south", "dwarf_warrior", 6, (24, 24), wide=3),
        orcs(),
        inside,
        block("ogres", "north", "ogre", 3, (34, 30), wide=3),
        single("beast", "north", "stegadon_ridden", 29, 34),
        block("snots", "north", "goblin", 5, (20, 36), flags={"ranked": False}),
        terrain=[house(14, 30, 5, 5), ruin, house(40, 20, 4, 1, "wall", kind="wall", height=3)],
    )


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), options=some_options())
def test_the_contract_holds_under_all_house_options(data: st.DataObject, options: Options) -> None:
    contract = Contract(SYSTEM, battlefield(), lambda things: data.draw(st.sampled_from(list(things))), options)
    for _ in range(15):
        contract.step()


@pytest.mark.parametrize("scenario", SYSTEM.scenarios, ids=[scenario.id for scenario in SYSTEM.scenarios])
def test_scenarios_open_and_can_be_shot_in(scenario: object) -> None:
    laid = next(known for known in SYSTEM.scenarios if known is scenario).table
    game = seated(SYSTEM, replace(laid, clock=replace(laid.clock, phase="shooting")))
    machines = [model.id for model in laid.models.values() if model.owner == "south" and is_machine(model.profile)]
    forecast = of_action(game, "south", "fire", machines[0])
    assert isinstance(forecast.asks, Choose)
    assert forecast.asks.rule == "ST-14"


def is_machine(profile: str) -> bool:
    return SYSTEM.profiles[profile].weapon is not None


def started(table_: Table) -> Game:
    """A game in which the machine waits to be told its target."""
    game = seated(SYSTEM, table_)
    game.do("south", "fire", GUN, at=10)
    answer(game, "direct")
    return game


def answer(game: Game, value: object) -> None:
    (seq,) = game.questions
    game.answer(game.questions[seq].to, seq, value, at=11)


def test_odds_of_a_target() -> None:
    game = started(table(gun(), orcs()))
    (seq,) = game.questions
    odds = of_option(game, seq, orc(2, 1))
    chances = {outcome.label: outcome.chance for outcome in odds.outcomes}
    assert chances["Misfires"] == 10000 // 6
    assert chances["Lands on target"] == 10000 * 5 // 18
    assert odds.hits[orc(2, 1)] >= chances["Lands on target"]
    assert sum(landing.share for landing in odds.landings) > 8000
    assert odds.expected["hits"] > 3000
    assert odds.asks is None


def test_odds_tell_the_danger_to_ones_own() -> None:
    friends = block("friends", "south", "dwarf_warrior", 10, (24, 24), wide=5)
    game = started(table(gun(), friends, orcs()))
    (seq,) = game.questions
    assert of_option(game, seq, orc(2, 1)).expected["own_hits"] > 0


def test_nothing_of_a_forecast_touches_the_game() -> None:
    game = started(table(gun(), orcs()))
    before = len(game.log)
    (seq,) = game.questions
    of_option(game, seq, orc(2, 1))
    assert len(game.log) == before


def test_a_game_saved_in_mid_shot_asks_the_same_again() -> None:
    game = started(table(gun(), orcs(), single("lone", "north", "goblin", 15, 30)))
    again = Game(SYSTEM, game.source, list(game.log))
    assert again.stuck is None
    assert again.questions == game.questions
    answer(again, "lone")
    (question,) = again.questions.values()
    assert question.rule == "ST-06"
