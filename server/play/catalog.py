"""The installed systems as lobby and page know them."""

from __future__ import annotations

from server.engine.options import choices
from server.engine.system import AnySystem, Scenario
from server.wire.http import ScenarioCard, SystemCard


def card(system: AnySystem) -> SystemCard:
    """Everything about a system that is drawn or looked up by the page."""
    return SystemCard(
        id=system.id,
        name=system.name,
        summary=system.summary,
        version=system.version,
        scenarios=tuple(_scenario(scenario) for scenario in system.scenarios),
        options=choices(system.options),
        phases=system.phases,
        actions={action.name: action.label for action in system.actions},
        statuses=system.statuses,
        cards={key: profile.card() for key, profile in system.profiles.items()},
        profiles=tuple(system.profiles),
        rules=system.rules,
    )


def _scenario(scenario: Scenario) -> ScenarioCard:
    table = scenario.table
    return ScenarioCard(scenario.id, scenario.name, scenario.summary, len(table.models), table.width, table.depth)
