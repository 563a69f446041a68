"""Army lists that players bring from other programs (WANTS J): read, checked, matched to a system's profiles."""

from __future__ import annotations

from msgspec.structs import replace

from server.engine.names import clean
from server.imports import old_world_builder, text
from server.imports.army import LARGEST_FILE, NAME_LENGTH, ArmyList, ImportRefused, ListedUnit
from server.imports.match import MatchedArmy, MatchedUnit, match_army

BOM = b"\xef\xbb\xbf"


def read_army(data: bytes, name: str = "") -> ArmyList:
    """Read a list in whatever format it is; `name` is the file's, for a list without one. Raises ImportRefused."""
    if len(data) > LARGEST_FILE:
        raise ImportRefused(f"This file is larger than {LARGEST_FILE // 1_000_000} MB.")
    data = data.removeprefix(BOM)
    start = data.lstrip()[:1]
    if not start:
        raise ImportRefused("This file is empty.")
    if data[:2] == b"PK" or start == b"<":
        raise ImportRefused("BattleScribe rosters cannot be read yet; export the list as text and paste that.")
    is_json = name.lower().endswith(".json") or start in (b"{", b"[")
    army = old_world_builder.read(data) if is_json else text.read(_decoded(data))
    return army if army.title else replace(army, title=_title(name))


def _title(name: str) -> str:
    """What a list without a name is called: as its file, without folders and endings."""
    return clean(name.replace("\\", "/").rpartition("/")[2].partition(".")[0], NAME_LENGTH) or "Army"


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise ImportRefused("This file is neither JSON nor text in UTF-8.") from wrong


__all__ = ["ArmyList", "ImportRefused", "ListedUnit", "MatchedArmy", "MatchedUnit", "match_army", "read_army"]
