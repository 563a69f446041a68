"""A rule system as the core sees it: one value, found through the entry point group `linstock.systems` (I12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Generic, Literal

import msgspec

from server.engine.questions import Barred, Reach
from server.engine.requests import Procedure
from server.engine.scene import O, P, Scene
from server.geometry.units import Length
from server.table.model import Model, ModelId, Table


class Phase(msgspec.Struct, frozen=True):
    """A phase of a turn. In one that `moves`, the active side may move models under the rules."""

    id: str
    name: str
    moves: bool = False


class StatusKind(msgspec.Struct, frozen=True):
    """A status that models or units of a system can have, and how the page shows it.

    `shown` is "badge" (the label stands on the model while set), "pips" (a number, as in wounds left) or "hidden".
    `manual` lets players set it by hand.
    """

    key: str
    label: str
    of: Literal["model", "unit"]
    type: Literal["flag", "number", "text"]
    shown: Literal["badge", "pips", "hidden"] = "badge"
    manual: bool = True


class Offer(msgspec.Struct, frozen=True):
    """An action that a seat may start now: with which models, with which not and why.

    `limits` says how far each model may still move; `reach` is what a chosen model's range band and arc look like.
    """

    action: str
    label: str
    rule: str = ""
    models: tuple[ModelId, ...] = ()
    barred: tuple[Barred, ...] = ()
    limits: Mapping[ModelId, Length] = {}
    reach: Mapping[ModelId, Reach] = {}
    manual: bool = False


@dataclass(frozen=True)
class Candidates:
    """What an action says of itself before it is started."""

    models: tuple[ModelId, ...] = ()
    barred: tuple[Barred, ...] = ()
    reach: Mapping[ModelId, Reach] | None = None


@dataclass(frozen=True)
class Action(Generic[O, P]):
    """An action of a system: offered in some phases to the active side, with one model as its subject."""

    name: str
    label: str
    rules: tuple[str, ...]
    phases: tuple[str, ...]
    offer: Callable[[Scene[O, P]], Candidates]
    procedure: Callable[[Scene[O, P], ModelId], Procedure]


@dataclass(frozen=True)
class Scenario:
    """A ready battle: its name, one sentence about it, and how its table is laid out."""

    id: str
    name: str
    summary: str
    table: Table


async def nothing(scene: Scene[Any, Any]) -> None:  # a system without rules at the turn of a phase
    """A procedure that does nothing."""


def unlimited(scene: Scene[Any, Any], model: Model) -> Length:
    """The movement of a system that does not limit it: the profile's."""
    movement: Length = scene.profile(model.id).movement
    return movement


@dataclass(frozen=True)
class System(Generic[O, P]):
    """A rule system. Everything the core, the lobby and the page know of it is here."""

    id: str
    name: str
    version: str
    summary: str
    options: type[O]
    profile: type[P]
    profiles: Mapping[str, P]
    phases: tuple[Phase, ...]
    actions: tuple[Action[O, P], ...]
    statuses: tuple[StatusKind, ...]
    scenarios: tuple[Scenario, ...]
    rules: Mapping[str, str]
    """Each rule's number and what it says, in our own words."""
    outcomes: Mapping[str, str]
    """Which outcomes of notes the odds tell of, in this order, and how they are called."""
    phase_begins: Callable[[Scene[O, P]], Procedure] = nothing
    """Runs when a phase has begun; `scene.by` is the side whose turn it is."""
    allowance: Callable[[Scene[O, P], Model], Length] = unlimited
    """How far a model may move this turn. Raises Refused, with the rule, for one that may not move at all."""

    def phase(self, phase: str) -> Phase:
        """The phase of that id."""
        return next(known for known in self.phases if known.id == phase)


AnySystem = System[Any, Any]


@cache
def systems() -> Mapping[str, AnySystem]:
    """All installed systems by id."""
    found = [entry.load() for entry in entry_points(group="linstock.systems")]
    return {system.id: system for system in sorted(found, key=lambda system: system.name)}
