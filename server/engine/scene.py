"""What a procedure may look at: queries only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from server.engine.options import CommonOptions
from server.engine.profiles import Profile
from server.table.model import Model, ModelId, Seat, Table, rival_of

O = TypeVar("O", bound=CommonOptions)  # noqa: E741  the options of a system
P = TypeVar("P", bound=Profile)


class Scene(Generic[O, P]):
    """The present table, the house options, the profiles in play and who acts."""

    def __init__(self, look: Callable[[], Table], options: O, profiles: Mapping[str, P], by: Seat) -> None:
        self._look = look
        self.options = options
        self.profiles = profiles
        self.by: Seat = by
        self.rival: Seat = rival_of(by)

    @property
    def table(self) -> Table:
        """The table as it is now: read it anew after each await (I6)."""
        return self._look()

    def acting(self, by: Seat) -> Scene[O, P]:
        """The same table with another side acting."""
        return Scene(self._look, self.options, self.profiles, by)

    def model(self, model: ModelId) -> Model:
        """A model on the table, or one just removed (CM-37). KeyError when there never was one."""
        return self.table.models.get(model) or self.table.removed[model]

    def profile(self, model: ModelId) -> P:
        """The profile of a model."""
        return self.profiles[self.model(model).profile]
