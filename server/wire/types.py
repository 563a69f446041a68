"""Writes `static/js/net/types.d.ts` from the schemas: `python -m server.wire.types`. A test checks that it is current.

So the page's code is checked against what the server really sends, and a field that is renamed here is an error there.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NewType, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import FieldInfo, fields

from server.engine import events, forecast, options, questions, requests, system
from server.geometry import shapes, units
from server.table import facts, model
from server.wire import http, messages

TARGET = Path(__file__).parents[2] / "static" / "js" / "net" / "types.d.ts"

_UNIONS: Mapping[str, Any] = {
    "Base": shapes.Base,
    "Fact": facts.AnyFact,
    "AnyQuestion": questions.AnyQuestion,
    "Motion": events.Motion,
    "WireEvent": events.AnyEvent,
    "Pointing": messages.Point,
}
"""Unions that have a name on the page."""

_NAMES: Mapping[type, str] = {http.Pushed: "Push", messages.AimAt: "AimHeld", messages.Ruler: "RulerHeld"}
"""Structs that are called otherwise there."""

_SENT: Sequence[type[msgspec.Struct]] = (
    messages.Join,
    messages.Do,
    messages.Answer,
    messages.Propose,
    messages.Vote,
    messages.Mix,
    messages.Odds,
    messages.Say,
    http.Order,
    http.Claim,
)
"""What the page sends: fields with a default may be left out."""

_RECEIVED: Sequence[type[msgspec.Struct]] = (
    units.Point,
    units.Pose,
    *get_args(shapes.Base),
    model.Model,
    model.Unit,
    model.Terrain,
    model.Template,
    model.Marker,
    model.Clock,
    model.Table,
    facts.Moved,
    *get_args(facts.AnyFact),
    questions.Option,
    questions.Barred,
    questions.Reach,
    questions.Disc,
    questions.Region,
    *(get_origin(kind) or kind for kind in get_args(questions.AnyQuestion)),
    requests.Modifier,
    *get_args(events.Motion),
    *get_args(events.AnyEvent),
    system.Offer,
    system.Phase,
    system.StatusKind,
    options.Choice,
    forecast.Landing,
    forecast.Outcome,
    forecast.Outcome,
    forecast.Forecast,
    messages.Standing,
    messages.Person,
    messages.Crowd,
    messages.Said,
    messages.Problem,
    messages.No,
    messages.Done,
    messages.Foretold,
    messages.Joined,
    messages.Spot,
    *get_args(messages.Point),
    http.Pushed,
    http.History,
    http.ScenarioCard,
    http.SystemCard,
    http.Created,
    http.Claimed,
    http.Link,
    http.Shown,
)
"""What it is sent, and all that this consists of."""

_FIELDS: Mapping[tuple[type, str], str] = {
    (messages.Standing, "questions"): "Record<string, AnyQuestion>",
    (events.Opened, "options"): "Record<string, unknown>",
    (forecast.Forecast, "expected"): "{ hits: number; lost: number; own_hits: number }",
}
"""Fields about which the page may know more than Python's types say."""

_WORDS: Mapping[object, str] = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    object: "unknown",
    type(None): "null",
    msgspec.Raw: "WireEvent",
}
_PLACED = {*get_args(events.AnyEvent)}
_HEAD = """\
// Written by server/wire/types.py from the schemas of the server: do not edit. Run `python -m server.wire.types`.

export type Length = number;
export type Size = number;
export type Bearing = number;
export type Seat = "south" | "north";
export type Role = "south" | "north" | "watch";
export type Status = number | string | boolean;

/** Where an event stands in the log, and when it came about. */
export interface Placed {
  seq: number;
  at: number;
}

/** An event that this viewer may not see. */
export interface Hidden extends Placed {
  kind: "hidden";
}
"""


def declarations() -> str:
    """The whole file."""
    parts = [_HEAD]
    parts += [_interface(kind, sent=False) for kind in _RECEIVED]
    parts += [_union(name, kind) for name, kind in _UNIONS.items()]
    parts += [_interface(kind, sent=True) for kind in _SENT]
    return "\n".join(parts)


def _interface(kind: type[msgspec.Struct], *, sent: bool) -> str:
    hints = get_type_hints(kind, include_extras=True)
    config = kind.__struct_config__
    if config.array_like:
        items = ", ".join(f"{field.name}: {_written(hints[field.name])}" for field in fields(kind))
        return f"export type {_name(kind)} = [{items}];\n"
    lines = [] if config.tag_field is None else [f'  {config.tag_field}: "{config.tag}";']
    lines += [_field(kind, field, hints[field.name], sent=sent) for field in fields(kind)]
    base = " extends Placed" if kind in _PLACED else ""
    return "\n".join((_comment(kind), f"export interface {_name(kind)}{base} {{", *lines, "}\n"))


def _field(kind: type[msgspec.Struct], field: FieldInfo, hint: Any, *, sent: bool) -> str:
    written = _FIELDS.get((kind, field.name)) or _written(hint)
    may_lack = not field.required and (sent or kind.__struct_config__.omit_defaults)
    if may_lack and not sent:
        written = written.removesuffix(" | null")
    return f"  {field.encode_name}{'?' if may_lack else ''}: {written};"


def _union(name: str, kind: Any) -> str:
    members = [_name(get_origin(member) or member) for member in get_args(kind)]
    if name == "WireEvent":
        members.append("Hidden")
    return f"export type {name} =\n" + "\n".join(f"  | {member}" for member in members) + ";\n"


def _comment(kind: type) -> str:
    return f"/** {(kind.__doc__ or '').strip().splitlines()[0]} */"


def _name(kind: type) -> str:
    return _NAMES.get(kind, kind.__name__)


def _written(hint: Any) -> str:
    """A Python type as the page writes it."""
    if hint in _WORDS:
        return _WORDS[hint]
    if isinstance(hint, NewType):
        return hint.__name__ if hint.__name__ in ("Length", "Size", "Bearing") else _written(hint.__supertype__)
    if isinstance(hint, TypeVar):
        return "string"
    origin = get_origin(hint)
    if origin is Annotated:
        return _written(get_args(hint)[0])
    if origin is Literal:
        return _known_literal(get_args(hint))
    if origin in (types.UnionType, typing.Union):
        return _written_union(hint)
    if origin is not None:
        return _written_generic(origin, get_args(hint))
    return _name(hint)


def _known_literal(values: tuple[object, ...]) -> str:
    if set(values) == {"south", "north"}:
        return "Seat"
    if set(values) == {"south", "north", "watch"}:
        return "Role"
    return " | ".join(_constant(value) for value in values)


def _constant(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _written_union(hint: Any) -> str:
    for name, kind in _UNIONS.items():
        if hint == kind:
            return name
    members = list(get_args(hint))
    for name, kind in _UNIONS.items():
        inside = get_args(kind)
        if set(inside) < set(members):
            return " | ".join((name, *(_written(member) for member in members if member not in inside)))
    return " | ".join(dict.fromkeys(_written(member) for member in members))


def _written_generic(origin: Any, arguments: tuple[Any, ...]) -> str:
    if isinstance(origin, type) and issubclass(origin, msgspec.Struct):
        return _name(origin)
    if origin is tuple and arguments[-1] is not Ellipsis:
        return "[" + ", ".join(_written(item) for item in arguments) + "]"
    if issubclass(origin, Mapping):
        return f"Record<string, {_written(arguments[1])}>"
    inner = _written(arguments[0])
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")
