"""The odds: exact for the first dice, the same every time, and without a touch on the game or its dice."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from server.engine.contract import seated
from server.engine.dice import ARTILLERY, D6, HIT, MISFIRE, Die, sided
from server.engine.events import Answered, Rolled, Started, Undo
from server.engine.forecast import TRIALS, WHOLE, Forecast, Landing, Outcome, of_action, of_option
from server.engine.interpreter import Game
from server.engine.questions import Allocate, Choose, Confirm, Guess, Option
from server.engine.refusals import NotYours, Refused, Stale, Unknown
from server.engine.requests import ask, ask_all, change, judge, note, roll, rolls, scatter
from server.geometry.units import Length, Point, inches
from server.table.digest import digest
from server.table.facts import ModelsRemoved, StatusSet, TemplateLaid
from server.table.fold import apply
from server.table.model import ModelId, Seat, Template
from tests.engine.games import acted, agree, loaded, numbers, pending, reply, state, toy_game, with_rule
from tests.engine.toy import TOY, Gap, ToyScene, skirmish


def sure(seat: Seat = "south") -> Confirm:
    return Confirm(rule="TOY-4", to=seat, prompt="Fight?")


def odds(game: Game, option: object = True) -> Forecast:
    """What would come of answering the one question that waits."""
    return of_option(game, pending(game)[0], option)


def hits_of(forecast: Forecast) -> int:
    """The chance of the outcome that the toy system tells of."""
    (outcome,) = forecast.outcomes
    assert outcome.label == "Hits"
    return outcome.chance


def throwing(die: Die[Any], *good: object) -> Game:
    """A game that asks whether to throw a die, and removes n1 when it shows one of the good faces."""

    async def rule(scene: ToyScene, model: ModelId) -> None:
        if await ask(sure()) and await roll(die, "TOY-1", "attack") in good:
            await note("TOY-1", "Struck.", "n1", outcome="hit")
            await change(ModelsRemoved((ModelId("n1"),)))

    return acted(rule)


# Exact chances


@pytest.mark.parametrize("good", range(7))
def test_the_chance_of_a_first_die_is_exact(good: int) -> None:
    told = odds(throwing(D6, *range(7 - good, 7)))
    share = good * WHOLE // 6
    assert told.trials == TRIALS
    assert told.hits.get(ModelId("n1"), 0) == told.lost.get(ModelId("n1"), 0) == share
    assert told.expected == {"hits": good * 1000 // 6, "lost": good * 1000 // 6, "own_hits": 0}


@pytest.mark.parametrize(
    ("die", "good", "share"), [(ARTILLERY, (MISFIRE,), 1666), (sided(3), (1,), 3333), (sided(12), (1, 2, 3), 2500)]
)
def test_other_small_dice_are_exact_too(die: Die[Any], good: tuple[object, ...], share: int) -> None:
    assert odds(throwing(die, *good)).hits == {"n1": share}


def test_a_large_die_is_dealt_in_slices() -> None:
    half = odds(throwing(sided(360), *range(1, 181)))
    assert half.hits == {"n1": 5000}


def test_two_dice_are_exact_together() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if await ask(sure()):
            first, second = await rolls(D6, 2, "TOY-1", "attack")
            if first + second == 12:
                await note("TOY-1", "Struck.", "n1", outcome="hit")

    assert odds(acted(rule)).hits == {"n1": WHOLE // 36}


def test_a_shot_is_exact_in_scatter_artillery_and_quarter_of_the_compass() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if not await ask(sure()):
            return
        arrow = await scatter("TOY-6")
        shot = await roll(ARTILLERY, "TOY-6", "distance")
        if arrow.face == HIT and shot == MISFIRE:
            await note("TOY-6", "It bursts.", "s1", outcome="hit")
        if shot == 10 and arrow.bearing < 9000:
            await note("TOY-6", "Off to the east.", "n1", outcome="hit")

    told = odds(acted(rule))
    assert told.hits == {"n1": WHOLE // 6 // 4, "s1": WHOLE * 2 // 36}
    assert told.expected["own_hits"] == 2 * 1000 // 36


def test_further_dice_are_near_their_chances() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if await ask(sure()):
            await rolls(D6, 6, "TOY-1", "others")
            if await roll(D6, "TOY-1", "attack") > 3:
                await note("TOY-1", "Struck.", "n1", outcome="hit")

    assert 4000 < odds(acted(rule)).hits[ModelId("n1")] < 6000


def test_a_model_hit_twice_in_one_trial_counts_once() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if await ask(sure()):
            for _ in range(2):
                await note("TOY-1", "Struck.", "n1", outcome="hit")

    assert odds(acted(rule)).hits == {"n1": WHOLE}


def test_only_outcomes_that_the_system_tells_of_are_told_even_when_they_never_come_about() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if await ask(sure()):
            await note("TOY-1", "Nobody cares.", outcome="rain")

    assert odds(acted(rule)).outcomes == (Outcome("Hits", 0),)


def test_landings_say_where_a_template_came_to_lie_when_it_was_judged() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if not await ask(sure()):
            return
        east = inches(4 if await roll(D6, "TOY-6", "drift") > 4 else 2)
        for x in (Length(0), east):
            await change(TemplateLaid(Template("shot", Point(x, Length(0)), inches(1), Length(0))))
        await judge("TOY-3", "covered", Gap(1))

    assert odds(acted(rule)).landings == (Landing(inches(2), Length(0), 6666), Landing(inches(4), Length(0), 3333))


def test_the_other_option_is_foretold_as_well() -> None:
    told = odds(throwing(D6, 1, 2, 3, 4, 5, 6), option=False)
    assert (told.hits, told.lost, hits_of(told)) == ({}, {}, 0)


# No trace


def test_the_same_question_gets_the_same_answer() -> None:
    game = throwing(sided(7), 1, 2)
    assert odds(game) == odds(game) == odds(loaded(game, game.system))


def test_a_forecast_touches_neither_the_game_nor_its_dice() -> None:
    game, other = throwing(D6, 6), throwing(D6, 6)
    before = state(game)
    odds(game)
    odds(game, option=False)
    assert state(game) == before
    for one in (game, other):
        reply(one, True)
    assert game.log[-1].hash == other.log[-1].hash


def test_a_forecast_says_nothing_of_the_next_roll() -> None:
    games = [throwing(D6, 6) for _ in range(2)]
    agree(games[1], "south", Undo(numbers(games[1], Started)[0]))
    games[1].do("north", "free_roll", args={"sides": 6, "count": 5}, at=60)
    games[1].do("south", "act", "s1", at=61)
    assert odds(games[0]) == odds(games[1])


def test_of_an_action_touches_nothing_either() -> None:
    game = toy_game()
    before = state(game)
    of_action(game, "south", "duel", "s1")
    assert state(game) == before


# In the middle of an action


def test_what_was_rolled_answered_and_judged_already_is_kept() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        first = await roll(D6, "TOY-1", "first")
        wanted = await ask(Guess(rule="TOY-5", to="south", prompt="What?", least=1, most=6, unit=""))
        gap = await judge("TOY-3", "gap", Gap(3))
        await change(StatusSet(model, "tired", value=True))
        if await ask(sure()) and first + wanted + gap.inches == await roll(sided(12), "TOY-1", "second"):
            await note("TOY-1", "Struck.", "n1", outcome="hit")

    game = acted(rule)
    reply(game, 2)
    assert odds(game).hits == {"n1": WHOLE // 12}


def test_sealed_answers_that_were_opened_are_kept() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        bids = await ask_all([bid("south"), bid("north")])
        if await ask(sure()) and await roll(D6, "TOY-1", "attack") <= bids[1] - bids[0]:
            await note("TOY-1", "Struck.", "n1", outcome="hit")

    game = acted(rule)
    south, north = game.questions
    game.answer("north", north, 7, at=20)
    game.answer("south", south, 4, at=20)
    assert odds(game).hits == {"n1": 5000}


def bid(seat: Seat) -> Guess:
    return Guess(rule="TOY-5", to=seat, prompt="Bid", least=0, most=9, unit="points")


def test_a_sealed_answer_is_foretold_without_the_rivals() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        south, north = await ask_all([bid("south"), bid("north")])
        if await ask(sure()) and south - north >= await roll(D6, "TOY-1", "attack"):
            await note("TOY-1", "Struck.", "n1", outcome="hit")

    game = acted(rule)
    south, north = game.questions
    before = of_option(game, south, 3)
    assert before.hits == {"n1": 5000}
    game.answer("north", north, 9, at=20)
    assert of_option(game, south, 3) == before
    with pytest.raises(Stale):
        of_option(game, north, 3)


def test_a_trial_sees_the_table_it_changes() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if await ask(sure()):
            await change(StatusSet(model, "wounds", 2))
            if scene.model(model).status.get("wounds") == 2:
                await note("TOY-1", "Struck.", "n1", outcome="hit")

    game = acted(rule)
    assert odds(game).hits == {"n1": WHOLE}
    assert digest(game.table) == digest(skirmish())


def test_trials_say_yes_to_going_on_and_take_defaults_after_the_dice() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        options = (Option("n1", "The first", refs=("n1",)), Option("n2", "The second", refs=("n2",)))
        if not await ask(sure()):
            return
        await roll(D6, "TOY-1", "attack")
        victim = await ask(Choose(rule="TOY-1", to="north", prompt="Who falls?", options=options))
        if await ask(sure("north")):
            await note("TOY-1", "Struck.", victim, outcome="hit")

    assert odds(acted(rule)).hits == {"n1": WHOLE}


def test_a_choice_that_comes_before_the_dice_is_asked_instead() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if await ask(sure()):
            await ask(target())
            await roll(D6, "TOY-1", "attack")

    told = odds(acted(rule))
    assert told == Forecast(asks=target())


def target() -> Choose[str]:
    return Choose(rule="TOY-1", to="south", prompt="Whom?", options=(Option("n1", "One", refs=("n1",)),))


def test_an_answer_that_was_taken_back_is_foretold_anew() -> None:
    game = throwing(D6, 1, 2, 3)
    reply(game, True)
    agree(game, "south", Undo(numbers(game, Answered)[0]))
    assert odds(game).hits == {"n1": 5000}
    assert len(numbers(game, Rolled)) == 1


# What cannot be foretold


def test_unlawful_answers_are_refused_as_they_would_be() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        def even(number: int) -> None:
            if number % 2:
                raise Refused("Only an even number will do.")

        await ask(Guess(rule="TOY-5", to="south", prompt="Even", least=0, most=9, unit=""), even)

    game = acted(rule)
    for option, why in ((True, "whole number"), (10, "between 0 and 9"), (3, "Only an even number")):
        with pytest.raises(Refused, match=why):
            odds(game, option)
    assert odds(game, 4).trials == TRIALS


@pytest.mark.parametrize("question", [-1, 0, 99])
def test_a_question_that_is_not_open_is_stale(question: int) -> None:
    with pytest.raises(Stale):
        of_option(throwing(D6, 6), question, True)


def test_a_stuck_or_closed_game_foretells_nothing() -> None:
    game = throwing(D6, 6)
    seq, _ = pending(game)
    stuck = loaded(game, TOY)
    assert stuck.stuck is not None
    with pytest.raises(Stale):
        of_option(stuck, seq, True)
    assert of_action(stuck, "south", "duel", "s1") == Forecast()


# Before an action


def test_an_action_foretells_the_first_choice_it_would_ask() -> None:
    asks = of_action(toy_game(), "south", "duel", "s1").asks
    assert isinstance(asks, Choose)
    assert [option.id for option in asks.options] == ["n1", "n2"]
    assert asks.to == "south"


def test_an_action_without_a_choice_foretells_nothing() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        caps = {"a": 2}
        options = (Option("a", "A"),)
        await ask(Allocate(rule="TOY-7", to="south", prompt="Share", options=options, total=2, caps=caps))
        await roll(D6, "TOY-1", "attack")

    game = seated(with_rule(rule), skirmish())
    assert of_action(game, "south", "act", "s1") == Forecast()


def test_an_action_that_may_not_start_says_why() -> None:
    game = seated(TOY, apply(skirmish(), StatusSet(ModelId("s1"), "tired", value=True)))
    with pytest.raises(Refused, match="It is tired"):
        of_action(game, "south", "duel", "s1")
    with pytest.raises(NotYours, match="other side's turn"):
        of_action(game, "north", "duel", "n1")
    with pytest.raises(Unknown):
        of_action(game, "south", "duel", "n1")
    with pytest.raises(Unknown):
        of_action(game, "south", "charge", "s1")
    moving = replace(skirmish(), clock=replace(skirmish().clock, phase="move"))
    with pytest.raises(Refused, match="belongs in another phase: Fight"):
        of_action(seated(TOY, moving), "south", "duel", "s1")


def test_while_something_is_open_no_action_is_foretold() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    assert of_action(game, "south", "duel", "s2") == Forecast()
