"""Scenarios: read from a folder, complete, and sound on every installed system."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from server.engine.data import BadData
from server.engine.layout import lay_out, load_scenario, load_scenarios
from server.engine.profiles import Profile
from server.engine.scene import Scene
from server.engine.system import Scenario, systems
from server.geometry.shapes import Round, footprint, overlap
from server.geometry.units import inches, mm
from server.rules.stone_thrower.options import Options
from server.rules.stone_thrower.profiles import DATA, profiles
from server.rules.stone_thrower.targets import has_target, machines_to_fire, targets
from server.table.model import SEATS, ModelId

SOLDIER = Profile(name="Soldier", base=Round(mm(25), inches(1.25)))
TEXT = '[[unit]]\nid = "a"\nowner = "south"\nprofile = "soldier"\nat = [5, 5]\n'
SCENARIOS = [scenario for system in systems().values() for scenario in system.scenarios]


def test_a_scene_is_laid_out_from_text_and_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "duel.toml"
    file.write_text(TEXT, encoding="utf-8")
    assert lay_out(file, {"soldier": SOLDIER}) == lay_out(TEXT, {"soldier": SOLDIER})
    assert lay_out(TEXT, {"soldier": SOLDIER}).models[ModelId("a")].base == SOLDIER.base


def test_scenarios_are_read_from_a_folder_the_smallest_first(tmp_path: Path) -> None:
    head = 'title = "Two"\nsummary = "One fights two."\n'
    (tmp_path / "a_two.toml").write_text(head + TEXT + TEXT.replace('"a"', '"b"').replace("5, 5", "9, 9"))
    (tmp_path / "b_one.toml").write_text(head + TEXT)
    found = load_scenarios(tmp_path, {"soldier": SOLDIER}, phase="movement")
    assert [scenario.id for scenario in found] == ["b_one", "a_two"]
    assert found[0].table.clock.phase == "movement"


@pytest.mark.parametrize(
    ("text", "told"),
    [(TEXT, "a scenario needs a title and a summary"), ("size = 3", "size: Expected `array`, got `int`")],
)
def test_a_scenario_that_cannot_be_read_is_told_with_its_file(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "duel.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadData) as refused:
        load_scenario(file, {"soldier": SOLDIER})
    assert str(refused.value) == f"{file}: {told}"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_a_scenario_is_sound(scenario: Scenario) -> None:
    table = scenario.table
    assert scenario.name
    assert scenario.summary.endswith((".", "!"))
    assert {model.owner for model in table.models.values()} == set(SEATS)
    shapes = {key: (footprint(model.base, model.pose), model.pose.z) for key, model in table.models.items()}
    for (a, (one, low)), (b, (other, high)) in combinations(shapes.items(), 2):
        assert low != high or not overlap(one, other), f"{a} overlaps {b}"
    for piece in table.terrain.values():
        if piece.kind in ("wall", "gate", "hedge", "fence"):
            outline = footprint(piece.shape, piece.pose)
            assert not [key for key, (shape, _) in shapes.items() if overlap(shape, outline)]
    assert all(model.unit in table.units for model in table.models.values())


@pytest.mark.parametrize(("name", "least", "most"), [("hill_battery", 55, 70), ("grand_battery", 190, 220)])
def test_every_machine_of_a_ready_battle_has_something_to_shoot_at_in_its_first_turn(
    name: str, least: int, most: int
) -> None:
    known = profiles()
    table = load_scenario(DATA / "scenarios" / f"{name}.toml", known, phase="shooting").table
    assert least <= len(table.models) <= most
    for seat in SEATS:
        scene = Scene(lambda: table, Options(), known, seat)
        machines = [key for key, model in table.models.items() if model.owner == seat and known[model.profile].weapon]
        assert set(machines_to_fire(scene).models) == set(machines)
        for machine in machines:
            assert has_target(scene, machine)
            assert len({table.models[ModelId(shot.target)].unit for shot in targets(scene, machine, "direct").lawful
                        if shot.target in table.models}) >= 2  # fmt: skip
