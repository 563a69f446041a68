"""The fixtures that bind the page's geometry, fold and digest to the server's are what the server says today."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.table.digest import digest
from server.table.facts import AnyFact
from server.table.fold import apply
from server.table.model import Table
from tests.table import twins


@pytest.mark.parametrize(("name", "made"), [("distances.json", twins.distances), ("fold.json", twins.folds)])
def test_the_fixture_is_what_the_server_says(name: str, made: Any) -> None:
    kept = msgspec.json.decode((twins.FIXTURES / name).read_bytes())
    assert kept == msgspec.json.decode(msgspec.json.encode(made())), "run python -m tests.table.twins"


def test_the_kept_facts_lead_to_the_kept_table() -> None:
    kept = msgspec.json.decode((twins.FIXTURES / "fold.json").read_bytes())
    table = msgspec.convert(kept["table"], Table)
    for step in kept["steps"]:
        table = apply(table, msgspec.convert(step["fact"], AnyFact))
        assert digest(table) == step["digest"]
    assert table == msgspec.convert(kept["end"], Table)
