"""The umpire's own test bench: scripts are strict, and never fall back on real dice."""

from __future__ import annotations

import pytest

from server.engine.core.turns import PassArgs, end_phase
from server.engine.dice import ARTILLERY, BEARING, D6, SCATTER, sided
from server.engine.drive import NotARequest
from server.engine.questions import Choose, Confirm, Guess, Option
from server.engine.refusals import Refused
from server.engine.requests import ask, ask_all, change, judge, note, roll, rolls
from server.engine.testing import Line, OffScript, Stage, asked, rolled, scene
from server.table.facts import ModelsRemoved, StatusSet
from server.table.fold import NoSuchThing
from server.table.model import ModelId
from tests.engine.toy import TOY, Gap, duel, skirmish

S1, N1 = ModelId("s1"), ModelId("n1")


def stage() -> Stage:
    return scene(TOY, skirmish())


async def shot(at: Stage) -> None:
    """Ask, roll one and two dice, judge, change, say."""
    options = (Option("n1", "One"), Option("n2", "Two"))
    foe = await ask(Choose(rule="TOY-1", to=at.by, prompt="Whom?", options=options))
    aim = await roll(D6, "TOY-1", "aim")
    faces = await rolls(D6, 2, "TOY-2", "wounds")
    gap = await judge("TOY-3", "gap", Gap(7))
    await note("TOY-1", f"{aim} {faces} at {gap.inches} inches.", foe, outcome="hit")
    await change(ModelsRemoved((ModelId(foe),)))


GOOD: tuple[Line, ...] = (asked("TOY-1").answer("n1"), rolled(D6, 4), rolled(D6, 5, 6))


def test_a_script_is_played_to_its_end() -> None:
    done = stage().play(shot(stage()), *GOOD)
    assert N1 not in done.table.models
    assert [one.text for one in done.notes] == ["4 (5, 6) at 7 inches."]
    assert done.noted("TOY-1") == done.notes
    assert done.noted("TOY-9") == []
    assert done.outcomes("hit") == ["n1"]
    assert done.facts == [ModelsRemoved((N1,))]
    assert [one.subject for one in done.findings] == ["gap"]
    assert [one.prompt for one in done.questions] == ["Whom?"]


def test_a_whole_procedure_of_a_system_can_be_played() -> None:
    at = stage()
    done = at.play(
        duel(at, S1),
        asked("TOY-1", to="south").answer("n2"),
        asked("TOY-4").answer(True),
        asked("TOY-5", to="south").answer(3),
        asked("TOY-5", to="north").answer(4),
        rolled(SCATTER, "hit"),
        rolled(BEARING, 90),
        rolled(sided(2), 1),
        rolled(D6, 6, 1),
    )
    assert set(done.table.removed) == {"n2"}


WRONG: dict[str, tuple[tuple[Line, ...], str]] = {
    "leftover roll": ((*GOOD, rolled(D6, 1)), "left over"),
    "leftover answer": ((*GOOD, asked("TOY-1").answer("n1")), "left over"),
    "no script": ((), "the script has ended, but came ask south TOY-1 'Whom?'"),
    "script too short": (GOOD[:2], "the script has ended, but came roll 2 d6"),
    "roll for an answer": ((rolled(D6, 4),), "but came ask south"),
    "answer for a roll": ((GOOD[0], asked("TOY-1").answer("n1")), "but came roll 1 d6"),
    "another die": ((GOOD[0], rolled(ARTILLERY, 4)), "but came roll 1 d6"),
    "fewer dice": ((*GOOD[:2], rolled(D6, 5)), "but came roll 2 d6"),
    "more dice": ((*GOOD[:2], rolled(D6, 5, 5, 5)), "but came roll 2 d6"),
    "a face the die has not": ((GOOD[0], rolled(D6, 7)), "d6 has no face"),
    "a misfire of a common die": ((GOOD[0], rolled(D6, "misfire")), "d6 has no face"),
    "another rule": ((asked("TOY-2").answer("n1"),), "but came ask south TOY-1"),
    "another seat": ((asked("TOY-1", to="north").answer("n1"),), "but came ask south TOY-1"),
}


@pytest.mark.parametrize(("script", "why"), WRONG.values(), ids=list(WRONG))
def test_a_script_that_goes_another_way_fails_and_says_what_came(script: tuple[Line, ...], why: str) -> None:
    with pytest.raises(OffScript) as failure:
        stage().play(shot(stage()), *script)
    assert why in str(failure.value)


def test_the_failure_shows_the_transcript_so_far() -> None:
    with pytest.raises(OffScript) as failure:
        stage().play(shot(stage()), GOOD[0], rolled(D6, 4))
    said = str(failure.value).splitlines()[1:]
    assert said == [
        "  ask south TOY-1 'Whom?' of ['n1', 'n2']",
        "  roll 1 d6 (TOY-1, aim)",
        "  roll 2 d6 (TOY-2, wounds)",
    ]


