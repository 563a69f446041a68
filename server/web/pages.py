"""Pages and the HTTP half of the wire (see `wire.http`). What is refused is told as `{error: {code, message}}`.

Templates get: `title`; `static(name)`, the address of a static file; `import_map`, the JSON of the page's one inline
script, whose hash the content security policy names; `protocol`; and, where they concern one game, `game`.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
from flask import Blueprint, Flask, Response, render_template, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from server.engine.refusals import Refused, Unknown
from server.play.buckets import Buckets
from server.play.catalog import card
from server.play.seats import WRONG_LINK, Pass
from server.play.service import Service
from server.settings import Settings
from server.table.model import Role
from server.web.assets import Asset, Assets
from server.web.codes import code
from server.wire.http import Claim, Link, Nothing, Order, Refusal, Trouble
from server.wire.messages import PROTOCOL

_log = logging.getLogger("linstock.web")

M = TypeVar("M")
P = ParamSpec("P")
R = TypeVar("R")

STATUS = {"unknown": 404, "not_yours": 403, "stale": 409, "busy": 409, "stuck": 409, "rate": 429, "storage": 503}
KEPT = "public, max-age=31536000, immutable"
SMALL_BODY = 16 * 1024
ARMY_BODY = 2 * 1024 * 1024


class TooLarge(Refused):
    """A body larger than anything of ours."""


class TooOften(Refused):
    """Too many requests."""

    code = "rate"


@dataclass(frozen=True)
class Desk:
    """What the pages need."""

    service: Service
    assets: Assets
    settings: Settings
    is_ready: Callable[[], bool]


def register(app: Flask, desk: Desk) -> None:
    """Put every page and address on `app`."""
    app.jinja_env.globals.update(
        static=desk.assets.address, import_map=Markup(desk.assets.import_map()), protocol=PROTOCOL
    )
    for blueprint in (_pages(), _static(desk.assets), _health(desk), _lobby(desk), _games(desk)):
        app.register_blueprint(blueprint)
    _answer_errors(app)


def _pages() -> Blueprint:
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def lobby() -> str:
        return render_template("lobby.html", title="Linstock")

    @pages.get("/t/<game>")
    def table(game: str) -> str:
        return render_template("table.html", title="Linstock", game=_id(game))

    @pages.get("/replay/<game>")
    def replay(game: str) -> str:
        return render_template("replay.html", title="Replay – Linstock", game=_id(game))

    @pages.get("/verify")
    def verify() -> str:
        return render_template("verify.html", title="Check the dice – Linstock")

    return pages


def _static(assets: Assets) -> Blueprint:
    files = Blueprint("files", __name__)

    @files.get("/static/<version>/<path:name>")
    def file(version: str, name: str) -> Response:
        asset = assets.get(name) if version == assets.version else None
        if asset is None:
            raise Unknown("There is no such file.")
        return _file(asset, "no-store" if assets.is_live else KEPT)

    @files.get("/favicon.ico")
    def favicon() -> Response:
        asset = assets.get("favicon.ico") or assets.get("favicon.svg")
        return _file(asset, "public, max-age=86400") if asset else Response(status=204)

    return files


def _health(desk: Desk) -> Blueprint:
    health = Blueprint("health", __name__)

    @health.get("/healthz")
    def healthz() -> Response:
        return _json({"ok": True})

    @health.get("/readyz")
    def readyz() -> Response:
        ready = desk.is_ready() and desk.service.games.is_writable()
        return _json({"ok": ready}, 200 if ready else 503)

    return health


def _lobby(desk: Desk) -> Blueprint:
    lobby = Blueprint("lobby", __name__, url_prefix="/api")
    begun = Buckets(desk.settings.games_per_hour, desk.settings.games_per_hour / 3600)
    cards = {system.id: msgspec.json.encode(card(system)) for system in desk.service.systems.values()}
    every = b"[" + b",".join(cards.values()) + b"]"

    @lobby.get("/systems")
    def systems() -> Response:
        return _tagged(every)

    @lobby.get("/systems/<system>")
    def one_system(system: str) -> Response:
        if system not in cards:
            raise Unknown("There is no such rule system here.")
        return _tagged(cards[system])

    @lobby.get("/battles")
    def battles() -> Response:
        return _json(desk.service.shown())

    @lobby.post("/battles")
    def begin() -> Response:
        order = _body(Order, ARMY_BODY)
        if not begun.take(_address()):
            raise TooOften("Many battles were begun from here just now. Wait a while.")
        created = desk.service.create(order)
        tokens: dict[Role, str] = {**dict(created.seats.items()), "watch": created.watch}
        codes = {role: code(_link(desk.settings, created.game, token)) for role, token in tokens.items()}
        return _json(msgspec.structs.replace(created, codes=codes), 201)

    read = Buckets(30, 0.5)

    @lobby.post("/armies")
    def armies() -> Response:
        if not read.take(_address()):
            raise TooOften("Many lists were read from here just now. Wait a while.")
        data = _content(ARMY_BODY)
        name = request.args.get("name", "")[:200]
        return _json(desk.service.recognise(request.args.get("system", ""), name, data))

    return lobby


def _games(desk: Desk) -> Blueprint:
    games = Blueprint("games", __name__, url_prefix="/api/t/<game>")
    service = desk.service
    admitted = admission(service)

    @games.post("/seat")
    @admitted
    def seat(admission: Pass) -> Response:
        return _json(service.claim(admission.game, admission.role, _body(Claim)))

    @games.post("/link")
    @admitted
    def link(admission: Pass) -> Response:
        _body(Nothing)
        token = service.renew(admission.game, admission.role)
        return _json(Link(token, code(_link(desk.settings, admission.game, token))))

    @games.get("/history")
    @admitted
    def history(admission: Pass) -> Response:
        return _tagged(msgspec.json.encode(service.history(admission.game, admission.role)))

    @games.get("/export")
    @admitted
    def export(admission: Pass) -> Response:
        response = _tagged(service.export(admission.game, admission.role), "application/x-ndjson")
        response.headers["Content-Disposition"] = f'attachment; filename="linstock-{admission.game}.jsonl"'
        return response

    return games


def admission(service: Service) -> Callable[[Callable[Concatenate[Pass, P], R]], Callable[..., R]]:
    """Marks an address that only a link's holder may ask: the token stands in the header, never in the address."""
    failed = Buckets(20, 1 / 60)

    def mark(view: Callable[Concatenate[Pass, P], R]) -> Callable[..., R]:
        @wraps(view)
        def admitted(game: str, *args: P.args, **kwargs: P.kwargs) -> R:
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            try:
                return view(service.seats.admit(game, token if scheme.lower() == "bearer" else ""), *args, **kwargs)
            except Unknown as refused:
                if refused.message == WRONG_LINK and not failed.take(_address()):
                    raise TooOften("Too many wrong links from here. Wait a minute.") from refused
                raise

        return admitted

    return mark


