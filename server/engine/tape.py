"""The recorded replies of an open procedure, read off while it is run again (I4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TypeVar

from server.engine.events import Answered, Asked, Changed, Event, Judged, Logged, Noted, Rolled, Unsealed

E = TypeVar("E", bound=Event)

_REPLIES = (Rolled, Asked, Answered, Unsealed, Judged, Changed, Noted)


class Misfit(Exception):
    """A recorded reply does not fit what the procedure asks for now."""


class Tape:
    """Recorded replies in order. Motions and seatings that fell in between are no replies and are passed over.

    With `goes_on` the procedure lives on once the record has run out; without, the record is all there may be, up to
    a question that waits.
    """

    def __init__(self, recorded: Iterable[Logged] = (), *, goes_on: bool) -> None:
        self._left = deque(logged for logged in recorded if isinstance(logged.event, _REPLIES))
        self.goes_on = goes_on

    def __bool__(self) -> bool:
        return bool(self._left)

    def take(self, kind: type[E]) -> tuple[int, E] | None:
        """The next reply and its number, which must be of that kind; None where the procedure lives on."""
        if self._left:
            logged = self._left.popleft()
            if not isinstance(logged.event, kind):
                raise Misfit(
                    f"Event {logged.seq} is recorded as {_name(logged.event)}; the rule now wants {kind.__name__}."
                )
            return logged.seq, logged.event
        if not self.goes_on:
            raise Misfit(f"The record ends where the rule now wants {kind.__name__}.")
        return None

    def end(self) -> None:
        """The procedure has ended, and so must the record."""
        if self._left:
            raise Misfit(f"The rule now ends, but event {self._left[0].seq} ({_name(self._left[0].event)}) follows.")
        if not self.goes_on:
            raise Misfit("The rule now ends where the record shows it waiting.")


def _name(event: Event) -> str:
    return type(event).__name__
