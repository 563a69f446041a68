"""Short ways to set a table, fire a machine and read what came of it; inches and degrees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from server.engine.dice import ARTILLERY, BEARING, D6, HIT, MISFIRE, SCATTER, Artillery, sided
from server.engine.layout import stock
from server.engine.testing import Answers, Done, Rolled, Stage, asked, rolled, scene
from server.geometry.shapes import Round
from server.geometry.units import Point, inches, mm
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.fire import fire
from server.rules.stone_thrower.ground import Under
from server.rules.stone_thrower.profiles import Profile
from server.rules.stone_thrower.targets import Mode, Shot, machines_to_fire, targets
from server.table.facts import ModelsPlaced, StatusSet, UnitSet
from server.table.landscape import Kind, Piece, pieces_of
from server.table.model import Clock, Model, ModelId, Seat, Status, Table, Terrain, Unit, UnitId
from server.table.notation import UnitLine, muster

Line = Rolled | Answers
Members = tuple[Unit, tuple[Model, ...]]

GUN = ModelId("gun")
ROUND_ORC = replace(SYSTEM.profiles["orc_boy"], name="Round Orc", base=Round(mm(25), inches(1.25)), ranked=False)
FORWARD = replace(SYSTEM.profiles["dwarf_grudge_thrower"], name="Long Tom", firing_point=inches(1))
PROFILES = {"round_orc": ROUND_ORC, "forward": FORWARD}


def at(x: float, y: float) -> Point:
    return Point(inches(x), inches(y))


def block(
    name: str,
    owner: Seat,
    profile: str,
    count: int,
    spot: tuple[float, float],
    *,
    wide: int = 5,
    facing: float | None = None,
    spacing: float = 0.0,
    own: Profile | None = None,
    z: float = 0.0,
    status: Mapping[str, Status] | None = None,
    flags: Mapping[str, Status] | None = None,
) -> Members:
    """A unit in ranks about `spot`; one model has the unit's id, more are numbered from the front row."""
    line = UnitLine(
        id=name,
        owner=owner,
        profile=profile,
        label=name,
        count=count,
        wide=wide,
        at=spot,
        facing=facing,
        spacing=spacing,
        z=z,
        status=status or {},
        unit_status=flags or {},
    )
    unit, members = muster(line, stock(own or SYSTEM.profiles[profile]), ())
    return unit, members


def single(
    name: str,
    owner: Seat,
    profile: str,
    x: float,
    y: float,
    *,
    facing: float | None = None,
    own: Profile | None = None,
    z: float = 0.0,
    status: Mapping[str, Status] | None = None,
    flags: Mapping[str, Status] | None = None,
) -> Members:
    """A unit of one model."""
    return block(name, owner, profile, 1, (x, y), facing=facing, own=own, z=z, status=status, flags=flags)


def gun(
    profile: str = "dwarf_grudge_thrower", x: float = 24, y: float = 0, *, own: Profile | None = None, **status: Status
) -> Members:
    """The machine of the worked examples: at (24,0), facing north, BS 3."""
    kept = {**(own or SYSTEM.profiles[profile]).status(), **status}
    return single("gun", "south", profile, x, y, facing=0, own=own, status=kept)


def orcs(**unit_status: Status) -> Members:
    """The block of the worked examples: 20 Orcs, 5 wide and 4 deep, at (24,30), facing the machine."""
    return block("orcs", "north", "orc_boy", 20, (24, 30), facing=180, flags=unit_status)


def orc(column: int, row: int) -> ModelId:
    """The Orc in this column and row of the block, both from 0."""
    return ModelId(f"orcs-{row * 5 + column + 1:02}")


