"""Profiles: machines and what they shoot at (ST-01 to ST-03, section 11), read once from `data/profiles.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from server.engine.data import tables
from server.engine.profiles import Profile as CoreProfile
from server.geometry.shapes import Base, Rectangle, Round
from server.geometry.units import PER_INCH, Length, inches, mm, say_inches
from server.rules.stone_thrower.charts import MisfireChart
from server.table.model import Status

DATA = Path(__file__).parent / "data"

MachineKind = Literal["stone_thrower", "mortar", "rocket_launcher"]
Category = Literal["rank_and_file", "character", "monster", "machine", "crew"]

Characteristic = Annotated[int, Meta(ge=1, le=10)]
WoundCount = Annotated[int, Meta(ge=1, le=100)]
SaveRoll = Annotated[int, Meta(ge=1, le=6)]
Skill = Annotated[int, Meta(ge=0, le=10)]
Reach = Annotated[Length, Meta(ge=0, le=100 * PER_INCH)]
Radius = Annotated[Length, Meta(gt=0, le=20 * PER_INCH)]
Ahead = Annotated[Length, Meta(ge=-10 * PER_INCH, le=10 * PER_INCH)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]

WOUND_KEYS = ("wounds", "wounds_2", "wounds_3", "wounds_4")
"""The status that counts the Wounds left of each part: the mount first, then its riders (ST-44)."""


class Weapon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a machine shoots (ST-03). `high` is the Strength under the hole, None where there is only one Strength."""

    kind: MachineKind
    least: Reach
    most: Reach
    low: Characteristic
    high: Characteristic | None
    radius: Radius
    misfire: MisfireChart
    multiple_wounds: bool


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something on a base that takes hits of its own: mount, chariot or rider (ST-44). No save is None."""

    name: Name
    toughness: Characteristic
    wounds: WoundCount = 1
    save: SaveRoll | None = None
    wards: tuple[SaveRoll, ...] = ()

    @property
    def ward(self) -> int | None:
        """The best ward save (ST-50)."""
        return min(self.wards, default=None)


class Profile(CoreProfile, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A machine with its crew's saves, or a model that may be hit; `riders` make a model of several parts.

    `crew` figures are wound markers that no rule looks at (ST-22, ST-43). A `hull` fills its whole base (CM-29).
    """

    category: Category = "rank_and_file"
    toughness: Characteristic = 3
    wounds: WoundCount = 1
    save: SaveRoll | None = None
    wards: tuple[SaveRoll, ...] = ()
    riders: Annotated[tuple[Part, ...], Meta(max_length=3)] = ()
    leadership: Skill = 7
    immune_panic: bool = False
    ranked: bool = False
    hull: bool = False
    weapon: Weapon | None = None
    ballistic_skills: tuple[Skill, ...] = ()
    firing_point: Ahead = Length(0)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts, mounts before riders (ST-48)."""
        own = Part(name=self.name, toughness=self.toughness, wounds=self.wounds, save=self.save, wards=self.wards)
        return (own, *self.riders)

    @property
    def ballistic_skill(self) -> int:
        """The best of the crew's (ST-31)."""
        return max(self.ballistic_skills, default=0)

    def status(self) -> Mapping[str, Status]:
        if self.ranked and not self.riders:
            return {}  # their wounds are pooled on the unit (ST-55)
        kept = zip(WOUND_KEYS, self.parts, strict=False)
        return {key: part.wounds for key, part in kept if part.wounds > 1 or self.riders}

    def unit_status(self) -> Mapping[str, Status]:
        flags = {"ranked": self.ranked, "immune_panic": self.immune_panic}
        return {key: True for key, is_set in flags.items() if is_set}

    def card(self) -> tuple[tuple[str, str], ...]:
        return (*self._weapon_card(), *_part_card(self.parts[0]), *self._rider_card(), *self._unit_card())

    def _weapon_card(self) -> tuple[tuple[str, str], ...]:
        if self.weapon is None:
            return ()
        weapon = self.weapon
        strength = f"{weapon.low}" if weapon.high is None else f"{weapon.low}({weapon.high})"
        band = f"{say_range(weapon.least)}-{say_range(weapon.most)} inches"
        return (
            ("Range", band),
            ("Strength", strength),
            ("Template", f"{say_range(Length(2 * weapon.radius))} inches"),
            ("Ballistic Skill", f"{self.ballistic_skill}"),
        )

    def _rider_card(self) -> tuple[tuple[str, str], ...]:
        return tuple((f"{part.name}: {key}", value) for part in self.riders for key, value in _part_card(part))

    def _unit_card(self) -> tuple[tuple[str, str], ...]:
        leadership = "immune to panic" if self.immune_panic else f"{self.leadership}"
        return (("Movement", f"{say_range(self.movement)} inches"), ("Leadership", leadership))


