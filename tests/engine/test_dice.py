"""Dice that can be checked: known answers, even faces, commitments, and mixes that the first roll locks."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from server.engine.contract import KnownSeed, opening, seated
from server.engine.dice import (
    ARTILLERY,
    BEARING,
    D6,
    SCATTER,
    Die,
    Face,
    FairDraws,
    commitment,
    halved,
    mix_commitment,
    sided,
)
from server.engine.events import Closed, EndGame, Rolled, Started, Undo
from server.engine.interpreter import Game
from server.engine.refusals import Refused
from tests.engine.games import agree, events, loaded, numbers, refused
from tests.engine.toy import TOY, skirmish

FIXTURE = Path(__file__).parent.parent / "fixtures" / "dice.json"
DICE: dict[str, Die[Face]] = {die.name: die for die in (D6, SCATTER, ARTILLERY, BEARING, *map(sided, (2, 3, 7, 1000)))}


class Vector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The faces of draws 0, 1, 2 … of one die in a game."""

    game: str
    seed: str
    mixes: tuple[str, str]
    die: str
    first: int
    faces: tuple[Face, ...]


class Commitment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seed, or a mix, is committed to as."""

    game: str
    seed: str
    hash: str


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file that server and page are both held to."""

    draws: tuple[Vector, ...]
    commitments: tuple[Commitment, ...]
    mixes: dict[str, str]


def known() -> Known:
    return msgspec.json.decode(FIXTURE.read_bytes(), type=Known)


def by_the_book(vector: Vector, number: int) -> Face:
    """A draw as RELIABILITY 4.5 and the page's verifier describe it, written out once more."""
    die = DICE[vector.die]
    sides = len(die.faces)
    for block in range(100):
        said = f"v1|{vector.game}|{vector.mixes[0]}|{vector.mixes[1]}|{number}|{block}"
        digest = hmac.new(bytes.fromhex(vector.seed), said.encode(), hashlib.sha256).digest()
        for high, low in zip(digest[::2], digest[1::2], strict=True):
            word = 256 * high + low
            if word < 65536 // sides * sides:
                return die.faces[word % sides]
    raise AssertionError("no word was ever taken")


def test_draws_give_the_known_answers() -> None:
    for vector in known().draws:
        draws = FairDraws(vector.game, bytes.fromhex(vector.seed), vector.mixes)
        numbers = range(vector.first, vector.first + len(vector.faces))
        assert tuple(draws.face(number, DICE[vector.die]) for number in numbers) == vector.faces


def test_the_known_answers_follow_from_the_published_recipe() -> None:
    for vector in known().draws:
        numbers = range(vector.first, vector.first + len(vector.faces))
        assert tuple(by_the_book(vector, number) for number in numbers) == vector.faces


def test_commitments_give_the_known_answers() -> None:
    for known_one in known().commitments:
        assert commitment(known_one.game, bytes.fromhex(known_one.seed)) == known_one.hash
    for mix, digest in known().mixes.items():
        assert mix_commitment(mix) == digest == hashlib.sha256(mix.encode()).hexdigest()


def test_every_die_has_known_answers() -> None:
    assert {vector.die for vector in known().draws} == set(DICE)


# Evenness

CRITICAL = {2: 10.83, 3: 13.82, 6: 20.52, 7: 22.46, 100: 148.2}
"""Chi-squared that even dice of so many sides exceed once in a thousand times."""


@pytest.mark.parametrize("sides", sorted(CRITICAL))
def test_faces_are_even(sides: int) -> None:
    draws, die = FairDraws("even", b"a fixed seed", ("a", "b")), sided(sides)
    rolled = [draws.face(number, die) for number in range(12_000)]
    wanted = len(rolled) / sides
    off = sum((rolled.count(face) - wanted) ** 2 / wanted for face in die.faces)
    assert off < CRITICAL[sides]