def in_grid(keys: Iterable[str]) -> list[tuple[int, int]]:
    """Orcs as (column, row)."""
    return [((int(key[-2:]) - 1) % 5, (int(key[-2:]) - 1) // 5) for key in keys]


def round_orc(name: str, owner: Seat, x: float, y: float, z: float = 0.0, **flags: Status) -> Members:
    """One Orc on a round base of 25 mm, in a unit of its own."""
    return single(name, owner, "round_orc", x, y, own=ROUND_ORC, z=z, flags=flags)


def house(
    x: float,
    y: float,
    wide: float = 4,
    deep: float = 4,
    name: str = "house",
    kind: Kind = "house",
    floors: tuple[float, ...] | None = None,
    height: float | None = None,
) -> Terrain:
    """A building, or another rectangle of terrain."""
    line = Piece(kind=kind, id=name, at=(x, y), rectangle=(wide, deep), floors=floors, height=height, label=name)
    return pieces_of(line, name)[0]


def table(*units: Members, terrain: Iterable[Terrain] = (), turn: int = 1, phase: str = "shooting") -> Table:
    return Table(
        width=inches(72),
        depth=inches(48),
        clock=Clock(turn, 6, "south", phase),
        models={model.id: model for _, members in units for model in members},
        units={unit.id: unit for unit, _ in units},
        terrain={piece.id: piece for piece in terrain},
    )


def stage(
    *units: Members,
    terrain: Iterable[Terrain] = (),
    turn: int = 1,
    by: Seat = "south",
    profiles: dict[str, Profile] | None = None,
    **options: int | str | bool,
) -> Stage:
    return scene(SYSTEM, table(*units, terrain=terrain, turn=turn), by, {**PROFILES, **(profiles or {})}, **options)


def joined(now: Stage, *units: Members) -> Stage:
    """The stage with more units on it."""
    for unit, members in units:
        now.change(UnitSet(unit), ModelsPlaced(members))
    return now


def reloaded(now: Stage) -> Stage:
    """The stage with the machine ready to fire once more."""
    return now.change(StatusSet(GUN, "fired", None))


# ---------------------------------------------------------------- scripts


def declared(target: str, mode: Mode = "direct") -> list[Line]:
    """Mode and target, up to a confirmed shot."""
    return [asked("ST-13", to="south").answer(mode), asked("ST-14", to="south").answer(target)]


CONFIRMED = asked("ST-06", to="south").answer(True)


def dice(artillery: Artillery, bearing: int | None = None, little: int = 0) -> list[Line]:
    """Scatter and artillery: an arrow with a bearing, else a HIT with its little arrow."""
    face = HIT if bearing is None else "arrow"
    shown = little if bearing is None else bearing
    return [rolled(SCATTER, face), rolled(BEARING, shown), rolled(ARTILLERY, artillery)]


def d6(*faces: int) -> list[Line]:
    """D6 rolled one by one."""
    return [rolled(D6, face) for face in faces]


def picked(sides: int, face: int) -> list[Line]:
    """One of several at random."""
    return [rolled(sided(sides), face)]


def shoot(now: Stage, target: str, *script: Line, mode: Mode = "direct", machine: str = "gun") -> Done:
    """Fire at a target with this script from the scatter dice on."""
    return now.play(fire(now, ModelId(machine)), *declared(target, mode), CONFIRMED, *script)


def shoot_roof(now: Stage, x: float, y: float, *script: Line, mode: Mode = "direct") -> Done:
    """Fire at this point of the house with this script from the scatter dice on."""
    placed = asked("ST-21", to="south").answer(at(x, y))
    return now.play(fire(now, GUN), *declared("house", mode), placed, CONFIRMED, *script)


def misfire(now: Stage, target: str, *script: Line) -> Done:
    return shoot(now, target, *dice(MISFIRE), *script)


# ---------------------------------------------------------------- reading


def lawful(now: Stage, mode: Mode = "direct", machine: str = "gun") -> list[str]:
    """What may be nominated."""
    return [shot.target for shot in targets(now, ModelId(machine), mode).lawful]


def forbidden(now: Stage, mode: Mode = "direct", machine: str = "gun") -> dict[str, str]:
    """What may not be nominated, and the rule that forbids it."""
    return {one.id: one.rule for one in targets(now, ModelId(machine), mode).barred}


def why(now: Stage, target: str, mode: Mode = "direct", machine: str = "gun") -> str:
    """The sentence that forbids a target."""
    return next(one.why for one in targets(now, ModelId(machine), mode).barred if one.id == target)


def silent(now: Stage) -> dict[str, str]:
    """The machines that may not fire, and the rule that forbids it."""
    return {one.id: one.rule for one in machines_to_fire(now).barred}


def hits(done: Done) -> list[str]:
    """The models struck, in order."""
    return done.outcomes("hit")


def strengths(done: Done) -> dict[str, int]:
    """The Strength that struck each model."""
    struck = [note for note in done.notes if note.rule in ("ST-40", "ST-41", "ST-46") and note.outcome == "hit"]
    return {note.refs[0]: int(note.text.split("Strength ")[1].rstrip(".")) for note in struck}


def found(done: Done) -> Under:
    """What was found under the template."""
    finding = next(judged for judged in done.findings if judged.rule == "ST-39").finding
    assert isinstance(finding, Under)
    return finding


def measured(done: Done) -> Shot:
    """What was measured for the nominated target."""
    finding = next(judged for judged in done.findings if judged.rule == "ST-15").finding
    assert isinstance(finding, Shot)
    return finding


def gone(done: Done) -> list[str]:
    """The models that were taken off."""
    return sorted(done.table.removed)


def status(done: Done, model: str, key: str) -> Status | None:
    """A status of a model, on the table or off it."""
    key_of = ModelId(model)
    kept = done.table.models.get(key_of) or done.table.removed[key_of]
    return kept.status.get(key)


def unit_status(done: Done, unit: str, key: str) -> Status | None:
    return done.table.units[UnitId(unit)].status.get(key)
