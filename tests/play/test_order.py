"""Store, then show, then acknowledge; each message counts once; nothing is lost to a crash (I2)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest

from server.engine.events import Answered, EndGame, Finished, Rolled, Undo, append
from server.engine.refusals import Busy, NotYours, Refused, Stale, Unknown
from server.play.games import Unwritten
from server.store import events
from server.store.writer import StorageFailed
from server.table.model import ROLES
from server.wire.messages import Answer, Do, Mix, Odds, Propose, Say, Vote
from tests.play.desk import CANARY, Desk, Sent, fresh

ROLL = {"sides": 6, "count": 2}


def stored(desk: Desk, game: str) -> list[Any]:
    """The log on disk."""
    return desk.store.run(partial(events.read, game=game))


def test_what_is_shown_is_already_on_disk(desk: Desk) -> None:
    created = desk.begin()
    desk.sit(created, "north")
    seen: list[bool] = []

    def look(sent: Sent) -> None:
        if sent.event == "events":
            last = sent.data["events"][-1]["seq"]
            seen.append(stored(desk, created.game)[-1].seq == last)

    desk.post.on_send = look
    desk.do(created.game, "south", "free_roll", ROLL)
    assert seen == [True]


def test_the_acknowledgement_names_the_last_event(desk: Desk) -> None:
    created = desk.begin()
    done = desk.do(created.game, "south", "free_roll", ROLL)
    assert done.seq == stored(desk, created.game)[-1].seq == desk.seq(created.game)


def test_a_repeated_message_gets_its_first_answer(desk: Desk) -> None:
    created = desk.begin()
    first = desk.do(created.game, "south", "free_roll", ROLL, id="the-same-id")
    desk.do(created.game, "south", "free_roll", ROLL)
    log = stored(desk, created.game)
    assert desk.do(created.game, "south", "free_roll", ROLL, id="the-same-id") == first
    assert desk.do(created.game, "south", "free_roll", {"sides": 100}, id="the-same-id") == first
    assert stored(desk, created.game) == log
    desk.restart()
    assert desk.do(created.game, "south", "free_roll", ROLL, id="the-same-id") == first
    assert stored(desk, created.game) == log


def test_ids_of_two_seats_do_not_collide(desk: Desk) -> None:
    created = desk.begin()
    first = desk.do(created.game, "south", "free_roll", ROLL, id="the-same-id")
    second = desk.do(created.game, "north", "free_roll", ROLL, id="the-same-id")
    assert second.seq > first.seq


def test_fifty_copies_in_flight_are_one_event(desk: Desk) -> None:
    created = desk.begin()
    answers: list[int] = []
    copy = Do(id="in-flight", action="free_roll", at=0, args=ROLL)

    def send() -> None:
        answers.append(desk.service.do(created.game, "south", copy).seq)

    threads = [threading.Thread(target=send) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1
    assert sum(isinstance(logged.event, Rolled) for logged in stored(desk, created.game)) == 1


def test_both_seats_at_once_have_one_order(desk: Desk) -> None:
    created = desk.begin()
    for role in ("south", "north", "watch"):
        desk.sit(created, role)

    def act(role: Any) -> None:
        for _ in range(10):
            desk.service.do(created.game, role, Do(id=fresh(), action="free_roll", at=0, args=ROLL))

    threads = [threading.Thread(target=act, args=(role,)) for role in ("south", "north")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    streams = []
    for role in ROLES:
        pushed = [sent.data for sent in desk.post.to(role, "events")]
        streams.append([event["seq"] for push in pushed for event in push["events"]])
    assert streams[0] == streams[1] == streams[2] == list(range(3, desk.seq(created.game) + 1))


def test_when_nothing_can_be_written_nothing_happened(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    created = desk.begin()
    desk.sit(created, "north")
    log = stored(desk, created.game)
    run = desk.store.run

    def full(job: Callable[..., Any]) -> Any:
        if isinstance(job, partial) and job.func.__name__ == "_append":
            raise StorageFailed("disk full")
        return run(job)

    monkeypatch.setattr(desk.store, "run", full)
    with pytest.raises(Unwritten) as refused:
        desk.do(created.game, "south", "free_roll", ROLL, id="once-more")
    assert refused.value.code == "storage"
    assert not desk.post.to("north", "events")
    monkeypatch.undo()
    assert desk.seq(created.game) == log[-1].seq
    done = desk.do(created.game, "south", "free_roll", ROLL, id="once-more")
    assert done.seq == stored(desk, created.game)[-1].seq
    assert len(desk.post.to("north", "events")) == 1


def test_a_crash_between_deciding_and_writing_is_no_second_roll(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    created = desk.begin()
    run = desk.store.run
    decided: list[Any] = []

    def crash(job: Callable[..., Any]) -> Any:
        if isinstance(job, partial) and job.func.__name__ == "_append":
            decided.extend(job.keywords["new"])
            raise KeyboardInterrupt
        return run(job)

    monkeypatch.setattr(desk.store, "run", crash)
    with pytest.raises(KeyboardInterrupt):
        desk.do(created.game, "south", "free_roll", ROLL)
    monkeypatch.undo()
    desk.restart()
    desk.do(created.game, "south", "free_roll", ROLL)
    before = [logged.event.faces for logged in decided if isinstance(logged.event, Rolled)]
    after = [logged.event.faces for logged in stored(desk, created.game) if isinstance(logged.event, Rolled)]
    assert before == after


def test_a_second_writer_is_noticed_and_the_decision_taken_again(desk: Desk) -> None:
    created = desk.begin()
    desk.seq(created.game)
    log = stored(desk, created.game)
    elsewhere = append(log, log[-1].at, log[1].event, "north:elsewhere")
    desk.store.run(partial(events.append, game=created.game, new=[elsewhere]))
    done = desk.do(created.game, "south", "free_roll", ROLL)
    assert [logged.seq for logged in stored(desk, created.game)] == list(range(done.seq + 1))


def test_a_restart_comes_back_to_the_same_question(desk: Desk) -> None:
    created = desk.begin()
    desk.do(created.game, "south", "duel", subject="s1")
    before = desk.sit(created, "south")
    desk.restart()
    after = desk.sit(created, "south")
    assert msgspec.json.encode(before.standing) == msgspec.json.encode(after.standing)
    assert (before.seq, before.hash) == (after.seq, after.hash)
    desk.answer(created.game, "south", "n1")
    desk.restart()
    desk.answer(created.game, "south", True)
    desk.answer(created.game, "north", 3)
    desk.answer(created.game, "south", 4)
    assert isinstance(stored(desk, created.game)[-1].event, Finished)


def test_seeds_survive_a_restart_and_are_told_only_at_the_end(desk: Desk) -> None:
    created = desk.begin()
    with desk.service.games.held(created.game) as hosted:
        seed = hosted.game.source.reveal()
    desk.do(created.game, "south", "free_roll", ROLL)
    desk.restart()
    assert seed not in desk.service.export(created.game, "south").decode()
    proposed = desk.service.propose(created.game, "south", Propose(fresh(), EndGame()))
    desk.service.vote(created.game, "north", Vote(fresh(), proposed.seq, yes=True))
    exported = desk.service.export(created.game, "watch").decode()
    assert seed in exported.splitlines()[-1]
    with pytest.raises(Refused):
        desk.do(created.game, "south", "free_roll", ROLL)


def test_a_mix_must_be_the_promised_one(desk: Desk) -> None:
    created = desk.begin()
    with pytest.raises(Refused):
        desk.service.mix(created.game, "south", Mix(fresh(), "b" * 64))
    assert desk.service.mix(created.game, "south", Mix(fresh(), "a" * 64)).seq == 3
    desk.do(created.game, "south", "free_roll", ROLL)
    with pytest.raises(Refused):
        desk.service.mix(created.game, "north", Mix(fresh(), "a" * 64))


def test_refusals_change_nothing(desk: Desk) -> None:
    created = desk.begin()
    game = created.game
    log = stored(desk, game)
    attempts: list[tuple[type[Refused], Callable[[], object]]] = [
        (NotYours, lambda: desk.do(game, "watch", "free_roll", ROLL)),
        (NotYours, lambda: desk.service.vote(game, "watch", Vote(fresh(), 0, yes=True))),
        (NotYours, lambda: desk.service.odds(game, "watch", Odds("duel", "s1"))),
        (NotYours, lambda: desk.do(game, "north", "duel", subject="n1")),
        (Unknown, lambda: desk.do(game, "south", "duel", subject="n1")),
        (Unknown, lambda: desk.do(game, "south", "duel", subject="no such model")),
        (Unknown, lambda: desk.do(game, "south", "no such action")),
        (Stale, lambda: desk.do(game, "south", "free_roll", ROLL, at=10**6)),
        (Refused, lambda: desk.do(game, "south", "free_roll", {"sides": 1})),
        (Refused, lambda: desk.do(game, "south", "free_roll", {"sides": 6, "count": 10**9})),
        (Refused, lambda: desk.do(game, "south", "free_roll", {"sides": 2.5})),
        (Refused, lambda: desk.do(game, "south", "free_roll", {"sides": True})),
        (Refused, lambda: desk.do(game, "south", "free_roll", {**ROLL, "result": 6})),
        (Refused, lambda: desk.do(game, "south", "free_roll", [[[]]])),
        (NotYours, lambda: desk.do(game, "south", "remove", {"models": ["n1"]})),
        (Refused, lambda: desk.service.propose(game, "south", Propose(fresh(), Undo(0)))),
        (Refused, lambda: desk.service.say(game, "south", Say(fresh(), "\u202e\u200b"))),
        (Unknown, lambda: desk.do("nosuchgame", "south", "free_roll", ROLL)),
    ]
    for kind, attempt in attempts:
        with pytest.raises(kind):
            attempt()
    assert stored(desk, game) == log


def test_a_question_is_answered_once_and_by_whom_it_asks(desk: Desk) -> None:
    created = desk.begin()
    asked = desk.do(created.game, "south", "duel", subject="s1").seq
    with pytest.raises(NotYours):
        desk.service.answer(created.game, "north", Answer(fresh(), asked, "n1"))
    desk.service.answer(created.game, "south", Answer(fresh(), asked, "n1"))
    with pytest.raises(Stale):
        desk.service.answer(created.game, "south", Answer(fresh(), asked, "n2"))
    with pytest.raises(Busy):
        desk.do(created.game, "north", "free_roll", ROLL)


def test_an_own_action_is_taken_back_freely_and_a_roll_is_not(desk: Desk) -> None:
    created = desk.begin()
    done = desk.do(created.game, "south", "set_status", {"model": "s1", "key": "wounds", "value": 2})
    undo = desk.sit(created, "south").standing.undo
    assert undo is not None
    desk.service.propose(created.game, "south", Propose(fresh(), Undo(undo)))
    assert desk.sit(created, "south").standing.undo is None
    assert desk.seq(created.game) == done.seq + 1
    desk.do(created.game, "south", "free_roll", ROLL)
    assert desk.sit(created, "south").standing.undo is None


def test_odds_tell_without_changing(desk: Desk) -> None:
    created = desk.begin()
    log = stored(desk, created.game)
    told = desk.service.odds(created.game, "south", Odds("duel", "s1"))
    assert told.forecast.asks is not None
    assert stored(desk, created.game) == log


@pytest.mark.parametrize("role", ["south", "watch"])
def test_hidden_models_reach_nobody_else(desk: Desk, role: Any) -> None:
    created = desk.begin("secret")
    for each in ("south", "north", "watch"):
        desk.sit(created, each)
    desk.do(created.game, "north", "set_status", {"model": CANARY, "key": "wounds", "value": 2})
    step = {"moves": [{"model": CANARY, "pose": {"x": 100_000, "y": 180_000, "facing": 0, "z": 0}, "via": []}]}
    desk.do(created.game, "north", "free_move", step)
    joined = desk.service.join(created.game, role, 0, lambda: None)
    everything = [sent.text for sent in desk.post.sent if sent.role == role]
    everything.append(msgspec.json.encode(joined).decode())
    everything.append(msgspec.json.encode(desk.service.history(created.game, role)).decode())
    everything.append(desk.service.export(created.game, role).decode())
    assert not [text for text in everything if CANARY in text]
    own = msgspec.json.encode(desk.service.history(created.game, "north")).decode()
    assert CANARY in own
    seqs = [event["seq"] for event in msgspec.json.decode(own)["events"]]
    assert seqs == list(range(desk.seq(created.game) + 1))


def test_an_unseen_model_is_refused_like_one_that_is_not_there(desk: Desk) -> None:
    created = desk.begin("secret")
    refusals = []
    for model in (CANARY, "nothing"):
        with pytest.raises(Refused) as refused:
            desk.do(created.game, "south", "remove", {"models": [model]})
        refusals.append((refused.value.code, refused.value.message))
    assert refusals[0] == refusals[1]


def test_sealed_answers_are_not_sent_before_all_are_in(desk: Desk) -> None:
    created = desk.begin()
    for role in ("south", "north", "watch"):
        desk.sit(created, role)
    desk.do(created.game, "south", "duel", subject="s1")
    desk.answer(created.game, "south", "n1")
    desk.answer(created.game, "south", True)
    desk.post.sent.clear()
    desk.answer(created.game, "north", 7)
    (pushed,) = desk.post.to("south", "events")
    (event,) = pushed.data["events"]
    assert event["kind"] == Answered.__name__.lower()
    assert event["value"] is None


@pytest.mark.parametrize("missed", [0, 1, 4])
def test_a_page_resumes_by_number(desk: Desk, missed: int) -> None:
    created = desk.begin()
    desk.do(created.game, "south", "set_status", {"model": "s1", "key": "wounds", "value": 2})
    last = desk.seq(created.game)
    joined = desk.service.join(created.game, "north", last - missed, lambda: None)
    assert joined.events is not None
    got = [msgspec.json.decode(bytes(event))["seq"] for event in joined.events]
    assert got == list(range(last - missed + 1, last + 1))


@pytest.mark.parametrize("since", [None, 10**6])
def test_a_page_that_knows_nothing_of_use_is_sent_for_the_history(desk: Desk, since: int | None) -> None:
    created = desk.begin()
    joined = desk.service.join(created.game, "north", since, lambda: None)
    assert joined.events is None
    assert joined.history == f"/api/t/{created.game}/history"
