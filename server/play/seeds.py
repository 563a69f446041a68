"""The secret seed of a game's dice: committed to before anybody chooses anything, told when the game is over."""

from __future__ import annotations

import secrets

from server.engine.dice import Draws, FairDraws, commitment


class Secret:
    """Where a game's dice come from. The seed stays in here, and out of the log, until it is revealed."""

    def __init__(self, game: str, seed: bytes) -> None:
        self._game = game
        self._seed = seed

    @classmethod
    def fresh(cls, game: str) -> tuple[Secret, bytes]:
        """A new seed for a game: 256 bits from the system."""
        seed = secrets.token_bytes(32)
        return cls(game, seed), seed

    @property
    def commitment(self) -> str:
        """What binds the server to the seed before the first roll."""
        return commitment(self._game, self._seed)

    def draws(self, mixes: tuple[str, str]) -> Draws:
        """The draws that follow from the seed and both seats' mixes."""
        return FairDraws(self._game, self._seed, mixes)

    def reveal(self) -> str:
        """The seed in hexadecimal. Only for the log's last event."""
        return self._seed.hex()

    def __repr__(self) -> str:
        return f"Secret of game {self._game}"
