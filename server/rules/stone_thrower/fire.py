"""Firing a stone thrower, mortar or rocket launcher, from top to bottom (ST-13 to ST-65)."""

from __future__ import annotations

from msgspec.structs import replace

from server.engine.dice import ARTILLERY, D6, HIT, MISFIRE
from server.engine.questions import Barred, Choose, Confirm, Disc, Option, Place, Region
from server.engine.refusals import Refused
from server.engine.requests import Scatter, ask, ask_all, change, judge, note, roll, scatter
from server.geometry.measure import at_least, points_distance
from server.geometry.shapes import Base, contains, footprint, outline
from server.geometry.templates import displaced
from server.geometry.units import PER_INCH, Length, Point, Pose, say_inches, to_degrees, to_point
from server.rules.stone_thrower.battle import Battle, name_of, once_per_table, weapon_of
from server.rules.stone_thrower.casualties import remove_casualties
from server.rules.stone_thrower.ground import hole_radius, is_lost_off_table, is_touched, storeyed, under
from server.rules.stone_thrower.hits import hits_of
from server.rules.stone_thrower.misfire import misfire
from server.rules.stone_thrower.panic import panic
from server.rules.stone_thrower.profiles import Weapon, say_range
from server.rules.stone_thrower.targets import (
    Mode,
    Shot,
    Targets,
    forbidden_near,
    misplaced,
    reach_of,
    roof_shot,
    say_seen,
    targets,
)
from server.rules.stone_thrower.wounds import suffer
from server.table.facts import ModelsMoved, Moved, StatusSet, TemplateLaid, TemplateLifted
from server.table.model import SEATS, ModelId, Template, TerrainId

TEMPLATE = "shot"


async def fire(scene: Battle, machine: ModelId) -> None:
    """Fire a stone thrower, mortar or rocket launcher (ST-13 to ST-65)."""
    mode = await declare(scene, machine)  # ST-13
    shot = await nominate(scene, machine, mode)  # ST-14 to ST-19
    if shot is None:
        return
    shot = await place(scene, machine, mode, shot)  # ST-20 to ST-25
    floor = await choose_floor(scene, machine, shot)  # CM-15
    if not await ask(_confirmation(scene, machine, mode, shot)):
        return
    await take_the_shot(scene, machine, shot)  # ST-06, ST-12
    arrow = await scatter("ST-26")
    artillery = await roll(ARTILLERY, "ST-26", "artillery", machine)
    if artillery == MISFIRE:  # ST-27
        await change(TemplateLifted(TEMPLATE))
        await misfire(scene, machine)
        return
    centre = await land(scene, machine, mode, shot, arrow, artillery)  # ST-28 to ST-32
    if centre is not None:
        await resolve(scene, machine, centre, floor)
    await change(TemplateLifted(TEMPLATE))


async def resolve(scene: Battle, machine: ModelId, centre: Point, floor: int | None) -> None:
    """Who is hit, wounded, taken off and shaken where the template landed (ST-39 to ST-60)."""
    found = under(scene, centre, weapon_of(scene, machine).radius, floor)
    found = await judge("ST-39", machine, found)
    hits = await hits_of(scene, machine, found)  # ST-39 to ST-46
    if not hits:
        await note("ST-41", "Nobody is under the template.", machine, outcome="clean_miss")
    suffered = [(hit, await suffer(scene, hit)) for hit in hits]  # ST-47 to ST-53
    shooter = scene.model(machine).unit
    lost = await remove_casualties(scene, shooter, suffered)  # ST-54 to ST-56
    await panic(scene, machine, lost)  # ST-57 to ST-60


# ---------------------------------------------------------------- declaring (P2, P3)


async def declare(scene: Battle, machine: ModelId) -> Mode:
    """Direct or indirect: only a mode that has a lawful target is offered (ST-13, ST-62)."""
    chances = {mode: targets(scene, machine, mode) for mode in _MODES}
    options = tuple(_mode_option(scene, machine, mode) for mode in _MODES if chances[mode].lawful)
    barred = tuple(Barred(mode, "ST-62", _NO_TARGET[mode]) for mode in _MODES if not chances[mode].lawful)
    name = name_of(scene, machine)
    question = Choose(
        rule="ST-13",
        to=scene.by,
        prompt=f"How does {name} fire?",
        refs=(machine,),
        options=options,
        barred=barred,
    )
    return await ask(question)


_MODES: tuple[Mode, Mode] = ("direct", "indirect")
_NO_TARGET = {
    "direct": "There is no lawful target in sight.",
    "indirect": "There is no lawful target in range and arc.",
}


def _mode_option(scene: Battle, machine: ModelId, mode: Mode) -> Option[Mode]:
    if mode == "direct":
        return Option("direct", "Direct", "The target must be in sight. A HIT lands exactly where it was aimed.")
    skill = scene.profile(machine).ballistic_skill
    drift = f"A HIT still scatters by the artillery dice less Ballistic Skill {skill}."
    return Option("indirect", "Indirect", f"No sight is needed. {drift}")


