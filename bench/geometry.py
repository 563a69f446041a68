"""How long the umpire thinks: templates, lines of sight, offers, odds."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bench.report import Report, timed
from server.engine import forecast
from server.engine.actions import offers
from server.engine.interpreter import Game
from server.engine.scene import Scene
from server.engine.system import AnySystem, systems
from server.geometry.shapes import footprint
from server.geometry.sight import Field, Target, Volume, eye_of
from server.geometry.templates import HOLE, LARGE, covered
from server.play.service import Service
from server.store.database import open_database
from server.store.writer import Writer
from server.table.model import Role, Table
from server.wire.http import Order

SCENARIO = "grand_battery"


class Nobody:
    """A post whose letters are not read."""

    def send(self, game: str, role: Role, event: str, payload: object) -> None:
        """Nothing."""

    def expel(self, game: str, role: Role, reason: str) -> None:
        """Nothing."""


def geometry(report: Report, *, quick: bool) -> None:
    """Everything that needs no server."""
    system = systems()["stone_thrower"]
    table = next(one.table for one in system.scenarios if one.id == SCENARIO)
    report.title(f"The umpire, {len(table.models)} models (CPU time)")
    _templates(report, table, 5 if quick else 200)
    _sight(report, table)
    _shots(report, system, 2 if quick else 8)


def _templates(report: Report, table: Table, times: int) -> None:
    shapes: dict[str, Any] = {key: footprint(model.base, model.pose) for key, model in table.models.items()}
    centre = next(model.pose.point for model in table.models.values() if model.owner == "north")
    took = timed(lambda: covered(shapes, centre, LARGE.radius, HOLE), times)
    report.below("a template's verdict over all models", took, 1, "ms")


def _sight(report: Report, table: Table) -> None:
    """One shooter looks at every enemy past all models."""
    volumes = [
        Volume(model.id, footprint(model.base, model.pose), model.pose.z, model.pose.z + model.base.height, False, True)  # type: ignore[arg-type]  # a sum of lengths
        for model in table.models.values()
    ]
    shooter = next(model for model in table.models.values() if model.owner == "south")
    eye = eye_of(shooter.pose.point, shooter.pose.z, shooter.base.height)
    enemies = [model for model in table.models.values() if model.owner == "north"]
    targets = [Target(m.id, footprint(m.base, m.pose), m.pose.z, m.base.height) for m in enemies]
    built = timed(lambda: Field(volumes), 5)
    field = Field(volumes)
    ignored = frozenset({shooter.id})
    took = timed(lambda: [field.sight(eye, target, ignored) for target in targets], 5)
    report.below(f"a line of sight, mean of {len(targets)} targets", took / len(targets), 1, "ms")
    report.row("  all of them", f"{took:.3g} ms")
    report.row("  laying out what stands in the way, once a table", f"{built:.3g} ms")


def _shots(report: Report, system: AnySystem, times: int) -> None:
    with tempfile.TemporaryDirectory(prefix="linstock-bench-") as folder:
        database = open_database(f"sqlite:///{Path(folder) / 'games.sqlite'}")
        store = Writer(database.engine)
        try:
            service = Service(store, {system.id: system}, Nobody(), lambda work: work(), 10)
            mix = hashlib.sha256(b"bench").hexdigest()
            order = Order(system=system.id, scenario=SCENARIO, name="Bench", mix=mix, hotseat=True)
            created = service.create(order)
            with service.games.held(created.game) as hosted:
                _offers(report, system, hosted.game, times)
                _odds(report, hosted.game, times)
        finally:
            store.close()
            database.close()


def _offers(report: Report, system: AnySystem, game: Game, times: int) -> None:
    game.do("south", "pass", "", None, at=0, seen=game.seq, cause="bench")

    def fresh() -> object:  # what was found for a table is remembered, so each run gets another one
        table = replace(game.table)
        return offers(system, Scene(lambda: table, game.options, game.profiles, "south"))

    took = timed(fresh, times)
    report.row("all that the shooting side is offered", f"{took:.3g} ms")


def _odds(report: Report, game: Game, times: int) -> None:
    """Begin a shot, and ask for the odds of its first lawful target."""
    machine = next(key for key, model in sorted(game.table.models.items()) if _shoots(game, key, model.owner))
    game.do("south", "fire", machine, None, at=0, seen=game.seq, cause="bench-fire")
    asked = next(iter(game.questions))
    game.answer("south", asked, "direct", at=0, cause="bench-mode")
    asked, question = next(iter(game.questions.items()))
    option = question.options[0].id  # type: ignore[union-attr]  # it asks for a target
    took = timed(lambda: forecast.of_option(game, asked, option), times)
    report.row(f"the odds of a shot, {forecast.TRIALS} trials", f"{took:.3g} ms")


def _shoots(game: Game, model: str, owner: str) -> bool:
    known = offers(game.system, game.scene("south")) if game.system else ()
    return owner == "south" and any(model in offer.models for offer in known if offer.action == "fire")
