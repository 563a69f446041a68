"""What can be asked of a game, each as one call: create, claim, join, do, answer, propose, vote, mix, odds, say.

A call either returns what is acknowledged or raises Refused with a sentence for the player (I9). Whatever changes a
game goes through `Games.commit`, so it is on disk before anybody is told (I2).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeVar

import msgspec

from server.engine import forecast
from server.engine.custom import with_custom
from server.engine.events import Logged, Opened, Seated
from server.engine.interpreter import Game
from server.engine.options import CommonOptions, with_setting
from server.engine.refusals import NotYours, Refused, Stale, Unknown
from server.engine.system import AnySystem
from server.imports import MatchedArmy
from server.play import people
from server.play.armies import recognised, with_armies
from server.play.clocks import Clocks
from server.play.games import Decision, Games, Hosted
from server.play.now import now_ms
from server.play.presence import Presence
from server.play.presence import Shown as Hands
from server.play.seats import Seats, hashed, new_token
from server.play.seeds import Secret
from server.play.standing import standing, thinned
from server.store import events
from server.store import games as rows
from server.store.writer import Connection, Thread, Writer
from server.table.model import ROLES, SEATS, Model, ModelId, Role, Seat, Table
from server.wire.http import Claim, Claimed, Created, History, Order, Pushed, Shown
from server.wire.messages import Answer, Crowd, Do, Done, Foretold, Joined, Mix, Odds, Point, Propose, Said, Say, Vote

CAUGHT_UP_WITHIN = 500
"""A page that missed more events than this fetches the whole history."""
T = TypeVar("T")

CHAT_SHOWN, MOST_CHAT = 200, 5000


class Post(Protocol):
    """How what happens reaches the pages."""

    def send(self, game: str, role: Role, event: str, payload: object) -> None:
        """Send `payload` to everybody of that role."""
        ...

    def expel(self, game: str, role: Role, reason: str) -> None:
        """Close the lines of that role."""
        ...


class Service:
    """The server's side of the table."""

    def __init__(
        self, store: Writer, systems: Mapping[str, AnySystem], post: Post, workshop: Thread, most: int
    ) -> None:
        self.systems = systems
        self.games = Games(store, systems)
        self.seats = Seats(store)
        self.presence = Presence(self._models)
        self._clocks = Clocks()
        self._post = post
        self._workshop = workshop
        self._most = most
        self._names: dict[str, Mapping[Role, str]] = {}

    # Beginning

    def create(self, order: Order) -> Created:
        """Begin a battle; whoever does gets every link, and sits down at once."""
        system = self.systems.get(order.system)
        if system is None:
            raise Unknown("There is no such rule system here.")
        game, row, tokens = self._opened(system, order)
        here = dict.fromkeys(_seats_of(order), people.name_of(order.name))
        self.games.keep(partial(_write_new, row=row, log=game.log, tokens=tokens, here=here, most=self._most))
        self.games.add(row, game)
        return Created(row.id, {seat: tokens[seat] for seat in SEATS}, tokens["watch"])

    def _opened(self, system: AnySystem, order: Order) -> tuple[Game, rows.GameRow, Mapping[Role, str]]:
        people.name_of(order.name)
        name, at = _new_id(), now_ms()
        secret, seed = Secret.fresh(name)
        profiles = with_custom(order.profiles, system.profile, system.profiles)
        table = with_armies(_table(system, order.scenario), order.armies, profiles)
        title = people.title_of(order.title, _scenario_name(system, order.scenario))
        options = _options(system, order)
        table = msgspec.structs.replace(table, clock=msgspec.structs.replace(table.clock, rounds=options.rounds))
        opened = Opened(
            game=name,
            system=system.id,
            version=system.version,
            title=title,
            options=msgspec.to_builtins(options),
            profiles=msgspec.to_builtins(profiles),
            table=table,
            commitment=secret.commitment,
        )
        game = Game.open(system, secret, opened, at)
        for seat in _seats_of(order):
            game.seat(seat, order.mix, at=at, cause=f"{seat}:opened")
        tokens: dict[Role, str] = {role: new_token() for role in ROLES}
        watch = tokens["watch"] if order.watchable else None
        return game, rows.GameRow(name, system.id, title, at, at, seed, order.watchable, watch, closed=False), tokens

    def claim(self, game: str, role: Role, claim: Claim) -> Claimed:
        """Sit down, or sit down anew from another device."""
        seat = _seat(role)
        name = people.name_of(claim.name)
        with self.games.held(game) as hosted:
            if _promise(hosted.game, seat) != claim.mix:
                cause = f"{seat}:claim:{secrets.token_hex(8)}"
                self._commit(game, cause, lambda held: held.seat(seat, claim.mix, at=now_ms(), cause=cause))
            self.games.keep(partial(rows.seat_person, game=game, seat=seat, name=name, at=now_ms()))
            self._names.pop(game, None)
        return Claimed(seat)

    def renew(self, game: str, role: Role) -> str:
        """A new link for the holder's own seat. The old one is dead, its lines are closed."""
        token = self.seats.renew(game, _seat(role))
        self._post.expel(game, role, "revoked")
        return token

    def recognise(self, system: str, name: str, data: bytes) -> MatchedArmy:
        """Read an army list, in the workshop: nobody waits for somebody else's file."""
        known = self.systems.get(system)
        if known is None:
            raise Unknown("There is no such rule system here.")
        return self._worked_out(lambda: recognised(data, name, known))

    # Following

    def join(self, game: str, role: Role, since: int | None, enter: Callable[[], None]) -> Joined:
        """Take part from event `since` + 1 on. `enter` is called when nothing can be missed any more."""
        with self.games.held(game) as hosted:
            enter()
            held = hosted.game
            behind = None if since is None or since > held.seq else held.seq - since
            is_near = behind is not None and behind <= CAUGHT_UP_WITHIN
            missed = hosted.seen(role, since + 1) if is_near and since is not None else None
            return Joined(
                role=role,
                seq=held.seq,
                hash=hosted.table_hash(role),
                standing=standing(held, role),
                crowd=self.crowd(game),
                chat=self._chat(game),
                events=missed,
                history=None if is_near else f"/api/t/{game}/history",
            )

    def history(self, game: str, role: Role) -> History:
        """The whole log as `role` may see it."""
        with self.games.held(game) as hosted:
            return History(hosted.game.seq, hosted.table_hash(role), list(hosted.seen(role)))

    def export(self, game: str, role: Role) -> bytes:
        """The log, one event a line: as `role` may see it, or whole and checkable once the game is over."""
        with self.games.held(game) as hosted:
            lines = [msgspec.json.encode(logged) for logged in hosted.game.log]
            if not hosted.game.closed:
                lines = [bytes(seen) for seen in hosted.seen(role)]
        return b"\n".join(lines) + b"\n"

    def crowd(self, game: str) -> Crowd:
        """Who is here."""
        return self.presence.crowd(game, self.names(game))

    def names(self, game: str) -> Mapping[Role, str]:
        """Who sits where."""
        if game not in self._names:
            seated = self.games.keep(partial(rows.seated, games_wanted=[game]))[game]
            self._names[game] = {person.role: person.name for person in seated}
        return self._names[game]

    def shown(self) -> list[Shown]:
        """The battles that anybody may watch."""

        def find(connection: Connection) -> tuple[list[rows.GameRow], Mapping[str, list[rows.PersonRow]]]:
            found = rows.watchable(connection, 50)
            return found, rows.seated(connection, [row.id for row in found])

        found, seated = self.games.keep(find)
        return [self._shown(row, [person.name for person in seated[row.id]]) for row in found]

    def _shown(self, row: rows.GameRow, names: list[str]) -> Shown:
        held = self.games.peek(row.id)
        turn = held.table.clock.round if held else 0
        watching = self.presence.watching(row.id)
        return Shown(row.id, row.title, row.system, turn, tuple(names), watching, row.watch or "")

    # Acting

    def do(self, game: str, role: Role, do: Do) -> Done:
        """Start an action."""
        seat, cause = _seat(role), _cause(role, do.id)
        return self._commit(
            game,
            cause,
            lambda held: held.do(
                seat, do.action, do.subject, do.args, at=now_ms(), seen=_not_ahead(held, do.at), cause=cause
            ),
        )

    def answer(self, game: str, role: Role, answer: Answer) -> Done:
        """Answer a question."""
        seat, cause = _seat(role), _cause(role, answer.id)
        return self._commit(
            game, cause, lambda held: held.answer(seat, answer.question, answer.value, at=now_ms(), cause=cause)
        )

    def propose(self, game: str, role: Role, propose: Propose) -> Done:
        """Propose a motion."""
        seat, cause = _seat(role), _cause(role, propose.id)
        return self._commit(game, cause, lambda held: held.propose(seat, propose.motion, at=now_ms(), cause=cause))

    def vote(self, game: str, role: Role, vote: Vote) -> Done:
        """Agree to or decline a motion."""
        seat, cause = _seat(role), _cause(role, vote.id)
        return self._commit(
            game, cause, lambda held: held.vote(seat, vote.motion, yes=vote.yes, at=now_ms(), cause=cause)
        )

    def mix(self, game: str, role: Role, mix: Mix) -> Done:
        """Reveal what a seat mixes into the dice."""
        seat, cause = _seat(role), _cause(role, mix.id)
        return self._commit(game, cause, lambda held: held.mix(seat, mix.mix, at=now_ms(), cause=cause))

    def odds(self, game: str, role: Role, odds: Odds) -> Foretold:
        """What would come of an action or an answer. It runs in the workshop, so that nobody else waits for it."""
        seat = _seat(role)
        with self.games.held(game) as hosted:
            held = hosted.game
            question = held.questions.get(odds.question) if odds.question is not None else None
            if question is not None and question.to != seat:
                raise NotYours("The other player must answer this question.", question.rule)
            told = self._worked_out(lambda: _foreseen(held, seat, odds))
            return Foretold(thinned(told, held.table, role))

    def say(self, game: str, role: Role, say: Say) -> Done:
        """Say something to everybody."""
        text, cause = people.line_of(say.text), _cause(role, say.id)
        name = self.names(game).get(role, "") or ("Spectator" if role == "watch" else role.capitalize())
        with self.games.held(game) as hosted:
            say_it = partial(rows.say, game=game, at=now_ms(), role=role, name=name, text=text)
            line = self.games.keep(partial(say_it, cause=cause, most=MOST_CHAT))
            if line is not None:
                said = Said(line.number, line.at, line.role, line.name, line.text)
                for each in ROLES:
                    self._post.send(game, each, "said", said)
            return Done(hosted.game.seq)

    # Time

    def tick(self) -> None:
        """Answer what has waited too long, with its default."""
        loaded = self.games.loaded()
        for game in loaded:
            held = self.games.peek(game)
            if held is None or not held.questions:
                continue
            for question in self._clocks.overdue(game, held):
                self._time_out(game, question)
        self._clocks.forget(set(loaded))

    def _time_out(self, game: str, question: int) -> None:
        cause = f"server:timeout:{question}:{secrets.token_hex(4)}"

        def take_default(held: Game) -> list[Logged]:
            asked = held.questions.get(question)
            if asked is None:
                raise Refused("It was answered in time.")
            return held.answer(asked.to, question, None, at=now_ms(), cause=cause, timeout=True)

        with suppress(Refused):  # answered meanwhile, or nothing can be written: the next tick looks again
            self._commit(game, cause, take_default)

    def point(self, game: str, role: Role, point: Point) -> None:
        """Show the others where somebody points."""
        self._show(game, self.presence.point(game, role, point))

    def flush(self) -> None:
        """Show everybody what was gathered of the others' hands."""
        for game, shown in self.presence.flush():
            self._show(game, shown)

    def _show(self, game: str, shown: Hands) -> None:
        for role, items in shown.items():
            self._post.send(game, role, "presence", items)

    def flush_crowds(self) -> None:
        """Tell everybody who came and went."""
        for game, crowd in self.presence.news(self.presence.games(), self.names):
            for role in ROLES:
                self._post.send(game, role, "crowd", crowd)

    def evict(self, after: float) -> None:
        """Forget the games where nobody is."""
        self.games.evict(self.presence.is_needed, after)
        loaded = set(self.games.loaded())
        for game in [game for game in self._names if game not in loaded]:
            del self._names[game]

    # Parts

    def _commit(self, game: str, cause: str, decide: Decision) -> Done:
        return Done(self.games.commit(game, cause, decide, self._publish))

    def _publish(self, hosted: Hosted, new: list[Logged]) -> None:
        game, first = hosted.row.id, new[0].seq if new else 0
        for role in self.presence.roles(game) if new else ():
            pushed = Pushed(first, hosted.seen(role, first), hosted.table_hash(role), standing(hosted.game, role))
            self._post.send(game, role, "events", msgspec.Raw(msgspec.json.encode(pushed)))

    def _worked_out(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises, done in the workshop."""
        done: list[T] = []
        failed: list[Exception] = []

        def run() -> None:
            try:
                done.append(work())
            except Exception as wrong:
                failed.append(wrong)

        self._workshop(run)
        if failed:
            raise failed[0]
        return done[0]

    def _chat(self, game: str) -> tuple[Said, ...]:
        lines = self.games.keep(partial(rows.lines, game=game, most=CHAT_SHOWN))
        return tuple(Said(line.number, line.at, line.role, line.name, line.text) for line in lines)

    def _models(self, game: str) -> Mapping[ModelId, Model] | None:
        held = self.games.peek(game)
        return held.table.models if held else None


def _seat(role: Role) -> Seat:
    """The seat of a role that may act."""
    if role == "watch":
        raise NotYours("You are watching: only the two seats can act.")
    return role


def _seats_of(order: Order) -> tuple[Seat, ...]:
    return SEATS if order.hotseat else (order.side,)


def _cause(role: Role, id: str) -> str:
    """What stands in the log for a message: ids of two seats never collide."""
    return f"{role}:{id}"


def _not_ahead(held: Game, seen: int) -> int:
    if seen > held.seq:
        raise Stale("That was decided on events which have not happened here. Reload the page.")
    return seen


def _promise(held: Game, seat: Seat) -> str | None:
    """The hash that whoever last took the seat has promised to mix into the dice."""
    taken = (logged.event for logged in reversed(held.log) if isinstance(logged.event, Seated))
    return next((event.mix for event in taken if event.seat == seat), None)


def _foreseen(held: Game, seat: Seat, odds: Odds) -> forecast.Forecast:
    if odds.question is not None:
        return forecast.of_option(held, odds.question, odds.option)
    return forecast.of_action(held, seat, odds.action, odds.subject)


def _new_id() -> str:
    """An id that nobody can guess, short enough to stand in a link."""
    return secrets.token_urlsafe(9).replace("-", "x").replace("_", "y")


def _scenario_name(system: AnySystem, scenario: str) -> str:
    return next((known.name for known in system.scenarios if known.id == scenario), scenario)


def _table(system: AnySystem, scenario: str) -> Table:
    for known in system.scenarios:
        if known.id == scenario:
            return known.table
    raise Unknown("There is no such scenario in this system.")


def _options(system: AnySystem, order: Order) -> CommonOptions:
    options: CommonOptions = system.options()
    for key, value in order.options.items():
        options = with_setting(options, key, value)
    return options


def _write_new(
    connection: Connection,
    row: rows.GameRow,
    log: list[Logged],
    tokens: Mapping[Role, str],
    here: Mapping[Seat, str],
    most: int,
) -> None:
    if rows.count(connection) >= most:
        raise Refused("This server keeps as many battles as it can. Ask its host to make room.")
    rows.create(connection, row)
    events.append(connection, row.id, log)
    for role, token in tokens.items():
        rows.add_token(connection, hashed(token), row.id, role, row.made)
    for seat, name in here.items():
        rows.seat_person(connection, row.id, seat, name, row.made)