async def nominate(scene: Battle, machine: ModelId, mode: Mode) -> Shot | None:
    """Nominate one enemy model or building; None when the players agree that none of them can be seen (ST-14)."""
    known = targets(scene, machine, mode)
    question = _first_nomination(scene, machine, mode)
    while known.lawful:
        target = await ask(question)
        shot = await judge("ST-15", target, known.shot(target))
        if shot.seen != "unsettled" or await agreed_in_sight(scene, machine, shot):
            return shot
        known = _without(known, target)
        question = _nomination(scene, machine, mode, known)
    await note("ST-17", "No target that could be nominated is in sight: the shot is not taken.", machine)
    return None


@once_per_table
def _first_nomination(scene: Battle, machine: ModelId, mode: Mode) -> Choose[str]:
    return _nomination(scene, machine, mode, targets(scene, machine, mode))


def _nomination(scene: Battle, machine: ModelId, mode: Mode, known: Targets) -> Choose[str]:
    weapon = weapon_of(scene, machine)
    options = tuple(
        Option(shot.target, shot.label, f"{say_inches(shot.distance)} inches, {say_seen(shot.seen)}", (shot.target,))
        for shot in known.lawful
    )
    return Choose(
        rule="ST-14",
        to=scene.by,
        prompt=f"Nominate a target for the {mode} shot of {name_of(scene, machine)}.",
        refs=(machine,),
        options=options,
        barred=known.barred,
        reach=reach_of(scene, machine),
        preview=Disc(weapon.radius, hole_radius(scene)),
    )


def _without(known: Targets, target: str) -> Targets:
    unseen = Barred(target, "ST-17", "The players settled that it cannot be seen.")
    return Targets(tuple(shot for shot in known.lawful if shot.target != target), (*known.barred, unseen))


async def agreed_in_sight(scene: Battle, machine: ModelId, shot: Shot) -> bool:
    """Ask both players; if they differ a D6 decides, 1-3 no and 4-6 yes (CM-30, `players_agree`)."""
    prompt = f"Can {name_of(scene, machine)} see {shot.label}?"
    questions = [Confirm(rule="CM-30", to=seat, prompt=prompt, refs=(machine, shot.target)) for seat in SEATS]
    answers = await ask_all(questions)
    if len(set(answers)) == 1:
        return answers[0]
    return await roll(D6, "CM-30", "the players differ: seen on 4+", machine, shot.target) >= 4


# ---------------------------------------------------------------- placing (P4)


async def place(scene: Battle, machine: ModelId, mode: Mode, shot: Shot) -> Shot:
    """Put the template over the target; only a roof, or a house rule, leaves a choice of the point (ST-20, ST-21)."""
    if TerrainId(shot.target) in scene.table.terrain:
        return await _place_on_roof(scene, machine, mode, shot)
    if scene.options.aim_point == "any_point_of_base":
        return await _place_on_base(scene, machine, shot)
    return shot


async def _place_on_roof(scene: Battle, machine: ModelId, mode: Mode, shot: Shot) -> Shot:
    building = scene.table.terrain[TerrainId(shot.target)]

    def check(at: Point) -> None:
        _must_lie_on(building.shape, building.pose, at, "ST-21", "Choose a point of the roof.")
        found = roof_shot(scene, machine, mode, building, at)
        if isinstance(found, Barred):
            raise Refused(found.why, found.rule)

    at = await ask(_placement(scene, machine, shot, building.shape, building.pose, "ST-21"), check)
    found = roof_shot(scene, machine, mode, building, at)
    if isinstance(found, Barred):
        raise LookupError(f"{at} was checked and is unlawful: {found.why}")
    return await judge("ST-21", shot.target, replace(found, seen=shot.seen))


async def _place_on_base(scene: Battle, machine: ModelId, shot: Shot) -> Shot:
    target = scene.model(ModelId(shot.target))

    def check(at: Point) -> None:
        _must_lie_on(target.base, target.pose, at, "ST-20", "Choose a point of the nominated base.")
        reason = misplaced(scene, machine, shot.facing, at)
        if reason is not None:
            raise Refused(reason[1], reason[0])

    at = await ask(_placement(scene, machine, shot, target.base, target.pose, "ST-20"), check)
    return replace(shot, at=at)


def _must_lie_on(base: Base, pose: Pose, at: Point, rule: str, otherwise: str) -> None:
    if not contains(footprint(base, pose), at):
        raise Refused(otherwise, rule)


def _placement(scene: Battle, machine: ModelId, shot: Shot, base: Base, pose: Pose, rule: str) -> Place:
    weapon = weapon_of(scene, machine)
    shape = footprint(base, pose)
    near = Length(weapon.radius + round(shape.bound * PER_INCH))
    return Place(
        rule=rule,
        to=scene.by,
        prompt=f"Place the template's centre on {shot.label}.",
        refs=(machine, shot.target, *forbidden_near(scene, pose.point, near)),
        region=Region(tuple(to_point(corner) for corner in outline(shape))),
        suggested=shot.at,
        shape=Disc(weapon.radius, hole_radius(scene)),
        reach=reach_of(scene, machine),
    )


