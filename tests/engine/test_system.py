"""Systems are found by their entry point, and say what the core, the lobby and the page need to know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from server.engine import system as module
from server.engine.actions import offers
from server.engine.contract import Broken, must_cite_known_rules, seated
from server.engine.questions import Barred
from server.engine.system import AnySystem, systems
from server.geometry.units import inches
from server.table.facts import StatusSet
from server.table.fold import apply
from server.table.model import ModelId
from tests.engine.games import toy_game
from tests.engine.toy import TOY, board, skirmish, soldier


@dataclass
class Entry:
    """What an installed package exports."""

    system: AnySystem

    def load(self) -> AnySystem:
        return self.system


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Systems that are installed in this test."""

    def install(*found: AnySystem) -> None:
        monkeypatch.setattr(module, "entry_points", lambda group: {"linstock.systems": map(Entry, found)}[group])
        systems.cache_clear()

    yield install
    systems.cache_clear()


def test_systems_are_found_by_entry_point_and_listed_by_name(installed: Callable[..., None]) -> None:
    other = replace(TOY, id="other", name="A game of another house")
    installed(TOY, other)
    assert list(systems()) == ["other", "toy"]
    assert systems()["toy"] is TOY


def test_without_any_package_there_are_no_systems(installed: Callable[..., None]) -> None:
    installed()
    assert systems() == {}


def test_systems_are_looked_for_once(installed: Callable[..., None]) -> None:
    installed(TOY)
    assert systems() is systems()


def test_the_installed_systems_include_our_own() -> None:
    assert "stone_thrower" in systems()


@pytest.mark.parametrize("system", [TOY, *systems().values()], ids=lambda system: system.id)
def test_a_system_hangs_together(system: AnySystem) -> None:
    phases = [phase.id for phase in system.phases]
    names = [action.name for action in system.actions]
    assert len(set(phases)) == len(phases) > 0
    assert len(set(names)) == len(names)
    for action in system.actions:
        assert action.rules
        assert set(action.phases) <= set(phases)
    assert len({(kind.of, kind.key) for kind in system.statuses}) == len(system.statuses)
    for scenario in system.scenarios:
        assert scenario.table.clock.phase in phases
        assert {model.profile for model in scenario.table.models.values()} <= set(system.profiles)
        assert {model.unit for model in scenario.table.models.values()} <= set(scenario.table.units)
    must_cite_known_rules(system)


@pytest.mark.parametrize("rules", [(), ("TOY-1", "TOY-99")])
def test_an_action_must_cite_rules_that_exist(rules: tuple[str, ...]) -> None:
    wrong = replace(TOY, actions=(replace(TOY.actions[0], rules=rules),))
    with pytest.raises(Broken, match="cites"):
        must_cite_known_rules(wrong)


# Offers


def test_offers_are_the_actions_due_and_the_core_ones() -> None:
    game = toy_game()
    south = {offer.action: offer for offer in offers(TOY, game.scene("south"))}
    assert south["duel"].models == ("s1", "s2")
    assert south["duel"].rule == "TOY-1"
    assert "move" not in south
    assert "pass" in south
    assert not south["pass"].manual
    assert south["free_roll"].manual


def test_the_side_that_waits_is_offered_free_play_alone() -> None:
    game = toy_game()
    north = offers(TOY, game.scene("north"))
    assert all(offer.manual for offer in north)
    assert "free_move" in {offer.action for offer in north}


def test_offers_say_who_may_not_and_why() -> None:
    table = apply(skirmish(), StatusSet(ModelId("s1"), "tired", value=True))
    game = seated(TOY, table)
    duel = next(offer for offer in offers(TOY, game.scene("south")) if offer.action == "duel")
    assert duel.models == ("s2",)
    assert duel.barred == (Barred("s1", "TOY-2", "It is tired."),)


def test_offers_of_movement_say_how_far() -> None:
    game = toy_game(skirmish(phase="move"))
    move = next(offer for offer in offers(TOY, game.scene("south")) if offer.action == "move")
    assert move.limits == {"s1": inches(4), "s2": inches(4)}
    assert move.models == ("s1", "s2")


def test_offers_never_name_the_rivals_hidden_models() -> None:
    table = board(soldier("s1", "south", 5, 5), soldier("spy", "north", 5, 15, ("north",)), phase="move")
    said = repr(offers(TOY, seated(TOY, table).scene("south")))
    assert "spy" not in said


def test_a_system_without_rules_for_the_turn_of_a_phase_has_none() -> None:
    quiet = replace(TOY, phase_begins=module.nothing)
    game = seated(quiet, skirmish())
    game.do("south", "pass", at=10)
    assert [type(logged.event).__name__ for logged in game.log[-3:]] == ["Started", "Changed", "Finished"]
