"""The common rules as this system uses them (CM)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from server.engine.dice import ARTILLERY, D6, SCATTER, halved
from server.engine.options import choices
from server.engine.questions import Choose, Confirm
from server.engine.requests import Roll
from server.engine.testing import Stage, asked, rolled
from server.geometry.shapes import Rectangle, footprint
from server.geometry.units import inches, mm
from server.rules.stone_thrower import SYSTEM
from server.rules.stone_thrower.fire import fire
from server.rules.stone_thrower.ground import cover_of, hole_radius, is_touched, under
from server.table.model import Model, ModelId
from tests.rules.stone_thrower.scenes import (
    CONFIRMED,
    GUN,
    at,
    block,
    d6,
    declared,
    dice,
    forbidden,
    found,
    gone,
    gun,
    hits,
    house,
    lawful,
    measured,
    misfire,
    orc,
    orcs,
    picked,
    round_orc,
    shoot,
    shoot_roof,
    single,
    stage,
    status,
    strengths,
    table,
)

SMALL = inches(1.5)


def beside(x: float, y: float = 24, name: str = "edge") -> Model:
    return round_orc(name, "north", x, y)[1][0]


def touched(x: float, **options: int | bool) -> tuple[bool, bool]:
    """Whether a small template at (24,24) touches a 25 mm base at x, and has it wholly under."""
    now = Stage(SYSTEM, table(gun()), replace(SYSTEM.options(), **options), SYSTEM.profiles, "south")
    model = beside(x)
    cover = cover_of(now, {"edge": footprint(model.base, model.pose)}, at(24, 24), SMALL)
    return cover.touched == ("edge",), cover.wholly == ("edge",)


def test_cm03_bearings_run_clockwise_from_north() -> None:
    done = shoot(stage(gun(), round_orc("target", "north", 24, 24)), "target", *dice(6, bearing=135))
    assert found(done).centre == at(28.2426, 19.7574)


@pytest.mark.parametrize(("x", "touches", "wholly"), [
    (25.9921, False, False), (25.98, True, False), (26.0, False, False), (25.0079, True, True), (25.02, True, False),
])  # fmt: skip
def test_cm12_and_cm13_worked_examples(x: float, touches: bool, wholly: bool) -> None:
    assert touched(x) == (touches, wholly)


def test_cm12_template_tangent_hits() -> None:
    assert touched(25.9921, template_tangent_hits=True)[0]
    assert not touched(25.9921, template_tangent_hits=False)[0]
    assert not touched(26.0, template_tangent_hits=True)[0]


def test_cm12_template_tangent_hits_counts_in_placement_too() -> None:
    radius = 12.5 / 25.4
    units = [gun(), round_orc("target", "north", 24, 30), round_orc("friend", "south", 24 + 1.5 + radius, 30)]
    assert lawful(stage(*units)) == ["target"]
    assert forbidden(stage(*units, template_tangent_hits=True)) == {"target": "ST-22"}


@pytest.mark.parametrize(("facing", "touches"), [(0, False), (90, True), (45, True)])
def test_cm12_the_facing_of_a_rectangle_matters(facing: int, touches: bool) -> None:
    knight = single("knight", "north", "empire_knight", 26, 24, facing=facing)[1][0]
    assert is_touched(stage(gun()), footprint(knight.base, knight.pose), at(24, 24), SMALL) is touches


def pair(now: Stage, x: float) -> tuple[str, ...]:
    """Who is under the hole of a template at x over two abutting 20 mm bases, their common edge at 24."""
    half = 10 / 25.4
    models = [single(name, "north", "goblin", 24 + side * half, 24)[1][0] for name, side in (("a", -1), ("b", 1))]
    shapes = {model.id: footprint(model.base, model.pose) for model in models}
    return cover_of(now, {str(key): shape for key, shape in shapes.items()}, at(x, 24), SMALL).hole


def test_cm14_the_hole_is_a_disc_of_5_mm() -> None:
    now = stage(gun())
    assert hole_radius(now) == inches(0.0984)
    assert pair(now, 24.05) == ("a", "b")
    assert pair(now, 24.2) == ("b",)


@pytest.mark.parametrize(("width", "x", "under_hole"), [
    (0, 24.05, ("b",)), (0, 24.0, ("a", "b")), (10, 24.15, ("a", "b")), (10, 24.2, ("b",)), (5, 24.15, ("b",)),
])  # fmt: skip
def test_cm14_hole_diameter_mm(width: int, x: float, under_hole: tuple[str, ...]) -> None:
    assert pair(stage(gun(), hole_diameter_mm=width), x) == under_hole


# ---------------------------------------------------------------- floors (CM-15)


def ruined(**options: str) -> Stage:
    """A target, and two models in a ruin of two floors within the template's rim."""
    ruin = house(24, 32, 4, 3, "ruin", kind="ruin", floors=(0, 3), height=6)
    low, high = round_orc("low", "north", 24, 31.2), round_orc("high", "north", 24.1, 31.2, z=3)
    now = stage(gun(), round_orc("target", "north", 24, 30), low, high, terrain=[ruin], panic="off")
    return Stage(SYSTEM, now.now, replace(now.options, **options), now.profiles, "south")