async def choose_floor(scene: Battle, machine: ModelId, shot: Shot) -> int | None:
    """Where the house rule says so, the firer names the floor of a building that the shot goes for (CM-15)."""
    if scene.options.template_floors != "chosen_floor":
        return None
    radius = weapon_of(scene, machine).radius
    touched = [one for one in storeyed(scene) if is_touched(scene, footprint(one.shape, one.pose), shot.at, radius)]
    if not touched:
        return None
    floors = range(max(len(piece.floors) for piece in touched))
    options = tuple(Option(f"{floor}", "The ground floor" if floor == 0 else f"Floor {floor}") for floor in floors)
    refs = tuple(piece.id for piece in touched)
    prompt = "Which floor does the shot go for?"
    question = Choose(rule="CM-15", to=scene.by, prompt=prompt, refs=refs, options=options)
    return int(await ask(question))


# ---------------------------------------------------------------- the shot (P5)


def _confirmation(scene: Battle, machine: ModelId, mode: Mode, shot: Shot) -> Confirm:
    """What the shot is and what it risks (P5). Nothing can be stopped after a yes (ST-06)."""
    weapon = weapon_of(scene, machine)
    prompt = (
        f"Fire {name_of(scene, machine)} at {shot.label}, {say_inches(shot.distance)} inches away"
        f" ({mode}, range {say_range(weapon.least)}-{say_range(weapon.most)})?"
        f" {_said_strength(weapon)} A misfire uses the {_CHART[weapon.misfire]} chart."
    )
    return Confirm(
        rule="ST-06",
        to=scene.by,
        prompt=prompt,
        refs=(machine, shot.target),
        yes="Fire",
        no="Hold",
        shows=template_at(scene, machine, shot.at),
    )


_CHART = {"stone_thrower": "Stone Thrower", "black_powder": "Black Powder"}


def _said_strength(weapon: Weapon) -> str:
    width = f"{say_range(Length(2 * weapon.radius))} inch template"
    if weapon.high is None:
        return f"{width}, Strength {weapon.low}."
    return f"{width}, Strength {weapon.high} under the hole and {weapon.low} elsewhere."


async def take_the_shot(scene: Battle, machine: ModelId, shot: Shot) -> None:
    """The shot is used up, the machine turns to its target and the template lies on it (ST-06, ST-12, ST-61)."""
    await change(StatusSet(machine, "fired", value=True))
    pose = scene.model(machine).pose
    if pose.facing != shot.facing:
        await change(ModelsMoved((Moved(machine, replace(pose, facing=shot.facing)),)))
    await lay_template(scene, machine, shot.at)


async def lay_template(scene: Battle, machine: ModelId, at: Point) -> None:
    """The template lies, or slides to, where its centre is now."""
    await change(TemplateLaid(template_at(scene, machine, at)))


def template_at(scene: Battle, machine: ModelId, at: Point) -> Template:
    """The machine's template with its centre at a point."""
    return Template(TEMPLATE, at, weapon_of(scene, machine).radius, hole_radius(scene), name_of(scene, machine))


async def land(scene: Battle, machine: ModelId, mode: Mode, shot: Shot, arrow: Scatter, artillery: int) -> Point | None:
    """Where the template comes to lie, or None where that means no effect (ST-28 to ST-32)."""
    if arrow.face == HIT and mode == "direct":
        await note("ST-28", f"On target; the {artillery} is ignored.", machine, outcome="on_target")
        centre = shot.at
    else:
        inches = await drift(scene, machine, arrow, artillery)
        centre = displaced(shot.at, arrow.bearing, Length(inches * PER_INCH))
        if inches:
            await lay_template(scene, machine, centre)
        if _is_wasted_near(scene, machine, shot, centre):
            await note("ST-32", "It came down inside minimum range: no effect.", machine, outcome="no_effect")
            return None
    if is_lost_off_table(scene, centre, weapon_of(scene, machine).radius):
        await note("CM-16", "It came down over the table's edge: no effect.", machine, outcome="no_effect")
        return None
    return centre


async def drift(scene: Battle, machine: ModelId, arrow: Scatter, artillery: int) -> int:
    """How many inches the template scatters: less for an indirect HIT, by the crew's skill (ST-29 to ST-31)."""
    way = f"on bearing {to_degrees(arrow.bearing):.0f}"
    if arrow.face != HIT:
        await note("ST-29", f"Scatter {artillery} inches {way}.", machine, outcome="scatter")
        return artillery
    skill = scene.profile(machine).ballistic_skill
    inches = max(0, artillery - skill)
    said = f"Scatter {inches} inches {way}" if inches else "Scatter 0: it stays where it was aimed"
    await note("ST-30", f"{said} ({artillery} less Ballistic Skill {skill}).", machine, outcome="scatter")
    return inches


def _is_wasted_near(scene: Battle, machine: ModelId, shot: Shot, centre: Point) -> bool:
    """Whether the house rule stops a shot that scattered inside minimum range (ST-32)."""
    if scene.options.scatter_into_min_range == "resolves":
        return False
    return not at_least(points_distance(shot.origin, centre), weapon_of(scene, machine).least)
