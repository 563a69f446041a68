"""House options: one frozen struct per system, from which the lobby draws its form.

Each field is a setting: its name is the key, its default the default, its type the allowed values (a Literal, a bool
or a bounded int), its description the sentence of help. `CommonOptions` are those of `common.md`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta
from msgspec.structs import fields

from server.engine.refusals import Refused

Setting = int | str | bool


class CommonOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings that all systems share."""

    rounds: Annotated[int, Meta(ge=1, le=20, description="How many turns each side plays before the battle ends.")] = 6
    template_tangent_hits: Annotated[
        bool, Meta(description="Whether a base that only kisses the template's edge is touched (CM-12).")
    ] = False
    hole_diameter_mm: Annotated[
        int, Meta(ge=0, le=10, description="The template's central hole in millimetres; 0 makes it a point (CM-14).")
    ] = 5
    template_off_table: Annotated[
        Literal["resolve_on_table_part", "miss_if_centre_off", "miss_if_any_part_off"],
        Meta(description="What becomes of a template that hangs over the table's edge (CM-16)."),
    ] = "resolve_on_table_part"
    template_floors: Annotated[
        Literal["all", "top_floor_only", "chosen_floor"],
        Meta(description="Which floors of a building a template reaches (CM-15)."),
    ] = "all"
    range_3d: Annotated[bool, Meta(description="Whether height counts in ranges (CM-10).")] = False
    body_width: Annotated[
        int,
        Meta(
            ge=30,
            le=100,
            description="How much of its base a body fills when it stands in a line of sight, in per cent (CM-29).",
        ),
    ] = 60
    los_mode: Annotated[
        Literal["rays", "centre_line", "players_agree"],
        Meta(description="How the table decides what can be seen: ten rays, one line, or the players (CM-30)."),
    ] = "rays"
    answer_within: Annotated[
        int,
        Meta(ge=0, le=600, description="Seconds to answer a question before time is up; 0 waits for ever."),
    ] = 0
    on_timeout: Annotated[
        Literal["default_answer", "pause_game", "forfeit_choice"],
        Meta(
            description="What happens when time is up: the default is taken, the game waits, or whoever let a choice"
            " lapse forfeits the rest of that action's choices too (CM-34)."
        ),
    ] = "default_answer"


class Choice(msgspec.Struct, frozen=True):
    """One setting as the lobby shows it."""

    key: str
    help: str
    default: Setting
    values: tuple[Setting, ...] = ()
    least: int | None = None
    most: int | None = None


def choices(options: type[CommonOptions]) -> tuple[Choice, ...]:
    """The form of a system's options."""
    hints = get_type_hints(options, include_extras=True)
    return tuple(_choice(field.name, hints[field.name], field.default) for field in fields(options))


def _choice(key: str, hint: Any, default: Setting) -> Choice:  # the type of a type hint cannot be said
    kind, meta = get_args(hint)
    if kind is bool:
        return Choice(key, meta.description, default, (False, True))
    if get_origin(kind) is Literal:
        return Choice(key, meta.description, default, get_args(kind))
    return Choice(key, meta.description, default, least=meta.ge, most=meta.le)


def with_setting(options: CommonOptions, key: str, value: Setting) -> CommonOptions:
    """The options with one changed. Raises Refused for an unknown key or a value it cannot take."""
    if key not in {field.name for field in fields(options)}:
        raise Refused("There is no such house option.")
    try:
        return msgspec.convert({**msgspec.to_builtins(options), key: value}, type(options), strict=True)
    except msgspec.ValidationError as wrong:
        raise Refused("That option cannot take this value.") from wrong
