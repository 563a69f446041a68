"""The charts, as they are printed: to wound (ST-47) and the two misfire charts (ST-33, ST-34)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

MisfireChart = Literal["stone_thrower", "black_powder"]
Misfire = Literal["destroyed", "disabled", "malfunction", "may_not_shoot"]

MISFIRES: Mapping[MisfireChart, Mapping[int, Misfire]] = {
    "stone_thrower": {  # ST-33
        1: "destroyed",
        2: "disabled",
        3: "disabled",
        4: "may_not_shoot",
        5: "may_not_shoot",
        6: "may_not_shoot",
    },
    "black_powder": {  # ST-34
        1: "destroyed",
        2: "malfunction",
        3: "malfunction",
        4: "may_not_shoot",
        5: "may_not_shoot",
        6: "may_not_shoot",
    },
}

# Rows are the Strength of the hit, columns the Toughness 1 to 10 of what is hit (ST-47).
TO_WOUND: Mapping[int, tuple[int, ...]] = {
    1: (4, 5, 6, 6, 6, 6, 6, 6, 6, 6),
    2: (3, 4, 5, 6, 6, 6, 6, 6, 6, 6),
    3: (2, 3, 4, 5, 6, 6, 6, 6, 6, 6),
    4: (2, 2, 3, 4, 5, 6, 6, 6, 6, 6),
    5: (2, 2, 2, 3, 4, 5, 6, 6, 6, 6),
    6: (2, 2, 2, 2, 3, 4, 5, 6, 6, 6),
    7: (2, 2, 2, 2, 2, 3, 4, 5, 6, 6),
    8: (2, 2, 2, 2, 2, 2, 3, 4, 5, 6),
    9: (2, 2, 2, 2, 2, 2, 2, 3, 4, 5),
    10: (2, 2, 2, 2, 2, 2, 2, 2, 3, 4),
}

# The older chart, `to_wound_chart`: 0 where the hit has no effect.
TO_WOUND_OLDER: Mapping[int, tuple[int, ...]] = {
    1: (4, 5, 6, 6, 0, 0, 0, 0, 0, 0),
    2: (3, 4, 5, 6, 6, 0, 0, 0, 0, 0),
    3: (2, 3, 4, 5, 6, 6, 0, 0, 0, 0),
    4: (2, 2, 3, 4, 5, 6, 6, 0, 0, 0),
    5: (2, 2, 2, 3, 4, 5, 6, 6, 0, 0),
    6: (2, 2, 2, 2, 3, 4, 5, 6, 6, 0),
    7: (2, 2, 2, 2, 2, 3, 4, 5, 6, 6),
    8: (2, 2, 2, 2, 2, 2, 3, 4, 5, 6),
    9: (2, 2, 2, 2, 2, 2, 2, 3, 4, 5),
    10: (2, 2, 2, 2, 2, 2, 2, 2, 3, 4),
}
