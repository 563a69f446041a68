"""A tiny rule system that uses every verb and every kind of question: the engine is tested without real rules."""

from __future__ import annotations

from typing import Any

import msgspec

from server.engine.dice import D6
from server.engine.options import CommonOptions
from server.engine.profiles import Profile
from server.engine.questions import (
    Aim,
    Allocate,
    Barred,
    Choose,
    ChooseSome,
    Confirm,
    Guess,
    Option,
    Place,
    Region,
)
from server.engine.requests import ask, ask_all, change, judge, note, one_at_random, roll, rolls, scatter
from server.engine.scene import Scene
from server.engine.system import Action, Candidates, Phase, StatusKind, System
from server.geometry.shapes import Round
from server.geometry.units import Bearing, Length, Point, Pose, inches, mm
from server.table.facts import ModelsRemoved, StatusSet
from server.table.model import Clock, Model, ModelId, Seat, Table, Unit, UnitId

ToyScene = Scene[CommonOptions, Profile]

SOLDIER = Profile(name="Soldier", base=Round(mm(25), inches(1.25)), movement=inches(4))


class Gap(msgspec.Struct, frozen=True):
    """How far apart two models are."""

    inches: int


def _ready(scene: ToyScene) -> Candidates:
    own = [model for model in scene.table.models.values() if model.owner == scene.by]
    tired = tuple(Barred(model.id, "TOY-2", "It is tired.") for model in own if model.status.get("tired"))
    return Candidates(tuple(model.id for model in own if not model.status.get("tired")), tired)


def _foes(scene: ToyScene) -> tuple[Option[ModelId], ...]:
    """Whom everybody may see: a question names nobody else."""
    enemies = [(key, model) for key, model in sorted(scene.table.models.items()) if model.owner != scene.by]
    foes = [key for key, model in enemies if model.seen_by is None]
    return tuple(Option(key, key, refs=(key,)) for key in foes)


async def duel(scene: ToyScene, model: ModelId) -> None:
    """Ask everything there is to ask, roll, judge, and take a model off on a 6 (TOY-1)."""
    foes = _foes(scene)
    if not foes:
        await note("TOY-1", "Nobody to fight.")
        return
    foe = await ask(Choose(rule="TOY-1", to=scene.by, prompt="Whom?", options=foes))
    gap = await judge("TOY-3", f"gap {model} {foe}", Gap(7))
    await note("TOY-3", f"{gap.inches} inches apart.", model, foe)
    if not await ask(Confirm(rule="TOY-4", to=scene.by, prompt="Fight?")):
        return
    bids = await ask_all(
        [Guess(rule="TOY-5", to=seat, prompt="Bid", least=0, most=9, unit="points") for seat in (scene.by, scene.rival)]
    )
    await note("TOY-5", f"Bids: {bids}.")
    await scatter("TOY-6")
    await one_at_random("TOY-6", "who stumbles", [option.id for option in foes])
    faces = await rolls(D6, 2, "TOY-1", "attack", model)
    await change(StatusSet(model, "tired", value=True))
    if max(faces) == 6:
        await note("TOY-1", "Struck.", foe, outcome="hit")
        await change(ModelsRemoved((foe,)))


async def survey(scene: ToyScene, model: ModelId) -> None:
    """The other kinds of question (TOY-7)."""
    at = scene.model(model).pose
    some = tuple(Option(key, key) for key in ("a", "b", "c"))
    outline = (at.point, Point(Length(at.x + 10_000), at.y), Point(at.x, Length(at.y + 10_000)))
    await ask(ChooseSome(rule="TOY-7", to=scene.rival, prompt="Some", options=some, least=1, most=2))
    await ask(Place(rule="TOY-7", to=scene.by, prompt="Where", region=Region(outline), suggested=at.point))
    await ask(Aim(rule="TOY-7", to=scene.by, prompt="Which way", origin=at, arc=Bearing(9000), length=inches(6)))
    await ask(Allocate(rule="TOY-7", to=scene.by, prompt="Share", options=some, total=3, caps={"a": 2, "b": 2}))
    await change(StatusSet(model, "tired", value=True))


async def fresh(scene: ToyScene) -> None:
    """A phase begins: nobody of the side is tired any more."""
    for key, model in sorted(scene.table.models.items()):
        if model.owner == scene.by and model.status.get("tired"):
            await change(StatusSet(key, "tired", None))
    await roll(D6, "TOY-8", "the weather")


def _action(name: str, procedure: Any) -> Action[CommonOptions, Profile]:
    return Action(name, name.title(), ("TOY-1",), ("fight",), _ready, procedure)


TOY = System(
    id="toy",
    name="Toy soldiers",
    version="1",
    summary="For tests.",
    options=CommonOptions,
    profile=Profile,
    profiles={"Soldier": SOLDIER},
    phases=(Phase("move", "Movement", moves=True), Phase("fight", "Fight")),
    actions=(_action("duel", duel), _action("survey", survey)),
    statuses=(StatusKind("tired", "tired", "model", "flag"), StatusKind("wounds", "wounds", "model", "number", "pips")),
    scenarios=(),
    rules={f"TOY-{number}": "A rule." for number in range(1, 9)},
    outcomes={"hit": "Hits"},
    phase_begins=fresh,
)


def soldier(name: str, owner: Seat, x: float, y: float, seen_by: tuple[Seat, ...] | None = None) -> Model:
    """A soldier at a place in inches."""
    pose = Pose(inches(x), inches(y), Bearing(0))
    return Model(ModelId(name), UnitId(f"{owner}-1"), owner, "Soldier", SOLDIER.base, pose, name, {}, seen_by)


def board(*models: Model, phase: str = "fight") -> Table:
    """A small table with these models on it."""
    units = {UnitId(f"{seat}-1"): Unit(UnitId(f"{seat}-1"), seat, seat.title()) for seat in ("south", "north")}
    clock = Clock(round=1, rounds=6, turn="south", phase=phase)
    return Table(inches(24), inches(24), clock, {model.id: model for model in models}, units=units)


def skirmish(phase: str = "fight") -> Table:
    """Two against two."""
    return board(
        soldier("s1", "south", 5, 5),
        soldier("s2", "south", 8, 5),
        soldier("n1", "north", 5, 15),
        soldier("n2", "north", 8, 15),
        phase=phase,
    )
