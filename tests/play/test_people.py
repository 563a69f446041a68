"""Links, seats, names, chat, presence, clocks and limits."""

from __future__ import annotations

from typing import Any

import pytest

from server.engine.events import Seated
from server.engine.refusals import Refused, Unknown
from server.geometry.units import Bearing, Length
from server.play import presence
from server.play.buckets import Bucket, Buckets
from server.play.people import line_of, name_of
from server.play.seats import WRONG_LINK, new_token
from server.table.model import ROLES
from server.wire.messages import AimAt, Cursor, Drag, Ping, Say, Spot
from tests.play.desk import CANARY, MIX, Desk, fresh


def held(model: str) -> Drag:
    """A model in the hand."""
    return Drag((Spot(model, Length(10), Length(20), Bearing(0)),))


# Links


def test_each_link_opens_its_own_role(desk: Desk) -> None:
    created = desk.begin()
    tokens: dict[str, str] = {**dict(created.seats.items()), "watch": created.watch}
    assert {role: desk.service.seats.admit(created.game, token).role for role, token in tokens.items()} == {
        role: role for role in tokens
    }
    assert len(set(tokens.values())) == 3
    assert all(len(token) == 32 for token in tokens.values())


def test_every_wrong_link_is_refused_in_the_same_words(desk: Desk) -> None:
    created, other = desk.begin(), desk.begin()
    token = created.seats["south"]
    wrong = ["", token[:-1], token + "A", token.swapcase(), other.seats["south"], new_token(), "x" * 10_000, "ü" * 32]
    for attempt in wrong:
        with pytest.raises(Unknown) as refused:
            desk.service.seats.admit(created.game, attempt)
        assert refused.value.message == WRONG_LINK
    with pytest.raises(Unknown):
        desk.service.seats.admit("elsewhere", token)


def test_only_hashes_of_links_are_kept(desk: Desk) -> None:
    created = desk.begin()
    desk.stop()
    kept = b"".join(path.read_bytes() for path in desk.folder.iterdir())
    desk.start()
    assert not any(token.encode() in kept for token in (*created.seats.values(), created.watch))


def test_a_new_link_kills_the_old_one_and_its_lines(desk: Desk) -> None:
    created = desk.begin()
    token = desk.service.renew(created.game, "south")
    with pytest.raises(Unknown):
        desk.service.seats.admit(created.game, created.seats["south"])
    assert desk.service.seats.admit(created.game, token).role == "south"
    assert desk.post.expelled == [(created.game, "south", "revoked")]
    assert desk.service.seats.admit(created.game, created.seats["north"]).role == "north"


def test_spectators_have_no_link_to_renew(desk: Desk) -> None:
    with pytest.raises(Refused):
        desk.service.renew(desk.begin().game, "watch")


# Seats and names


def test_a_seat_is_taken_by_claiming_it(desk: Desk) -> None:
    created = desk.begin(hotseat=False)
    assert desk.service.crowd(created.game).seats["north"].state == "empty"
    with pytest.raises(Refused):
        desk.do(created.game, "south", "free_roll", {"sides": 6})
    desk.claim(created, "north")
    assert desk.service.crowd(created.game).seats["north"].name == "Ben"
    desk.do(created.game, "south", "free_roll", {"sides": 6})


def test_a_seat_claimed_again_from_another_device_is_on_record(desk: Desk) -> None:
    created = desk.begin(hotseat=False)
    desk.claim(created, "north")
    desk.claim(created, "north", "Benjamin")
    desk.claim(created, "north", "Ben", "b" * 64)
    with desk.service.games.held(created.game) as hosted:
        taken = [logged.event.mix for logged in hosted.game.log if isinstance(logged.event, Seated)]
    assert taken == [MIX, MIX, "b" * 64]


def test_names_and_chat_are_not_in_the_log(desk: Desk) -> None:
    created = desk.begin(hotseat=False)
    desk.claim(created, "north", "Zebedee")
    desk.service.say(created.game, "north", Say(fresh(), "good luck"))
    exported = desk.service.export(created.game, "north").decode()
    assert "Zebedee" not in exported
    assert "good luck" not in exported


