"""Going back, resolving now, ending the game, changing house options: what needs consent, and what comes of it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from server.engine.contract import Contract, seated
from server.engine.dice import D6
from server.engine.events import (
    Answered,
    Asked,
    Closed,
    EndGame,
    Motion,
    OptionSet,
    Proposed,
    ResolveNow,
    Rewound,
    Rolled,
    SetOption,
    Started,
    Undo,
    Voted,
)
from server.engine.interpreter import Game
from server.engine.motions import PATIENCE, WAIT
from server.engine.refusals import Busy, NotYours, Refused, Stale
from server.engine.requests import roll
from server.table.digest import digest
from server.table.model import SEATS, ModelId, Seat, rival_of
from tests.engine.games import (
    agree,
    dice,
    duel,
    events,
    kinds,
    let_time_run_out,
    loaded,
    numbers,
    pending,
    put_down,
    refused,
    reply,
    toy_game,
    with_rule,
)
from tests.engine.toy import TOY, ToyScene, skirmish

# What is free


def test_ones_own_last_action_is_taken_back_freely() -> None:
    game = toy_game()
    before = digest(game.table)
    put_down(game)
    began = numbers(game, Started)[0]
    assert game.undoable("south") == began
    assert game.undoable("north") is None
    heard = game.propose("south", Undo(began), at=20)
    assert [logged.event for logged in heard] == [Rewound(began, "south")]
    assert digest(game.table) == before
    assert game.undoable("south") is None


def test_actions_are_taken_back_one_after_another() -> None:
    game = toy_game()
    put_down(game, name="one")
    put_down(game, name="two")
    for _ in range(2):
        last = game.undoable("south")
        assert last is not None
        game.propose("south", Undo(last), at=20)
    assert game.table.markers == {}
    assert game.undoable("south") is None


def test_nobody_takes_back_freely_past_the_rivals_action() -> None:
    game = toy_game()
    put_down(game, "south", "one")
    put_down(game, "north", "two")
    assert game.undoable("south") is None
    assert game.undoable("north") == numbers(game, Started)[-1]
    first = numbers(game, Started)[0]
    game.propose("south", Undo(first), at=20)
    assert game.motion is not None
    assert set(game.table.markers) == {"one", "two"}


def test_nobody_takes_back_the_rivals_action_freely() -> None:
    game = toy_game()
    put_down(game, "south")
    game.propose("north", Undo(numbers(game, Started)[0]), at=20)
    assert game.motion is not None


def test_an_action_that_rolled_is_not_taken_back_freely() -> None:
    game = toy_game()
    game.do("south", "free_roll", args={"sides": 6}, at=10)
    assert game.undoable("south") is None


def test_an_action_that_asked_is_not_taken_back_freely() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    assert game.undoable("south") is None
    reply(game, "n1")
    reply(game, False)
    assert game.undoable("south") is None


def test_a_turns_phase_that_rolled_is_not_taken_back_freely() -> None:
    game = toy_game()
    game.do("south", "pass", at=10)
    assert game.undoable("south") is None


def test_free_undo_waits_for_an_open_proposal() -> None:
    game = toy_game()
    put_down(game)
    game.propose("north", EndGame(), at=15)
    with refused(game, Busy, "Another proposal"):
        game.propose("south", Undo(numbers(game, Started)[0]), at=20)


# What needs consent


def test_a_proposal_names_the_event_it_goes_back_to_and_changes_nothing_yet() -> None:
    game = toy_game()
    duel(game)
    began = numbers(game, Started)[0]
    table = digest(game.table)
    game.propose("south", Undo(began), at=20)
    assert events(game, Proposed) == [Proposed(Undo(began), "south")]
    assert game.motion == game.seq
    assert digest(game.table) == table


def test_the_rival_agrees_and_the_game_goes_back() -> None:
    game = toy_game()
    before = digest(game.table)
    duel(game)
    began = numbers(game, Started)[0]
    heard = agree(game, "south", Undo(began))
    assert [logged.event for logged in heard] == [Voted("north", True), Rewound(began, "south")]
    assert digest(game.table) == before
    assert game.motion is None
    assert digest(loaded(game, TOY).table) == before


def test_the_rival_declines_and_nothing_happens() -> None:
    game = toy_game()
    duel(game)
    table = digest(game.table)
    game.propose("south", Undo(numbers(game, Started)[0]), at=20)
    game.vote("north", game.motion or 0, yes=False, at=21)
    assert digest(game.table) == table
    assert game.motion is None
    assert events(game, Rewound) == []


def test_nobody_agrees_to_ones_own_proposal_but_may_withdraw_it() -> None:
    game = toy_game()
    game.propose("south", EndGame(), at=20)
    with refused(game, NotYours, "other player must agree"):
        game.vote("south", game.motion or 0, yes=True, at=21)
    game.vote("south", game.motion or 0, yes=False, at=22)
    assert game.motion is None
    assert not game.closed


@pytest.mark.parametrize("late", [0, 4, 9_999, -1])
def test_a_vote_on_another_proposal_is_stale(late: int) -> None:
    game = toy_game()
    game.propose("south", EndGame(), at=20)
    with refused(game, Stale):
        game.vote("north", late, yes=True, at=21)


def test_a_doubled_vote_is_stale() -> None:
    game = toy_game()
    game.propose("south", EndGame(), at=20)
    motion = game.motion or 0
    game.vote("north", motion, yes=False, at=21)
    with refused(game, Stale):
        game.vote("north", motion, yes=True, at=22)


def test_a_late_vote_is_not_taken_for_the_next_proposal() -> None:
    game = toy_game()
    game.propose("south", EndGame(), at=20)
    first = game.motion or 0
    game.vote("south", first, yes=False, at=21)
    game.propose("south", EndGame(), at=22)
    with refused(game, Stale):
        game.vote("north", first, yes=True, at=23)


def test_one_proposal_at_a_time() -> None:
    game = toy_game()
    game.propose("south", EndGame(), at=20)
    for seat in SEATS:
        with refused(game, Busy):
            game.propose(seat, SetOption("rounds", 3), at=21)


def test_a_proposal_stays_open_while_play_goes_on() -> None:
    game = toy_game()
    duel(game)
    game.propose("south", Undo(numbers(game, Started)[0]), at=20)
    motion = game.motion
    put_down(game, "north")
    duel(game, "s2")
    assert game.motion == motion
    assert loaded(game, TOY).motion == motion
    game.vote("north", motion or 0, yes=True, at=30)
    assert game.table.markers == {}


def test_a_proposal_survives_an_action_that_breaks() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        await roll(D6, "TOY-1", "attack")
        raise ZeroDivisionError

    game = seated(with_rule(rule), skirmish())
    game.propose("south", EndGame(), at=20)
    motion = game.motion
    game.do("south", "act", "s1", at=21)
    assert kinds(game)[-1] == "Failed"
    assert game.motion == motion
    assert loaded(game, game.system).motion == motion
    game.vote("north", motion or 0, yes=True, at=22)
    assert game.closed


@pytest.mark.parametrize("to", [-1, 0, 1, 3, 10_000])
def test_the_game_goes_back_only_to_before_an_action_a_roll_or_an_answer(to: int) -> None:
    game = toy_game()
    duel(game)
    with refused(game, Refused, "cannot go back to there"):
        game.propose("north", Undo(to), at=20)


def test_nobody_goes_back_to_what_is_already_undone() -> None:
    game = toy_game()
    duel(game)
    began, rolled = numbers(game, Started)[0], numbers(game, Rolled)[0]
    agree(game, "south", Undo(began))
    for gone in (began, rolled):
        with refused(game, Refused, "cannot go back"):
            game.propose("north", Undo(gone), at=20)


def test_a_proposal_to_go_back_to_what_was_undone_meanwhile_can_only_be_declined() -> None:
    game = toy_game()
    duel(game)
    rolled = numbers(game, Rolled)[0]
    game.propose("south", Undo(rolled), at=20)
    assert game.motion is not None
    game.vote("north", game.motion, yes=False, at=21)
    agree(game, "south", Undo(numbers(game, Started)[0]), at=22)
    with refused(game, Refused):
        game.propose("south", Undo(rolled), at=23)


# Repeated proposals


def declined(game: Game, seat: Seat, at: int) -> None:
    game.propose(seat, EndGame(), at=at)
    assert game.motion is not None
    game.vote(rival_of(seat), game.motion, yes=False, at=at)


def test_one_who_was_declined_again_and_again_waits_ever_longer() -> None:
    game = toy_game()
    at = 1_000
    for _ in range(PATIENCE):
        declined(game, "south", at)
    for step in range(1, 4):
        wait = WAIT * step
        with refused(game, Refused, f"declined {PATIENCE + step - 1} times: ask again in {wait // 1000} seconds"):
            game.propose("south", EndGame(), at=at)
        with refused(game, Refused, "ask again in 1 seconds"):
            game.propose("south", EndGame(), at=at + wait - 1)
        at += wait
        declined(game, "south", at)


def test_the_other_seat_need_not_wait() -> None:
    game = toy_game()
    for _ in range(PATIENCE):
        declined(game, "south", 1_000)
    declined(game, "north", 1_000)


def test_agreement_ends_the_waiting() -> None:
    game = toy_game()
    for _ in range(PATIENCE):
        declined(game, "south", 1_000)
    agree(game, "south", SetOption("rounds", 4), at=1_000 + WAIT)
    declined(game, "south", 1_000 + WAIT)


def test_withdrawing_is_no_refusal() -> None:
    game = toy_game()
    for _ in range(2 * PATIENCE):
        game.propose("south", EndGame(), at=1_000)
        game.vote("south", game.motion or 0, yes=False, at=1_000)
    game.propose("south", EndGame(), at=1_000)


def test_refusals_are_remembered_when_the_game_goes_back() -> None:
    game = toy_game()
    put_down(game)
    for _ in range(PATIENCE):
        declined(game, "south", 1_000)
    game.propose("south", Undo(numbers(game, Started)[0]), at=1_000)
    with refused(game, Refused, "declined"):
        game.propose("south", EndGame(), at=1_000)


# Going back inside an action


def test_going_back_to_an_answer_brings_the_question_up_again() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    reply(game, "n1")
    chosen = numbers(game, Answered)[0]
    reply(game, False)
    assert game.at_rest
    agree(game, "south", Undo(chosen))
    seq, question = pending(game)
    assert seq == numbers(game, Asked)[0]
    assert question.prompt == "Whom?"
    reply(game, "n2")
    reply(game, False)
    assert kinds(loaded(game, TOY)) == kinds(game)
    assert loaded(game, TOY).at_rest


def test_going_back_to_a_sealed_answer_keeps_the_other_one() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    reply(game, "n1")
    reply(game, True)
    south, north = game.questions
    game.answer("south", south, 3, at=20)
    game.answer("north", north, 4, at=20)
    bids = [logged.seq for logged in game.log if isinstance(logged.event, Answered) and logged.event.sealed]
    agree(game, "south", Undo(bids[1]))
    assert list(game.questions) == [north]
    assert loaded(game, TOY).questions.keys() == game.questions.keys()
    game.answer("north", north, 9, at=60)
    assert game.at_rest


def test_going_back_inside_an_action_leaves_the_table_as_it_was_at_that_point() -> None:
    game = toy_game()
    duel(game)
    assert game.table.models[ModelId("s1")].status == {"tired": True}
    agree(game, "north", Undo(numbers(game, Answered)[1]))
    assert game.table.models[ModelId("s1")].status == {}
    assert pending(game)[1].prompt == "Fight?"


def test_going_back_to_a_roll_rolls_anew() -> None:
    game = toy_game()
    game.do("south", "free_roll", args={"sides": 100, "count": 5}, at=10)
    agree(game, "south", Undo(numbers(game, Rolled)[0]))
    first, second = events(game, Rolled)
    assert (first.number, second.number) == (0, 5)
    assert first.faces != second.faces
    assert game.at_rest
    assert kinds(loaded(game, TOY)) == kinds(game)


# Dice never rewind (I7)


def test_an_undone_roll_stays_in_the_log_and_its_number_is_not_given_again() -> None:
    game = toy_game()
    duel(game)
    rolled = events(game, Rolled)
    agree(game, "south", Undo(numbers(game, Started)[0]))
    assert events(game, Rolled) == rolled
    duel(game)
    assert events(game, Rolled)[: len(rolled)] == rolled
    assert dice(game) == list(range(2 * len(dice(toy_duelled()))))
    assert dice(loaded(game, TOY)) == dice(game)


def toy_duelled() -> Game:
    game = toy_game()
    duel(game)
    return game


def test_numbers_go_on_after_an_undo_and_a_restart() -> None:
    game = toy_game()
    game.do("south", "free_roll", args={"sides": 6, "count": 4}, at=10)
    agree(game, "south", Undo(numbers(game, Started)[0]))
    again = loaded(game, TOY)
    again.do("south", "free_roll", args={"sides": 6, "count": 2}, at=60)
    assert dice(again) == [0, 1, 2, 3, 4, 5]


# Resolve now


def test_resolve_now_takes_the_default_of_the_open_question() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    agree(game, "north", ResolveNow())
    (answered,) = events(game, Answered)
    assert (answered.value, answered.by, answered.timeout) == ("n1", "south", True)
    assert pending(game)[1].prompt == "Fight?"


def test_resolve_now_takes_the_defaults_of_all_sealed_questions() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    reply(game, "n1")
    reply(game, True)
    agree(game, "south", ResolveNow())
    assert game.at_rest


def test_resolve_now_keeps_a_sealed_answer_that_is_in() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    reply(game, "n1")
    reply(game, True)
    south, _ = game.questions
    game.answer("south", south, 8, at=20)
    agree(game, "south", ResolveNow())
    sealed = [answered for answered in events(game, Answered) if answered.sealed]
    assert [(answered.value, answered.timeout) for answered in sealed] == [(8, False), (0, True)]


def test_resolve_now_needs_an_open_question() -> None:
    game = toy_game()
    with refused(game, Refused, "No question is open"):
        game.propose("south", ResolveNow(), at=20)


def test_resolve_now_that_comes_too_late_is_refused() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    game.propose("north", ResolveNow(), at=20)
    reply(game, "n1")
    reply(game, False)
    with refused(game, Refused, "No question is open"):
        game.vote("south", game.motion or 0, yes=True, at=30)


# House options


def test_a_house_option_changes_by_consent_between_actions() -> None:
    game = toy_game()
    agree(game, "south", SetOption("rounds", 3))
    assert events(game, OptionSet) == [OptionSet("rounds", 3)]
    assert game.options.rounds == 3
    assert loaded(game, TOY).options == game.options
    game.do("south", "pass", at=60)
    assert game.table.clock.rounds == 3


def test_a_house_option_does_not_change_while_a_question_is_open() -> None:
    game = toy_game()
    game.propose("south", SetOption("rounds", 3), at=20)
    game.do("south", "duel", "s1", at=21)
    with refused(game, Busy, "between actions"):
        game.vote("north", game.motion or 0, yes=True, at=22)
    let_time_run_out(game)
    game.vote("north", game.motion or 0, yes=True, at=40)
    assert game.options.rounds == 3


@pytest.mark.parametrize(
    ("key", "value"),
    [("rounds", 0), ("rounds", 21), ("rounds", True), ("rounds", "6"), ("range_3d", 1), ("los_mode", "x"), ("x", 1)],
)
def test_a_house_option_takes_only_its_own_values(key: str, value: int | str | bool) -> None:
    game = toy_game()
    with refused(game, Refused, "option"):
        game.propose("south", SetOption(key, value), at=20)


def test_going_back_leaves_house_options_alone() -> None:
    game = toy_game()
    put_down(game)
    agree(game, "south", SetOption("rounds", 3))
    agree(game, "north", Undo(numbers(game, Started)[0]))
    assert game.options.rounds == 3
    assert loaded(game, TOY).options.rounds == 3


# The end


def test_the_game_ends_by_consent_and_tells_its_seed() -> None:
    game = toy_game()
    agree(game, "north", EndGame())
    assert game.closed
    (closed,) = events(game, Closed)
    assert bytes.fromhex(closed.seed) == b"contract"


def test_the_game_ends_without_consent_once_the_battle_is_over() -> None:
    table = skirmish()
    game = seated(TOY, replace(table, clock=replace(table.clock, over=True)))
    game.propose("north", EndGame(), at=20)
    assert game.closed
    assert game.motion is None


def test_the_game_ends_only_by_consent_while_the_battle_goes_on() -> None:
    game = toy_game()
    game.propose("south", EndGame(), at=20)
    assert not game.closed


# Motions and rewinds


def test_a_motion_of_a_rewound_time_does_not_come_back() -> None:
    game = toy_game()
    put_down(game, name="one")
    game.propose("south", EndGame(), at=20)
    game.vote("north", game.motion or 0, yes=False, at=21)
    put_down(game, name="two")
    agree(game, "north", Undo(numbers(game, Started)[0]), at=22)
    assert game.motion is None
    assert loaded(game, TOY).motion is None


def test_a_motion_that_was_carried_out_inside_an_action_is_passed_over_when_it_is_loaded() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    game.propose("north", EndGame(), at=20)
    game.vote("south", game.motion or 0, yes=False, at=21)
    game.seat("north", "another", at=22)
    reply(game, "n1")
    again = loaded(game, TOY)
    assert again.stuck is None
    assert again.questions.keys() == game.questions.keys()


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_after_going_back_to_anywhere_any_lawful_action_works(data: st.DataObject) -> None:
    contract = Contract(TOY, skirmish(), lambda things: data.draw(st.sampled_from(list(things))))
    for _ in range(8):
        contract.step()
    game = contract.game
    places = [logged.seq for logged in game.kept if isinstance(logged.event, Started | Rolled | Answered)]
    if not places:
        return
    to = data.draw(st.sampled_from(places))
    motion: Motion = Undo(to)
    if game.undoable("south") == to:
        game.propose("south", motion, at=10**12)
    else:
        agree(game, "south", motion, at=10**12)
    assert game.stuck is None
    assert game.failures == []
    for _ in range(3):
        contract.step()
