"""Every cell of every chart: to wound (ST-47), both misfire charts (ST-33, ST-34), saves (ST-49)."""

from __future__ import annotations

import pytest

from server.rules.stone_thrower.charts import MISFIRES, TO_WOUND, TO_WOUND_OLDER
from server.rules.stone_thrower.options import Options
from server.rules.stone_thrower.wounds import needed_to_save, needed_to_wound

EVERY = [(strength, toughness) for strength in range(1, 11) for toughness in range(1, 11)]
OLDER = Options(to_wound_chart="older_no_effect_at_T_minus_S_4")


@pytest.mark.parametrize(("strength", "toughness"), EVERY)
def test_st47_every_cell(strength: int, toughness: int) -> None:
    assert needed_to_wound(Options(), strength, toughness) == min(6, max(2, 4 + toughness - strength))


@pytest.mark.parametrize(("strength", "toughness"), EVERY)
def test_st47_every_cell_of_the_older_chart(strength: int, toughness: int) -> None:
    usual = needed_to_wound(Options(), strength, toughness)
    assert needed_to_wound(OLDER, strength, toughness) == (None if toughness - strength >= 4 else usual)


def test_st47_charts_are_whole() -> None:
    for chart in (TO_WOUND, TO_WOUND_OLDER):
        assert list(chart) == list(range(1, 11))
        assert {len(row) for row in chart.values()} == {10}


@pytest.mark.parametrize(
    ("face", "result"),
    [
        (1, "destroyed"),
        (2, "disabled"),
        (3, "disabled"),
        (4, "may_not_shoot"),
        (5, "may_not_shoot"),
        (6, "may_not_shoot"),
    ],
)
def test_st33_every_cell(face: int, result: str) -> None:
    assert MISFIRES["stone_thrower"][face] == result


@pytest.mark.parametrize(
    ("face", "result"),
    [
        (1, "destroyed"),
        (2, "malfunction"),
        (3, "malfunction"),
        (4, "may_not_shoot"),
        (5, "may_not_shoot"),
        (6, "may_not_shoot"),
    ],
)
def test_st34_every_cell(face: int, result: str) -> None:
    assert MISFIRES["black_powder"][face] == result


@pytest.mark.parametrize("strength", range(1, 11))
@pytest.mark.parametrize("save", [None, 1, 2, 3, 4, 5, 6])
def test_st49_every_save(save: int | None, strength: int) -> None:
    if save is None:
        assert needed_to_save(save, strength) is None
        return
    needed = save + max(0, strength - 3)
    assert needed_to_save(save, strength) == (None if needed > 6 else max(2, needed))


@pytest.mark.parametrize(("strength", "worse"), [(3, 0), (4, 1), (5, 2), (6, 3), (7, 4), (8, 5)])
def test_st49_printed_modifiers(strength: int, worse: int) -> None:
    needed = needed_to_save(2, strength)
    assert needed == (2 + worse if 2 + worse <= 6 else None)
