"""Writes `tests/fixtures/{distances,fold}.json`, which the page's geometry, fold and digest are held against.

Run `python -m tests.table.twins` after a change of geometry or facts; `test_twins.py` says when that is due.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec

from server.geometry.measure import distance, point_distance
from server.geometry.shapes import Base, Oval, Polygon, Rectangle, Round, footprint, overlap
from server.geometry.units import Bearing, Length, Point, Pose, Size
from server.table import facts
from server.table.digest import digest
from server.table.fold import apply
from server.table.model import Clock, Marker, Model, Table, Template, Terrain, TerrainId, Unit

FIXTURES = Path(__file__).parent.parent / "fixtures"
HEIGHT = Length(12_500)
PIN = Marker("pin", "north", "ruler", (Point(Length(1), Length(2)),), "12.00")
KEYS = ("wounds", "down", "__proto__")

BASES: tuple[Base, ...] = (
    Round(Size(2500), HEIGHT),
    Round(Size(6000), HEIGHT),
    Oval(Size(3500), Size(6000), HEIGHT),
    Oval(Size(9000), Size(5200), HEIGHT),
    Rectangle(Size(2000), Size(2000), HEIGHT),
    Rectangle(Size(2500), Size(5000), HEIGHT),
    Polygon(((Size(-2000), Size(-3000)), (Size(2000), Size(-3000)), (Size(0), Size(4000))), HEIGHT),
    Polygon(
        (
            (Size(-3000), Size(-3000)), (Size(3000), Size(-3000)), (Size(3000), Size(3000)),
            (Size(0), Size(0)), (Size(-3000), Size(3000)),
        ),
        HEIGHT,
    ),
)  # fmt: skip


def distances() -> list[dict[str, Any]]:
    """Pairs of bases and what the server says of them: apart, just apart, touching and in each other."""
    draw = random.Random(1453)
    return [_pair(draw, first, second, near) for first in BASES for second in BASES for near in (8_000, 20_000, 90_000)]


def _pair(draw: random.Random, first: Base, second: Base, near: int) -> dict[str, Any]:
    here, there = _pose(draw, near), _pose(draw, near)
    a, b = footprint(first, here), footprint(second, there)
    found = {
        "a": {"base": first, "pose": here},
        "b": {"base": second, "pose": there},
        "distance": distance(a, b),
        "point": point_distance(there.point, a),
        "overlap": overlap(a, b),
    }
    return dict(msgspec.to_builtins(found))


def _pose(draw: random.Random, near: int) -> Pose:
    turn = draw.choice((0, 9_000, 18_000, 27_000, draw.randrange(36_000)))
    return Pose(Length(draw.randint(-near, near)), Length(draw.randint(-near, near)), Bearing(turn))


def folds() -> dict[str, Any]:
    """A table, facts that happen to it one after another, and the digest after each."""
    draw = random.Random(1648)
    table = _opening()
    start, steps = table, []
    for number in range(240):
        fact = _fact(draw, table, number)
        table = apply(table, fact)
        steps.append({"fact": fact, "digest": digest(table)})
    return dict(msgspec.to_builtins({"table": start, "digest": digest(start), "steps": steps, "end": table}))


def _opening() -> Table:
    clock = Clock(1, 6, "south", "movement")
    models = {
        f"m{i}": Model(f"m{i}", "u0", "south", "spearman", BASES[i % 8], Pose(Length(i * 10_000), Length(20_000)))  # type: ignore[arg-type]
        for i in range(8)
    }
    unit = Unit("u0", "south", 'Spears "of\tÄsch" \u2028 \U0001f3f0', {})  # type: ignore[arg-type]
    return Table(Length(720_000), Length(480_000), clock, models, units={unit.id: unit})  # type: ignore[arg-type]


def _fact(draw: random.Random, table: Table, number: int) -> facts.Fact:
    """The next fact, of each kind in turn, about something that is there."""
    models, removed = sorted(table.models), sorted(table.removed)
    unit = draw.choice(sorted(table.units))
    made: list[Any] = [
        lambda: facts.ModelsMoved(tuple(facts.Moved(key, _pose(draw, 300_000)) for key in draw.sample(models, 2))),
        lambda: facts.StatusSet(draw.choice(models), draw.choice(KEYS), draw.choice((3, True, "prone", None))),
        lambda: facts.StatusesSet("fired", {key: draw.choice((True, None)) for key in draw.sample(models, 2)}),
        lambda: facts.UnitStatusSet(unit, "fled", draw.choice((True, None))),
        lambda: facts.TemplateLaid(Template("shot", _pose(draw, 90_000).point, Length(25_000), Length(984))),
        lambda: facts.ModelsRemoved((draw.choice(models),)) if len(models) > 3 else facts.TemplateLifted("shot"),
        lambda: facts.ModelsPlaced((table.removed[draw.choice(removed)],)) if removed else facts.TemplateLifted("shot"),
        lambda: facts.TerrainSet(TerrainId("hill"), draw.choice((None, _hill(draw)))),
        lambda: facts.MarkerSet(
            "pin", draw.choice((None, Marker("pin", "north", "ruler", (Point(Length(1), Length(2)),), "12.00")))
        ),
        lambda: facts.ClockSet(Clock(1 + number // 40, 6, draw.choice(("south", "north")), "shooting")),
        lambda: facts.ScoreSet("north", draw.randrange(20)),
        lambda: facts.UnitSet(Unit(f"u{number % 3}", "north", "Reiter", {"ranked": number})),  # type: ignore[arg-type]
        lambda: facts.TemplateLifted("shot"),
    ]
    fact: facts.Fact = made[number % len(made)]()
    return fact


def _hill(draw: random.Random) -> Terrain:
    return Terrain(TerrainId("hill"), "hill", BASES[3], _pose(draw, 200_000), "hill", blocks=True)


def _write(name: str, content: object) -> None:
    (FIXTURES / name).write_bytes(msgspec.json.encode(content) + b"\n")


def main() -> None:
    """Write both files anew."""
    _write("distances.json", distances())
    _write("fold.json", folds())


if __name__ == "__main__":
    main()
