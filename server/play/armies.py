"""Armies that players bring: read from a file, and laid out in place of a scenario's ready-made ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from server.engine.deploy import deploy, read_specs
from server.engine.profiles import Profile
from server.engine.refusals import Refused
from server.engine.system import AnySystem
from server.imports import ImportRefused, MatchedArmy, match_army, read_army
from server.table.model import Seat, Table


def recognised(data: bytes, name: str, system: AnySystem) -> MatchedArmy:
    """What a file holds: each unit with its profile, or with what must be asked. Raises Refused."""
    try:
        return match_army(read_army(data, name), system.profiles)
    except ImportRefused as refused:
        raise Refused(refused.message) from refused


def with_armies(table: Table, armies: Mapping[Seat, Sequence[object]], profiles: Mapping[str, Profile]) -> Table:
    """The table with these armies on it. Raises Refused for one that cannot stand there."""
    brought = {seat: read_specs(units) for seat, units in armies.items() if units}
    return deploy(table, brought, profiles) if brought else table
