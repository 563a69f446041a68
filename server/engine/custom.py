"""Profiles that players make for models a system does not know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from server.engine.names import clean
from server.engine.profiles import Profile
from server.engine.refusals import Refused
from server.geometry.shapes import Base
from server.geometry.units import PER_INCH, Length
from server.table.formation import size_of

P = TypeVar("P", bound=Profile)

PREFIX = "custom_"
MOST_CUSTOM = 60
LARGEST_BASE = 12.0  # inches
FASTEST = Length(100 * PER_INCH)
LARGEST_NUMBER = 10_000_000
NAME_LENGTH = 60


def with_custom(raw: object, kind: type[P], known: Mapping[str, P]) -> Mapping[str, P]:
    """The known profiles and those that come from outside; Refused says in a sentence what is wrong with them.

    The keys of custom profiles begin with "custom_", so that none can stand in for a known one.
    """
    try:
        made = msgspec.convert(raw, dict[str, kind], strict=True)  # type: ignore[valid-type]
    except (msgspec.ValidationError, RecursionError, OverflowError) as wrong:
        raise Refused(f"A profile cannot be read: {wrong}.") from wrong
    if len(made) > MOST_CUSTOM:
        raise Refused(f"A battle has at most {MOST_CUSTOM} profiles of its own.")
    return {**known, **{key: _checked(key, profile) for key, profile in made.items()}}


def _checked(key: str, profile: P) -> P:
    name = clean(profile.name, NAME_LENGTH)
    if not key.startswith(PREFIX) or not key.isidentifier() or not key.isascii() or len(key) > NAME_LENGTH:
        raise Refused("A profile of your own has an odd key.")
    if not name:
        raise Refused("A profile needs a name.")
    if max(size_of(profile.base)) > LARGEST_BASE:
        raise Refused(f"The base of {name} is more than {LARGEST_BASE:.0f} inches long.")
    if not 0 <= profile.movement <= FASTEST:
        raise Refused(f"{name} cannot move that far.")
    if any(abs(number) > LARGEST_NUMBER for number in _numbers(msgspec.to_builtins(profile))):
        raise Refused(f"{name} has a number that is too large.")
    return replace(profile, name=name, aliases=())


def _numbers(value: object) -> Iterable[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int | float):
        yield value


def custom_key(name: str) -> str:
    """The key of a custom profile for a thing of this name, which is made of letters, digits and hyphens."""
    return PREFIX + name.replace("-", "_")


def draft(like: P, name: str, base: Base) -> P:
    """A profile of another name and base, all else as `like`: what a player starts from."""
    return replace(like, name=name, base=base, aliases=())
