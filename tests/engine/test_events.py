"""The log: its chain of hashes, what stays in effect, and how it is stored."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from server.engine.events import (
    AnyEvent,
    Failed,
    Finished,
    Logged,
    Mixed,
    Noted,
    OptionSet,
    Proposed,
    Rewound,
    Rolled,
    Seated,
    SetOption,
    Started,
    Undo,
    Voted,
    append,
    broken_link,
    chained,
    effective,
)
from tests.engine.games import agree, duel, numbers, put_down, stored, toy_game


def log_of(*events: AnyEvent) -> list[Logged]:
    log: list[Logged] = []
    for event in events:
        log.append(append(log, 10 * len(log), event))
    return log


def long_log() -> list[Logged]:
    game = toy_game()
    put_down(game)
    duel(game)
    agree(game, "south", Undo(numbers(game, Started)[1]))
    return game.log


def kept(*events: AnyEvent) -> list[int]:
    return [logged.seq for logged in effective(log_of(*events))]


START, END = Started("duel", "south", "1", "s1"), Finished()


# The chain


def test_events_are_numbered_from_0_and_each_carries_the_hash_of_all_before() -> None:
    log = long_log()
    assert [logged.seq for logged in log] == list(range(len(log)))
    assert broken_link(log) is None
    assert len({logged.hash for logged in log}) == len(log)
    for before, logged in pairwise(log):
        assert logged.hash == chained(before.hash, logged.seq, logged.at, logged.event, logged.cause)


def test_an_empty_log_is_whole() -> None:
    assert broken_link([]) is None


def test_storing_and_reading_a_log_keeps_its_chain() -> None:
    log = stored(long_log())
    assert broken_link(log) is None
    assert [logged.hash for logged in log] == [logged.hash for logged in long_log()]


@pytest.mark.parametrize("place", [0, 3, 7, -1])
def test_another_event_in_its_place_shows(place: int) -> None:
    log = long_log()
    log[place] = replace(log[place], event=Noted("TOY-1", "Nothing happened here."))
    assert broken_link(log) == place % len(log)


def test_another_face_of_a_die_shows_where_it_lies() -> None:
    log = long_log()
    place = next(logged.seq for logged in log if isinstance(logged.event, Rolled))
    rolled = log[place].event
    assert isinstance(rolled, Rolled)
    log[place] = replace(log[place], event=replace(rolled, faces=("hit",) if rolled.faces != ("hit",) else ("arrow",)))
    assert broken_link(log) == place


@pytest.mark.parametrize("change", [{"at": 7}, {"cause": "forged"}, {"seq": 99}, {"hash": "0" * 64}])
def test_another_time_cause_number_or_hash_shows(change: dict[str, object]) -> None:
    log = long_log()
    log[5] = msgspec.convert(msgspec.to_builtins(log[5]) | change, Logged)
    assert broken_link(log) == 5


def test_an_event_taken_out_put_in_or_swapped_shows() -> None:
    log = long_log()
    assert broken_link([*log[:5], *log[6:]]) == 5
    assert broken_link([*log[:5], log[4], *log[5:]]) == 5
    assert broken_link([*log[:5], log[6], log[5], *log[7:]]) == 5


def test_a_forged_event_with_a_matching_hash_shows_at_the_next() -> None:
    log = long_log()
    log[5] = append(log[:5], log[5].at, Noted("", "Forged."))
    assert broken_link(log) == 6


def test_a_log_that_is_cut_short_is_whole_as_far_as_it_goes() -> None:
    assert broken_link(long_log()[:-3]) is None


# What stays in effect


def test_without_rewinds_everything_counts() -> None:
    assert kept(START, END, START, END) == [0, 1, 2, 3]


def test_what_was_rewound_is_cut_with_the_event_that_cut_it() -> None:
    assert kept(START, END, START, END, Rewound(2, "south")) == [0, 1]
    assert kept(START, END, Rewound(0, "south"), START, END) == [3, 4]


def test_a_rewind_further_back_cuts_an_earlier_rewind_too() -> None:
    events = (START, END, START, END, Rewound(2, "south"), START, END, Rewound(0, "north"), START)
    assert kept(*events[:5]) == [0, 1]
    assert kept(*events[:7]) == [0, 1, 5, 6]
    assert kept(*events) == [8]


def test_a_rewind_after_a_rewind_keeps_what_came_before_both() -> None:
    assert kept(START, END, START, END, Rewound(2, "south"), START, END, Rewound(5, "south")) == [0, 1]


def test_a_failed_action_is_cut() -> None:
    assert kept(START, END, START, Noted("", "x"), Failed("ref", 2), START, END) == [0, 1, 5, 6]


def test_events_beside_the_play_are_never_cut() -> None:
    beside = (Seated("south", "x"), Mixed("south", "y"), OptionSet("rounds", 3))
    assert kept(START, *beside, END, Rewound(0, "south")) == [1, 2, 3]
    assert kept(START, *beside, Failed("ref", 0)) == [1, 2, 3]


def test_proposals_and_votes_of_a_rewound_time_are_cut() -> None:
    motion = SetOption("rounds", 3)
    assert kept(START, Proposed(motion, "south"), Voted("north", yes=False), END, Rewound(0, "south")) == []


@given(st.lists(st.integers(0, 5), max_size=30))
def test_what_counts_is_always_in_order_and_reading_on_is_like_reading_anew(choices: list[int]) -> None:
    log: list[Logged] = []
    for choice in choices:
        counting = effective(log)
        event: AnyEvent = Rewound(counting[choice % len(counting)].seq, "south") if counting and choice > 3 else START
        log.append(append(log, 0, event))
        now = [logged.seq for logged in effective(log)]
        assert now == sorted(now)
        assert set(now) <= {logged.seq for logged in counting} | {log[-1].seq}
        if isinstance(event, Rewound):
            assert event.to not in now


def test_every_event_says_of_what_kind_it_is() -> None:
    kinds = {msgspec.to_builtins(logged.event)["kind"] for logged in long_log()}
    assert {"opened", "seated", "mixed", "started", "changed", "finished", "rolled", "asked", "answered"} <= kinds
