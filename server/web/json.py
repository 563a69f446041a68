"""JSON for the socket library: strict, typed structs as they are, and faster than the standard one."""

from __future__ import annotations

import msgspec

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


def dumps(value: object, **_options: object) -> str:
    """The value as JSON."""
    return _encoder.encode(value).decode()


def loads(text: str | bytes, **_options: object) -> object:
    """The value of JSON. Raises ValueError."""
    try:
        return _decoder.decode(text)
    except RecursionError as deep:
        raise ValueError("too deep") from deep
