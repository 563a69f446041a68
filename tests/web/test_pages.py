"""HTTP: pages, the API, files, headers, refusals."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from server.settings import BadSetting, Settings, settings
from server.store.writer import Writer
from server.web.assets import Assets, script_hash
from server.web.hosts import is_known, is_own_origin
from tests.play.desk import MIX
from tests.web.conftest import House, serve

PAGES = ["/", "/t/abc123", "/replay/abc123", "/verify"]
ORDER = {"system": "toy", "scenario": "skirmish", "name": "Ann", "mix": MIX}


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_inline_code_but_the_import_map(house: House, path: str) -> None:
    status, headers, body = house.http(path, Accept="text/html")
    text = body.decode()
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    scripts = re.findall(r"<script[^>]*>([^<]+)</script>", text)
    assert [script_hash(script) for script in scripts] == re.findall(r"'sha256-[^']+'", policy)
    assert not re.search(r"\son\w+=|\sstyle=|<style|javascript:|//[a-z]+\.[a-z]", text.replace("http://www.w3.org", ""))
    assert "require-trusted-types-for 'script'" in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("path", [*PAGES, "/nothing", "/api/systems", "/api/nothing", "/healthz", "/api/t/abc/history"])
def test_every_answer_is_hardened(house: House, path: str) -> None:
    _, headers, _ = house.http(path, Accept="text/html")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store"


def test_every_file_that_a_page_names_is_there_and_kept_for_ever(house: House) -> None:
    text = house.http("/")[2].decode()
    for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
        status, headers, _ = house.http(address)
        assert status == 200, address
        assert headers["Cache-Control"].endswith("immutable")
        assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "name",
    ["package.json", "tsconfig.json", ".npmrc", "node_modules/lit-html/package.json", "../pyproject.toml", "%2e%2e/x"],
)
def test_nothing_but_the_page_is_served(house: House, name: str) -> None:
    assert house.http(f"/static/{house.server.assets.version}/{name}")[0] == 404


@pytest.mark.parametrize(
    "path",
    ["/.git/config", "/.env", "/static/", "/t/", "/t/a/b", "/t/..%2f..", "/api/t/x", "/metrics", "/%00", "/t/<script>"],
)
def test_odd_paths_are_not_there(house: House, path: str) -> None:
    status, _, body = house.http(path)
    assert status == 404
    assert b"<script" not in body
    assert b"Traceback" not in body


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 10_000,
        json.dumps({**ORDER, "hotseat": 1}).encode(),
        json.dumps({**ORDER, "winner": "me"}).encode(),
        json.dumps({**ORDER, "mix": "short"}).encode(),
        json.dumps({**ORDER, "side": "east"}).encode(),
        json.dumps({**ORDER, "name": ""}).encode(),
        json.dumps({**ORDER, "name": "x" * 41}).encode(),
        json.dumps({**ORDER, "options": {"rounds": 1.5}}).encode(),
        json.dumps({**ORDER, "options": {"rounds": 10**30}}).encode(),
        json.dumps({**ORDER, "scenario": "nowhere"}).encode(),
        json.dumps(ORDER).replace('"Ann"', "NaN").encode(),
    ],
    ids=range(16),
)
def test_bad_orders_are_refused_in_words(house: House, body: bytes) -> None:
    status, _, answer = house.http("/api/battles", body)
    assert status in (400, 404)
    assert json.loads(answer)["error"]["message"]


def test_too_large_a_body_is_refused(house: House) -> None:
    token = house.begin()["seats"]["south"]
    assert house.http("/api/t/abc/seat", b"x" * 20_000, token)[0] in (404, 413)
    assert house.http("/api/battles", b"x" * 3_000_000)[0] == 413


def test_forms_are_not_taken(house: House) -> None:
    assert house.http("/api/battles", json.dumps(ORDER).encode(), **{"Content-Type": "text/plain"})[0] == 400


@pytest.mark.parametrize(("what", "method"), [("seat", b"{}"), ("link", b"{}"), ("history", None), ("export", None)])
def test_without_its_link_a_game_is_closed(own_house: House, what: str, method: bytes | None) -> None:
    created, other = own_house.begin(), own_house.begin()
    path = f"/api/t/{created['game']}/{what}"
    answers = [own_house.http(path, method, token) for token in (None, "", "x" * 32, other["seats"]["south"])]
    answers.append(own_house.http(f"{path}?token={created['seats']['south']}", method))
    assert {(status, body) for status, _, body in answers} == {(404, answers[0][2])}


def test_claiming_a_seat_takes_a_post(house: House) -> None:
    created = house.begin(hotseat=False)
    token = created["seats"]["north"]
    path = f"/api/t/{created['game']}/seat"
    assert house.http(path, token=token)[0] == 405
    assert json.loads(house.http(path, {"name": "Ben", "mix": MIX}, token)[2]) == {"seat": "north"}
    assert house.http(path, {"name": "Ben", "mix": MIX}, created["watch"])[0] == 403


def test_history_is_packed_and_tagged_per_role(house: House) -> None:
    created = house.begin("secret")
    path, token = f"/api/t/{created['game']}/history", created["seats"]["north"]
    status, headers, body = house.http(path, token=token, **{"Accept-Encoding": "gzip"})
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert json.loads(gzip.decompress(body))["seq"] == 2
    assert house.http(path, token=token, **{"If-None-Match": headers["ETag"]})[0] == 304
    assert house.http(path, token=created["watch"], **{"If-None-Match": headers["ETag"]})[0] == 200


def test_codes_of_links_are_data(house: House) -> None:
    codes = house.begin()["codes"]
    assert set(codes) == {"south", "north", "watch"}
    for rows in codes.values():
        assert all(len(row) == len(rows) and set(row) <= {"0", "1"} for row in rows)


def test_systems_tell_the_lobby_everything(house: House) -> None:
    (system,) = json.loads(house.http("/api/systems")[2])
    assert json.loads(house.http("/api/systems/toy")[2]) == system
    assert {scenario["id"] for scenario in system["scenarios"]} == {"skirmish", "march", "secret"}
    assert any(option["key"] == "rounds" and option["help"] for option in system["options"])
    assert house.http("/api/systems/none")[0] == 404


def test_watchable_battles_are_listed_with_a_link_to_watch(house: House) -> None:
    created = house.begin(watchable=True, title="<b>Open</b>")
    shown = next(each for each in json.loads(house.http("/api/battles")[2]) if each["game"] == created["game"])
    assert shown["title"] == "<b>Open</b>"
    assert house.http(f"/api/t/{created['game']}/history", token=shown["watch"])[0] == 200
    assert house.http(f"/api/t/{created['game']}/seat", {"name": "Eve", "mix": MIX}, shown["watch"])[0] == 403


def test_battles_are_limited_per_address(tmp_path: Path) -> None:
    for house in serve(tmp_path, games_per_hour=3):
        assert [house.http("/api/battles", ORDER)[0] for _ in range(4)] == [201, 201, 201, 429]


def test_wrong_links_are_limited_per_address(own_house: House) -> None:
    game = own_house.begin()["game"]
    statuses = [own_house.http(f"/api/t/{game}/history", token="x" * 32)[0] for _ in range(25)]
    assert statuses[0] == 404
    assert statuses[-1] == 429


def test_readiness_follows_the_disk(own_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_house.http("/readyz")[0] == 200
    created = own_house.begin()
    page = own_house.join(created, "south")
    connected = Writer._connected

    def full(store: Writer) -> Connection:
        connection = connected(store)
        connection.exec_driver_sql("PRAGMA query_only=1")
        return connection

    monkeypatch.setattr(Writer, "_connected", full)
    reply = own_house.do(page, "free_roll", {"sides": 6})
    assert reply["error"]["code"] == "storage"
    assert own_house.http("/readyz")[0] == 503
    assert own_house.http("/healthz")[0] == 200
    monkeypatch.undo()
    assert own_house.http("/readyz")[0] == 200
    assert own_house.do(page, "free_roll", {"sides": 6})["ok"]


def test_forwarded_headers_count_only_behind_a_proxy(tmp_path: Path, house: House) -> None:
    forged = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    status, headers, body = house.http("/", **forged)
    assert status == 200
    assert "evil.example" not in str(headers) + body.decode()
    for behind in serve(tmp_path, trusted_proxies=1, public_url="https://table.example"):
        trusted = {"X-Forwarded-Host": "table.example", "X-Forwarded-Proto": "https"}
        status, headers, _ = behind.http("/", **trusted)
        assert status == 200
        assert "max-age" in headers["Strict-Transport-Security"]
        assert "wss://table.example" in headers["Content-Security-Policy"]
        assert behind.http("/", **{**trusted, "X-Forwarded-Host": "evil.example"})[0] == 400
        assert behind.page(Origin="https://table.example", **trusted).status == 101
        assert behind.page(Origin="https://evil.example", **trusted).status == 403
        behind.hang_up()


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8000", True),
        ("127.0.0.1", True),
        ("[::1]:8000", True),
        ("192.168.1.7:8000", True),
        ("my-laptop:8000", True),
        ("my-laptop.local", True),
        ("table.example", True),
        ("TABLE.example", True),
        ("evil.example", False),
        ("table.example.evil", False),
        ("table.example:81", False),
        ("a@b", False),
        ("a b", False),
        ("[", False),
        ("x:99999", False),
    ],
)
def test_names_of_this_server(host: str, known: bool) -> None:
    assert is_known(host, "https://table.example") is known


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("https://table.example", True),
        (None, True),
        ("null", False),
        ("http://table.example", False),
        ("https://table.example.evil", False),
        ("https://table.example:444", False),
        ("http://192.168.1.7:8000", False),
    ],
)
def test_origins_of_this_server(origin: str | None, own: bool) -> None:
    environ = {"HTTP_HOST": "192.168.1.7:8000", "wsgi.url_scheme": "http"}
    assert is_own_origin(origin, environ, "https://table.example") is own


def test_without_a_public_address_the_page_comes_from_where_it_was_asked_for() -> None:
    environ = {"HTTP_HOST": "192.168.1.7:8000", "wsgi.url_scheme": "http"}
    assert is_own_origin("http://192.168.1.7:8000", environ, "")
    assert not is_own_origin("http://192.168.1.8:8000", environ, "")


def test_live_files_are_never_kept(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"vendor": {"socket.io.js": "x", "lit-html/directives/ref.js": "y"}}')
    (tmp_path / "a.js").write_text("1")
    live = Assets(tmp_path, is_live=True)
    assert live.address("a.js") == "/static/live/a.js"
    (tmp_path / "a.js").write_text("2")
    asset = live.get("a.js")
    assert asset is not None
    assert asset.content == b"2"
    assert json.loads(live.import_map())["imports"] == {
        "lit-html/directives/ref.js": "/static/live/vendor/lit-html/directives/ref.js",
        "socket.io-client": "/static/live/vendor/socket.io.js",
    }


def test_any_change_of_any_file_changes_all_addresses(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    before = Assets(tmp_path, is_live=False).version
    (tmp_path / "a.js").write_text("2")
    assert Assets(tmp_path, is_live=False).version != before


# Settings


def test_settings_come_from_the_environment() -> None:
    given = {"LINSTOCK_PORT": "9000", "LINSTOCK_DEV": "1", "LINSTOCK_PUBLIC_URL": "", "HOME": "/root"}
    chosen = settings(given)
    assert (chosen.port, chosen.dev, chosen.public_url) == (9000, True, "")


@pytest.mark.parametrize(
    "given", [{"LINSTOCK_PROT": "1"}, {"LINSTOCK_PORT": "many"}, {"LINSTOCK_PUBLIC_URL": "table.example"}]
)
def test_settings_that_cannot_be_are_told_in_words(given: dict[str, Any]) -> None:
    with pytest.raises(BadSetting):
        settings(given)


def test_the_public_origin_has_no_path() -> None:
    assert Settings(public_url="https://table.example/linstock/").public_origin == "https://table.example"
