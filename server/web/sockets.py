"""The socket: decode, call play, acknowledge. Every event is answered (I9); what no schema knows is refused.

Handlers stand on the python-socketio server below Flask-SocketIO, which would build a Flask request for every event.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qs

import msgspec
from socketio.exceptions import ConnectionRefusedError as Refuse

from server.engine.refusals import Code, Refused, Unknown
from server.play.buckets import Bucket, Buckets
from server.play.seats import Pass
from server.play.service import Service
from server.table.model import Role
from server.web.frames import POLICY, frame
from server.web.gate import NAMESPACE
from server.web.lines import KEY, Line
from server.web.pages import network
from server.wire import messages
from server.wire.messages import PROTOCOL, Auth, Join, No, Point, Problem

_log = logging.getLogger("linstock.socket")

MOST_AT_A_TABLE = 1200

_hands = msgspec.json.Decoder(tuple[Literal["point"], Point], strict=True)

M = TypeVar("M")
Handler = Callable[..., object]


class Unjoined(Refused):
    """A message before `join`."""

    code = "protocol"


class TooFast(Refused):
    """More messages than a person could mean."""

    code = "rate"


class Restarting(Refused):
    """The server is about to stop."""

    code = "restarting"


@dataclass
class Guest:
    """Who holds a line. Seats may act often, spectators hardly need to."""

    sid: str
    line: Line
    admission: Pass
    joined: bool = False
    actions: Bucket = field(default_factory=lambda: Bucket(40, 5))
    pointing: Bucket = field(default_factory=lambda: Bucket(80, 40))
    odds: Bucket = field(default_factory=lambda: Bucket(30, 8))

    def __post_init__(self) -> None:
        if self.role == "watch":
            self.actions = Bucket(20, 1)

    @property
    def game(self) -> str:
        """Which game."""
        return self.admission.game

    @property
    def role(self) -> Role:
        """In which role."""
        return self.admission.role


class Mail:
    """How play's messages reach the pages: one room for each role of each game."""

    def __init__(self) -> None:
        self.server: Any = None  # the python-socketio server, which comes without types
        self.guests: dict[str, Guest] = {}
        self._present: dict[str, dict[str, Guest]] = {}

    def enter(self, guest: Guest) -> None:
        """Somebody may be sent what their role is sent."""
        name = room(guest.game, guest.role)
        self.server.enter_room(guest.sid, name, namespace=NAMESPACE)
        self._present.setdefault(name, {})[guest.sid] = guest

    def leave(self, guest: Guest) -> None:
        """Somebody is gone."""
        name = room(guest.game, guest.role)
        present = self._present.get(name, {})
        present.pop(guest.sid, None)
        if not present:
            self._present.pop(name, None)

    def send(self, game: str, role: Role, event: str, payload: object) -> None:
        """Send to everybody of that role."""
        if self.server is None:
            return
        content = msgspec.json.encode(payload)
        if event == "presence":
            self._show(room(game, role), content)
        else:
            self.server.emit(event, msgspec.Raw(content), room=room(game, role), namespace=NAMESPACE)

    def _show(self, name: str, content: bytes) -> None:
        """Hands, framed once for all; only who has a backlog gets them through the library."""
        packet = frame(b'42%b,["presence",%b]' % (NAMESPACE.encode(), content))
        for guest in list(self._present.get(name, {}).values()):
            if not guest.line.offer(packet):
                self.server.emit("presence", msgspec.Raw(content), to=guest.sid, namespace=NAMESPACE)

    def expel(self, game: str, role: Role, reason: str) -> None:
        """Say goodbye to that role and close its lines."""
        self.send(game, role, "bye", {"reason": reason})
        for guest in list(self.guests.values()):
            if guest.game == game and guest.role == role:
                self.server.disconnect(guest.sid, namespace=NAMESPACE)

    def farewell(self) -> None:
        """Tell everybody that the server restarts."""
        if self.server is not None:
            self.server.emit("bye", {"reason": "restarting"}, namespace=NAMESPACE)


def room(game: str, role: Role) -> str:
    """The room of a role."""
    return f"{game}/{role}"