def test_chat_reaches_everybody_once_and_is_kept(desk: Desk) -> None:
    created = desk.begin()
    say = Say(fresh(), "<b>well</b>\n thrown")
    desk.service.say(created.game, "south", say)
    desk.service.say(created.game, "south", say)
    assert [sent.role for sent in desk.post.sent] == ["south", "north", "watch"]
    desk.restart()
    (line,) = desk.service.join(created.game, "watch", None, lambda: None).chat
    assert (line.name, line.text, line.number) == ("Ann", "<b>well</b> thrown", 0)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ann\t\n Lee ", "Ann Lee"),
        ("e\u0301", "é"),
        ("A\u202enn\u200b", "Ann"),
        ("<script>", "<script>"),
        ("a\x00b\x1b[31m", "ab[31m"),
    ],
)
def test_names_are_made_fit_to_be_shown(typed: str, shown: str) -> None:
    assert name_of(typed) == shown


@pytest.mark.parametrize("typed", ["", "   ", "\u200b\u2060", "x" * 41])
def test_names_that_cannot_be_shown_are_refused(typed: str) -> None:
    with pytest.raises(Refused):
        name_of(typed)


def test_long_chat_is_refused() -> None:
    with pytest.raises(Refused):
        line_of("x" * 501)


@pytest.mark.parametrize(
    "order",
    [
        {"scenario": "nowhere"},
        {"system": "nothing"},
        {"options": {"rounds": 999}},
        {"options": {"no such option": 1}},
        {"options": {"rounds": True}},
        {"name": "\u200b"},
        {"title": "x" * 200},
    ],
)
def test_a_battle_that_cannot_be_is_refused_in_words(desk: Desk, order: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        desk.begin(**order)
    assert refused.value.message.endswith(".")


def test_a_server_keeps_only_so_many_battles(desk: Desk) -> None:
    for _ in range(50):
        desk.begin()
    with pytest.raises(Refused, match="as many battles as it can"):
        desk.begin()


def test_only_watchable_battles_are_shown(desk: Desk) -> None:
    desk.begin()
    shown = desk.begin(watchable=True, title="Come and see")
    (only,) = desk.service.shown()
    assert (only.game, only.title, only.people) == (shown.game, "Come and see", ("Ann", "Ann"))
    assert desk.service.seats.admit(only.game, only.watch).role == "watch"


# Hands


def test_the_first_of_each_kind_is_shown_at_once_and_then_the_newest(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "ticks", lambda: 100.0)
    created = desk.begin()
    for role in ROLES:
        desk.sit(created, role)
    for x in range(5):
        desk.service.point(created.game, "south", Cursor(Length(x), Length(x)))
    desk.service.point(created.game, "south", held("s1"))
    drag = {"role": "south", "kind": "drag", "spots": [{"model": "s1", "x": 10, "y": 20, "facing": 0}]}
    at_once = [[{"role": "south", "kind": "cursor", "x": 0, "y": 0}], [drag]]
    assert [sent.data for sent in desk.post.to("watch", "presence")] == at_once
    desk.service.flush()
    assert not desk.post.to("south", "presence")
    for role in ROLES[1:]:
        sent = [one.data for one in desk.post.to(role, "presence")]
        assert sent == [*at_once, [{"role": "south", "kind": "cursor", "x": 4, "y": 4}]]
    desk.service.flush()
    assert len(desk.post.to("north", "presence")) == 3


def test_a_hand_that_rested_is_shown_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    created = desk.begin()
    desk.sit(created, "south")
    desk.sit(created, "north")
    seen = []
    for now in (0.0, 0.04, 0.06, 0.1, 0.17):
        monkeypatch.setattr(presence, "ticks", lambda now=now: now)
        desk.service.point(created.game, "south", Cursor(Length(round(now * 100)), Length(0)))
        seen.append(len(desk.post.to("north", "presence")))
        desk.service.flush()
    assert seen == [1, 1, 2, 3, 5]
    assert [sent.data[0]["x"] for sent in desk.post.to("north", "presence")] == [0, 4, 6, 10, 17]


def test_only_own_models_are_in_the_hand(desk: Desk) -> None:
    created = desk.begin()
    desk.sit(created, "north")
    desk.sit(created, "south")
    for model in ("s1", "nothing"):
        desk.service.point(created.game, "north", held(model))
    desk.service.point(created.game, "watch", Cursor())
    desk.service.flush()
    assert not desk.post.to("south", "presence")


def test_a_hidden_model_is_in_nobody_elses_sight(desk: Desk) -> None:
    created = desk.begin("secret")
    desk.sit(created, "north")
    desk.service.point(created.game, "north", held(CANARY))
    desk.service.flush()
    assert desk.post.sent == []


def test_a_hand_that_is_gone_is_emptied(desk: Desk) -> None:
    created = desk.begin()
    desk.sit(created, "south")
    desk.service.point(created.game, "south", held("s1"))
    desk.service.point(created.game, "south", AimAt(Length(1), Length(1)))
    desk.service.point(created.game, "south", Ping(Length(1), Length(1)))
    desk.service.flush()
    desk.service.presence.leave(created.game, "south", "south")
    desk.service.flush()
    last = desk.post.to("north", "presence")[-1]
    assert sorted(last.data, key=lambda item: str(item["kind"])) == [
        {"role": "south", "kind": "aim", "x": None, "y": None, "radius": 0, "hole": 0},
        {"role": "south", "kind": "drag", "spots": []},
    ]


def test_several_tabs_are_one_presence(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    created = desk.begin()
    for tab in ("one", "two"):
        desk.service.presence.arrive(created.game, "south", tab)
    desk.service.flush_crowds()
    desk.service.presence.leave(created.game, "south", "one")
    desk.service.flush_crowds()
    assert len(desk.post.to("north", "crowd")) == 1
    desk.service.presence.leave(created.game, "south", "two")
    desk.service.flush_crowds()
    assert desk.post.to("north", "crowd")[-1].payload.seats["south"].state == "unsteady"
    monkeypatch.setattr(presence, "UNSTEADY_FOR", -1.0)
    assert desk.service.crowd(created.game).seats["south"].state == "gone"


# Time


def test_a_question_that_waits_too_long_is_answered_with_its_default(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("server.play.clocks.ticks", lambda: now[0])
    created = desk.begin(options={"answer_within": 30})
    desk.sit(created, "north")
    desk.do(created.game, "south", "duel", subject="s1")
    desk.service.tick()
    now[0] += 29
    desk.service.tick()
    assert len(desk.post.to("north", "events")) == 1
    now[0] += 1
    desk.service.tick()
    pushed = desk.post.to("north", "events")[-1].data
    assert pushed["events"][0] == {**pushed["events"][0], "kind": "answered", "value": "n1", "timeout": True}
    count = len(desk.post.to("north", "events"))
    desk.service.tick()
    assert len(desk.post.to("north", "events")) == count


@pytest.mark.parametrize("options", [{}, {"answer_within": 30, "on_timeout": "pause_game"}])
def test_without_a_limit_or_with_a_pause_the_table_waits(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    now = [100.0]
    monkeypatch.setattr("server.play.clocks.ticks", lambda: now[0])
    created = desk.begin(options=options)
    asked = desk.do(created.game, "south", "duel", subject="s1").seq
    desk.service.tick()
    now[0] += 10_000
    desk.service.tick()
    assert desk.seq(created.game) == asked


def test_who_lets_a_choice_lapse_forfeits_the_rest_of_the_action(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("server.play.clocks.ticks", lambda: now[0])
    created = desk.begin(options={"answer_within": 30, "on_timeout": "forfeit_choice"})
    desk.sit(created, "north")
    desk.do(created.game, "south", "duel", subject="s1")
    desk.service.tick()
    now[0] += 30
    desk.service.tick()
    desk.service.tick()
    answered = [
        event["value"]
        for push in desk.post.to("north", "events")
        for event in push.data["events"]
        if event["kind"] == "answered"
    ]
    assert answered == ["n1", False]


def test_games_where_nobody_is_are_forgotten_and_come_back(desk: Desk) -> None:
    created = desk.begin()
    desk.sit(created, "south")
    desk.service.evict(-1.0)
    assert desk.service.games.loaded() == [created.game]
    desk.service.presence.leave(created.game, "south", "south")
    desk.service.evict(-1.0)
    assert desk.service.games.loaded() == []
    assert desk.sit(created, "south").seq == 2


# Limits


def test_a_bucket_refuses_when_empty_and_fills_with_time() -> None:
    now = [0.0]
    bucket = Bucket(3, 1, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert not bucket.is_flooded
    now[0] += 3
    assert bucket.take()
    for _ in range(20):
        bucket.take()
    assert bucket.is_flooded


def test_each_address_has_its_own_bucket_and_old_ones_are_forgotten() -> None:
    buckets = Buckets(1, 0.0, most=2)
    assert [buckets.take(address) for address in ("a", "b", "a", "c", "b")] == [True, True, False, True, True]
