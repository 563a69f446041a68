"""The gate before the socket library: what it never gets to see.

Only the packets of our protocol pass: connect, disconnect and events of the namespace `/table`, and pongs. No binary,
no attachments, no other namespaces, no event with the name of a life-cycle handler, no JSON that is deep or not JSON.
"""

from __future__ import annotations

import re

import msgspec

NAMESPACE = "/table"
RESERVED = {"connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener", "*", "message"}
DEEPEST = 32

_PACKET = re.compile(r"4([012])/table(?:\?[^,]{0,200})?(?:,(\d{1,9})?(?:([\[{].*))?)?\Z", re.DOTALL)
_json = msgspec.json.Decoder()


def is_welcome(text: str) -> bool:
    """Whether a text frame may go on to the socket library."""
    if text in ("1", "3"):
        return True
    packet = _PACKET.match(text)
    if packet is None:
        return False
    kind, number, body = packet.groups()
    if kind == "2":
        return body is not None and body[0] == "[" and _is_event(body)
    return number is None and (body is None or (kind == "0" and body[0] == "{" and _is_json(body)))


def _is_event(body: str) -> bool:
    if is_deep(body):
        return False
    try:
        items = _json.decode(body)
    except (ValueError, RecursionError):
        return False
    return bool(items) and isinstance(items[0], str) and items[0] not in RESERVED


def _is_json(body: str) -> bool:
    try:
        return not is_deep(body) and _json.decode(body) is not None
    except (ValueError, RecursionError):
        return False


def is_deep(body: str) -> bool:
    """Whether JSON nests deeper than anything of ours. Brackets inside texts may count: ours hold few."""
    if body.count("[") + body.count("{") <= DEEPEST:
        return False
    depth = 0
    for bracket in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', body):
        mark = bracket[0]
        if mark in "[{":
            depth += 1
            if depth > DEEPEST:
                return True
        elif mark in "]}":
            depth -= 1
    return False