def test_one_roll_says_nothing_of_the_next() -> None:
    draws = FairDraws("pairs", b"a fixed seed", ("a", "b"))
    rolled = [draws.face(number, D6) for number in range(18_001)]
    pairs = Counter(pairwise(rolled))
    wanted = pairs.total() / 36
    off = sum((pairs[a, b] - wanted) ** 2 / wanted for a in D6.faces for b in D6.faces)
    assert off < 66.62  # 35 degrees of freedom, one in a thousand


class Words(FairDraws):
    """Draws whose words are given."""

    def __init__(self, *words: int) -> None:
        super().__init__("", b"", ("", ""))
        self.words = words

    def _words(self, number: int) -> object:  # type: ignore[override]
        return iter(self.words)


@pytest.mark.parametrize("sides", [3, 6, 7, 100, 360, 1000])
def test_words_that_would_favour_low_faces_are_skipped(sides: int) -> None:
    die = sided(sides)
    limit = 65536 // sides * sides
    assert Words(65535, limit, 4).face(0, die) == die.faces[4 % sides]
    assert Words(limit - 1).face(0, die) == die.faces[-1]
    faces = Counter(word % sides for word in range(limit))
    assert faces == dict.fromkeys(range(sides), limit // sides)


def test_a_die_whose_sides_divide_all_words_skips_none() -> None:
    assert Words(65535).face(0, sided(2)) == 2
    assert Words(65535).face(0, sided(16)) == 16


def test_a_draw_goes_on_to_further_blocks_when_all_words_of_one_are_skipped() -> None:
    # With 1000 sides 536 of 65536 words are skipped: among many draws some skip their first.
    vector = Vector("blocks", b"seed".hex(), ("", ""), "d1000", 0, ())
    draws = FairDraws("blocks", b"seed", ("", ""))
    assert all(draws.face(number, sided(1000)) == by_the_book(vector, number) for number in range(2_000))


@pytest.mark.parametrize("other", [("g", b"t", ("a", "b")), ("h", b"s", ("a", "b")), ("g", b"s", ("b", "a"))])
def test_game_seed_and_mixes_all_matter(other: tuple[str, bytes, tuple[str, str]]) -> None:
    def rolled(game: str, seed: bytes, mixes: tuple[str, str]) -> list[int]:
        draws = FairDraws(game, seed, mixes)
        return [draws.face(number, BEARING) for number in range(8)]

    assert rolled("g", b"s", ("a", "b")) != rolled(*other)


def test_dice_have_the_faces_that_are_printed_on_them() -> None:
    assert D6.faces == (1, 2, 3, 4, 5, 6)
    assert SCATTER.faces.count("hit") == 2
    assert len(SCATTER.faces) == 6
    assert ARTILLERY.faces == (2, 4, 6, 8, 10, "misfire")
    assert BEARING.faces == tuple(range(360))
    assert sided(6) is D6
    assert sided(20).faces == tuple(range(1, 21))
    assert [halved(face) for face in D6.faces] == [1, 1, 2, 2, 3, 3]


# Mixes


def begun(game: str = "contract") -> Game:
    return Game.open(TOY, KnownSeed(), opening(TOY, skirmish(), game=game), at=0)


def seat_both(game: Game) -> None:
    game.seat("south", mix_commitment("mine"), at=1)
    game.seat("north", mix_commitment("yours"), at=2)


def rolled(game: Game) -> tuple[Face, ...]:
    game.do("south", "free_roll", args={"sides": 100, "count": 8}, at=10)
    return events(game, Rolled)[-1].faces


def test_a_game_is_bound_to_its_seed_before_anybody_sits_down() -> None:
    assert begun().opened.commitment == commitment("contract", b"contract")


def test_what_is_revealed_goes_into_the_dice() -> None:
    game = begun()
    seat_both(game)
    game.mix("south", "mine", at=3)
    game.mix("north", "yours", at=4)
    assert game.mixes == ("mine", "yours")
    draws = FairDraws("contract", b"contract", ("mine", "yours"))
    assert rolled(game) == tuple(draws.face(number, sided(100)) for number in range(8))


def test_a_seat_that_never_reveals_is_held_to_its_hash() -> None:
    game = begun()
    seat_both(game)
    game.mix("south", "mine", at=3)
    assert game.mixes == ("mine", mix_commitment("yours"))


def test_a_mix_that_was_not_promised_is_refused() -> None:
    game = begun()
    seat_both(game)
    with refused(game, Refused, "not what this seat has promised"):
        game.mix("south", "other", at=3)
    with refused(game, Refused, "not what this seat has promised"):
        game.mix("south", "yours", at=3)


def test_an_empty_seat_reveals_nothing() -> None:
    game = begun()
    with refused(game, Refused, "not what this seat has promised"):
        game.mix("south", "mine", at=3)


def test_a_mix_is_revealed_once() -> None:
    game = begun()
    seat_both(game)
    game.mix("south", "mine", at=3)
    with refused(game, Refused):
        game.mix("south", "mine", at=4)


def test_the_first_roll_locks_the_mixes() -> None:
    game = begun()
    seat_both(game)
    game.mix("south", "mine", at=3)
    rolled(game)
    with refused(game, Refused, "Dice have been rolled"):
        game.mix("north", "yours", at=20)
    assert game.mixes == ("mine", mix_commitment("yours"))


def test_taking_over_a_seat_after_the_first_roll_changes_no_die() -> None:
    plain, taken_over = begun(), begun()
    for game in (plain, taken_over):
        seat_both(game)
        game.mix("south", "mine", at=3)
        rolled(game)
    before = taken_over.mixes
    taken_over.seat("south", mix_commitment("third"), at=20)
    taken_over.seat("north", mix_commitment("fourth"), at=20)
    assert taken_over.mixes == before == loaded(taken_over, TOY).mixes
    assert rolled(taken_over) == rolled(plain)


def test_taking_over_a_seat_before_the_first_roll_brings_a_new_mix() -> None:
    game = begun()
    seat_both(game)
    game.mix("south", "mine", at=3)
    game.seat("south", mix_commitment("third"), at=4)
    assert game.mixes == (mix_commitment("third"), mix_commitment("yours"))
    game.mix("south", "third", at=5)
    assert game.mixes[0] == "third"


def test_going_back_before_the_first_roll_does_not_unlock_the_mixes() -> None:

    game = begun()
    seat_both(game)
    game.mix("south", "mine", at=3)
    rolled(game)
    agree(game, "south", Undo(numbers(game, Started)[0]))
    with refused(game, Refused, "Dice have been rolled"):
        game.mix("north", "yours", at=60)
    game.seat("north", mix_commitment("fourth"), at=61)
    assert game.mixes == ("mine", mix_commitment("yours"))


def test_everybody_can_check_every_die_of_a_finished_game() -> None:

    game = begun()
    seat_both(game)
    game.mix("south", "mine", at=3)
    faces = rolled(game)
    agree(game, "south", EndGame())
    (closed,) = events(game, Closed)
    seed = bytes.fromhex(closed.seed)
    assert commitment(game.opened.game, seed) == game.opened.commitment
    draws = FairDraws(game.opened.game, seed, game.mixes)
    assert tuple(draws.face(number, sided(100)) for number in range(8)) == faces


def test_cm22_dice_are_drawn_one_after_another_in_the_order_of_the_log() -> None:
    game = seated(TOY, skirmish())
    for _ in range(3):
        game.do("south", "free_roll", args={"sides": 6, "count": 2}, at=9)
    draws = game.source.draws(game.mixes)
    rolls = events(game, Rolled)
    assert [roll.number for roll in rolls] == [0, 2, 4]
    assert [face for roll in rolls for face in roll.faces] == [draws.face(number, D6) for number in range(6)]
