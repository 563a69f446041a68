"""Starting, answering, ending and breaking of actions; loading; and the invariants I1 to I7."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from server.engine.contract import Contract, KnownSeed, opening, seated
from server.engine.dice import D6, Draws, mix_commitment
from server.engine.drive import NotARequest
from server.engine.events import (
    Abandoned,
    Answered,
    Asked,
    EndGame,
    Failed,
    Finished,
    Judged,
    Noted,
    ResolveNow,
    Rolled,
    SetOption,
    Started,
    Undo,
    Unsealed,
    broken_link,
)
from server.engine.interpreter import Game
from server.engine.questions import Allocate, Confirm, Guess, Option
from server.engine.refusals import Busy, NotYours, Refused, Stale, Stuck, Unknown
from server.engine.requests import ask, ask_all, change, judge, note, roll, rolls
from server.engine.system import AnySystem
from server.table.digest import digest
from server.table.facts import ModelsRemoved, ScoreSet, StatusSet
from server.table.fold import NoSuchThing
from server.table.model import SEATS, ModelId, Seat
from tests.engine.games import (
    acted,
    agree,
    dice,
    duel,
    events,
    kinds,
    let_time_run_out,
    loaded,
    pending,
    put_down,
    refused,
    reply,
    state,
    toy_game,
    with_rule,
)
from tests.engine.toy import TOY, Gap, ToyScene, skirmish


def sure(seat: Seat, rule: str = "TOY-4", *, otherwise: bool = False) -> Confirm:
    return Confirm(rule=rule, to=seat, prompt="Sure?", otherwise=otherwise)


# Beginning and ending


def test_an_action_runs_to_its_first_question_and_on_to_its_end() -> None:
    game = toy_game()
    began = game.do("south", "duel", "s1", at=10, cause="m1")
    assert [type(logged.event) for logged in began] == [Started, Asked]
    assert [logged.cause for logged in began] == ["m1", None]
    assert game.acting == Started("duel", "south", "1", "s1")
    first = reply(game, "n1")
    assert [type(logged.event) for logged in first] == [Answered, Judged, Noted, Asked]
    last = reply(game, False)
    assert [type(logged.event) for logged in last] == [Answered, Finished]
    assert game.at_rest
    assert game.acting is None


def test_each_change_returns_just_the_events_it_appended() -> None:
    game = toy_game()
    heard = list(game.log)
    heard += game.do("south", "duel", "s1", at=10)
    heard += reply(game, "n1")
    heard += reply(game, True)
    for _ in range(2):
        seq, question = next(iter(game.questions.items()))
        heard += game.answer(question.to, seq, 3, at=20)
    heard += game.propose("south", EndGame(), at=30)
    assert heard == game.log


def test_sealed_answers_wait_for_each_other_and_open_together() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    reply(game, "n1")
    reply(game, True)
    south, north = game.questions
    game.answer("north", north, 4, at=20)
    assert list(game.questions) == [south]
    with refused(game, Stale):
        game.answer("north", north, 5, at=20)
    game.answer("south", south, 7, at=20)
    assert events(game, Unsealed) == [Unsealed((south, north), (7, 4))]
    assert "Bids: (7, 4)." in [noted.text for noted in events(game, Noted)]


def test_nothing_starts_before_both_seats_are_taken() -> None:
    game = Game.open(TOY, KnownSeed(), opening(TOY, skirmish()), at=0)
    with refused(game, Busy, "seat is still empty"):
        game.do("south", "duel", "s1", at=1)
    game.seat("south", mix_commitment("a"), at=1)
    with refused(game, Busy, "seat is still empty"):
        put_down(game)
    game.seat("north", mix_commitment("b"), at=1)
    assert game.seated == ("south", "north")
    put_down(game)


def test_what_is_not_offered_is_refused_with_a_reason() -> None:
    game = toy_game()
    with refused(game, Unknown, "no action"):
        game.do("south", "charge", "s1", at=1)
    with refused(game, Unknown, "No such model of yours"):
        game.do("south", "duel", "n1", at=1)
    with refused(game, NotYours, "other side's turn"):
        game.do("north", "duel", "n1", at=1)
    with refused(game, Refused, "takes no arguments"):
        game.do("south", "duel", "s1", {"x": 1}, at=1)
    duel(game)
    with refused(game, Refused, "It is tired"):
        game.do("south", "duel", "s1", at=1)
    game.do("south", "pass", at=1)
    game.do("north", "pass", at=1)
    with refused(game, NotYours, "other side's turn"):
        game.do("south", "duel", "s2", at=1)


def test_an_action_of_another_phase_names_its_own() -> None:
    game = toy_game(skirmish(phase="move"))
    with refused(game, Refused, "Duel belongs in another phase: Fight"):
        game.do("south", "duel", "s1", at=1)


def test_one_who_has_not_seen_the_rivals_last_action_may_not_start_one() -> None:
    game = toy_game()
    seen = game.seq
    put_down(game, "north")
    with refused(game, Stale, "acted in the meantime"):
        game.do("south", "duel", "s1", seen=seen, at=20)
    game.do("south", "duel", "s1", seen=game.seq, at=20)


def test_own_actions_and_actions_that_do_not_mind_are_never_stale() -> None:
    game = toy_game()
    seen = game.seq
    put_down(game, "south", "one")
    game.do("south", "duel", "s1", seen=seen, at=20)
    let_time_run_out(game)
    put_down(game, "north", "two")
    game.do("south", "score", args={"score": 3}, seen=seen, at=20)
    assert game.table.scores == {"south": 3}


# Answers


def test_only_the_seat_that_was_asked_may_answer() -> None:
    game = acted(lambda scene, model: _ask_rival(scene))
    seq, question = pending(game)
    assert question.to == "north"
    with refused(game, NotYours, "other player must answer"):
        game.answer("south", seq, True, at=20)


async def _ask_rival(scene: ToyScene) -> None:
    await ask(sure(scene.rival))


@pytest.mark.parametrize("number", [-1, 0, 3, 10_000])
def test_an_answer_to_no_question_is_stale(number: int) -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    with refused(game, Stale):
        game.answer("south", number, "n1", at=20)


def test_a_doubled_answer_is_not_taken_for_the_next_question() -> None:
    async def twice(scene: ToyScene, model: ModelId) -> None:
        await ask(sure(scene.by))
        await ask(sure(scene.by))

    game = acted(twice)
    first, _ = pending(game)
    reply(game, True)
    second, _ = pending(game)
    assert first != second
    with refused(game, Stale):
        game.answer("south", first, True, at=20)


def test_an_unlawful_answer_leaves_the_question_open() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    for wrong in ("s2", 3, None, ["n1"], True):
        with refused(game):
            reply(game, wrong)
    reply(game, "n2")


def test_a_rules_check_refuses_an_answer_before_it_is_recorded() -> None:
    game = acted(picky)
    with refused(game, Refused, "Only an even number"):
        reply(game, 3)
    reply(game, 4)
    reply(game, True)
    assert game.table.scores == {"south": 1}


async def picky(scene: ToyScene, model: ModelId) -> None:
    def even(number: int) -> None:
        if number % 2:
            raise Refused("Only an even number will do.", "TOY-5")

    await ask(Guess(rule="TOY-5", to=scene.by, prompt="Even", least=1, most=9, unit="steps"), even)
    if await ask(sure(scene.by)):
        await change(ScoreSet(scene.by, 1))


def test_a_check_that_breaks_leaves_the_question_open() -> None:
    async def careless(scene: ToyScene, model: ModelId) -> None:
        def broken(yes: bool) -> None:
            raise KeyError("oh")

        await ask(sure(scene.by), broken)

    game = acted(careless)
    before = state(game)
    with pytest.raises(KeyError):
        reply(game, True)
    assert state(game) == before


def test_time_that_runs_out_takes_the_default_and_says_so() -> None:
    game = acted(lambda scene, model: _ask_rival(scene))
    seq, _ = pending(game)
    game.answer("north", seq, True, timeout=True, at=99)
    assert events(game, Answered) == [Answered(seq, False, "north", timeout=True)]
    assert game.at_rest


def test_a_default_that_the_rule_would_not_have_taken_as_an_answer_can_still_be_loaded() -> None:
    game = acted(picky)
    seq, _ = pending(game)
    game.answer("south", seq, None, timeout=True, at=20)
    again = loaded(game, game.system)
    assert again.stuck is None
    assert again.questions.keys() == game.questions.keys()


# Rules that break (I10)


async def breaks_late(scene: ToyScene, model: ModelId) -> None:
    await change(StatusSet(model, "tired", value=True))
    await roll(D6, "TOY-1", "attack")
    raise ZeroDivisionError("a slip in a rule")


def test_a_rule_that_breaks_costs_the_action_and_nothing_else() -> None:
    game = seated(with_rule(breaks_late), skirmish())
    before = digest(game.table)
    game.do("south", "act", "s1", at=10)
    assert kinds(game)[-4:] == ["Started", "Changed", "Rolled", "Failed"]
    (failed,) = events(game, Failed)
    assert digest(game.table) == before
    assert game.at_rest
    ((ref, trouble),) = game.failures
    assert ref == failed.ref
    assert isinstance(trouble, ZeroDivisionError)
    put_down(game)
    assert digest(loaded(game, game.system).table) == digest(game.table)


def test_the_dice_of_a_broken_action_are_not_rolled_again() -> None:
    game = seated(with_rule(breaks_late), skirmish())
    game.do("south", "act", "s1", at=10)
    game.do("south", "act", "s1", at=11)
    assert dice(game) == [0, 1]


def test_a_rule_that_breaks_after_a_question_costs_the_action() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        await ask(sure(scene.by))
        raise KeyError(model)

    game = acted(rule)
    reply(game, True)
    assert kinds(game)[-1] == "Failed"
    assert game.at_rest


@pytest.mark.parametrize("awaited", [None, 3, "roll"])
def test_a_rule_that_awaits_anything_but_a_request_breaks(awaited: object) -> None:
    class Odd:
        def __await__(self) -> Generator[object, object, object]:
            return (yield awaited)

    async def rule(scene: ToyScene, model: ModelId) -> None:
        await Odd()

    game = acted(rule)
    assert kinds(game)[-1] == "Failed"
    assert isinstance(game.failures[0][1], NotARequest)


def test_a_rule_that_names_what_is_not_there_breaks() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        await change(ModelsRemoved((ModelId("nobody"),)))

    game = acted(rule)
    assert isinstance(game.failures[0][1], NoSuchThing)
    assert game.at_rest


def test_a_question_whose_default_could_not_be_taken_breaks_its_rule() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        await ask(Guess(rule="TOY-5", to=scene.by, prompt="Bid", least=5, most=4, unit="points"))

    game = acted(rule)
    assert kinds(game)[-1] == "Failed"
    assert game.at_rest


def test_dice_that_cannot_be_drawn_cost_the_action() -> None:
    class Lost(KnownSeed):
        def draws(self, mixes: tuple[str, str]) -> Any:
            raise LookupError("the seed is gone")

    begun = seated(TOY, skirmish())
    game = Game(TOY, Lost(), begun.log)
    game.do("south", "free_roll", args={"sides": 6}, at=10)
    assert kinds(game)[-2:] == ["Started", "Failed"]
    put_down(game)


def test_a_refusal_of_an_action_that_has_only_begun_leaves_no_trace() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        await change(StatusSet(model, "tired", value=True))
        await note("TOY-1", "So far.")
        raise Refused("It cannot do that.", "TOY-1")

    game = seated(with_rule(rule), skirmish())
    with refused(game, Refused, "It cannot do that"):
        game.do("south", "act", "s1", at=10)
    assert game.failures == []


@pytest.mark.parametrize("first", ["roll", "ask"])
def test_a_refusal_after_a_roll_or_a_question_is_a_fault_of_the_rule(first: str) -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        if first == "roll":
            await roll(D6, "TOY-1", "attack")
        else:
            await ask(sure(scene.by))
        raise Refused("Too late to refuse.")

    game = acted(rule)
    if first == "ask":
        reply(game, True)
    assert kinds(game)[-1] == "Failed"
    assert len(game.failures) == 1


def test_an_interruption_in_the_middle_leaves_the_game_as_it_was() -> None:
    class Interrupted(BaseException):
        pass

    async def rule(scene: ToyScene, model: ModelId) -> None:
        await change(StatusSet(model, "tired", value=True))
        await ask(sure(scene.by))
        await change(ScoreSet(scene.by, 5))
        await roll(D6, "TOY-1", "attack")
        raise Interrupted

    game = acted(rule)
    before = state(game)
    with pytest.raises(Interrupted):
        reply(game, True)
    assert state(game) == before
    with pytest.raises(Interrupted):
        reply(game, False)
    assert state(game) == before


def test_a_motion_that_breaks_while_it_is_carried_out_is_open_as_before() -> None:
    class Forgetful(KnownSeed):
        def reveal(self) -> str:
            raise LookupError("the seed is gone")

    game = Game(TOY, Forgetful(), seated(TOY, skirmish()).log)
    game.propose("south", EndGame(), at=10)
    before = state(game)
    assert game.motion is not None
    with pytest.raises(LookupError):
        game.vote("north", game.motion, yes=True, at=20)
    assert state(game) == before


# The end


def closed_game() -> Game:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    agree(game, "south", EndGame())
    return game


def test_a_closed_game_refuses_everything() -> None:
    game = closed_game()
    attempts: tuple[Callable[[], object], ...] = (
        lambda: game.seat("south", "x", at=1),
        lambda: game.mix("south", "x", at=1),
        lambda: game.do("south", "duel", "s1", at=1),
        lambda: put_down(game),
        lambda: game.answer("south", 6, "n1", at=1),
        lambda: game.propose("south", EndGame(), at=1),
        lambda: game.propose("south", ResolveNow(), at=1),
        lambda: game.vote("north", 7, yes=True, at=1),
    )
    for attempt in attempts:
        with refused(game, Refused, "The game is over"):
            attempt()


def test_a_closed_game_asks_nothing_any_more() -> None:
    game = closed_game()
    assert game.questions == {}
    assert loaded(game, TOY).questions == {}
    assert game.undoable("south") is None


# The invariants


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_i1_the_log_only_grows(data: st.DataObject) -> None:
    contract = Contract(TOY, skirmish(), lambda things: data.draw(st.sampled_from(list(things))))
    for _ in range(8):
        before = list(contract.game.log)
        contract.step()
        assert contract.game.log[: len(before)] == before
        assert len(contract.game.log) > len(before) or not contract.game.questions


def test_i3_nobody_acts_around_an_open_question() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    for seat in SEATS:
        with refused(game, Busy, "A question is open"):
            game.do(seat, "duel", "s2", at=20)
        with refused(game, Busy, "A question is open"):
            game.do(seat, "score", args={"score": 1}, at=20)
    with refused(game, Busy, "between actions"):
        game.propose("south", SetOption("rounds", 3), at=20)


def test_i4_finished_work_is_never_run_again() -> None:
    async def gone(scene: ToyScene, model: ModelId) -> None:
        raise AssertionError("this was finished long ago")

    game = acted(lambda scene, model: _roll_twice())
    again = loaded(game, with_rule(gone))
    assert again.stuck is None
    assert again.failures == []
    assert digest(again.table) == digest(game.table)
    without = loaded(game, None)
    assert digest(without.table) == digest(game.table)


async def _roll_twice() -> None:
    await rolls(D6, 2, "TOY-1", "attack")


def test_i6_a_rule_that_edits_a_reply_does_not_rewrite_the_log() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        options = tuple(Option(key, key) for key in ("a", "b"))
        caps = {"a": 2, "b": 2}
        shares = await ask(Allocate(rule="TOY-7", to=scene.by, prompt="Share", options=options, total=3, caps=caps))
        cast(dict[str, int], shares)["a"] = 99

    game = acted(rule)
    reply(game, {"a": 1, "b": 2})
    assert events(game, Answered)[0].value == {"a": 1, "b": 2}
    assert broken_link(game.log) is None


def test_i6_a_scene_shows_the_table_as_it_is_now() -> None:
    seen: list[bool] = []

    async def rule(scene: ToyScene, model: ModelId) -> None:
        seen.append("tired" in scene.model(model).status)
        await change(StatusSet(model, "tired", value=True))
        seen.append("tired" in scene.model(model).status)

    acted(rule)
    assert seen == [False, True]


def test_i7_dice_are_counted_without_gaps() -> None:
    game = toy_game()
    duel(game)
    game.do("south", "free_roll", args={"sides": 6, "count": 3}, at=40)
    game.do("north", "free_roll", args={"sides": 20}, at=40)
    assert dice(game) == list(range(len(dice(game))))


def test_the_events_of_one_message_share_its_time_and_only_the_first_names_it() -> None:
    game = toy_game()
    heard = game.do("south", "free_roll", args={"sides": 6}, at=1234, cause="m7")
    assert {logged.at for logged in heard} == {1234}
    assert [logged.cause for logged in heard] == ["m7", None, None, None]


# Loading


def test_a_game_loads_alike_from_any_place_where_it_rested_or_waited() -> None:
    game = toy_game()
    seen = [(len(game.log), state(game))]

    def watch(_: object) -> None:
        seen.append((len(game.log), state(game)))

    watch(game.do("south", "duel", "s1", at=10))
    watch(reply(game, "n2"))
    watch(reply(game, True))
    south, north = game.questions
    watch(game.answer("north", north, 4, at=20))
    watch(game.propose("north", ResolveNow(), at=21))
    watch(game.vote("south", game.motion or 0, yes=False, at=22))
    watch(game.answer("south", south, 7, at=23))
    watch(game.do("south", "survey", "s2", at=24))
    watch(reply(game, ["a"]))
    with refused(game, Busy):
        put_down(game)
    watch(reply(game, {"x": 90_000, "y": 50_000}))
    watch(reply(game, 4500))
    watch(reply(game, {"a": 1, "b": 2}))
    watch(game.do("south", "pass", at=30))
    watch(put_down(game, "north"))
    for length, (log, table, questions, motion, stuck, options) in seen:
        again = Game(TOY, KnownSeed(), game.log[:length])
        assert [logged.hash for logged in again.log] == log
        assert (digest(again.table), again.motion, again.stuck) == (table, motion, stuck)
        assert again.questions == questions
        assert again.options == options
        assert len(again.log) == length


def test_a_loaded_game_goes_on_with_the_same_dice() -> None:
    games = [toy_game(), toy_game()]
    games[1] = loaded(games[1], TOY)
    for place, game in enumerate(games):
        game.do("south", "duel", "s1", at=10)
        games[place] = loaded(game, TOY)
        reply(games[place], "n1")
        reply(games[place], True)
        let_time_run_out(games[place])
    assert events(games[0], Rolled) == events(games[1], Rolled)
    assert games[0].log[-1].hash == games[1].log[-1].hash


def test_a_refused_start_leaves_no_procedure_behind() -> None:
    game = toy_game()
    seen = game.seq
    put_down(game, "north")
    for _ in range(3):
        with refused(game, Stale):
            game.do("south", "duel", "s1", seen=seen, at=20)
    game.do("south", "duel", "s1", at=20)


def test_scenes_are_asked_of_both_seats() -> None:
    game = toy_game()
    assert game.scene("south").rival == "north"
    assert game.scene("north").model(ModelId("n1")).owner == "north"
    assert game.scene("north").profile(ModelId("n1")).name == "Soldier"


# Rules that change while an action is open (4.3 fit, stuck)


class Rule:
    """A rule with a roll, a change, a finding and a question behind it and a question open; each step can differ."""

    def __init__(self, **steps: Any) -> None:
        self.steps = steps

    async def __call__(self, scene: ToyScene, model: ModelId) -> None:
        said = self.steps.get
        await note("TOY-1", said("text", "On with it."))
        await change(StatusSet(model, said("key", "tired"), value=True))
        await rolls(said("die", D6), said("count", 1), "TOY-1", said("purpose", "attack"))
        if said("breaks"):
            raise ZeroDivisionError("a slip in the new rule")
        if said("ends"):
            return
        asks: Seat = scene.rival if said("rival") else scene.by
        prompt = said("prompt", "How many?")
        if said("kind"):
            await ask(sure(asks))
        else:
            await ask(Guess(rule="TOY-5", to=asks, prompt=prompt, least=said("least", 0), most=9, unit="men"))
        await judge("TOY-3", said("subject", "gap"), said("finding", Gap(7)))
        if said("longer"):
            await roll(D6, "TOY-1", "once more")
        if said("three"):
            bid = Guess(rule="TOY-5", to=scene.by, prompt="Bid", least=0, most=9, unit="points")
            await ask_all([bid, bid])
        if said("silent"):
            return
        await ask(sure(scene.by))
        await change(ScoreSet(scene.by, 1))


def waiting() -> Game:
    game = seated(with_rule(Rule()), skirmish())
    put_down(game)
    game.do("south", "act", "s1", at=10)
    reply(game, 2)
    assert list(game.questions) == [game.seq]
    return game


class Eyes(Gap, frozen=True, kw_only=True):
    """A finding that needs more than a gap."""

    eyes: int


CHANGES: dict[str, tuple[dict[str, object], str, str]] = {
    "other die": ({"die": replace(D6, name="d8")}, "rolled 1 d6", "now rolls 1 d8"),
    "more dice": ({"count": 2}, "rolled 1 d6", "now rolls 2 d6"),
    "other fact": ({"key": "wounds"}, "changed the table", "than the rule does now"),
    "other addressee": ({"rival": True}, "asked south a Guess", "now asks north a Guess"),
    "other kind": ({"kind": True}, "asked south a Guess", "now asks south a Confirm"),
    "unlawful answer": ({"least": 5}, "A recorded answer under TOY-5 is not lawful any more", "between 5 and 9"),
    "other finding": ({"subject": "sight"}, "judged gap", "now judges sight"),
    "unreadable finding": ({"finding": Eyes(inches=7, eyes=2)}, "The finding of event", "cannot be read any more"),
    "ends early": ({"ends": True}, "The rule now ends", "(Asked) follows"),
    "ends silently": ({"silent": True}, "The rule now ends", "(Asked) follows"),
    "goes on longer": ({"longer": True}, "is recorded as Asked", "now wants Rolled"),
    "breaks": ({"breaks": True}, "The rule now breaks", "a slip in the new rule"),
}


@pytest.mark.parametrize(("steps", "was", "becomes"), CHANGES.values(), ids=list(CHANGES))
def test_an_open_action_whose_rule_changed_is_stuck_and_says_how(
    steps: dict[str, object], was: str, becomes: str
) -> None:
    game = waiting()
    again = loaded(game, with_rule(Rule(**steps), "2"))
    _must_be_stuck_well(again, game)
    assert again.stuck is not None
    assert was in again.stuck
    assert becomes in again.stuck


def test_an_action_that_is_gone_leaves_its_game_stuck() -> None:
    game = waiting()
    again = loaded(game, TOY)
    _must_be_stuck_well(again, game)
    assert again.stuck is not None
    assert "There is no action “act” in Toy soldiers 1" in again.stuck


def test_a_system_that_is_gone_leaves_its_game_stuck() -> None:
    game = waiting()
    again = loaded(game, None)
    assert again.stuck is not None
    assert "The rules of this game (toy) are not installed here" in again.stuck
    assert digest(again.table) == digest(game.table)
    _rewinds_without_rules(loaded(game, None))
    agree(again, "south", ResolveNow())
    with refused(again, Stuck, "not installed"):
        put_down(again)


def _must_be_stuck_well(again: Game, was: Game) -> None:
    """The table stands; nothing starts; it can be rewound without rule code, or closed; then play goes on."""
    assert again.stuck is not None
    assert "The action “act” of event" in again.stuck
    assert digest(again.table) == digest(was.table)
    assert again.log[-1].hash == was.log[-1].hash
    assert again.failures == []
    assert again.questions == {}
    assert not again.at_rest
    assert again.undoable("south") is None
    with refused(again, Stuck, "no longer fits its record"):
        put_down(again)
    with refused(again, Stale):
        again.answer("south", again.seq, True, at=30)
    with refused(again, Busy, "between actions"):
        again.propose("south", SetOption("rounds", 3), at=30)
    _rewinds_without_rules(loaded(again, again.system))
    _can_be_closed(loaded(again, again.system))


def _rewinds_without_rules(game: Game) -> None:
    began = max(logged.seq for logged in game.kept if isinstance(logged.event, Started))
    agree(game, "north", Undo(began))
    assert game.stuck is None
    assert game.table.models[ModelId("s1")].status == {}
    assert "flag" in game.table.markers
    if game.system is not None:
        put_down(game, "north", "another")


def _can_be_closed(game: Game) -> None:
    before = digest(game.table)
    agree(game, "north", ResolveNow())
    assert isinstance(game.log[-1].event, Abandoned)
    assert game.stuck is None
    assert digest(game.table) == before
    put_down(game, "north", "another")
    assert digest(loaded(game, game.system).table) == digest(game.table)


def test_wording_may_change_freely() -> None:
    game = waiting()
    again = loaded(game, with_rule(Rule(prompt="Say a number", text="Onwards!", purpose="a blow"), "2"))
    assert again.stuck is None
    assert again.questions.keys() == game.questions.keys()
    reply(again, True)
    assert again.table.scores == {"south": 1}


def test_a_stuck_game_goes_on_when_the_rule_is_mended() -> None:
    game = waiting()
    stuck = loaded(game, with_rule(Rule(longer=True)))
    assert stuck.stuck is not None
    again = loaded(stuck, with_rule(Rule()))
    assert again.stuck is None
    reply(again, True)
    assert again.at_rest


def test_a_record_that_ends_too_soon_for_the_rule_leaves_the_game_stuck() -> None:
    def bids(count: int) -> Any:
        async def rule(scene: ToyScene, model: ModelId) -> None:
            bid = Guess(rule="TOY-5", to=scene.by, prompt="Bid", least=0, most=9, unit="points")
            await ask_all([bid] * count)

        return rule

    game = acted(bids(2))
    again = loaded(game, with_rule(bids(3)))
    assert again.stuck is not None
    assert "The record ends where the rule now wants Asked" in again.stuck
    fewer = loaded(game, with_rule(bids(1)))
    first, _ = game.questions
    assert fewer.stuck is not None or list(fewer.questions) == [first]


def test_a_stuck_game_can_be_rewound_into_the_action_up_to_where_it_fits() -> None:
    game = waiting()
    again = loaded(game, with_rule(Rule(longer=True)))
    answered = max(logged.seq for logged in again.kept if isinstance(logged.event, Answered))
    agree(again, "south", Undo(answered))
    assert again.stuck is None
    reply(again, 3)
    assert isinstance(again.log[-1].event, Asked)
    assert dice(again) == [0, 1]


def test_a_game_whose_options_the_rules_no_longer_know_still_shows_its_table() -> None:
    game = toy_game()
    opened = game.opened
    odd = replace(opened, options={**cast(dict[str, object], opened.options), "weather": "foul"})
    again = Game.open(cast(AnySystem, TOY), KnownSeed(), odd, at=0)
    for seat in SEATS:
        again.seat(seat, "x", at=1)
    assert digest(again.table) == digest(game.table)
    with refused(again, Stuck):
        put_down(again)


def test_a_source_of_dice_is_asked_for_the_mixes_in_force() -> None:
    asked: list[tuple[str, str]] = []

    class Curious(KnownSeed):
        def draws(self, mixes: tuple[str, str]) -> Any:
            asked.append(mixes)
            return super().draws(mixes)

    game = Game(TOY, Curious(), seated(TOY, skirmish()).log)
    game.do("south", "free_roll", args={"sides": 6}, at=10)
    assert asked == [game.mixes]
    draws: Draws = KnownSeed().draws(game.mixes)
    assert events(game, Rolled)[0].faces == (draws.face(0, D6),)
