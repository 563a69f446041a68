"""From a system's profiles to models on a table: scenes and scenarios laid out from TOML."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from server.engine.data import BadData
from server.engine.profiles import Profile
from server.engine.system import Scenario
from server.table.model import Table
from server.table.notation import Laid, NotationError, Stock, read_scene


def stock(profile: Profile) -> Stock:
    """What notation needs to know of a profile."""
    return Stock(profile.base, profile.name, profile.status(), profile.unit_status())


def stocks(profiles: Mapping[str, Profile]) -> Mapping[str, Stock]:
    """What notation needs to know of each profile, under the same keys."""
    return {key: stock(profile) for key, profile in profiles.items()}


def lay_out(scene: str | Path, profiles: Mapping[str, Profile], *, phase: str = "") -> Table:
    """The table of a scene: TOML text, or the path of such a file. `phase` is the clock's unless the scene says."""
    return _read(scene, profiles, phase).table


def load_scenarios(folder: Path, profiles: Mapping[str, Profile], *, phase: str = "") -> tuple[Scenario, ...]:
    """The scenarios of a folder, one TOML file each, the smallest first; the file's name is the scenario's id."""
    found = [load_scenario(path, profiles, phase=phase) for path in sorted(folder.glob("*.toml"))]
    return tuple(sorted(found, key=lambda scenario: (len(scenario.table.models), scenario.id)))


def load_scenario(path: Path, profiles: Mapping[str, Profile], *, phase: str = "") -> Scenario:
    """One scenario. It needs a title and one sentence of summary."""
    laid = _read(path, profiles, phase)
    if not laid.title or not laid.summary:
        raise BadData(f"{path}: a scenario needs a title and a summary")
    return Scenario(path.stem, laid.title, laid.summary, laid.table)


def _read(scene: str | Path, profiles: Mapping[str, Profile], phase: str) -> Laid:
    if isinstance(scene, str):
        return read_scene(scene, stocks(profiles), phase=phase)
    try:
        return read_scene(scene.read_text(encoding="utf-8"), stocks(profiles), phase=phase)
    except NotationError as wrong:
        raise BadData(f"{scene}: {wrong}") from wrong
