"""QR codes of links, as rows of 0 and 1: the page draws them, so no token ever stands in an address."""

from __future__ import annotations

import segno


def code(text: str) -> tuple[str, ...]:
    """The QR code of a text, without the quiet zone."""
    return tuple("".join("1" if dark else "0" for dark in row) for row in segno.make(text, micro=False).matrix)
