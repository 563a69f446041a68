"""A short hash of a table, the same here and in the browser, by which drift between two screens shows.

It is the sum of the CRC-32 of each thing on the table in canonical JSON (keys sorted, no blanks), modulo 2**32. It
guards against mistakes, not against malice: for that there is the chain of event hashes (I14).
"""

from __future__ import annotations

from zlib import crc32

import msgspec

from server.table.model import Table

_canonical = msgspec.json.Encoder(order="sorted")


def digest(table: Table) -> str:
    """Eight hexadecimal digits that change when anything on the table changes."""
    total = crc32(_canonical.encode((table.width, table.depth, table.clock)))
    for name in ("models", "removed", "units", "terrain", "templates", "markers", "scores"):
        for key, thing in getattr(table, name).items():
            total += crc32(_canonical.encode((name, key, thing)))
    return f"{total & 0xFFFFFFFF:08x}"
