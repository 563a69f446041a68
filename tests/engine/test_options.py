"""House options: the form drawn from them, and what each may be set to."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from server.engine.options import Choice, CommonOptions, choices, with_setting
from server.engine.refusals import Refused
from server.engine.system import AnySystem, systems


class Weather(CommonOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A system's own options come after the common ones."""

    wind: Annotated[Literal["calm", "storm"], Meta(description="How it blows.")] = "calm"
    strength: Annotated[int, Meta(ge=1, le=3, description="How hard.")] = 2


def test_the_form_has_a_choice_for_each_setting() -> None:
    form = {choice.key: choice for choice in choices(Weather)}
    assert form["wind"] == Choice("wind", "How it blows.", "calm", ("calm", "storm"))
    assert form["strength"] == Choice("strength", "How hard.", 2, least=1, most=3)
    assert form["range_3d"].values == (False, True)
    assert set(form) >= {choice.key for choice in choices(CommonOptions)}


@pytest.mark.parametrize(
    "options",
    [CommonOptions, Weather, *(system.options for system in systems().values())],
    ids=lambda options: options.__name__,
)
def test_every_setting_can_be_explained_and_its_default_chosen(options: type[CommonOptions]) -> None:
    for choice in choices(options):
        assert choice.help.endswith("."), choice.key
        bounded = choice.least is not None and choice.most is not None
        assert bounded or choice.default in choice.values, choice.key
        if choice.least is not None and choice.most is not None:
            assert choice.least <= int(choice.default) <= choice.most
        assert with_setting(options(), choice.key, choice.default) == options()


@pytest.mark.parametrize("choice", choices(Weather), ids=lambda choice: choice.key)
def test_every_value_the_form_shows_can_be_set(choice: Choice) -> None:
    shown = choice.values or (choice.least or 0, choice.most or 0)
    for value in shown:
        assert getattr(with_setting(Weather(), choice.key, value), choice.key) == value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rounds", 0),
        ("rounds", 21),
        ("rounds", True),
        ("rounds", "6"),
        ("range_3d", 1),
        ("range_3d", "true"),
        ("los_mode", "guess"),
        ("los_mode", 0),
        ("wind", "breeze"),
    ],
)
def test_other_values_are_refused(key: str, value: int | str | bool) -> None:
    with pytest.raises(Refused, match="cannot take this value"):
        with_setting(Weather(), key, value)


@pytest.mark.parametrize("key", ["", "Rounds", "weather", "__class__", "_x"])
def test_an_unknown_setting_is_refused(key: str) -> None:
    with pytest.raises(Refused, match="no such house option"):
        with_setting(Weather(), key, 1)


def test_changing_one_setting_keeps_the_others_and_the_old_ones() -> None:
    before = Weather(rounds=4)
    after = with_setting(before, "wind", "storm")
    assert (after.rounds, getattr(after, "wind")) == (4, "storm")  # noqa: B009  a system's own setting
    assert before.wind == "calm"
    assert type(after) is Weather


def test_options_are_read_strictly() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"rounds": 6, "weather": "foul"}, CommonOptions)


def test_each_system_has_the_common_options() -> None:
    installed: list[AnySystem] = list(systems().values())
    for system in installed:
        assert issubclass(system.options, CommonOptions)