def test_cm15_template_floors_all() -> None:
    assert hits(shoot(ruined(), "target", *dice(2), *d6(1, 1, 1))) == ["target", "high", "low"]


def test_cm15_template_floors_top_floor_only() -> None:
    now = ruined(template_floors="top_floor_only")
    assert hits(shoot(now, "target", *dice(2), *d6(1, 1))) == ["target", "high"]


@pytest.mark.parametrize(("floor", "struck"), [("0", "low"), ("1", "high")])
def test_cm15_template_floors_chosen_floor(floor: str, struck: str) -> None:
    now = ruined(template_floors="chosen_floor")
    chosen = asked("CM-15", to="south").refusing("2").answer(floor)
    done = now.play(fire(now, GUN), *declared("target"), chosen, CONFIRMED, *dice(2), *d6(1, 1))
    assert hits(done) == ["target", struck]


def test_cm15_no_floor_is_chosen_where_there_is_none_to_choose() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 30), template_floors="chosen_floor")
    assert hits(shoot(now, "target", *dice(2), *d6(1))) == ["target"]


# ---------------------------------------------------------------- the table's edge (CM-16)


def at_the_edge(x: float, **options: str) -> Stage:
    """A target from which an arrow of 4 inches to the east carries the template to x + 4."""
    now = stage(gun(x=60), round_orc("target", "north", x, 30), round_orc("edge", "north", 71.4, 30), panic="off")
    return Stage(SYSTEM, now.now, replace(now.options, **options), now.profiles, "south")


def test_cm16_template_off_table_resolve_on_table_part() -> None:
    assert hits(shoot(at_the_edge(68.5), "target", *dice(4, bearing=90), *d6(1))) == ["edge"]
    assert hits(shoot(at_the_edge(70), "target", *dice(4, bearing=90))) == []


def test_cm16_template_off_table_miss_if_centre_off() -> None:
    now = at_the_edge(68.5, template_off_table="miss_if_centre_off")
    done = shoot(now, "target", *dice(4, bearing=90))
    assert hits(done) == []
    assert done.outcomes("no_effect") == [GUN]
    now = at_the_edge(67.5, template_off_table="miss_if_centre_off")
    assert hits(shoot(now, "target", *dice(4, bearing=90), *d6(1))) == ["edge"]


def test_cm16_template_off_table_miss_if_any_part_off() -> None:
    now = at_the_edge(67.5, template_off_table="miss_if_any_part_off")
    assert hits(shoot(now, "target", *dice(4, bearing=90))) == []
    now = at_the_edge(66.5, template_off_table="miss_if_any_part_off")
    assert hits(shoot(now, "target", *dice(4, bearing=90), *d6(1))) == ["edge"]


# ---------------------------------------------------------------- ranges and dice


def test_cm09_within_is_inclusive() -> None:
    radius = 12.5 / 25.4
    assert lawful(stage(gun(y=-2), round_orc("target", "north", 24, 46 + radius))) == ["target"]


