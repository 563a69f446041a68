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
    return Digester().digest(table)


class Digester:
    """Digests of one table after another: what has not changed is not read again."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, tuple[object, int]]] = {}
        self._last: tuple[Table, str] | None = None

    def digest(self, table: Table) -> str:
        """The digest of a table."""
        if self._last is None or self._last[0] is not table:
            self._last = table, self._read(table)
        return self._last[1]

    def _read(self, table: Table) -> str:
        total = crc32(_canonical.encode((table.width, table.depth, table.clock)))
        for name in ("models", "removed", "units", "terrain", "templates", "markers", "scores"):
            known = self._known.setdefault(name, {})
            things = getattr(table, name)
            for key, thing in things.items():
                seen = known.get(key)
                if seen is None or seen[0] is not thing:
                    known[key] = seen = thing, crc32(_canonical.encode((name, key, thing)))
                total += seen[1]
            if len(known) > 2 * len(things) + 100:
                self._known[name] = {key: known[key] for key in things}
        return f"{total & 0xFFFFFFFF:08x}"