def say_range(length: Length) -> str:
    """A Length as rulebooks print it: inches without needless zeros."""
    return say_inches(length).rstrip("0").rstrip(".")


def _part_card(part: Part) -> tuple[tuple[str, str], ...]:
    save = "none" if part.save is None else f"{part.save}+"
    ward = () if part.ward is None else (("Ward save", f"{part.ward}+"),)
    return ("Toughness", f"{part.toughness}"), ("Wounds", f"{part.wounds}"), ("Armour save", save), *ward


class WeaponLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of ST-03 as `data/profiles.toml` states it, in inches."""

    least: float
    most: float
    low: Characteristic
    high: Characteristic | None = None
    diameter: float
    misfire: MisfireChart
    multiple_wounds: bool = False


class WeaponChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cells of its kind's line that a real machine overrides (ST-03)."""

    least: float | None = None
    most: float | None = None
    low: Characteristic | None = None
    high: Characteristic | None = None
    diameter: float | None = None
    misfire: MisfireChart | None = None
    multiple_wounds: bool | None = None


class ProfileLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A profile as `data/profiles.toml` states it: base in mm (one number for a circle), lengths in inches."""

    name: str
    base: float | tuple[float, float]
    height: float
    movement: float
    aliases: tuple[str, ...] = ()
    category: Category = "rank_and_file"
    toughness: Characteristic = 3
    wounds: WoundCount = 1
    save: SaveRoll | None = None
    wards: tuple[SaveRoll, ...] = ()
    riders: Annotated[tuple[Part, ...], Meta(max_length=3)] = ()
    leadership: Skill = 7
    immune_panic: bool = False
    ranked: bool = False
    hull: bool = False
    kind: MachineKind | None = None
    weapon: WeaponChange = WeaponChange()
    ballistic_skills: tuple[Skill, ...] = ()
    firing_point: float = 0


def profiles(path: Path = DATA / "profiles.toml") -> Mapping[str, Profile]:
    """All profiles by id; a wrong key or type stops with file and line."""
    weapons = tables(path, "weapons", WeaponLine)
    return {key: _profile(line, weapons) for key, line in tables(path, "profiles", ProfileLine).items()}


def _profile(line: ProfileLine, weapons: Mapping[str, WeaponLine]) -> Profile:
    height = inches(line.height)
    return Profile(
        name=line.name,
        base=_base(line.base, height),
        movement=inches(line.movement),
        aliases=line.aliases,
        category=line.category,
        toughness=line.toughness,
        wounds=line.wounds,
        save=line.save,
        wards=line.wards,
        riders=line.riders,
        leadership=line.leadership,
        immune_panic=line.immune_panic,
        ranked=line.ranked,
        hull=line.hull or line.category == "machine",
        weapon=None if line.kind is None else _weapon(line.kind, weapons[line.kind], line.weapon),
        ballistic_skills=line.ballistic_skills,
        firing_point=inches(line.firing_point),
    )


def _base(size: float | tuple[float, float], height: Length) -> Base:
    if isinstance(size, tuple):
        return Rectangle(mm(size[0]), mm(size[1]), height)
    return Round(mm(size), height)


def _weapon(kind: MachineKind, line: WeaponLine, own: WeaponChange) -> Weapon:
    cells = msgspec.convert({**msgspec.to_builtins(line), **msgspec.to_builtins(own)}, WeaponLine)
    return Weapon(
        kind=kind,
        least=inches(cells.least),
        most=inches(cells.most),
        low=cells.low,
        high=cells.high,
        radius=inches(cells.diameter / 2),
        misfire=cells.misfire,
        multiple_wounds=cells.multiple_wounds,
    )
