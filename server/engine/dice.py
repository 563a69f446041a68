"""The dice, and fair draws from a committed seed (CM-17 to CM-22).

Draw number n of a game is an HMAC-SHA-256 of n under the server's secret seed, with both players' own mixes in the
message; bytes that would favour some faces are skipped. Nobody chooses a face after the seed was committed to.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from typing import Generic, Literal, Protocol, TypeVar

import msgspec

Face = int | str
F = TypeVar("F", bound=Face, covariant=True)


class Die(msgspec.Struct, Generic[F], frozen=True):
    """A die: its name in the log, and its faces, equally likely."""

    name: str
    faces: tuple[F, ...]


Arrow = Literal["hit", "arrow"]
Artillery = Literal[2, 4, 6, 8, 10, "misfire"]

HIT: Literal["hit"] = "hit"
ARROW: Literal["arrow"] = "arrow"
MISFIRE: Literal["misfire"] = "misfire"

D6 = Die[int]("d6", (1, 2, 3, 4, 5, 6))
SCATTER: Die[Arrow] = Die("scatter", (HIT, HIT, ARROW, ARROW, ARROW, ARROW))
ARTILLERY: Die[Artillery] = Die("artillery", (2, 4, 6, 8, 10, MISFIRE))
BEARING = Die[int]("bearing", tuple(range(360)))
"""The bearing in whole degrees that a scatter die shows, on an arrow as on a hit (CM-19, CM-20)."""


def sided(sides: int) -> Die[int]:
    """A die with faces 1 to `sides` (2 to 1000), to pick one of many (CM-23) or for free play."""
    return D6 if sides == 6 else Die(f"d{sides}", tuple(range(1, sides + 1)))


def halved(face: int) -> int:
    """A D6 read as a D3: halved, rounded up (CM-17)."""
    return (face + 1) // 2


class Draws(Protocol):
    """Where faces come from."""

    def face(self, number: int, die: Die[F]) -> F:
        """The face that draw `number` shows on `die`."""
        ...


class FairDraws:
    """Draws that follow from `seed`, the mixes of both seats and the draw's number, and can be checked afterwards."""

    def __init__(self, game: str, seed: bytes, mixes: tuple[str, str]) -> None:
        self._seed = seed
        self._context = f"v1|{game}|{mixes[0]}|{mixes[1]}"

    def face(self, number: int, die: Die[F]) -> F:
        """The face of draw `number`: the first two-byte word that does not favour any face."""
        sides = len(die.faces)
        limit = 65536 - 65536 % sides
        return next(die.faces[word % sides] for word in self._words(number) if word < limit)

    def _words(self, number: int) -> Iterator[int]:
        block = 0
        while True:
            message = f"{self._context}|{number}|{block}".encode()
            digest = hmac.digest(self._seed, message, "sha256")
            for at in range(0, len(digest), 2):
                yield int.from_bytes(digest[at : at + 2], "big")
            block += 1


def commitment(game: str, seed: bytes) -> str:
    """What the server publishes before the first roll: the hash that binds it to `seed` for this game."""
    return hashlib.sha256(f"v1|{game}|".encode() + seed).hexdigest()


def mix_commitment(mix: str) -> str:
    """What a seat publishes before it reveals its own mix."""
    return hashlib.sha256(mix.encode()).hexdigest()
