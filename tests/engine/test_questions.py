"""The seven kinds of question: what they take for an answer, what they refuse, and what time answers for them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.engine.contract import example
from server.engine.questions import (
    Aim,
    Allocate,
    AnyQuestion,
    Barred,
    Choose,
    ChooseSome,
    Confirm,
    Guess,
    Option,
    Place,
    Region,
    must_have_a_default,
)
from server.engine.refusals import Refused
from server.geometry.units import Bearing, Length, Point, Pose, degrees, inches

ABC = tuple(Option(key, key.upper()) for key in ("c", "a", "b"))
RING = (Point(Length(0), Length(0)), Point(Length(9), Length(0)), Point(Length(0), Length(9)))


def confirm(*, otherwise: bool = False) -> Confirm:
    return Confirm(rule="R-1", to="south", prompt="Sure?", otherwise=otherwise)


def choose() -> Choose[str]:
    return Choose(
        rule="R-2", to="south", prompt="Which?", options=ABC, barred=(Barred("d", "R-9", "It is out of range."),)
    )


def some(least: int = 1, most: int = 2) -> ChooseSome[str]:
    return ChooseSome(rule="R-3", to="south", prompt="Which?", options=ABC, least=least, most=most)


def place() -> Place:
    return Place(rule="R-4", to="south", prompt="Where?", region=Region(RING), suggested=RING[1])


def aim(facing: float = 0, arc: float = 90) -> Aim:
    origin = Pose(Length(0), Length(0), degrees(facing))
    width = Bearing(round(arc * 100))
    return Aim(rule="R-5", to="south", prompt="Which way?", origin=origin, arc=width, length=inches(6))


def allocate() -> Allocate:
    return Allocate(rule="R-6", to="south", prompt="Share", options=ABC, total=3, caps={"b": 2, "a": 2, "c": 1})


def guess() -> Guess:
    return Guess(rule="R-7", to="south", prompt="How far?", least=6, most=36, unit="inches")


KINDS: tuple[Any, ...] = (confirm(), choose(), some(), place(), aim(), allocate(), guess())

GOOD: tuple[tuple[Any, object, object], ...] = (
    (confirm(), True, True),
    (confirm(), False, False),
    (choose(), "a", "a"),
    (choose(), "c", "c"),
    (some(), ["a"], ("a",)),
    (some(), ["c", "a"], ("a", "c")),
    (some(0, 3), [], ()),
    (some(3, 3), ["b", "a", "c"], ("a", "b", "c")),
    (place(), {"x": 3, "y": 4}, Point(Length(3), Length(4))),
    (place(), {"x": -20_000_000, "y": 20_000_000}, Point(Length(-20_000_000), Length(20_000_000))),
    (aim(), 0, 0),
    (aim(), 4500, 4500),
    (aim(), 31500, 31500),
    (aim(350), 3500, 3500),
    (aim(350), 30500, 30500),
    (aim(180), 13500, 13500),
    (aim(0, 360), 18000, 18000),
    (aim(0, 360), 35999, 35999),
    (aim(90, 0), 9000, 9000),
    (allocate(), {"a": 2, "b": 1}, {"a": 2, "b": 1}),
    (allocate(), {"c": 1, "b": 0, "a": 2}, {"a": 2, "c": 1}),
    (guess(), 6, 6),
    (guess(), 36, 36),
)

WRONG_TYPES: dict[str, tuple[object, ...]] = {
    "Confirm": (0, 1, "yes", "true", None, [], [True], {}, 1.0, float("nan")),
    "Choose": (None, 1, True, ["a"], {"id": "a"}, 1.5, b"a"),
    "ChooseSome": (None, "a", "abc", [1], [None], [["a"]], {"a": 1}, True, 3),
    "Place": (None, "0,0", [0, 0], {"x": 1}, {"x": 1, "y": 2, "z": 3}, {"x": 1.0, "y": 2}, {"x": True, "y": 2}, 5, {}),
    "Aim": (None, "0", True, False, 0.0, 45.5, [0], float("nan"), float("inf"), {}),
    "Allocate": (None, [3], "a", {"a": 2.0, "b": 1}, {"a": True, "b": 2}, {"a": "2", "b": 1}, {1: 3}, {"a": None}, 3),
    "Guess": (None, "12", True, 12.0, 12.5, float("nan"), float("inf"), [12], {}),
}

UNLAWFUL: tuple[tuple[Any, object, str], ...] = (
    (choose(), "e", "That is not one of the choices."),
    (choose(), "A", "That is not one of the choices."),
    (choose(), "", "That is not one of the choices."),
    (choose(), "d", "It is out of range."),
    (some(), [], "Choose between 1 and 2."),
    (some(), ["a", "b", "c"], "Choose between 1 and 2."),
    (some(2, 2), ["a"], "Choose exactly 2."),
    (some(), ["a", "a"], "That is not a choice of different options."),
    (some(), ["a", "d"], "That is not a choice of different options."),
    (place(), {"x": 20_000_001, "y": 0}, "Point at a place on the table."),
    (aim(), 4501, "That is 45.0 degrees off the facing; the arc is 45.0 to a side."),
    (aim(), 9000, "That is 90.0 degrees off the facing; the arc is 45.0 to a side."),
    (aim(), 31499, "That is 45.0 degrees off the facing; the arc is 45.0 to a side."),
    (aim(350), 18000, "That is 170.0 degrees off the facing; the arc is 45.0 to a side."),
    (aim(), 36000, "A direction lies between 0 and 360 degrees."),
    (aim(0, 360), -1, "A direction lies between 0 and 360 degrees."),
    (aim(0, 360), 10**30, "A direction lies between 0 and 360 degrees."),
    (allocate(), {"a": 2}, "The shares make 2; they must make 3."),
    (allocate(), {}, "The shares make 0; they must make 3."),
    (allocate(), {"a": 2, "b": 2}, "The shares make 4; they must make 3."),
    (allocate(), {"c": 2, "a": 1}, "One of the shares is more than that option can take."),
    (allocate(), {"a": 2, "b": 2, "c": -1}, "One of the shares is more than that option can take."),
    (allocate(), {"d": 0, "a": 2, "b": 1}, "One of the shares is more than that option can take."),
    (guess(), 5, "Name a number between 6 and 36 inches."),
    (guess(), 37, "Name a number between 6 and 36 inches."),
    (guess(), -(10**30), "Name a number between 6 and 36 inches."),
)


@pytest.mark.parametrize(("question", "value", "answer"), GOOD)
def test_a_lawful_answer_is_taken(question: AnyQuestion, value: object, answer: object) -> None:
    read: object = question.read(value)
    assert read == answer
    assert type(read) is type(answer)


@pytest.mark.parametrize(
    ("question", "value"), [(question, value) for question in KINDS for value in WRONG_TYPES[type(question).__name__]]
)
def test_an_answer_of_another_type_is_refused_with_a_sentence(question: AnyQuestion, value: object) -> None:
    with pytest.raises(Refused) as refusal:
        question.read(value)
    assert refusal.value.message.endswith(".")
    assert refusal.value.code == "rejected"


@pytest.mark.parametrize(("question", "value", "why"), UNLAWFUL)
def test_an_unlawful_answer_is_refused_with_its_reason(question: AnyQuestion, value: object, why: str) -> None:
    with pytest.raises(Refused) as refusal:
        question.read(value)
    assert refusal.value.message == why


def test_a_barred_choice_names_the_rule_that_bars_it() -> None:
    with pytest.raises(Refused) as refusal:
        choose().read("d")
    assert refusal.value.rule == "R-9"


DEFAULTS: tuple[tuple[Any, object], ...] = (
    (confirm(), False),
    (confirm(otherwise=True), True),
    (choose(), "a"),
    (some(), ("a",)),
    (some(0, 2), ()),
    (place(), RING[1]),
    (aim(350), 35000),
    (allocate(), {"a": 2, "b": 1}),
    (guess(), 6),
)


@pytest.mark.parametrize(("question", "default"), DEFAULTS)
def test_time_that_runs_out_takes_the_first_or_the_least(question: AnyQuestion, default: object) -> None:
    taken: object = question.default()
    assert taken == default


@pytest.mark.parametrize("question", KINDS, ids=lambda question: type(question).__name__)
def test_every_default_is_a_lawful_answer_as_it_comes_over_the_wire(question: AnyQuestion) -> None:
    read: object = question.read(msgspec.json.decode(msgspec.json.encode(question.default())))
    assert read == question.default()
    must_have_a_default(question)


UNANSWERABLE: dict[str, Any] = {
    "nothing to choose": Choose(rule="R", to="south", prompt="?", options=()),
    "too few to choose": ChooseSome(rule="R", to="south", prompt="?", options=ABC, least=4, most=5),
    "more at least than at most": ChooseSome(rule="R", to="south", prompt="?", options=ABC, least=2, most=1),
    "an empty range": Guess(rule="R", to="south", prompt="?", least=2, most=1, unit="men"),
    "caps too small": Allocate(rule="R", to="south", prompt="?", options=ABC, total=3, caps={"a": 2}),
}


@pytest.mark.parametrize("question", UNANSWERABLE.values(), ids=list(UNANSWERABLE))
def test_a_question_that_nobody_could_answer_is_known_for_one(question: AnyQuestion) -> None:
    with pytest.raises(ValueError, match="no lawful default"):
        must_have_a_default(question)


@pytest.mark.parametrize("question", KINDS, ids=lambda question: type(question).__name__)
def test_a_question_survives_the_wire_and_says_its_kind(question: AnyQuestion) -> None:
    said = msgspec.json.encode(question)
    again = msgspec.json.decode(said, type=AnyQuestion)
    assert again == question
    assert msgspec.json.decode(said)["kind"] == type(question).__name__.lower()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from(KINDS), JSON)
def test_whatever_comes_over_the_wire_is_read_or_refused(question: AnyQuestion, value: object) -> None:
    try:
        answer: object = question.read(value)
    except Refused:
        return
    again: object = question.read(msgspec.to_builtins(answer))
    assert again == answer


@given(st.sampled_from(KINDS), st.data())
def test_the_examples_of_the_contract_are_lawful(question: AnyQuestion, data: st.DataObject) -> None:
    question.read(example(question, lambda things: data.draw(st.sampled_from(list(things)))))


@given(st.integers(0, 35999), st.integers(0, 36000), st.integers(0, 35999))
def test_an_aim_takes_just_what_lies_in_its_arc(facing: int, arc: int, bearing: int) -> None:
    question = aim(facing / 100, arc / 100)
    off = min((bearing - facing) % 36000, (facing - bearing) % 36000)
    try:
        question.read(bearing)
    except Refused:
        assert 2 * off > arc
    else:
        assert 2 * off <= arc
