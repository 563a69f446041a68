"""What the core needs to know of a profile. Systems extend it with their own characteristics."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from server.geometry.shapes import Base
from server.geometry.units import Length
from server.table.model import Status


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a profile table: its name, the base its models stand on, how far they move (a Length).

    `aliases` are other names under which army lists know it, as "grudge-thrower" (see `imports.match`).
    """

    name: str
    base: Base
    movement: Length = Length(0)
    aliases: tuple[str, ...] = ()

    def status(self) -> Mapping[str, Status]:
        """What a new model of this profile starts with (its Wounds, say)."""
        return {}

    def unit_status(self) -> Mapping[str, Status]:
        """What a new unit of this profile starts with."""
        return {}

    def card(self) -> tuple[tuple[str, str], ...]:
        """The characteristics as a player reads them: name and value."""
        return ()
