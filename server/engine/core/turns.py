"""The clock: phases follow one another, sides alternate, rounds are counted, and the battle ends."""

from __future__ import annotations

from msgspec.structs import replace

from server.engine.core.action import AnyScene, Args, CoreAction
from server.engine.refusals import NotYours, Refused
from server.engine.requests import change, note
from server.engine.system import AnySystem
from server.table.facts import ClockSet
from server.table.model import Clock, rival_of


class PassArgs(Args, frozen=True):
    """Nothing: the clock knows what comes next."""


def _on_your_turn(system: AnySystem, scene: AnyScene) -> None:
    if scene.table.clock.over:
        raise Refused("The battle is over.")
    if scene.table.clock.turn != scene.by:
        raise NotYours("It is the other side's turn.")


async def end_phase(system: AnySystem, scene: AnyScene, args: PassArgs) -> None:
    """End the phase; the next one begins, or the other side's turn, or the next round, or the battle is over."""
    clock = following(system, replace(scene.table.clock, rounds=scene.options.rounds))
    await change(ClockSet(clock))
    if clock.over:
        await note("", f"The battle is over after {clock.rounds} turns.", outcome="over")
        return
    await system.phase_begins(scene.acting(clock.turn))


def following(system: AnySystem, clock: Clock) -> Clock:
    """What the clock shows when the present phase ends."""
    phases = [phase.id for phase in system.phases]
    place = phases.index(clock.phase) + 1
    if place < len(phases):
        return replace(clock, phase=phases[place])
    turn = rival_of(clock.turn)
    if turn != clock.first:
        return replace(clock, phase=phases[0], turn=turn)
    if clock.round >= clock.rounds:
        return replace(clock, over=True)
    return replace(clock, phase=phases[0], turn=turn, round=clock.round + 1)


PASS = CoreAction("pass", "End the phase", PassArgs, end_phase, _on_your_turn)
