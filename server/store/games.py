"""Games with their links, people and chat: what stands beside the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, text, update

from server.engine.refusals import Refused
from server.store.schema import chat, games, people, tokens
from server.table.model import Role, Seat


class GameRow(msgspec.Struct, frozen=True):
    """What is known of a game without its log."""

    id: str
    system: str
    title: str
    made: int
    touched: int
    seed: bytes
    watchable: bool
    watch: str | None
    closed: bool


class PersonRow(msgspec.Struct, frozen=True):
    """Who sits in a seat."""

    role: Role
    name: str
    since: int


class Line(msgspec.Struct, frozen=True):
    """A line of chat."""

    number: int
    at: int
    role: Role
    name: str
    text: str


def create(connection: Connection, row: GameRow) -> None:
    """A new game."""
    connection.execute(insert(games).values(**msgspec.structs.asdict(row)))


def find(connection: Connection, game: str) -> GameRow | None:
    """The game of that id."""
    row = connection.execute(select(games).where(games.c.id == game)).one_or_none()
    return None if row is None else GameRow(**row._mapping)


def rewrite(connection: Connection) -> None:
    """Write something that changes nothing, to see whether the disk takes it."""
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def count(connection: Connection) -> int:
    """How many games there are."""
    return connection.execute(select(func.count()).select_from(games)).scalar_one()


def watchable(connection: Connection, most: int) -> list[GameRow]:
    """The games that anybody may watch, the liveliest first."""
    wanted = select(games).where(games.c.watchable, ~games.c.closed).order_by(games.c.touched.desc()).limit(most)
    return [GameRow(**row._mapping) for row in connection.execute(wanted)]


def close(connection: Connection, game: str) -> None:
    """Mark a game as over."""
    connection.execute(update(games).where(games.c.id == game).values(closed=True))


def add_token(connection: Connection, hashed: str, game: str, role: Role, at: int) -> None:
    """A new link for a role."""
    connection.execute(insert(tokens).values(hash=hashed, game=game, role=role, made=at, revoked=None))


def revoke(connection: Connection, game: str, role: Role, at: int) -> None:
    """Make every link of a role void."""
    held = (tokens.c.game == game) & (tokens.c.role == role) & tokens.c.revoked.is_(None)
    connection.execute(update(tokens).where(held).values(revoked=at))


def role_of(connection: Connection, hashed: str) -> tuple[str, Role] | None:
    """The game and role that a link opens, unless it was revoked."""
    wanted = select(tokens.c.game, tokens.c.role).where(tokens.c.hash == hashed, tokens.c.revoked.is_(None))
    row = connection.execute(wanted).one_or_none()
    return None if row is None else (row.game, row.role)


def seat_person(connection: Connection, game: str, seat: Seat, name: str, at: int) -> None:
    """Somebody sits down."""
    connection.execute(delete(people).where(people.c.game == game, people.c.role == seat))
    connection.execute(insert(people).values(game=game, role=seat, name=name, since=at))


def seated(connection: Connection, games_wanted: Sequence[str]) -> Mapping[str, list[PersonRow]]:
    """Who sits in each of these games."""
    found: dict[str, list[PersonRow]] = {game: [] for game in games_wanted}
    wanted = select(people).where(people.c.game.in_(games_wanted)).order_by(people.c.role.desc())
    for row in connection.execute(wanted):
        found[row.game].append(PersonRow(row.role, row.name, row.since))
    return found


def say(
    connection: Connection, game: str, at: int, role: Role, name: str, text: str, cause: str, most: int
) -> Line | None:
    """Add a line of chat, unless there are too many; None when that very message was added before."""
    known = select(chat.c.number).where(chat.c.game == game, chat.c.cause == cause)
    if connection.execute(known).one_or_none() is not None:
        return None
    number = connection.execute(select(func.count()).where(chat.c.game == game)).scalar_one()
    if number >= most:
        raise Refused("There has been too much talk at this table to keep more of it.")
    line = Line(number, at, role, name, text)
    connection.execute(insert(chat).values(game=game, cause=cause, **msgspec.structs.asdict(line)))
    return line


def lines(connection: Connection, game: str, most: int) -> list[Line]:
    """The last lines of chat, oldest first."""
    columns = (chat.c.number, chat.c.at, chat.c.role, chat.c.name, chat.c.text)
    wanted = select(*columns).where(chat.c.game == game).order_by(chat.c.number.desc()).limit(most)
    return [Line(*row) for row in connection.execute(wanted)][::-1]
