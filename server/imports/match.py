"""Which profile of a system a listed unit is, and what must be asked where none is known.

Lists hold neither characteristics nor bases (FORMATS sections 5 and 10). Whatever is found is shown to the player
before a model is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from server.engine.custom import custom_key, draft
from server.engine.names import slug, words
from server.engine.profiles import Profile
from server.geometry.shapes import Base, Oval, Polygon, Rectangle, Round
from server.geometry.units import inches, mm
from server.imports.army import ArmyList, ListedUnit
from server.table.formation import size_of

Sort = Literal["infantry", "cavalry", "large_infantry", "machine", "monster"]
Ask = Literal["base", "characteristics"]

MOST_SUGGESTIONS = 6

USUAL_BASE: Mapping[Sort, Base] = {
    "infantry": Rectangle(mm(25), mm(25), inches(1.25)),
    "cavalry": Rectangle(mm(25), mm(50), inches(1.75)),
    "large_infantry": Rectangle(mm(40), mm(40), inches(2)),
    "machine": Round(mm(60), inches(1.5)),
    "monster": Rectangle(mm(50), mm(100), inches(3)),
}
SMALL_BASE = Rectangle(mm(20), mm(20), inches(1.25))

SORTS: tuple[tuple[Sort, frozenset[str]], ...] = (
    (
        "machine",
        frozenset(
            words("cannon mortar thrower catapult trebuchet lobber ballista battery organ launcher bombard machine gun")
        ),
    ),
    (
        "monster",
        frozenset(
            words(
                "dragon giant treeman stegadon hydra wyvern tank chariot sphinx griffon manticore mammoth monster "
                "behemoth carnosaur arachnarok wagon hellpit"
            )
        ),
    ),
    (
        "cavalry",
        frozenset(
            words("knight rider cavalry horseman pistolier outrider steed horse warhorse boar wolf mounted lancer")
        ),
    ),
    ("large_infantry", frozenset(words("ogre troll minotaur kroxigor ushabti irongut leadbelcher"))),
)
"""Words that tell what sort of model a name means, the surest first."""


class MatchedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A listed unit as the page needs it to make a UnitSpec.

    With a `profile` nothing need be asked. Without, the page asks what `asks` names; `draft` is a whole profile of
    the system, filled with what is likely, to be posted under the key `draft_key` when the player has seen to it.
    `base` is the profile's or the likely one, `bases` others to choose from.
    """

    key: str
    name: str
    count: int
    category: str
    sort: Sort
    gear: tuple[str, ...]
    notes: str
    points: int | None
    profile: str | None
    suggestions: tuple[str, ...]
    base: Base
    bases: tuple[Base, ...]
    asks: tuple[Ask, ...] = ()
    draft_key: str | None = None
    draft: dict[str, object] | None = None


class MatchedArmy(msgspec.Struct, frozen=True, kw_only=True):
    """A list, each unit with its profile or what must be asked."""

    title: str
    game: str
    models: int
    units: tuple[MatchedUnit, ...]
    warnings: tuple[str, ...]


def match_army(army: ArmyList, profiles: Mapping[str, Profile]) -> MatchedArmy:
    """Find the profile of each unit of a list."""
    hints = words(army.army)
    return MatchedArmy(
        title=army.title,
        game=army.game,
        models=army.models,
        units=tuple(_match(unit, profiles, hints) for unit in army.units),
        warnings=army.warnings,
    )


def _match(unit: ListedUnit, profiles: Mapping[str, Profile], hints: Iterable[str]) -> MatchedUnit:
    found = _found(unit, profiles, (*hints, *unit.hints))
    sort = sort_of(unit)
    base = USUAL_BASE[sort] if found is None else profiles[found].base
    start = None if found is not None else _plainest(base, profiles)
    return MatchedUnit(
        key=unit.key,
        name=unit.name,
        count=unit.count,
        category=unit.category,
        sort=sort,
        gear=unit.gear,
        notes=unit.notes,
        points=unit.points,
        profile=found,
        suggestions=_suggestions(unit, profiles),
        base=base,
        bases=tuple(dict.fromkeys((base, *USUAL_BASE.values(), SMALL_BASE))),
        asks=("base", "characteristics") if found is None else (),
        draft_key=None if found is not None else custom_key(slug(unit.key, 40)),
        draft=None if start is None else msgspec.to_builtins(draft(start, unit.name, base)),
    )


