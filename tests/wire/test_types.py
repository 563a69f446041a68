"""The page's types are those of the server, and what pages may send is read strictly."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from server.wire import messages
from server.wire.types import TARGET, declarations


def test_the_types_of_the_page_are_current() -> None:
    assert TARGET.read_text("utf-8") == declarations(), "run: python -m server.wire.types"


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        (messages.Join, {"since": -1}),
        (messages.Join, {"since": 10**12}),
        (messages.Join, {"since": "0"}),
        (messages.Join, {"since": 1.5}),
        (messages.Join, {"until": 3}),
        (messages.Join, []),
        (messages.Join, None),
        (messages.Do, {"action": "fire", "at": 0}),
        (messages.Do, {"id": "short", "action": "fire", "at": 0}),
        (messages.Do, {"id": "long-enough", "action": "x" * 65, "at": 0}),
        (messages.Do, {"id": "long-enough", "action": "fire", "at": 0, "seat": "north"}),
        (messages.Do, {"id": "no spaces!", "action": "fire", "at": 0}),
        (messages.Do, {"id": "long-enough\n", "action": "fire", "at": 0}),
        (messages.Answer, {"id": "long-enough", "question": True, "value": 1}),
        (messages.Vote, {"id": "long-enough", "motion": 1, "yes": 1}),
        (messages.Propose, {"id": "long-enough", "motion": {"motion": "win"}}),
        (messages.Mix, {"id": "long-enough", "mix": "A" * 64}),
        (messages.Say, {"id": "long-enough", "text": ""}),
        (messages.Say, {"id": "long-enough", "text": "x" * 501}),
        (messages.Point, {"kind": "cursor", "x": 1.5, "y": 0}),
        (messages.Point, {"kind": "cursor", "x": 10**40, "y": 0}),
        (messages.Point, {"kind": "teleport"}),
        (messages.Point, {"kind": "drag", "spots": [{"model": "a", "x": 0, "y": 0, "facing": 36000}]}),
        (messages.Auth, {"token": "", "protocol": 1}),
    ],
)
def test_what_no_schema_knows_is_refused(kind: Any, sent: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(sent, kind, strict=True)