@pytest.mark.parametrize(("is_3d", "distance"), [(False, 11.5), (True, 12.0918)])
def test_cm10_range_3d(is_3d: bool, distance: float) -> None:
    hill = single("gun", "south", "dwarf_grudge_thrower", 24, 0, facing=0, z=3.7365)
    now = stage(hill, round_orc("target", "north", 24, 11.5 + 12.5 / 25.4), range_3d=is_3d)
    if not is_3d:
        assert forbidden(now) == {"target": "ST-15"}
        return
    done = shoot(now, "target", *dice(10, bearing=0))
    assert measured(done).distance == inches(distance)


def test_cm10_range_3d_to_a_roof() -> None:
    now = stage(gun(), terrain=[house(24, 11.9, 2, 2)], range_3d=True)
    done = now.play(
        fire(now, GUN), *declared("house"), asked("ST-21").answer(at(24, 11.9)), asked("ST-06").answer(False)
    )
    assert measured(done).distance > inches(12.5)


@pytest.mark.parametrize(("face", "third"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_cm17_a_d3_is_a_d6_halved(face: int, third: int) -> None:
    assert halved(face) == third


def test_cm18_and_cm19_faces_of_the_dice() -> None:
    assert ARTILLERY.faces == (2, 4, 6, 8, 10, "misfire")
    assert [SCATTER.faces.count("hit"), SCATTER.faces.count("arrow")] == [2, 4]


def test_cm20_the_little_arrow_of_a_hit_gives_the_bearing() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 20))
    assert found(shoot(now, "target", *dice(8, little=180), mode="indirect")).centre == at(24, 15)


def test_cm23_randomising_is_even_and_in_id_order() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(2, bearing=45), *picked(4, 2), *d6(*[1] * 9))
    assert done.outcomes("hole") == [found(done).hole[1]]


def test_cm25_scatter_ignores_what_lies_between() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 20), terrain=[house(24, 24, 6, 1)])
    assert found(shoot(now, "target", *dice(10, bearing=0))).centre == at(24, 30)


def test_cm26_a_scatter_of_0_is_no_hit() -> None:
    now = stage(gun(), round_orc("target", "north", 24, 20))
    done = shoot(now, "target", *dice(2), *d6(1), mode="indirect")
    assert done.outcomes("scatter") == [GUN]
    assert done.outcomes("on_target") == []


# ---------------------------------------------------------------- sight (CM-27 to CM-31, CM-39, CM-40)


def test_cm27_the_eye_is_nine_tenths_up_at_the_firing_point() -> None:
    low = house(24, 15, 6, 0.5, "wall", kind="wall", height=1.3)
    assert lawful(stage(gun(), round_orc("target", "north", 24, 16), terrain=[low])) == []  # 1.25 high, just behind it
    hill = single("gun", "south", "dwarf_grudge_thrower", 24, 0, facing=0, z=8)
    assert lawful(stage(hill, round_orc("target", "north", 24, 16), terrain=[low])) == ["target"]


def test_cm28_and_cm30_a_corner_that_shows_is_enough() -> None:
    part = house(22.3, 29, 3, 0.5, "wall", kind="wall", height=4)
    done = shoot(stage(gun(), round_orc("target", "north", 24, 30), terrain=[part]), "target", *dice(10, bearing=0))
    assert measured(done).seen == "obscured"


def test_cm29_soft_terrain_obscures_and_never_hides() -> None:
    hedge = house(24, 20, 10, 1, "hedge", kind="hedge", height=4)
    done = shoot(stage(gun(), round_orc("target", "north", 24, 30), terrain=[hedge]), "target", *dice(10, bearing=0))
    assert measured(done).seen == "obscured"


def test_cm29_body_width() -> None:
    screen, target = single("screen", "north", "ogre", 24.3, 25), round_orc("target", "north", 24, 30)
    assert "target" in lawful(stage(gun(), screen, target, body_width=30))
    assert forbidden(stage(gun(), screen, target, body_width=100)) == {"target": "ST-17"}


@pytest.mark.parametrize(("hull", "visible"), [(False, True), (True, False)])
def test_cm29_hulls_and_machines_are_not_shrunk(hull: bool, visible: bool) -> None:
    own = replace(SYSTEM.profiles["treeman"], base=Rectangle(mm(30), mm(30), inches(3)), hull=hull)
    screen, target = single("screen", "north", "screen", 24, 25, own=own), single("target", "north", "treeman", 24, 30)
    now = stage(gun(), screen, target, profiles={"screen": own})
    assert ("target" in lawful(now)) is visible
    assert SYSTEM.profiles["dwarf_cannon"].hull


