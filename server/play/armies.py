"""Armies that a player brings: laid out on a scenario's table in place of the ready-made ones of that side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from server.engine.refusals import Refused
from server.engine.system import AnySystem
from server.table.model import Seat, Table


def with_armies(table: Table, system: AnySystem, armies: Mapping[Seat, Sequence[object]]) -> Table:
    """The table with these armies on it. Raises Refused for one that cannot stand there."""
    if not any(armies.values()):
        return table
    raise Refused("Bringing an army of your own is not possible yet.")
