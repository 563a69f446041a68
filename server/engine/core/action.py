"""What an action of the core is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from server.engine.questions import Barred
from server.engine.refusals import NotYours, Refused, Unknown
from server.engine.requests import Procedure
from server.engine.scene import Scene
from server.engine.system import AnySystem
from server.geometry.units import Length
from server.table.model import Model, ModelId, Unit

AnyScene = Scene[Any, Any]
Limits = tuple[Mapping[ModelId, Length], tuple[Barred, ...]]
A = TypeVar("A", bound="Args")


class Args(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an action of the core is told."""


def always(system: AnySystem, scene: AnyScene) -> None:
    """Lawful at any time between actions."""


def no_limits(system: AnySystem, scene: AnyScene) -> Limits:
    """An action that limits no model."""
    return {}, ()


@dataclass(frozen=True)
class CoreAction(Generic[A]):
    """An action that every system has. `lawful` raises Refused where it may not start; `limits` are for its offer."""

    name: str
    label: str
    args: type[A]
    procedure: Callable[[AnySystem, AnyScene, A], Procedure]
    lawful: Callable[[AnySystem, AnyScene], None] = always
    limits: Callable[[AnySystem, AnyScene], Limits] = no_limits
    manual: bool = False


def read(action: CoreAction[A], args: object) -> A:
    """The typed arguments, or Refused."""
    try:
        return msgspec.convert({} if args is None else args, action.args, strict=True)
    except msgspec.ValidationError as wrong:
        raise Refused(f"{action.label}: {wrong}.") from wrong


def is_known(scene: AnyScene, thing: Model | Unit) -> bool:
    """Whether the acting seat may know of it."""
    return thing.seen_by is None or scene.by in thing.seen_by


def own(scene: AnyScene, model: ModelId) -> Model:
    """A model of the acting seat. What may not be seen is as unknown as what is not there."""
    found = scene.table.models.get(model)
    if found is None or not is_known(scene, found):
        raise Unknown("There is no such model on the table.")
    if found.owner != scene.by:
        raise NotYours("That model is not yours.")
    return found
