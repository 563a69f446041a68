"""Stone throwers, mortars and rocket launchers of a fantasy battle game: the system `stone_thrower` (ST)."""

from __future__ import annotations

from server.engine.data import tables
from server.engine.layout import load_scenarios
from server.engine.system import Action, StatusKind, System
from server.rules.stone_thrower.fire import fire
from server.rules.stone_thrower.options import Options
from server.rules.stone_thrower.phases import PHASES, SHOOTING, phase_begins
from server.rules.stone_thrower.profiles import DATA, Profile, profiles
from server.rules.stone_thrower.targets import machines_to_fire

ACTIONS: tuple[Action[Options, Profile], ...] = (
    Action("fire", "Fire", ("ST-06", "ST-13"), (SHOOTING.id,), machines_to_fire, fire),
)

STATUSES = (
    StatusKind("wounds", "Wounds left", "model", "number", shown="pips"),
    StatusKind("wounds_2", "Rider's Wounds left", "model", "number", shown="pips"),
    StatusKind("wounds_3", "Second rider's Wounds left", "model", "number", shown="pips"),
    StatusKind("wounds_4", "Third rider's Wounds left", "model", "number", shown="pips"),
    StatusKind("moved", "Moved", "model", "number", shown="hidden"),
    StatusKind("fired", "Fired", "model", "flag"),
    StatusKind("silent_until", "May not fire through turn", "model", "number"),
    StatusKind("engaged", "In combat", "unit", "flag"),
    StatusKind("fleeing", "Fleeing", "unit", "flag"),
    StatusKind("ranked", "Ranked", "unit", "flag", shown="hidden"),
    StatusKind("immune_panic", "Immune to panic", "unit", "flag", shown="hidden"),
    StatusKind("garrison", "In building", "unit", "text"),
    StatusKind("pooled", "Wounds suffered", "unit", "number"),
    StatusKind("panicked", "Tested for panic", "unit", "flag", shown="hidden"),
    StatusKind("start", "Models at the start of the phase", "unit", "number", shown="hidden", manual=False),
    StatusKind("losses", "Models lost this phase, and to whom", "unit", "text", shown="hidden", manual=False),
)

OUTCOMES = {
    "on_target": "Lands on target",
    "scatter": "Scatters",
    "misfire": "Misfires",
    "destroyed": "Destroys the machine",
    "clean_miss": "Hits nobody",
    "panic": "Causes panic",
}

PROFILES = profiles()

SYSTEM: System[Options, Profile] = System(
    id="stone_thrower",
    name="Stone throwers",
    version="1",
    summary="Stone throwers, mortars and rocket launchers lob shots at ranked units in a fantasy battle.",
    options=Options,
    profile=Profile,
    profiles=PROFILES,
    phases=PHASES,
    actions=ACTIONS,
    statuses=STATUSES,
    scenarios=load_scenarios(DATA / "scenarios", PROFILES, phase=PHASES[0].id),
    rules=tables(DATA / "rules.toml", "rules", str),
    outcomes=OUTCOMES,
    phase_begins=phase_begins,
)

__all__ = ["SYSTEM"]
