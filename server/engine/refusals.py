"""Refusals: what a player is told when something cannot be done. Nothing has changed when one is raised."""

from __future__ import annotations

from typing import ClassVar, Literal

Code = Literal[
    "stale", "busy", "not_yours", "rejected", "unknown", "rate", "protocol", "stuck", "storage", "restarting"
]
"""The closed set of refusals on the wire."""


class Refused(Exception):
    """Something a player may not do. The text is a sentence for the player; `rule` names what forbids it."""

    code: ClassVar[Code] = "rejected"

    def __init__(self, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule


class NotYours(Refused):
    """It belongs to, or is asked of, somebody else."""

    code = "not_yours"


class Stale(Refused):
    """It answers something that is no longer open, or was decided before the latest events were seen."""

    code = "stale"


class Busy(Refused):
    """Something else must be settled first."""

    code = "busy"


class Unknown(Refused):
    """It names something that is not there."""

    code = "unknown"


class Stuck(Refused):
    """The open action no longer fits its record; the players must rewind or close it."""

    code = "stuck"
