"""What one viewer may see: secrets are absent from what is sent, and what is sent still makes a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from server.engine.audience import Viewer, may_see, view_question, view_table
from server.engine.contract import seated
from server.engine.dice import D6
from server.engine.events import Answered, Changed, Failed, Logged, Rewound, Started, Undo, Unsealed, effective
from server.engine.interpreter import Game
from server.engine.questions import Choose, Confirm, Guess, Option
from server.engine.requests import ask, ask_all, change, judge, note, roll
from server.geometry.units import Bearing, Length, Pose, inches
from server.table.digest import digest
from server.table.facts import (
    AnyFact,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    Moved,
    ScoreSet,
    StatusesSet,
    StatusSet,
    UnitSet,
    UnitStatusSet,
)
from server.table.fold import fold
from server.table.model import ROLES, Model, ModelId, Role, Seat, Table, Unit, UnitId
from tests.engine.games import acted, agree, loaded, numbers, pending, reply, stored, toy_game, with_rule
from tests.engine.toy import TOY, Gap, ToyScene, board, skirmish, soldier

CANARY = "canary"
"""A word that only those who may know a thing ever read."""

HIDERS: tuple[Role, Role] = ("south", "watch")
"""Who may not know of what only north sees."""


def canary(seen_by: tuple[Seat, ...] | None = ("north",)) -> Model:
    return soldier(CANARY, "north", 12, 15, seen_by)


def with_canary() -> Table:
    table = board(soldier("s1", "south", 5, 5), soldier("n1", "north", 5, 15), canary())
    nest = Unit(UnitId("canary-nest"), "north", "canary nest", seen_by=("north",))
    return replace(table, units={**table.units, nest.id: nest})


def stream(game: Game, role: Role) -> list[dict[str, object]]:
    return Viewer(role).read(game.log)


def said(game: Game, role: Role) -> str:
    return msgspec.json.encode(stream(game, role)).decode()


def must_be_secret(game: Game) -> None:
    """North reads of the canary; the others never do, and miss no number."""
    for role in HIDERS:
        assert CANARY not in said(game, role)
        assert CANARY not in msgspec.json.encode(view_table(game.table, role)).decode()
    for role in ROLES:
        assert [event["seq"] for event in stream(game, role)] == list(range(len(game.log)))
    assert CANARY in said(game, "north")
    assert '"hidden"' not in said(game, "north")


def hidden(game: Game, role: Role) -> list[int]:
    return [cast(int, event["seq"]) for event in stream(game, role) if event["kind"] == "hidden"]


def played(*facts: AnyFact, table: Table | None = None) -> Game:
    """A game in which an action made these facts so."""

    async def rule(scene: ToyScene, model: ModelId) -> None:
        for fact in facts:
            await change(fact)

    return acted(rule, table or with_canary())


@pytest.mark.parametrize(
    ("seen_by", "role", "sees"),
    [
        (None, "watch", True),
        (None, "south", True),
        (("south",), "south", True),
        (("south",), "north", False),
        (("south", "north"), "north", True),
        (("south", "north"), "watch", False),
        ((), "south", False),
    ],
)
def test_who_may_see(seen_by: tuple[Seat, ...] | None, role: Role, sees: bool) -> None:
    assert may_see(seen_by, role) == sees


# Models and units


def test_hidden_models_and_units_are_absent_from_the_opening() -> None:
    must_be_secret(seated(TOY, with_canary()))


def test_a_table_without_secrets_is_sent_as_it_is() -> None:
    table = skirmish()
    assert view_table(table, "watch") is table


def test_hidden_models_that_were_removed_stay_hidden() -> None:
    game = played(ModelsRemoved((ModelId(CANARY),)))
    assert ModelId(CANARY) in game.table.removed
    must_be_secret(game)


STEP = Pose(inches(10), inches(18), Bearing(0))
ALONE: dict[str, AnyFact] = {
    "placed": ModelsPlaced((replace(canary(), id=ModelId("canary-2")),)),
    "moved": ModelsMoved((Moved(ModelId(CANARY), STEP),)),
    "removed": ModelsRemoved((ModelId(CANARY),)),
    "status": StatusSet(ModelId(CANARY), "wounds", 2),
    "statuses": StatusesSet("wounds", {ModelId(CANARY): 2}),
    "unit": UnitSet(Unit(UnitId("canary-2"), "north", "x", seen_by=("north",))),
    "unit status": UnitStatusSet(UnitId("canary-nest"), "fleeing", True),
}


@pytest.mark.parametrize("fact", ALONE.values(), ids=list(ALONE))
def test_what_happens_to_a_hidden_thing_alone_arrives_as_a_placeholder(fact: AnyFact) -> None:
    game = played(fact)
    must_be_secret(game)
    place = numbers(game, Changed)[-1]
    for role in HIDERS:
        assert stream(game, role)[place] == {"seq": place, "at": 10, "kind": "hidden"}


MIXED: dict[str, tuple[AnyFact, AnyFact]] = {
    "placed": (
        ModelsPlaced((replace(canary(), id=ModelId("canary-2")), soldier("n9", "north", 9, 9))),
        ModelsPlaced((soldier("n9", "north", 9, 9),)),
    ),
    "moved": (
        ModelsMoved((Moved(ModelId(CANARY), STEP), Moved(ModelId("n1"), STEP))),
        ModelsMoved((Moved(ModelId("n1"), STEP),)),
    ),
    "removed": (ModelsRemoved((ModelId(CANARY), ModelId("n1"))), ModelsRemoved((ModelId("n1"),))),
    "statuses": (
        StatusesSet("wounds", {ModelId(CANARY): 2, ModelId("n1"): 1}),
        StatusesSet("wounds", {ModelId("n1"): 1}),
    ),
}


@pytest.mark.parametrize(("fact", "left"), MIXED.values(), ids=list(MIXED))
def test_what_happens_to_hidden_and_known_things_together_is_thinned(fact: AnyFact, left: AnyFact) -> None:
    game = played(fact)
    must_be_secret(game)
    for role in HIDERS:
        assert stream(game, role)[numbers(game, Changed)[-1]]["fact"] == msgspec.to_builtins(left)


def test_a_move_under_the_rules_or_by_hand_does_not_name_a_hidden_model() -> None:
    for action, phase in (("move", "move"), ("free_move", "fight")):
        table = with_canary()
        game = seated(TOY, replace(table, clock=replace(table.clock, turn="north", phase=phase)))
        pose = {"x": 120_000, "y": 130_000, "facing": 0, "z": 0}
        game.do("north", action, args={"moves": [{"model": CANARY, "pose": pose}]}, at=10)
        must_be_secret(game)


def test_free_play_with_hidden_things_does_not_name_them() -> None:
    game = seated(TOY, with_canary())
    game.do("north", "set_status", args={"model": CANARY, "key": "wounds", "value": 2}, at=10)
    game.do("north", "remove", args={"models": [CANARY]}, at=11)
    game.do("north", "restore", args={"models": [CANARY]}, at=12)
    must_be_secret(game)


def test_an_action_of_a_hidden_model_is_a_placeholder() -> None:
    table = with_canary()
    game = seated(TOY, replace(table, clock=replace(table.clock, turn="north")))
    game.do("north", "duel", CANARY, at=10)
    must_be_secret(game)
    assert numbers(game, Started)[0] in hidden(game, "south")


# Questions, findings, notes and rolls


async def whispers(scene: ToyScene, model: ModelId) -> None:
    """Everything a rule could say of a hidden model."""
    await note("TOY-1", "Something stirs.", CANARY)
    await roll(D6, "TOY-1", "for the hidden one", CANARY)
    await judge("TOY-3", f"near {model}", Covered((CANARY,)))
    await judge("TOY-3", CANARY, Gap(3))
    options = (Option(CANARY, "The hidden one"), Option("n1", "The other"))
    await ask(Choose(rule="TOY-1", to="north", prompt="Who?", options=options))
    await ask(Confirm(rule="TOY-4", to="north", prompt="The canary?", seen_by=("north",)))
    await note("TOY-1", "All is quiet.")


class Covered(msgspec.Struct, frozen=True):
    """Who is under something."""

    models: tuple[str, ...]


def test_notes_rolls_findings_and_questions_that_speak_of_hidden_things_are_withheld() -> None:
    game = acted(whispers, with_canary())
    must_be_secret(game)
    reply(game, CANARY)
    must_be_secret(game)
    reply(game, True)
    must_be_secret(game)
    assert "All is quiet." in said(game, "watch")


def test_a_withheld_question_still_says_whom_the_table_waits_for() -> None:
    game = acted(whispers, with_canary())
    seq, question = pending(game)
    for role in HIDERS:
        nothing = {"kind": "hidden", "to": "north", "rule": "", "prompt": ""}
        assert stream(game, role)[seq] == {"seq": seq, "at": 10, "kind": "asked", "sealed": False, "question": nothing}
        assert view_question(question, role, game.table) == nothing
    assert view_question(question, "north", game.table) is question


def test_a_question_for_one_seats_eyes_is_read_by_that_seat_alone() -> None:
    question = Confirm(rule="TOY-4", to="north", prompt="Ambush?", seen_by=("north",))
    table = with_canary()
    assert view_question(question, "north", table) is question
    for role in HIDERS:
        assert "Ambush" not in repr(view_question(question, role, table))


def test_the_answer_to_a_withheld_question_is_withheld() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        await ask(Guess(rule="TOY-5", to="north", prompt="Where?", least=0, most=99, unit="paces", seen_by=("north",)))

    game = acted(rule)
    reply(game, 73)
    (place,) = numbers(game, Answered)
    assert stream(game, "north")[place]["value"] == 73
    for role in HIDERS:
        assert stream(game, role)[place]["value"] is None
        assert stream(game, role)[place]["by"] == "north"


# Sealed answers


def test_a_sealed_answer_is_read_by_its_seat_alone_until_all_are_in() -> None:
    game = toy_game()
    game.do("south", "duel", "s1", at=10)
    reply(game, "n1")
    reply(game, True)
    south, north = game.questions
    game.answer("north", north, 7, at=20)
    place = game.seq
    assert stream(game, "north")[place]["value"] == 7
    for role in HIDERS:
        assert stream(game, role)[place]["value"] is None
    game.answer("south", south, 3, at=21)
    (opened,) = numbers(game, Unsealed)
    for role in ROLES:
        assert stream(game, role)[opened]["values"] == (3, 7)
        assert (stream(game, role)[place]["value"] == 7) == (role == "north")


def test_sealed_answers_for_one_seats_eyes_stay_closed() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        await ask_all(
            [
                Guess(rule="TOY-5", to=seat, prompt="Hide", least=0, most=10**9, unit="", seen_by=(seat,))
                for seat in (scene.by, scene.rival)
            ]
        )

    game = acted(rule)
    south, north = game.questions
    game.answer("north", north, 710_017, at=20)
    game.answer("south", south, 720_027, at=20)
    for role in ROLES:
        assert ("710017" in said(game, role), "720027" in said(game, role)) == (role == "north", role == "south")


# Coming out, and going back


def test_a_model_that_comes_out_is_seen_from_then_on() -> None:
    game = played(ModelsPlaced((canary(seen_by=None),)), StatusSet(ModelId(CANARY), "wounds", 2))
    shown, status = numbers(game, Changed)
    for role in HIDERS:
        assert stream(game, role)[shown]["kind"] == stream(game, role)[status]["kind"] == "changed"
        assert CANARY in view_table(game.table, role).models


def test_a_model_that_came_out_is_hidden_again_when_the_game_goes_back() -> None:
    game = played(ModelsPlaced((canary(seen_by=None),)))
    game.propose("south", Undo(numbers(game, Started)[0]), at=50)
    game.do("north", "set_status", args={"model": CANARY, "key": "wounds", "value": 2}, at=60)
    for role in HIDERS:
        late = msgspec.json.encode(stream(game, role)[numbers(game, Rewound)[0] :]).decode()
        assert CANARY not in late
        assert folded(stream(game, role)) == view_table(game.table, role)
        assert CANARY not in view_table(game.table, role).models


def test_a_model_that_came_out_in_an_action_that_broke_is_hidden_again() -> None:
    async def rule(scene: ToyScene, model: ModelId) -> None:
        await change(ModelsPlaced((canary(seen_by=None),)))
        raise ZeroDivisionError

    game = acted(rule, with_canary())
    game.do("north", "set_status", args={"model": CANARY, "key": "wounds", "value": 2}, at=60)
    for role in HIDERS:
        late = msgspec.json.encode(stream(game, role)[numbers(game, Failed)[0] :]).decode()
        assert CANARY not in late


# The stream as a whole


def folded(events: list[dict[str, object]]) -> Table:
    """The table as a viewer makes it up from its stream."""
    log = [read(event) for event in events]
    opening = next(event for event in events if event["kind"] == "opened")
    facts = [logged.event.fact for logged in effective(log) if isinstance(logged.event, Changed)]
    return fold(msgspec.convert(msgspec.to_builtins(opening["table"]), Table), facts)


def read(event: Mapping[str, Any]) -> Logged:
    """An event of a stream; what plays no part in folding is read as a proposal."""
    kept = {"changed": Changed, "rewound": Rewound, "failed": Failed, "started": Started}.get(event["kind"])
    body = {key: value for key, value in event.items() if key not in ("seq", "at")}
    other = Started("", "south", "")
    return Logged(event["seq"], event["at"], other if kept is None else msgspec.convert(body, kept))


def test_a_viewer_that_reads_step_by_step_reads_the_same_as_one_that_reads_all() -> None:
    game = acted(whispers, with_canary())
    reply(game, "n1")
    for role in ROLES:
        viewer = Viewer(role)
        assert [viewer.see(logged) for logged in game.log] == stream(game, role)


def test_a_stored_log_is_seen_alike() -> None:
    game = acted(whispers, with_canary())
    for role in ROLES:
        assert msgspec.json.encode(Viewer(role).read(stored(game.log))) == msgspec.json.encode(stream(game, role))
    assert loaded(game, game.system).questions.keys() == game.questions.keys()


NAMES = [ModelId(name) for name in ("s1", "s2", "n1", "n2", "spy", "mole")]


def masked() -> Table:
    """Each side has a hidden model."""
    return board(
        soldier("s1", "south", 5, 5),
        soldier("s2", "south", 8, 5),
        soldier("mole", "south", 11, 5, ("south",)),
        soldier("n1", "north", 5, 15),
        soldier("n2", "north", 8, 15),
        soldier("spy", "north", 11, 15, ("north",)),
    )


def something(table: Table, data: st.DataObject) -> AnyFact:
    """A fact that may become so on this table. What is hidden may come out, but nothing goes into hiding."""
    here = sorted(table.models)
    some = data.draw(st.lists(st.sampled_from(here), min_size=1, unique=True)) if here else []
    pose = Pose(Length(10_000 * data.draw(st.integers(1, 20))), Length(50_000), Bearing(0))
    gone = sorted(table.removed)
    facts: list[AnyFact] = [
        ScoreSet("south", data.draw(st.integers(0, 9))),
        UnitStatusSet(UnitId("north-1"), "fleeing", value=data.draw(st.booleans())),
        UnitSet(Unit(UnitId("new"), "north", "New", seen_by=None if UnitId("new") in table.units else ("north",))),
    ]
    if some:
        facts += [
            ModelsMoved(tuple(Moved(key, pose) for key in some)),
            ModelsRemoved(tuple(some)),
            StatusesSet("wounds", dict.fromkeys(some, 1)),
            StatusSet(some[0], "tired", value=True),
            ModelsPlaced(tuple(replace(table.models[key], seen_by=None) for key in some)),
        ]
    if gone:
        facts.append(ModelsPlaced(tuple(table.removed[key] for key in gone)))
    return data.draw(st.sampled_from(facts))


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_a_viewer_makes_up_from_its_stream_is_its_view_of_the_table(data: st.DataObject) -> None:
    facts: list[AnyFact] = []

    async def rule(scene: ToyScene, model: ModelId) -> None:
        for _ in range(data.draw(st.integers(1, 3))):
            facts.append(something(scene.table, data))
            await change(facts[-1])
        if data.draw(st.integers(0, 4)) == 0:
            raise ZeroDivisionError

    game = seated(with_rule(rule), masked())
    for at in range(5):
        own = sorted(key for key, model in game.table.models.items() if model.owner == "south")
        began = numbers(game, Started)
        kept = [logged.seq for logged in game.kept if logged.seq in began]
        if kept and data.draw(st.integers(0, 3)) == 0:
            to = data.draw(st.sampled_from(kept))
            if to == game.undoable("south"):
                game.propose("south", Undo(to), at=at)
            else:
                agree(game, "south", Undo(to), at=at)
        elif own:
            game.do("south", "act", own[0], at=at)
        for role in ROLES:
            assert folded(stream(game, role)) == view_table(game.table, role)
            assert digest(folded(stream(game, role))) == digest(view_table(game.table, role))
