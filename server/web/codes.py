"""QR codes of links, as rows of 0 and 1: the page draws them, so no token ever stands in an address."""

from __future__ import annotations

import segno

MASK = 0
"""Every mask can be read. Looking for the best of eight takes four times as long, and everybody waits meanwhile."""


def code(text: str) -> tuple[str, ...]:
    """The QR code of a text, without the quiet zone."""
    made = segno.make(text, micro=False, mask=MASK)
    return tuple("".join("1" if dark else "0" for dark in row) for row in made.matrix)