def test_cm05_body_height_per_profile() -> None:
    wall = house(24, 29, 6, 0.5, "wall", kind="wall", height=1.4)
    assert lawful(stage(gun(), single("target", "north", "orc_boy", 24, 30), terrain=[wall])) == []
    tall = replace(SYSTEM.profiles["orc_boy"], base=Rectangle(mm(25), mm(25), inches(3)))
    now = stage(gun(), single("target", "north", "tall", 24, 30, own=tall), terrain=[wall], profiles={"tall": tall})
    assert lawful(now) == ["target"]


def partly_hidden(los_mode: str) -> Stage:
    screen = house(24, 29, 0.3, 0.3, "post", kind="wall", height=4)
    return stage(gun(), round_orc("target", "north", 24, 30), terrain=[screen], los_mode=los_mode)


def test_cm30_los_mode_rays() -> None:
    assert lawful(partly_hidden("rays")) == ["target"]


def test_cm30_los_mode_centre_line() -> None:
    assert forbidden(partly_hidden("centre_line")) == {"target": "ST-17"}
    clear = stage(gun(), round_orc("target", "north", 24, 30), los_mode="centre_line")
    done = shoot(clear, "target", *dice(10, bearing=0))
    assert measured(done).seen == "visible"


@pytest.mark.parametrize(("south", "north", "face", "seen"), [
    (True, True, None, True), (False, False, None, False), (True, False, 3, False), (False, True, 4, True),
])  # fmt: skip
def test_cm30_los_mode_players_agree(south: bool, north: bool, face: int | None, seen: bool) -> None:
    now = partly_hidden("players_agree")
    votes = [asked("CM-30", to="south").answer(south), asked("CM-30", to="north").answer(north)]
    die = [] if face is None else [rolled(D6, face)]
    rest = [CONFIRMED, *dice(10, bearing=0)] if seen else []
    done = now.play(fire(now, GUN), *declared("target"), *votes, *die, *rest)
    assert bool(done.noted("ST-17")) is not seen
    assert (status(done, "gun", "fired") is True) is seen


def test_cm30_players_agree_on_another_target_after_a_no() -> None:
    now = stage(gun(), round_orc("one", "north", 24, 30), round_orc("two", "north", 28, 30), los_mode="players_agree")
    no = [asked("CM-30", to="south").answer(False), asked("CM-30", to="north").answer(False)]
    yes = [asked("CM-30", to="south").answer(True), asked("CM-30", to="north").answer(True)]
    again = asked("ST-14").refusing("one").answer("two")
    done = now.play(fire(now, GUN), *declared("one"), *no, again, *yes, CONFIRMED, *dice(10, bearing=0))
    question = done.questions[2]
    assert isinstance(question, Choose)
    assert question.barred[-1].why == "The players settled that it cannot be seen."


def test_cm30_players_agree_needs_no_vote_for_an_indirect_shot() -> None:
    now = partly_hidden("players_agree")
    assert not shoot(now, "target", *dice(10, bearing=0), mode="indirect").noted("CM-30")


def test_cm30_players_agree_on_a_roof() -> None:
    now = stage(gun(), terrain=[house(24, 30)], los_mode="players_agree")
    yes = [asked("CM-30", to="south").answer(True), asked("CM-30", to="north").answer(True)]
    placed = asked("ST-21").answer(at(24, 31))
    now.play(fire(now, GUN), *declared("house"), *yes, placed, CONFIRMED, *dice(2))


def test_cm31_the_machine_hides_nothing_from_itself() -> None:
    assert lawful(stage(gun(), round_orc("target", "north", 24, 30), body_width=100)) == ["target"]


def test_cm39_a_point_on_a_roof_is_one_ray() -> None:
    tall = house(24, 20, 1, 1, "tower", height=12)
    now = stage(gun(), terrain=[tall, house(24, 30, 8, 4)])
    placed = asked("ST-21").refusing(at(24, 30)).answer(at(27, 30))
    now.play(fire(now, GUN), *declared("house"), placed, asked("ST-06").answer(False))


