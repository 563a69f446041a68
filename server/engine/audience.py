"""What one viewer may see (I8). Everything that leaves the server as an event or a table goes through here.

What a role may not know is absent from what it is sent. It still gets every number: a withheld event arrives as a
placeholder, so that a gap always means loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from server.engine.events import (
    Answered,
    AnyEvent,
    Asked,
    Changed,
    Failed,
    Logged,
    Opened,
    Rewound,
    Started,
    Unsealed,
)
from server.engine.questions import AnyQuestion
from server.table.facts import (
    AnyFact,
    ModelsMoved,
    ModelsPlaced,
    ModelsRemoved,
    StatusesSet,
    StatusSet,
    UnitSet,
    UnitStatusSet,
)
from server.table.model import Model, ModelId, Role, Seat, Table, Unit, UnitId

Seers = tuple[Seat, ...] | None


def may_see(seen_by: Seers, role: Role) -> bool:
    """Whether something seen by these seats (None: by all) may be shown to a role."""
    return seen_by is None or role in seen_by


def view_table(table: Table, role: Role) -> Table:
    """The table without what the role may not know of."""
    if not _has_secrets(table):
        return table
    return replace(
        table,
        models={key: model for key, model in table.models.items() if may_see(model.seen_by, role)},
        removed={key: model for key, model in table.removed.items() if may_see(model.seen_by, role)},
        units={key: unit for key, unit in table.units.items() if may_see(unit.seen_by, role)},
    )


def view_question(question: AnyQuestion, role: Role, table: Table) -> object:
    """A question as the role may read it: whole, or no more than whom the table waits for.

    One that names what is hidden on `table` is hidden too.
    """
    if may_see(question.seen_by, role) and not _names(question, _hidden_on(table, role)):
        return question
    return _whom_it_waits_for(question)


def _whom_it_waits_for(question: AnyQuestion) -> Mapping[str, object]:
    return {"kind": "hidden", "to": question.to, "rule": "", "prompt": ""}


class Viewer:
    """One role's view of a log, read from its beginning: it remembers which things are secret at each point."""

    def __init__(self, role: Role) -> None:
        self.role = role
        self._secrets: dict[str, Seers] = {}
        self._hidden: set[str] = set()
        self._past: list[tuple[int, dict[str, Seers]]] = []
        self._unread: set[int] = set()

    def read(self, log: Iterable[Logged]) -> list[dict[str, object]]:
        """The wire form of the next events."""
        return [self.see(logged) for logged in log]

    def see(self, logged: Logged) -> dict[str, object]:
        """The wire form of the next event: flat, with its number and time."""
        thinned = self._thinned(logged)
        body: dict[str, object] = {"kind": "hidden"} if thinned is None else msgspec.to_builtins(thinned)
        return {"seq": logged.seq, "at": logged.at, **body}

    def _thinned(self, logged: Logged) -> AnyEvent | Mapping[str, object] | None:
        event = logged.event
        match event:
            case Opened():
                self._learn(logged.seq, event.table.models, event.table.units)
                return replace(event, table=view_table(event.table, self.role))
            case Changed():
                return self._changed(logged.seq, event)
            case Asked():
                if not may_see(event.question.seen_by, self.role) or self._names_secrets(event.question):
                    self._unread.add(logged.seq)
                    return {"kind": "asked", "question": _whom_it_waits_for(event.question), "sealed": event.sealed}
            case Answered():
                if (event.sealed and event.by != self.role) or event.question in self._unread:
                    return replace(event, value=None)
            case Unsealed():
                if not self._unread.isdisjoint(event.questions):
                    return None
            case Started():
                # What its player named may be secret; what came of it is told by the facts.
                event = event if event.by == self.role else replace(event, args=None)
            case Rewound() | Failed():
                self._forget(event.to)
            case _:
                pass
        return None if self._names_secrets(event) else event

    def _names_secrets(self, thing: AnyEvent | AnyQuestion) -> bool:
        """Whether a hidden thing is named anywhere in it: as subject, in arguments, a finding, an answer."""
        return _names(thing, self._hidden)

    def _changed(self, seq: int, event: Changed) -> Changed | None:
        fact = event.fact
        match fact:
            case ModelsPlaced():
                self._learn(seq, {model.id: model for model in fact.models}, {})
            case UnitSet():
                self._learn(seq, {}, {fact.unit.id: fact.unit})
            case _:
                pass
        shown = self._shown(fact)
        return None if shown is None else Changed(shown)

    def _shown(self, fact: AnyFact) -> AnyFact | None:
        match fact:
            case ModelsPlaced():
                models = tuple(model for model in fact.models if not self._hides(model.id))
                return ModelsPlaced(models) if models else None
            case ModelsMoved():
                moves = tuple(step for step in fact.moves if not self._hides(step.model))
                return ModelsMoved(moves) if moves else None
            case ModelsRemoved():
                gone = tuple(model for model in fact.models if not self._hides(model))
                return ModelsRemoved(gone) if gone else None
            case StatusesSet():
                values = {key: value for key, value in fact.values.items() if not self._hides(key)}
                return StatusesSet(fact.key, values) if values else None
            case StatusSet():
                return None if self._hides(fact.model) else fact
            case UnitSet():
                return None if self._hides(fact.unit.id) else fact
            case UnitStatusSet():
                return None if self._hides(fact.unit) else fact
            case _:
                return fact

    def _hides(self, thing: str) -> bool:
        return thing in self._hidden

    def _learn(self, seq: int, models: Mapping[ModelId, Model], units: Mapping[UnitId, Unit]) -> None:
        things: dict[str, Seers] = {key: model.seen_by for key, model in models.items()}
        things.update({key: unit.seen_by for key, unit in units.items()})
        news = {key: seers for key, seers in things.items() if seers != self._secrets.get(key)}
        if news:
            self._past.append((seq, self._secrets))
            self._hold({**self._secrets, **news})

    def _forget(self, to: int) -> None:
        while self._past and self._past[-1][0] >= to:
            self._hold(self._past.pop()[1])

    def _hold(self, secrets: dict[str, Seers]) -> None:
        self._secrets = secrets
        self._hidden = {key for key, seers in secrets.items() if not may_see(seers, self.role)}


def _hidden_on(table: Table, role: Role) -> set[str]:
    things: tuple[Model | Unit, ...] = (*table.models.values(), *table.removed.values(), *table.units.values())
    return {thing.id for thing in things if not may_see(thing.seen_by, role)}


def _names(thing: AnyEvent | AnyQuestion, hidden: set[str]) -> bool:
    return bool(hidden) and not hidden.isdisjoint(_words(msgspec.to_builtins(thing)))


def _words(value: object) -> Iterator[str]:
    """Every string in a value of plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _words((*value.keys(), *value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _words(one)


def _has_secrets(table: Table) -> bool:
    models = any(model.seen_by is not None for model in (*table.models.values(), *table.removed.values()))
    return models or any(unit.seen_by is not None for unit in table.units.values())
