"""The clock: phases, turns, rounds, and the end of the battle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.engine.contract import seated
from server.engine.core.turns import following
from server.engine.events import Noted, Rolled
from server.engine.interpreter import Game
from server.engine.options import CommonOptions
from server.engine.refusals import NotYours, Refused
from server.table.model import Clock, ModelId, Seat
from tests.engine.games import duel, events, put_down, refused, toy_game
from tests.engine.toy import TOY, skirmish


def clock(game: Game) -> tuple[int, Seat, str]:
    now = game.table.clock
    return now.round, now.turn, now.phase


def test_phases_follow_then_the_other_side_then_the_next_round() -> None:
    game = toy_game(skirmish(phase="move"))
    seen = [clock(game)]
    for _ in range(5):
        game.do(game.table.clock.turn, "pass", at=10)
        seen.append(clock(game))
    assert seen == [
        (1, "south", "move"),
        (1, "south", "fight"),
        (1, "north", "move"),
        (1, "north", "fight"),
        (2, "south", "move"),
        (2, "south", "fight"),
    ]


def test_the_battle_is_over_after_the_last_round() -> None:
    game = seated(TOY, skirmish(phase="move"), CommonOptions(rounds=2))
    for _ in range(8):
        assert not game.table.clock.over
        game.do(game.table.clock.turn, "pass", at=10)
    assert game.table.clock == Clock(2, 2, "north", "fight", over=True)
    over = events(game, Noted)[-1]
    assert (over.text, over.outcome) == ("The battle is over after 2 turns.", "over")


def test_once_the_battle_is_over_only_free_play_is_left() -> None:
    game = seated(TOY, skirmish(), CommonOptions(rounds=1))
    for _ in range(3):
        game.do(game.table.clock.turn, "pass", at=10)
    assert game.table.clock.over
    for seat in ("south", "north"):
        with refused(game, Refused, "The battle is over"):
            game.do("south" if seat == "south" else "north", "pass", at=10)
    with refused(game, Refused, "The battle is over"):
        game.do("north", "duel", "n1", at=10)
    put_down(game)


def test_only_the_side_whose_turn_it_is_ends_its_phase() -> None:
    game = toy_game()
    with refused(game, NotYours, "other side's turn"):
        game.do("north", "pass", at=10)


@pytest.mark.parametrize("args", [{"to": "fight"}, [], 3, {"over": True}])
def test_a_pass_is_told_nothing(args: object) -> None:
    game = toy_game()
    with refused(game):
        game.do("south", "pass", args=args, at=10)


def test_what_happens_when_a_phase_begins_is_part_of_the_pass() -> None:
    game = toy_game()
    duel(game)
    assert game.table.models[ModelId("s1")].status == {"tired": True}
    for _ in range(3):
        game.do(game.table.clock.turn, "pass", at=10)
    assert clock(game) == (2, "south", "move")
    assert game.table.models[ModelId("s1")].status == {}
    weather = [rolled for rolled in events(game, Rolled) if rolled.rule == "TOY-8"]
    assert len(weather) == 3


def test_a_phase_begins_for_the_side_whose_turn_it_is() -> None:
    game = toy_game()
    duel(game)
    game.do("south", "pass", at=10)
    assert game.table.models[ModelId("s1")].status == {"tired": True}


def test_fewer_rounds_agreed_in_the_last_of_them_end_the_battle_with_it() -> None:
    late = Clock(5, 3, "north", "fight")
    assert following(TOY, late).over


def test_the_side_that_began_begins_each_round() -> None:
    now = Clock(1, 6, "north", "fight", first="north")
    assert following(TOY, now) == Clock(1, 6, "south", "move", first="north")
    then = Clock(1, 6, "south", "fight", first="north")
    assert following(TOY, then) == Clock(2, 6, "north", "move", first="north")


@given(st.integers(1, 20), st.sampled_from(("south", "north")))
def test_each_side_has_each_phase_once_in_every_round(rounds: int, first: Seat) -> None:
    now = Clock(1, rounds, first, "move", first=first)
    seen = []
    while not now.over:
        seen.append((now.round, now.turn, now.phase))
        now = following(TOY, now)
    assert len(seen) == len(set(seen)) == 4 * rounds
    assert seen == sorted(seen, key=lambda one: one[0])