# ---------------------------------------------------------------- which profile


def _found(unit: ListedUnit, profiles: Mapping[str, Profile], hints: tuple[str, ...]) -> str | None:
    """The profile a unit surely is: of the same name, else of the same name behind its people's ("Dwarf ...")."""
    spoken = {words(unit.key), words(unit.name)} - {()}
    same = [key for key, profile in profiles.items() if spoken & _names(key, profile)]
    if same:
        return same[0]
    longer = [(key, rest) for key, profile in profiles.items() for rest in _before(spoken, _names(key, profile))]
    hinted = {key for key, rest in longer if all(_is_hinted(word, hints) for word in rest)}
    if len(hinted) == 1:
        return hinted.pop()
    several_words = {key for key, rest in longer if any(len(one) > 1 for one in spoken)}
    return several_words.pop() if len(several_words) == 1 and not hinted else None


def _names(key: str, profile: Profile) -> set[tuple[str, ...]]:
    return {words(key), words(profile.name), *(words(alias) for alias in profile.aliases)}


def _before(spoken: set[tuple[str, ...]], names: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """What stands before the spoken name in names that end with it."""
    return {name[: -len(one)] for one in spoken for name in names if len(name) > len(one) and name[-len(one) :] == one}


def _is_hinted(word: str, hints: tuple[str, ...]) -> bool:
    """Whether a people's word is meant by the list's own word for it: "dwarf" by "dwarfen"."""
    return any(len(word) >= 4 and hint[:4] == word[:4] for hint in hints)


def _suggestions(unit: ListedUnit, profiles: Mapping[str, Profile]) -> tuple[str, ...]:
    """The profiles that share words with a unit, those with most first."""
    spoken = {*words(unit.key), *words(unit.name)}
    shared = {key: len(spoken & {*words(key), *words(profile.name)}) for key, profile in profiles.items()}
    return tuple(sorted((key for key in shared if shared[key]), key=lambda key: (-shared[key], key))[:MOST_SUGGESTIONS])


# ---------------------------------------------------------------- what is likely


def sort_of(unit: ListedUnit) -> Sort:
    """What sort of models a unit likely is, by its name and, for a rider, its mount."""
    spoken = {*words(unit.key), *words(unit.name)}
    for sort, telling in SORTS:
        if spoken & telling and not (sort == "machine" and unit.count > 5):
            return sort
    ridden = {word for thing in unit.gear for word in words(thing)}
    for sort, telling in SORTS[1:3]:
        if unit.category in ("characters", "lords", "heroes") and ridden & telling:
            return sort
    return "infantry"


def _plainest(base: Base, profiles: Mapping[str, Profile]) -> Profile | None:
    """The profile with the likest base and, among those, the fewest peculiarities: what a player starts from."""
    return min(
        profiles.values(), key=lambda one: (_difference(one.base, base), _peculiarities(one), one.name), default=None
    )


def _difference(one: Base, other: Base) -> tuple[bool, float]:
    (width, length), (wanted_width, wanted_length) = size_of(one), size_of(other)
    return _shape(one) != _shape(other), round(abs(width - wanted_width) + abs(length - wanted_length), 4)


def _shape(base: Base) -> str:
    match base:
        case Round():
            return "round"
        case Oval():
            return "oval"
        case Rectangle():
            return "rectangle"
        case Polygon():
            return "polygon"


def _peculiarities(profile: Profile) -> int:
    """How many of its fields differ from what the struct has by default."""
    return sum(getattr(profile, field.name) != field.default for field in msgspec.structs.fields(profile))