def _answer_errors(app: Flask) -> None:
    @app.errorhandler(Refused)
    def refused(refusal: Refused) -> Response:
        status = 413 if isinstance(refusal, TooLarge) else STATUS.get(refusal.code, 400)
        return _trouble(status, refusal.code, refusal.message)

    @app.errorhandler(HTTPException)
    def failed(wrong: HTTPException) -> Response:
        status = wrong.code or 500
        return _trouble(status, _CODES.get(status, "rejected"), _SENTENCES.get(status, "That cannot be done."))

    @app.errorhandler(Exception)
    def broke(wrong: Exception) -> Response:
        reference = secrets.token_hex(4)
        _log.error("request failed, reference %s", reference, exc_info=wrong)
        return _trouble(500, "rejected", f"Something broke on our side. It is noted under {reference}.")


_CODES = {404: "unknown", 429: "rate"}
_SENTENCES = {
    400: "That is not a request this server understands.",
    404: "There is nothing here.",
    405: "That cannot be done with this address.",
    413: "That is too large.",
    415: "That is not a kind of file this server understands.",
}


def _trouble(status: int, code: str, message: str) -> Response:
    wants_page = request.method == "GET" and not request.path.startswith(("/api/", "/static/"))
    if wants_page and request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
        return Response(render_template("error.html", title="Linstock", status=status, message=message), status)
    return _json(Refusal(Trouble(code, message)), status)


def _body(kind: type[M], most: int = SMALL_BODY) -> M:
    """The request's body as a `kind`. Raises Refused."""
    content = _content(most)
    if request.mimetype != "application/json":
        raise Refused("Send JSON.")
    try:
        return msgspec.json.decode(content, type=kind)
    except (ValueError, RecursionError) as wrong:
        raise Refused(f"That is not what is expected here: {_told(wrong)}") from wrong


def _content(most: int) -> bytes:
    if (request.content_length or 0) > most:
        raise TooLarge("That is too large.")
    request.max_content_length = most
    return request.get_data()


def _told(wrong: Exception) -> str:
    return str(wrong) if isinstance(wrong, msgspec.ValidationError) else "it cannot be read."


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, mimetype="application/json")


def _tagged(content: bytes, mimetype: str = "application/json") -> Response:
    """Packed where the browser can unpack it, with a tag by which it can ask whether anything changed."""
    packs = request.accept_encodings["gzip"] > 0 and len(content) > 1024
    response = Response(gzip.compress(content, 5, mtime=0) if packs else content, mimetype=mimetype)
    if packs:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding, Authorization"
    response.set_etag(hashlib.sha256(content).hexdigest()[:24], weak=True)
    return _conditional(response)


def _file(asset: Asset, cache: str) -> Response:
    packs = asset.packed is not None and request.accept_encodings["gzip"] > 0
    response = Response(asset.packed if packs and asset.packed else asset.content)
    response.headers["Content-Type"] = asset.type
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = cache
    if packs:
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(asset.tag, weak=True)
    return _conditional(response)


def _conditional(response: Response) -> Response:
    made: Any = response.make_conditional(request)  # the same response, which werkzeug types more widely
    return made  # type: ignore[no-any-return]


def _link(settings: Settings, game: str, token: str) -> str:
    origin = settings.public_origin or request.host_url.rstrip("/")
    return f"{origin}/t/{game}#{token}"


def _address() -> str:
    return network(request.remote_addr or "")


def network(address: str) -> str:
    """Whom an address belongs to, for limits: one IPv4 address, or the /64 of an IPv6 one."""
    return ":".join(address.split(":")[:4]) if ":" in address else address


def _id(game: str) -> str:
    if not (game.isascii() and game.isalnum() and len(game) <= 32):
        raise Unknown("There is no such battle here.")
    return game
