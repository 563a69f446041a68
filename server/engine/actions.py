"""Finding the procedure of an action, checking that it may be started now, and telling each seat what it may start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from server.engine.core import CORE, CoreAction, read
from server.engine.events import Started
from server.engine.refusals import NotYours, Refused, Unknown
from server.engine.requests import Procedure
from server.engine.scene import Scene
from server.engine.system import Action, AnySystem, Offer
from server.engine.tape import Misfit
from server.table.model import ModelId


@dataclass(frozen=True)
class Plan:
    """A procedure ready to start. One that `minds` may not start on a table its player has not seen."""

    procedure: Procedure
    manual: bool
    minds: bool


def plan(system: AnySystem, scene: Scene[Any, Any], action: str, subject: str, args: object) -> Plan:
    """The procedure of an action. Raises Refused, with the rule, where it may not be started now."""
    core = CORE.get(action)
    if core is not None:
        core.lawful(system, scene)
        return Plan(core.procedure(system, scene, read(core, args)), core.manual, minds=False)
    own = _find(system, action)
    if own is None:
        raise Unknown(f"There is no action “{action}” in this game.")
    if args is not None:
        raise Refused("This action takes no arguments.")
    _must_be_offered(system, scene, own, subject)
    return Plan(own.procedure(scene, ModelId(subject)), manual=False, minds=True)


def revive(system: AnySystem, scene: Scene[Any, Any], started: Started) -> Procedure:
    """The procedure of an action that was started lawfully once. Raises Misfit if it is gone."""
    core = CORE.get(started.action)
    if core is not None:
        try:
            return core.procedure(system, scene, read(core, started.args))
        except Refused as refused:
            raise Misfit(refused.message) from refused
    own = _find(system, started.action)
    if own is None:
        raise Misfit(f"There is no action “{started.action}” in {system.name} {system.version}.")
    return own.procedure(scene, ModelId(started.subject))


def offers(system: AnySystem, scene: Scene[Any, Any]) -> tuple[Offer, ...]:
    """What the scene's acting seat may start now, while no procedure is open."""
    own = [_offer(action, scene) for action in system.actions if _is_due(system, scene, action)]
    core = [offer for action in CORE.values() if (offer := _core_offer(action, system, scene)) is not None]
    return (*own, *core)


def _find(system: AnySystem, action: str) -> Action[Any, Any] | None:
    return next((known for known in system.actions if known.name == action), None)


def _is_due(system: AnySystem, scene: Scene[Any, Any], action: Action[Any, Any]) -> bool:
    clock = scene.table.clock
    return clock.turn == scene.by and clock.phase in action.phases and not clock.over


def _must_be_offered(system: AnySystem, scene: Scene[Any, Any], action: Action[Any, Any], subject: str) -> None:
    clock = scene.table.clock
    if clock.over:
        raise Refused("The battle is over.")
    if clock.turn != scene.by:
        raise NotYours("It is the other side's turn.")
    if clock.phase not in action.phases:
        phases = ", ".join(system.phase(phase).name for phase in action.phases)
        raise Refused(f"{action.label} belongs in another phase: {phases}.", action.rules[0])
    candidates = action.offer(scene)
    if subject in candidates.models:
        return
    for barred in candidates.barred:
        if barred.id == subject:
            raise Refused(barred.why, barred.rule)
    raise Unknown("No such model of yours can do that.")


def _offer(action: Action[Any, Any], scene: Scene[Any, Any]) -> Offer:
    candidates = action.offer(scene)
    reach = candidates.reach or {}
    return Offer(action.name, action.label, action.rules[0], candidates.models, candidates.barred, reach=reach)


def _core_offer(action: CoreAction[Any], system: AnySystem, scene: Scene[Any, Any]) -> Offer | None:
    try:
        action.lawful(system, scene)
    except Refused:
        return None
    limits, barred = action.limits(system, scene)
    return Offer(action.name, action.label, models=tuple(limits), barred=barred, limits=limits, manual=action.manual)