def test_an_unlawful_answer_in_a_script_is_refused() -> None:
    with pytest.raises(Refused, match="not one of the choices"):
        stage().play(shot(stage()), asked("TOY-1").answer("s1"))


def test_a_script_can_show_what_must_be_refused() -> None:
    stage().play(shot(stage()), asked("TOY-1").refusing("s1", 3, None).answer("n1"), *GOOD[1:])
    with pytest.raises(OffScript, match="'n2' was taken as an answer to 'Whom\\?'"):
        stage().play(shot(stage()), asked("TOY-1").refusing("s1", "n2").answer("n1"), *GOOD[1:])


async def picky() -> None:
    def even(number: int) -> None:
        if number % 2:
            raise Refused("Only an even number will do.")

    await ask(Guess(rule="TOY-5", to="south", prompt="Even", least=0, most=9, unit=""), even)


def test_a_rules_own_check_counts() -> None:
    stage().play(picky(), asked("TOY-5").refusing(1, 11).answer(2))
    with pytest.raises(Refused, match="Only an even number"):
        stage().play(picky(), asked("TOY-5").answer(1))


def test_answers_are_read_as_they_come_over_the_wire() -> None:
    async def rule() -> None:
        answer = await ask(Confirm(rule="TOY-4", to="south", prompt="Sure?"))
        assert answer is True

    stage().play(rule(), asked("TOY-4").refusing(1, "yes").answer(True))


def test_sealed_questions_are_answered_line_by_line() -> None:
    async def rule() -> None:
        bids = await ask_all(
            [Guess(rule="TOY-5", to=seat, prompt="Bid", least=0, most=9, unit="") for seat in ("south", "north")]
        )
        await note("TOY-5", f"{bids}")

    done = stage().play(rule(), asked("TOY-5", to="south").answer(3), asked("TOY-5", to="north").answer(4))
    assert [one.text for one in done.notes] == ["(3, 4)"]
    with pytest.raises(OffScript):
        stage().play(rule(), asked("TOY-5", to="north").answer(4), asked("TOY-5", to="south").answer(3))


def test_a_question_that_time_could_not_answer_fails() -> None:
    async def rule() -> None:
        await ask(Choose(rule="TOY-1", to="south", prompt="Whom?", options=()))

    with pytest.raises(ValueError, match="no lawful default"):
        stage().play(rule(), asked("TOY-1").answer("n1"))


def test_a_procedure_that_awaits_something_else_fails() -> None:
    class Odd:
        def __await__(self) -> object:
            return iter([3])

    async def rule() -> None:
        await Odd()  # type: ignore[misc]

    with pytest.raises(NotARequest, match="awaited 3"):
        stage().play(rule())


def test_a_fact_about_what_is_not_there_fails() -> None:
    async def rule() -> None:
        await change(StatusSet(ModelId("nobody"), "tired", value=True))

    with pytest.raises(NoSuchThing):
        stage().play(rule())


def test_a_finding_is_read_back_as_it_would_be_from_the_log() -> None:
    async def rule() -> None:
        gap = Gap(3)
        found = await judge("TOY-3", "gap", gap)
        assert found == gap
        assert found is not gap

    stage().play(rule())


def test_a_stage_is_set_with_facts_options_and_the_acting_seat() -> None:
    at = scene(TOY, skirmish(), by="north", rounds=3, range_3d=True).change(ModelsRemoved((S1,)))
    assert (at.by, at.rival) == ("north", "south")
    assert (at.options.rounds, at.options.range_3d) == (3, True)
    assert S1 in at.table.removed
    assert at.acting("south").by == "south"
    with pytest.raises(Refused):
        scene(TOY, skirmish(), rounds=99)


def test_both_seats_scenes_show_the_same_table() -> None:
    at = stage()
    rival = at.acting("north")
    at.play(shot(at), *GOOD)
    assert N1 not in rival.table.models

    async def rule() -> None:
        await change(StatusSet(S1, "tired", value=True))
        assert at.acting("north").model(S1).status == rival.model(S1).status == {"tired": True}

    rival.play(rule())


def test_a_phase_begins_on_the_table_as_it_is_then() -> None:
    at = scene(TOY, skirmish()).change(StatusSet(N1, "tired", value=True))
    done = at.play(end_phase(TOY, at, PassArgs()), rolled(D6, 3))
    assert done.table.clock.turn == "north"
    assert done.table.models[N1].status == {}


def test_what_was_played_stays_on_the_stage() -> None:
    at = stage()
    at.play(shot(at), *GOOD)
    assert N1 not in at.table.models
