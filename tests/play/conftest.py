"""A desk in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.play.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A service with nothing in it."""
    desk = Desk(tmp_path)
    yield desk
    desk.stop()