class Sockets:
    """The handlers of the namespace `/table`."""

    def __init__(self, service: Service, mail: Mail) -> None:
        self._service = service
        self._mail = mail
        self._guests = mail.guests
        self._server = mail.server
        self._wrong = Buckets(20, 1 / 60)
        self.is_stopping = False

    def register(self) -> None:
        """Put every handler on the server."""
        on: Callable[..., object] = self._server.on
        service = self._service
        on("connect", self._connect, namespace=NAMESPACE)
        on("disconnect", self._disconnect, namespace=NAMESPACE)
        on("join", self._answered(Join, self._join), namespace=NAMESPACE)
        on("point", self._point, namespace=NAMESPACE)
        calls: Mapping[str, tuple[type[Any], Callable[..., object]]] = {
            "do": (messages.Do, service.do),
            "answer": (messages.Answer, service.answer),
            "propose": (messages.Propose, service.propose),
            "vote": (messages.Vote, service.vote),
            "mix": (messages.Mix, service.mix),
            "say": (messages.Say, service.say),
            "odds": (messages.Odds, service.odds),
        }
        for event, (kind, call) in calls.items():
            on(event, self._answered(kind, _called(call, event)), namespace=NAMESPACE)
        on("*", self._unknown, namespace=NAMESPACE)

    def _connect(self, sid: str, environ: Mapping[str, Any], auth: object = None) -> None:
        line: Line = environ[KEY]
        admission = self._admitted(environ, auth, network(line.address))
        if sum(guest.game == admission.game for guest in list(self._guests.values())) >= MOST_AT_A_TABLE:
            raise Refuse("rate")
        engine = self._server.eio.sockets.get(self._server.manager.eio_sid_from_sid(sid, NAMESPACE))
        if engine is not None:
            line.bound(engine)
        line.is_taken = True
        self._guests[sid] = guest = Guest(sid, line, admission)
        line.on_hand = partial(self._hand, guest)

    def _admitted(self, environ: Mapping[str, Any], auth: object, address: str) -> Pass:
        if isinstance(auth, dict) and auth.get("protocol") != PROTOCOL:
            raise Refuse("protocol")
        try:
            given = msgspec.convert(auth, Auth, strict=True)
            return self._service.seats.admit(_game_asked(environ), given.token)
        except (msgspec.ValidationError, Unknown):
            if not self._wrong.take(address):
                raise Refuse("rate") from None
            raise Refuse("unknown") from None
        except Exception:
            _log.exception("a line could not be admitted")
            raise Refuse("storage") from None

    def _disconnect(self, sid: str, _reason: object = None) -> None:
        guest = self._guests.pop(sid, None)
        if guest is not None:
            guest.line.free()
            self._mail.leave(guest)
            self._service.presence.leave(guest.game, guest.role, sid)

    def _join(self, guest: Guest, message: Join) -> object:
        def enter() -> None:
            self._mail.enter(guest)
            self._service.presence.arrive(guest.game, guest.role, guest.sid)

        joined = self._service.join(guest.game, guest.role, message.since, enter)
        guest.joined = guest.line.joined = True
        return joined

    def _hand(self, guest: Guest, text: str) -> bool:
        """A hand as it came over the line. What is wrong with it is left to the usual way."""
        try:
            _, point = _hands.decode(text)
        except ValueError:
            return False
        if not guest.joined:
            return False
        try:
            if _may_point(guest):
                self._service.point(guest.game, guest.role, point)
        except Exception:
            _log.exception("a hand could not be shown")
        return True

    def _point(self, sid: str, *sent: object) -> object:
        guest = self._guests.get(sid)
        if guest is None or not guest.joined or not _may_point(guest):
            return None
        try:
            (payload,) = sent
            point: Point = msgspec.convert(payload, Point, strict=True)
        except (ValueError, TypeError):
            return _no("rejected", "That is not something to point with.")
        self._service.point(guest.game, guest.role, point)
        return None

    def _unknown(self, event: object, sid: str, *_sent: object) -> object:
        guest = self._guests.get(sid)
        if guest is not None and not guest.actions.take() and guest.actions.is_flooded:
            guest.line.cut(POLICY)
        return _no("unknown", "The server knows no such message.")

    def _answered(self, kind: type[M], call: Callable[[Guest, M], object]) -> Handler:
        """A handler that always answers."""

        def handle(sid: str, *sent: object) -> object:
            try:
                return call(*self._checked(kind, sid, sent))
            except Refused as refused:
                return No(Problem(refused.code, refused.message, refused.rule))
            except Exception:
                reference = secrets.token_hex(4)
                _log.exception("a message failed, reference %s", reference)
                return _no("rejected", f"Something broke on our side. It is noted under {reference}.")

        return handle

    def _checked(self, kind: type[M], sid: str, sent: tuple[object, ...]) -> tuple[Guest, M]:
        if self.is_stopping:
            raise Restarting("The server is restarting. One moment.")
        guest = self._guests.get(sid)
        if guest is None:
            raise Unjoined("This line is closed.")
        bucket = guest.odds if kind is messages.Odds else guest.actions
        if not bucket.take():
            if bucket.is_flooded:
                guest.line.cut(POLICY)
            raise TooFast("That was too fast. Wait a moment.")
        if kind is not Join and not guest.joined:
            raise Unjoined("Join the table first.")
        return guest, _decoded(kind, sent)


def _may_point(guest: Guest) -> bool:
    if guest.pointing.take():
        return True
    if guest.pointing.is_flooded:
        guest.line.cut(POLICY)
    return False


def _called(call: Callable[..., object], event: str) -> Callable[[Guest, Any], object]:
    def with_guest(guest: Guest, message: Any) -> object:
        return call(guest.game, guest.role, message)

    with_guest.__name__ = event
    return with_guest


def _decoded(kind: type[M], sent: tuple[object, ...]) -> M:
    if len(sent) != 1:
        raise Refused("Each message has exactly one content.")
    try:
        return msgspec.convert(sent[0], kind, strict=True)
    except (ValueError, RecursionError) as wrong:
        raise Refused(f"That message cannot be understood: {wrong}") from wrong


def _no(code: Code, message: str) -> No:
    return No(Problem(code, message))


def _game_asked(environ: Mapping[str, Any]) -> str:
    query: str = environ.get("QUERY_STRING", "")
    return parse_qs(query).get("game", [""])[0]
