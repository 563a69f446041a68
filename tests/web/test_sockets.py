"""The socket against a real server: joining, following, acting, and every kind of bad input."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from tests.play.desk import CANARY, fresh
from tests.web.conftest import House
from tests.web.page import Closed

ROLL = {"sides": 6, "count": 2}


def test_a_page_joins_and_follows(house: House) -> None:
    created = house.begin()
    south, watch = house.join(created, "south"), house.join(created, "watch")
    assert south.joined["role"] == "south"
    assert [event["seq"] for event in south.joined["events"]] == [1, 2]
    done = house.do(south, "free_roll", ROLL)
    assert done["ok"]
    for page in (south, watch):
        push = page.next("events")
        assert push["first"] == 3
        assert [event["seq"] for event in push["events"]] == list(range(3, done["seq"] + 1))
        assert push["events"][0]["kind"] == "started"
        assert set(push["standing"]) == {"questions", "motion", "offers", "undo", "frozen"}
    assert not watch.joined["standing"]["offers"]


def test_a_page_that_was_away_resumes_by_number(house: House) -> None:
    created = house.begin()
    north, south = house.join(created, "north"), house.join(created, "south")
    north.close()
    for _ in range(30):
        assert house.do(south, "free_roll", ROLL)["ok"]
    back = house.join(created, "north", since=2)
    seqs = [event["seq"] for event in back.joined["events"]]
    assert seqs == list(range(3, back.joined["seq"] + 1))


def test_the_whole_history_comes_over_http(house: House) -> None:
    created = house.begin()
    joined = house.join(created, "north", since=None).joined
    assert joined["events"] is None
    status, _, body = house.http(joined["history"], token=created["seats"]["north"])
    history = json.loads(body)
    assert (status, history["seq"], history["hash"]) == (200, joined["seq"], joined["hash"])
    assert [event["seq"] for event in history["events"]] == [0, 1, 2]


def test_two_tabs_of_a_seat_stay_in_step(house: House) -> None:
    created = house.begin()
    one, two = house.join(created, "south"), house.join(created, "south")
    message = {"id": fresh(), "action": "free_roll", "at": 0, "args": ROLL}
    first = one.ask("do", message)
    assert two.ask("do", message) == first
    assert one.next("events") == two.next("events")


def test_hands_are_shown_to_the_others(house: House) -> None:
    created = house.begin()
    south, north = house.join(created, "south"), house.join(created, "north")
    south.text('42/table,["point",{"kind":"cursor","x":10,"y":20}]')
    assert north.next("presence") == [{"role": "south", "kind": "cursor", "x": 10, "y": 20}]
    south.close()
    assert north.next("presence") == [{"role": "south", "kind": "cursor", "x": None, "y": None}]


def test_who_is_here_is_told(house: House) -> None:
    created = house.begin()
    north = house.join(created, "north")
    house.join(created, "south")
    crowd = north.next("crowd")
    while crowd["seats"]["south"]["state"] != "here":
        crowd = north.next("crowd")
    assert crowd["seats"]["south"]["name"] == "Ann"


def test_chat_is_data(house: House) -> None:
    created = house.begin()
    south, watch = house.join(created, "south"), house.join(created, "watch")
    assert south.ask("say", {"id": fresh(), "text": "<img src=x onerror=alert(1)>"})["ok"]
    assert watch.next("said")["text"] == "<img src=x onerror=alert(1)>"


def test_a_new_link_closes_the_old_ones_lines(house: House) -> None:
    created = house.begin()
    south, north = house.join(created, "south"), house.join(created, "north")
    status, _, body = house.http(f"/api/t/{created['game']}/link", {}, created["seats"]["south"])
    assert status == 200
    assert south.next("bye") == {"reason": "revoked"}
    refused = house.page(created["game"])
    assert refused.connect(created["seats"]["south"]) == '44/table,{"message":"unknown"}'
    assert house.page(created["game"]).connect(json.loads(body)["token"]).startswith("40/table")
    assert house.do(north, "free_roll", ROLL)["ok"]
    with pytest.raises((TimeoutError, Closed)):
        south.next("events", within=0.5)


def test_hidden_models_are_in_no_byte_for_the_others(house: House) -> None:
    created = house.begin("secret")
    pages = {role: house.join(created, role) for role in ("south", "north", "watch")}
    house.do(pages["north"], "set_status", {"model": CANARY, "key": "wounds", "value": 3})
    house.do(pages["north"], "free_roll", ROLL)
    for role in ("south", "watch"):
        token = created["watch"] if role == "watch" else created["seats"][role]
        seen = [json.dumps(pages[role].next("events")) for _ in range(2)]
        seen.append(json.dumps(pages[role].joined))
        for what in ("history", "export"):
            seen.append(house.http(f"/api/t/{created['game']}/{what}", token=token)[2].decode())
        assert not [text for text in seen if CANARY in text]
    own = house.http(f"/api/t/{created['game']}/history", token=created["seats"]["north"])[2].decode()
    assert CANARY in own


def test_a_revoked_page_is_no_ghost_and_its_line_closes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    created = house.begin()
    south, north = house.join(created, "south"), house.join(created, "north")
    house.http(f"/api/t/{created['game']}/link", {}, created["seats"]["south"])
    crowd = north.next("crowd")
    while crowd["seats"]["south"]["state"] != "unsteady":
        crowd = north.next("crowd")
    monkeypatch.setattr("server.web.app.JOIN_WITHIN", 0.2)
    assert south.closes() == 1008


def test_one_line_is_one_guest(house: House) -> None:
    created = house.begin()
    page = house.join(created, "south")
    page.text("40/table," + json.dumps({"token": created["seats"]["north"], "protocol": 1}))
    assert page.closes() == 1008


def test_who_was_refused_may_try_again_on_the_same_line(house: House) -> None:
    created = house.begin()
    page = house.page(created["game"])
    assert page.connect("x" * 32).startswith("44")
    assert page.connect(created["seats"]["south"]).startswith("40/table")
    assert page.ask("join", {"since": 0})["ok"]


# Who is not let in


@pytest.mark.parametrize(
    "auth",
    [
        {"token": "x" * 32, "protocol": 1},
        {"token": "", "protocol": 1},
        {"token": 7, "protocol": 1},
        {"token": None, "protocol": 1},
        {"token": ["a"], "protocol": 1},
        {"token": "x" * 32, "protocol": 1, "role": "south"},
        {},
        [],
        "token",
    ],
)
def test_a_wrong_link_opens_nothing(own_house: House, auth: Any) -> None:
    page = own_house.page(own_house.begin()["game"])
    try:
        answer = page.connect(None, auth=auth)
    except Closed:
        return
    assert answer in ('44/table,{"message":"unknown"}', '44/table,{"message":"protocol"}')


def test_a_link_of_another_game_opens_nothing(house: House) -> None:
    created, other = house.begin(), house.begin()
    page = house.page(created["game"])
    assert page.connect(other["seats"]["south"]) == '44/table,{"message":"unknown"}'


def test_an_old_page_is_told_so(house: House) -> None:
    created = house.begin()
    page = house.page(created["game"])
    assert page.connect(created["seats"]["south"], protocol=0) == '44/table,{"message":"protocol"}'


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1.evil.example", "http://127.0.0.1:1", "http://127.0.0.1"],
)
def test_pages_of_others_open_no_line(house: House, origin: str) -> None:
    assert house.page(Origin=origin).status == 403


def test_the_own_page_opens_one(house: House) -> None:
    page = house.page(Origin=house.base)
    assert page.status == 101
    assert b"extensions" not in page.head.lower()


def test_foreign_names_are_not_answered_to(house: House) -> None:
    assert house.page(Host="evil.example").status == 400
    assert house.http("/healthz", Host="evil.example")[0] == 400
    assert house.http("/healthz", Host="evil.example@127.0.0.1")[0] == 400


@pytest.mark.parametrize("query", ["transport=polling&EIO=4", "transport=websocket&EIO=3", "j=0&transport=polling", ""])
def test_no_other_transport_is_offered(house: House, query: str) -> None:
    assert house.http(f"/socket.io/?{query}")[0] == 400


def test_a_line_that_never_joins_is_closed(own_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    page = own_house.page()
    monkeypatch.setattr("server.web.app.JOIN_WITHIN", 0.2)
    assert page.closes() == 1008


# Bad input


HUGE = {"model": "s1", "key": "wounds", "value": 1e308}
BROKEN = {"moves": [{"model": "s1", "pose": {"x": -0.5, "y": 1}}]}
BAD_MESSAGES: list[tuple[str, list[Any], str]] = [
    ("do", [], "rejected"),
    ("do", [{}, {}], "rejected"),
    ("do", [None], "rejected"),
    ("do", [7], "rejected"),
    ("do", [{"id": "x" * 16, "action": "free_roll", "at": 0, "args": {"sides": 1}}], "rejected"),
    ("do", [{"id": "x" * 16, "action": "free_roll", "at": 0, "args": {"sides": 10**40}}], "rejected"),
    ("do", [{"id": "x" * 16, "action": "free_roll", "at": 0, "seat": "north"}], "rejected"),
    ("do", [{"id": "x" * 16, "action": "free_roll", "at": -1}], "rejected"),
    ("do", [{"id": "x" * 16, "action": "free_roll", "at": 10**6, "args": ROLL}], "stale"),
    ("do", [{"id": "x" * 16, "action": "nothing", "at": 0}], "unknown"),
    ("do", [{"id": "x" * 16, "action": "remove", "at": 0, "args": {"models": ["n1"]}}], "not_yours"),
    ("do", [{"id": "x" * 16, "action": "remove", "at": 0, "args": {"models": ["?"]}}], "unknown"),
    ("do", [{"id": "x" * 16, "action": "set_status", "at": 0, "args": HUGE}], "rejected"),
    ("do", [{"id": "x" * 16, "action": "free_move", "at": 0, "args": BROKEN}], "rejected"),
    ("do", [{"id": "x" * 16, "action": "__proto__", "at": 0, "args": {"__proto__": {}}}], "unknown"),
    ("answer", [{"id": "x" * 16, "question": 1, "value": True}], "stale"),
    ("vote", [{"id": "x" * 16, "motion": 1, "yes": True}], "stale"),
    ("propose", [{"id": "x" * 16, "motion": {"motion": "undo", "to": 0}}], "rejected"),
    ("propose", [{"id": "x" * 16, "motion": {"motion": "win"}}], "rejected"),
    ("mix", [{"id": "x" * 16, "mix": "f" * 64}], "rejected"),
    ("say", [{"id": "x" * 16, "text": "x" * 501}], "rejected"),
    ("say", [{"id": "x" * 16, "text": "\u0000\u202e"}], "rejected"),
    ("odds", [{"action": "nothing"}], "unknown"),
    ("odds", [{"question": 77}], "stale"),
    ("join", [{"since": "0"}], "rejected"),
    ("no such event", [{}], "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "payload", "code"), BAD_MESSAGES)
def test_bad_messages_are_refused_in_words_and_change_nothing(
    house: House, event: str, payload: list[Any], code: str
) -> None:
    created = house.begin()
    page = house.join(created, "south")
    reply = page.ask(event, *payload)
    assert not reply["ok"]
    assert reply["error"]["code"] == code
    assert reply["error"]["message"]
    assert house.join(created, "north").joined["seq"] == 2


@pytest.mark.parametrize("event", ["do", "answer", "propose", "vote", "mix", "say", "odds"])
def test_before_joining_nothing_is_done(house: House, event: str) -> None:
    created = house.begin()
    page = house.page(created["game"])
    page.connect(created["seats"]["south"])
    reply = page.ask(event, {})
    assert reply["error"]["code"] == "protocol"


@pytest.mark.parametrize("event", ["do", "answer", "propose", "vote", "mix"])
def test_spectators_cannot_act(house: House, event: str) -> None:
    created = house.begin()
    fields: dict[str, Any] = {
        "do": {"action": "free_roll", "at": 0, "args": ROLL},
        "answer": {"question": 1, "value": True},
        "propose": {"motion": {"motion": "end"}},
        "vote": {"motion": 1, "yes": True},
        "mix": {"mix": "f" * 64},
    }
    reply = house.join(created, "watch").ask(event, {"id": fresh(), **fields[event]})
    assert reply["error"]["code"] == "not_yours"


@pytest.mark.parametrize(
    "packet",
    [
        "",
        "0",
        "2",
        "5",
        "6",
        "9",
        "4",
        "bAAAA",
        "4nonsense",
        "40",
        "40/other,{}",
        '42["do",{}]',
        '42/other,["do",{}]',
        "42/table,",
        "42/table,[]",
        "42/table,[1]",
        "42/table,{}",
        '42/table,["do",NaN]',
        '42/table,["do",Infinity]',
        '42/table,["do",1e999]',
        '42/table,["do",{"a":}]',
        '42/table,["do","\\ud800"]',
        '42/table,["connect",{}]',
        '42/table,["disconnect"]',
        '42/table,["*"]',
        "42/table," + "9" * 200 + '["do",{}]',
        '42/table,["do",' + "[" * 40 + "]" * 40 + "]",
        '42/table,["do",' + "[" * 30000 + "]" * 30000 + "]",
        '43/table,1["x"]',
        '44/table,{"message":"x"}',
        '451-/table,["do",{"_placeholder":true,"num":0}]',
        '459999999999-["do"]',
        '461-/table,1[{"_placeholder":true,"num":0}]',
        '42/table,["do",{}]' + " " * 70_000,
    ],
)
def test_packets_of_another_protocol_close_the_line_and_disturb_nobody(
    house: House, packet: str, caplog: pytest.LogCaptureFixture
) -> None:
    created = house.begin()
    bystander = house.join(created, "north")
    page = house.join(created, "south")
    with caplog.at_level(logging.INFO):
        page.text(packet)
        assert page.closes() in (1008, 1009, None)
        assert house.do(bystander, "free_roll", ROLL)["ok"]
    assert "Traceback" not in caplog.text


PIECE = b"\xfe\x40\x00\x00\x00\x00\x00" + b"a" * 0x4000


@pytest.mark.parametrize(
    "frames",
    [
        [b"\x81\x03abc"],
        [b"\xc1\x83\x01\x02\x03\x04abc"],
        [b"\x83\x80\x01\x02\x03\x04"],
        [b"\x82\x83\x01\x02\x03\x04abc"],
        [b"\x80\x80\x01\x02\x03\x04"],
        [b"\x09\x80\x01\x02\x03\x04"],
        [b"\x89\xfe\x00\x7e\x01\x02\x03\x04" + b"a" * 126],
        [b"\x8b\x80\x01\x02\x03\x04"],
        [b"\x81\x81\x00\x00\x00\x00\xff"],
        [b"\x01\x81\x00\x00\x00\x00a", b"\x81\x81\x00\x00\x00\x00a"],
        [b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00"],
        [b"\x81\xff\x00\x00\x00\x00\x03\x93\x87\x00\x00\x00\x00\x00"],
        [b"\x01" + PIECE, *[b"\x00" + PIECE] * 4],
    ],
    ids=range(13),
)
def test_broken_frames_close_the_line_and_disturb_nobody(
    house: House, frames: list[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    created = house.begin()
    bystander, page = house.join(created, "north"), house.join(created, "south")
    with caplog.at_level(logging.INFO):
        for data in frames:
            page.raw(data)
        assert page.closes() in (1002, 1003, 1007, 1009, None)
        assert house.do(bystander, "free_roll", ROLL)["ok"]
    assert "Traceback" not in caplog.text


def test_a_message_in_pieces_with_a_ping_between_is_one_message(house: House) -> None:
    page = house.join(house.begin(), "south")
    message = b'42/table,9["join",{"since":0}]'
    page.frame(message[:10], 1, first=0)
    page.frame(b"hi", 9)
    page.frame(message[10:], 0)
    assert page.answer(9)["ok"]


def test_a_flood_is_refused_and_then_closed(own_house: House) -> None:
    created = own_house.begin()
    page, other = own_house.join(created, "south"), own_house.join(created, "north")
    codes = []
    try:
        for _ in range(400):
            codes.append(page.ask("do", {})["error"]["code"])
    except (Closed, OSError):
        pass
    assert "rate" in codes
    assert len(codes) < 400
    assert own_house.do(other, "free_roll", ROLL)["ok"]


def test_an_error_of_ours_is_answered_without_details(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    created = house.begin()
    page = house.join(created, "south")

    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr(type(house.server.service.games), "commit", broken)
    reply = house.do(page, "free_roll", ROLL)
    assert not reply["ok"]
    assert "secret detail" not in reply["error"]["message"]
    monkeypatch.undo()
    assert house.do(page, "free_roll", ROLL)["ok"]


def test_no_token_is_in_any_log_line(house: House, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        created = house.begin()
        page = house.join(created, "south")
        house.do(page, "free_roll", ROLL)
        house.http(f"/api/t/{created['game']}/history", token=created["seats"]["north"])
        house.http(f"/api/t/{created['game']}/history", token=created["watch"] + "x")
        house.page(created["game"]).connect(created["seats"]["north"] + "x")
        house.http(f"/api/t/{created['game']}/link", {}, created["seats"]["south"])
    tokens = [*created["seats"].values(), created["watch"]]
    assert not [record for record in caplog.records if any(token in record.getMessage() for token in tokens)]
