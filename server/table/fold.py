"""`apply`, the only writer of a table (I1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from typing import TypeVar

from msgspec.structs import replace

from server.table import facts
from server.table.model import Table

K = TypeVar("K")
V = TypeVar("V")


class NoSuchThing(LookupError):
    """A fact speaks of something that is not on the table."""


def apply(table: Table, fact: facts.Fact) -> Table:
    """The table after `fact`. Raises NoSuchThing when the fact names what is not there."""
    try:
        return _after(fact, table)
    except KeyError as missing:
        raise NoSuchThing(f"{type(fact).__name__} names {missing}, which is not on the table") from missing


def fold(table: Table, happened: Iterable[facts.Fact]) -> Table:
    """The table after all of `happened`, in order."""
    for fact in happened:
        table = apply(table, fact)
    return table


@singledispatch
def _after(fact: facts.Fact, table: Table) -> Table:
    raise TypeError(f"no way to apply {type(fact).__name__}")


@_after.register
def _(fact: facts.ModelsPlaced, table: Table) -> Table:
    placed = {model.id: model for model in fact.models}
    removed = {key: model for key, model in table.removed.items() if key not in placed}
    return replace(table, models={**table.models, **placed}, removed=removed)


@_after.register
def _(fact: facts.ModelsMoved, table: Table) -> Table:
    moved = {move.model: replace(table.models[move.model], pose=move.pose) for move in fact.moves}
    return replace(table, models={**table.models, **moved})


@_after.register
def _(fact: facts.ModelsRemoved, table: Table) -> Table:
    gone = {key: table.models[key] for key in fact.models}
    left = {key: model for key, model in table.models.items() if key not in gone}
    return replace(table, models=left, removed={**table.removed, **gone})


@_after.register
def _(fact: facts.StatusSet, table: Table) -> Table:
    model = table.models[fact.model]
    changed = replace(model, status=_with(model.status, fact.key, fact.value))
    return replace(table, models={**table.models, model.id: changed})


@_after.register
def _(fact: facts.StatusesSet, table: Table) -> Table:
    changed = {
        key: replace(table.models[key], status=_with(table.models[key].status, fact.key, value))
        for key, value in fact.values.items()
    }
    return replace(table, models={**table.models, **changed})


@_after.register
def _(fact: facts.UnitSet, table: Table) -> Table:
    return replace(table, units={**table.units, fact.unit.id: fact.unit})


@_after.register
def _(fact: facts.UnitStatusSet, table: Table) -> Table:
    unit = table.units[fact.unit]
    changed = replace(unit, status=_with(unit.status, fact.key, fact.value))
    return replace(table, units={**table.units, unit.id: changed})


@_after.register
def _(fact: facts.TerrainSet, table: Table) -> Table:
    return replace(table, terrain=_with(table.terrain, fact.id, fact.terrain))


@_after.register
def _(fact: facts.TemplateLaid, table: Table) -> Table:
    return replace(table, templates=_with(table.templates, fact.template.id, fact.template))


@_after.register
def _(fact: facts.TemplateLifted, table: Table) -> Table:
    return replace(table, templates=_with(table.templates, fact.id, None))


@_after.register
def _(fact: facts.MarkerSet, table: Table) -> Table:
    return replace(table, markers=_with(table.markers, fact.id, fact.marker))


@_after.register
def _(fact: facts.ClockSet, table: Table) -> Table:
    return replace(table, clock=fact.clock)


@_after.register
def _(fact: facts.ScoreSet, table: Table) -> Table:
    return replace(table, scores={**table.scores, fact.seat: fact.score})


def _with(mapping: Mapping[K, V], key: K, value: V | None) -> Mapping[K, V]:
    """The mapping with `key` set to `value`, or without it where `value` is None."""
    rest = {known: kept for known, kept in mapping.items() if known != key}
    return rest if value is None else {**rest, key: value}