def test_cm40_the_edge_lines_belong_to_the_arc() -> None:
    radius = 12.5 / 25.4
    edge = 20 + radius * 2**0.5
    assert lawful(stage(gun(), round_orc("target", "north", 24 + edge, 20))) == ["target"]
    assert lawful(stage(gun(), round_orc("target", "north", 24 + edge + 0.001, 20))) == []


# ---------------------------------------------------------------- prompts and the log


def test_cm32_questions_go_to_one_player_each_with_rule_and_options() -> None:
    done = shoot(stage(gun(), orcs(), panic="off"), orc(2, 1), *dice(2), *d6(2, *[1] * 11),
                 asked("ST-55", to="north").answer([orc(0, 3)]))  # fmt: skip
    assert [(question.rule, question.to) for question in done.questions] == [
        ("ST-13", "south"),
        ("ST-14", "south"),
        ("ST-06", "south"),
        ("ST-55", "north"),
    ]


def test_cm33_a_prompt_without_options_is_not_asked() -> None:
    done = shoot(stage(gun(), round_orc("target", "north", 24, 30)), "target", *dice(2), *d6(2))
    assert gone(done) == ["target"]
    assert len(done.questions) == 3


def test_cm34_and_cm41_defaults() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(4, bearing=270))
    assert [question.default() for question in done.questions] == ["direct", "orcs-01", False]
    assert isinstance(done.questions[2], Confirm)


def test_cm35_findings_are_on_record() -> None:
    done = shoot(stage(gun(), orcs()), orc(2, 1), *dice(4, bearing=270))
    assert [finding.rule for finding in done.findings] == ["ST-15", "ST-39"]
    assert measured(done).distance == inches(29.0158)
    for note in done.notes:
        assert note.rule in SYSTEM.rules
        assert len(note.text) < 120


def test_cm37_removed_models_still_count_for_the_shot() -> None:
    now = stage(gun(y=5, wounds=1), round_orc("target", "north", 24, 17.6))
    done = shoot(now, "target", *dice(10, bearing=180), *d6(6))
    assert gone(done) == ["gun"]
    assert done.table.templates == {}


def test_cm38_ids_sort_as_text() -> None:
    now = stage(gun(), orcs())
    assert lawful(now) == sorted(lawful(now))
    assert list(under(now, at(24, 29.5079), SMALL, None).touched) == sorted(hits_of_e1())


def hits_of_e1() -> list[ModelId]:
    return [orc(*place) for place in ((1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2),
                                      (3, 2), (2, 3))]  # fmt: skip


def test_options_have_a_sentence_of_help_each() -> None:
    form = {choice.key: choice for choice in choices(SYSTEM.options)}
    assert len(form) >= 20
    for choice in form.values():
        assert choice.help.endswith(".")
    assert form["casualties"].values == ("rear_rank", "models_under_template", "owner_chooses")


def test_everything_the_log_says_of_a_shot_has_a_rule() -> None:
    inside = block("inside", "north", "goblin", 3, (24, 30), flags={"garrison": "house"})
    now = stage(gun(), inside, terrain=[house(24, 30)], panic="off")
    done = shoot_roof(now, 24, 30, *dice(2), *d6(1), *d6(1))
    assert strengths(done) == {"inside-01": 8}
    assert {note.rule for note in done.notes} <= set(SYSTEM.rules)
    assert {note.rule for note in misfire(stage(gun(), orcs()), orc(2, 1), rolled(D6, 1)).notes} <= set(SYSTEM.rules)


def test_cm21_scatter_and_artillery_dice_are_rolled_once_a_shot() -> None:
    done = shoot(stage(gun(), round_orc("target", "north", 24, 24)), "target", *dice(10, bearing=90))
    rolls = [request.die.name for request in done.requests if isinstance(request, Roll)]
    assert rolls == ["scatter", "bearing", "artillery"]
    assert [question.rule for question in done.questions] == ["ST-13", "ST-14", "ST-06"]


def test_cm24_a_natural_one_counts_before_any_modifier() -> None:
    done = shoot(stage(gun(), round_orc("target", "north", 24, 24)), "target", *dice(2), *d6(1))
    assert strengths(done) == {"target": 8}
    assert gone(done) == []
