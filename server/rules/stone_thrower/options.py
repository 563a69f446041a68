"""The house options of this system (section 12), each with its sentence of help for the lobby."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from server.engine.options import CommonOptions


class Options(CommonOptions, frozen=True, kw_only=True):
    """What a table of stone throwers may settle its own way."""

    rocket_multiple_wounds: Annotated[
        bool, Meta(description="Whether the model under a rocket's hole suffers D3 wounds for each one (ST-05).")
    ] = False
    indirect_needs_arc: Annotated[
        bool, Meta(description="Whether an indirect shot, too, must stay within the machine's forward arc (ST-16).")
    ] = True
    aim_point: Annotated[
        Literal["base_centre", "any_point_of_base"],
        Meta(description="Where on the nominated base the template's centre goes (ST-20)."),
    ] = "base_centre"
    scatter_into_min_range: Annotated[
        Literal["resolves", "no_effect"],
        Meta(description="What a shot does that scatters back inside the machine's minimum range (ST-32)."),
    ] = "resolves"
    ridden_monster_hole: Annotated[
        Literal["randomise", "both_high", "owner_chooses"],
        Meta(description="Which part of a ridden model takes the high Strength under the hole (ST-44)."),
    ] = "randomise"
    garrison_hits: Annotated[
        Literal["d6", "touched_models", "none"],
        Meta(description="How many models inside a touched building are hit (ST-46)."),
    ] = "d6"
    to_wound_chart: Annotated[
        Literal["6_always_wounds", "older_no_effect_at_T_minus_S_4"],
        Meta(
            description="Whether a 6 wounds anything, or nothing four points tougher than the shot is strong (ST-47)."
        ),
    ] = "6_always_wounds"
    casualties: Annotated[
        Literal["rear_rank", "models_under_template", "owner_chooses"],
        Meta(description="Which models of a ranked unit are taken off as casualties (ST-55)."),
    ] = "rear_rank"
    panic: Annotated[
        Literal["on", "off"], Meta(description="Whether heavy casualties make a unit test for panic (ST-58).")
    ] = "on"
    panic_move: Annotated[
        Literal["flee_2d6", "mark_only"],
        Meta(description="Whether a unit that panics is moved by the umpire or only marked as fleeing (ST-59)."),
    ] = "flee_2d6"
    panic_nearby: Annotated[
        bool, Meta(description="Whether friends within 6 inches of a unit wiped out test for panic (ST-60).")
    ] = False
