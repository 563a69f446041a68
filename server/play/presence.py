"""Who is here, and what their hands are doing. Nothing of it is stored; the newest of each kind wins.

What a seat points at is shown to the others at once; what follows within 50 ms is gathered and shown after them. A hand
that is gone is emptied, so that no ghost of a model stays in the air.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import msgspec

from server.play.now import now_ms, ticks
from server.table.model import ROLES, SEATS, Model, ModelId, Role, Seat
from server.wire.messages import AimAt, Crowd, Cursor, Drag, Person, Ping, Point, Ruler, Spot

Models = Callable[[str], Mapping[ModelId, Model] | None]
"""The models on the table of a game that is in memory."""

UNSTEADY_FOR = 15.0
"""Seconds in which somebody who dropped may come back before they count as gone."""

GATHERED_FOR = 0.05
"""Seconds in which no more than one message of a kind is shown."""

Shown = dict[Role, list[dict[str, object]]]
"""What each role sees of the others' hands."""


@dataclass
class _Room:
    """One game's people and hands."""

    here: dict[Role, set[str]] = field(default_factory=lambda: {role: set() for role in ROLES})
    left: dict[Role, float] = field(default_factory=dict)
    since: dict[Role, int] = field(default_factory=dict)
    hands: dict[tuple[Seat, str], Point] = field(default_factory=dict)
    shown: dict[tuple[Seat, str], float] = field(default_factory=dict)
    crowd: Crowd | None = None


class Presence:
    """Everybody who is connected, by game."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._rooms: dict[str, _Room] = {}
        self._pointed: set[str] = set()
        self._lock = threading.Lock()

    def arrive(self, game: str, role: Role, who: str) -> None:
        """A page of that role is here."""
        with self._lock:
            room = self._rooms.setdefault(game, _Room())
            if not room.here[role] and role not in room.left:
                room.since[role] = now_ms()
            room.left.pop(role, None)
            room.here[role].add(who)

    def leave(self, game: str, role: Role, who: str) -> None:
        """A page is gone; with the last of a seat, its hand is."""
        with self._lock:
            room = self._rooms.get(game)
            if room is None or who not in room.here[role]:
                return
            room.here[role].discard(who)
            if not room.here[role]:
                room.left[role] = ticks()
                room.since[role] = now_ms()
                self._let_go(game, room, role)

    def is_needed(self, game: str) -> bool:
        """Whether anybody is here, or may be back in a moment."""
        room = self._rooms.get(game)
        return room is not None and any(room.here.values())

    def watching(self, game: str) -> int:
        """How many watch."""
        room = self._rooms.get(game)
        return len(room.here["watch"]) if room else 0

    def roles(self, game: str) -> tuple[Role, ...]:
        """The roles of those who are here."""
        room = self._rooms.get(game)
        return tuple(role for role in ROLES if room and room.here[role])

    def point(self, game: str, role: Role, point: Point) -> Shown:
        """A seat points at something; what the others should see at once. No hand can hold models of the other side."""
        if role == "watch":
            return {}
        if isinstance(point, Drag) and not self._may_hold(game, role, point.spots):
            return {}
        hand = role, _kind(point)
        with self._lock:
            room = self._rooms.get(game)
            if room is None or not room.here[role]:
                return {}
            now = ticks()
            if hand in room.hands or now - room.shown.get(hand, -GATHERED_FOR) < GATHERED_FOR:
                room.hands[hand] = point
                self._pointed.add(game)
                return {}
            room.shown[hand] = now
        return self._shown(game, {hand: point})

    def flush(self) -> list[tuple[str, Shown]]:
        """What was gathered in each game, for each role to see."""
        with self._lock:
            pointed, self._pointed = self._pointed, set()
            moved = [(game, room.hands) for game in pointed if (room := self._rooms.get(game))]
            for game, hands in moved:
                room = self._rooms[game]
                room.shown.update(dict.fromkeys(hands, ticks()))
                room.hands = {}
        return [(game, self._shown(game, hands)) for game, hands in moved]

    def crowd(self, game: str, names: Mapping[Role, str]) -> Crowd:
        """Who is here."""
        room = self._rooms.get(game) or _Room()
        return Crowd({seat: _person(room, seat, names.get(seat)) for seat in SEATS}, len(room.here["watch"]))

    def news(self, games: Iterable[str], names: Callable[[str], Mapping[Role, str]]) -> list[tuple[str, Crowd]]:
        """The games in which who is here has changed since the last time."""
        changed = []
        for game in games:
            room = self._rooms.get(game)
            if room is None:
                continue
            crowd = self.crowd(game, names(game))
            if crowd != room.crowd:
                room.crowd = crowd
                changed.append((game, crowd))
            self._forget(game, room)
        return changed

    def games(self) -> list[str]:
        """The games that somebody is, or was a moment ago, at."""
        return list(self._rooms)

    def _forget(self, game: str, room: _Room) -> None:
        with self._lock:
            if not any(room.here.values()) and all(ticks() - at > UNSTEADY_FOR for at in room.left.values()):
                self._rooms.pop(game, None)

    def _let_go(self, game: str, room: _Room, role: Role) -> None:
        for seat, kind in list(room.shown):
            if seat == role and kind in _EMPTY:
                room.hands[seat, kind] = _EMPTY[kind]
                del room.shown[seat, kind]
                self._pointed.add(game)

    def _may_hold(self, game: str, seat: Seat, spots: Iterable[Spot]) -> bool:
        models = self._models(game)
        return models is not None and all(_owner(models, spot.model) == seat for spot in spots)

    def _shown(self, game: str, hands: Mapping[tuple[Seat, str], Point]) -> Shown:
        models = self._models(game) or {}
        shown: Shown = {role: [] for role in ROLES}
        for (seat, _), point in hands.items():
            for role in ROLES:
                seen = _seen(point, role, models) if role != seat else None
                if seen is not None:
                    shown[role].append({"role": seat, **msgspec.to_builtins(seen)})
        return {role: items for role, items in shown.items() if items}


_EMPTY: Mapping[str, Point] = {"cursor": Cursor(), "drag": Drag(()), "ruler": Ruler(), "aim": AimAt()}
_KINDS: Mapping[type, str] = {Cursor: "cursor", Drag: "drag", Ruler: "ruler", AimAt: "aim", Ping: "ping"}


def _kind(point: Point) -> str:
    return _KINDS[type(point)]


def _owner(models: Mapping[ModelId, Model], model: str) -> Seat | None:
    known = models.get(ModelId(model))
    return known.owner if known else None


def _seen(point: Point, role: Role, models: Mapping[ModelId, Model]) -> Point | None:
    """What `role` may see of it: a model that is hidden from it is not in the hand either (I8)."""
    if not isinstance(point, Drag) or not point.spots:
        return point
    spots = tuple(spot for spot in point.spots if _is_seen(models.get(ModelId(spot.model)), role))
    return Drag(spots) if spots else None


def _is_seen(model: Model | None, role: Role) -> bool:
    return model is not None and (model.seen_by is None or role in model.seen_by)


def _person(room: _Room, seat: Seat, name: str | None) -> Person:
    since = room.since.get(seat, 0)
    if name is None:
        return Person("", "empty", 0)
    if room.here[seat]:
        return Person(name, "here", since)
    left = room.left.get(seat)
    return Person(name, "unsteady" if left is not None and ticks() - left < UNSTEADY_FOR else "gone", since)
