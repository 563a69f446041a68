"""Army lists of other programs: everything in them arrives once, and what is broken costs a line and not the list."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import cast

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.imports import ArmyList, ImportRefused, ListedUnit, read_army
from server.imports.army import LARGEST_FILE, MOST_UNITS, MOST_WARNINGS

DWARFS = (Path(__file__).parent.parent / "fixtures" / "list_dwarfs_stone_thrower.owb.json").read_bytes()

Json = dict[str, object]


def dwarfs() -> ArmyList:
    return read_army(DWARFS, "dwarfs.owb.json")


def counts(army: ArmyList) -> list[tuple[str, int]]:
    return [(unit.name, unit.count) for unit in army.units]


def owb(**changes: object) -> bytes:
    return msgspec.json.encode({"name": "Mine", "game": "the-old-world", "army": "dwarfs", **changes})


def one(**changes: object) -> ListedUnit:
    (unit,) = read_army(owb(core=[{"id": "miners.abc", "name_en": "Miners", **changes}])).units
    return unit


def test_the_dwarf_list_arrives_whole() -> None:
    army = dwarfs()
    assert (army.title, army.game, army.army) == ("Hold garrison", "the-old-world", "dwarfen-mountain-holds")
    assert army.warnings == ()
    assert counts(army) == [
        ("Thane", 1),
        ("Engineer", 1),
        ("Dwarf Warriors", 20),
        ("Quarrellers", 12),
        ("Grudge Thrower", 1),
        ("Grudge Thrower", 1),
        ("Cannon", 1),
        ("Organ Gun", 1),
    ]
    assert army.models == 38


def test_keys_lose_what_tells_copies_apart_and_names_their_tags() -> None:
    keys = [unit.key for unit in dwarfs().units]
    assert keys[4] == keys[5] == "grudge-thrower"
    assert keys[6] == "cannon"
    assert dwarfs().units[6].hints == ("dwarfen", "mountain", "hold", "dwarf")


def test_a_unit_has_the_gear_it_chose_and_no_other() -> None:
    units = {unit.key: unit for unit in dwarfs().units}
    assert units["thane"].gear == ("Hand weapon", "Full plate armour")
    assert units["quarrellers"].gear == ("Hand weapons", "Crossbows", "Heavy armour")
    assert units["organ-gun"].gear == ("Organ gun", "Hand weapons", "Light armour")
    assert "Shieldwall" in units["dwarf-warriors"].notes


def test_points_count_models_and_choices() -> None:
    assert [unit.points for unit in dwarfs().units] == [60, 50, 160, 108, 95, 95, 95, 115]
    chosen = {"name_en": "Shields", "points": 1, "perModel": True, "active": True}
    assert one(points=8, strength=20, options=[chosen], command=[{"points": 5, "active": True}]).points == 185


def test_unknown_points_stay_unknown() -> None:
    assert one().points is None
    assert one(points=8, options=[{"name_en": "Rune", "active": True}]).points is None
    assert one(points="8").points is None


def test_detachments_are_units_of_their_own() -> None:
    army = read_army(
        owb(core=[{"name_en": "Miners", "strength": 20, "detachments": [{"name_en": "Few", "strength": 8}]}])
    )
    assert counts(army) == [("Miners", 20), ("Few", 8)]


def test_magic_items_and_mounts_are_gear_and_feet_are_not() -> None:
    unit = one(
        mounts=[{"name_en": "On foot", "active": True}, {"name_en": "Boar", "active": True}],
        items=[{"name_en": "Runes", "selected": [{"name_en": "Rune of Might"}]}],
    )
    assert unit.gear == ("Boar", "Rune of Might")


def test_of_a_file_of_lists_the_first_is_read_and_the_player_told() -> None:
    lists = [{"type": "folder", "name": "F"}, msgspec.json.decode(owb(name="A", core=[{"name_en": "X"}]))] * 2
    army = read_army(msgspec.json.encode(lists), "all.owb.lists.json")
    assert army.title == "A"
    assert army.warnings == ("The file holds 2 lists; only A was read.",)


def test_a_list_without_a_name_has_that_of_its_file() -> None:
    nameless = owb(name=None, core=[{"name_en": "X"}])
    assert read_army(nameless, "C:\\lists\\My hold.owb.json").title == "My hold"
    assert read_army(nameless).title == "Army"


# ---------------------------------------------------------------- what is broken


@pytest.mark.parametrize(
    ("changes", "told", "count"),
    [
        ({"strength": "many"}, "Miners: the number of models cannot be read; 1 was taken.", 1),
        ({"strength": None}, "Miners: the number of models cannot be read; 1 was taken.", 1),
        ({"strength": True}, "Miners: the number of models cannot be read; 1 was taken.", 1),
        ({"strength": -3}, "Miners: a unit has 1 to 200 models; 1 was taken.", 1),
        ({"strength": 10**9}, "Miners: a unit has 1 to 200 models; 200 was taken.", 200),
        ({"equipment": "axe"}, "Miners: the equipment cannot be read.", 1),
        ({"name_en": None, "strength": 5}, "Entry core 1 has no name; it was called Miners.", 5),
        ({"name_en": 7}, "Entry core 1 has no name; it was called Miners.", 1),
    ],
)
def test_a_broken_field_costs_a_line_and_the_rest_arrives(changes: Json, told: str, count: int) -> None:
    broken = {"id": "miners.abc", "name_en": "Miners", **changes}
    army = read_army(owb(core=[broken, 3, {"name_en": "Thanes", "strength": 4}], rare="none", special=[{}]))
    assert counts(army) == [("Miners", count), ("Thanes", 4)]
    assert army.warnings == (
        told,
        "Entry 2 of the core cannot be read and was left out.",
        "Entry special 1 has no name and was left out.",
        "The rare cannot be read and were left out.",
    )


@pytest.mark.parametrize("strength", ["20", 20.0])
def test_a_number_written_otherwise_is_still_a_number(strength: object) -> None:
    assert one(strength=strength).count == 20


def test_names_are_made_fit_to_show() -> None:
    assert one(name_en="  Mi\u202ener\u0000s\n {dwarfs} of\u2028 e\u0301 ").name == "Miners of é"
    assert len(one(name_en="x" * 10_000).name) == 60


def test_long_lists_are_cut_and_the_player_is_told() -> None:
    army = read_army(owb(core=[{"name_en": f"Unit {i}", "strength": "x"} for i in range(MOST_UNITS + 9)]))
    assert len(army.units) == MOST_UNITS
    assert len(army.warnings) == MOST_WARNINGS + 1
    assert army.warnings[-1].startswith("There are ")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "This file is empty."),
        (b" \n\t", "This file is empty."),
        (b"\xef\xbb\xbf", "This file is empty."),
        (b" " * (LARGEST_FILE + 1), "This file is larger than 2 MB."),
        (b"{", "This file is not readable JSON; export the list again."),
        (b'{"a":\xff}', "This file is not readable JSON; export the list again."),
        (b"[" * 100_000, "This file is not readable JSON; export the list again."),
        (b'{"a":' * 100_000, "This file is not readable JSON; export the list again."),
        (b"[]", "There is no army list in this file."),
        (b"[1, [], {}]", "There is no army list in this file."),
        (b"{}", "There is no army list in this file, or it has no units."),
        (b'{"game": "x", "core": []}', "There is no army list in this file, or it has no units."),
        (b'{"core": [{"name_en": "Miners"}]}', "This is a catalogue of units, not an army list."),
        (b'{"game": "x", "core": [1]}', "No unit of this list can be read."),
        (b'{"roster": {}}', "This is a New Recruit roster; export it as text and paste that."),
        (b"PK\x03\x04", "BattleScribe rosters cannot be read yet; export the list as text and paste that."),
        (b"<?xml version='1.0'?>", "BattleScribe rosters cannot be read yet; export the list as text and paste that."),
        (b"\xff\xfe\x00", "This file is neither JSON nor text in UTF-8."),
        (b"Once upon a time", "No unit was recognised; write one a line, as “20 Dwarf Warriors”."),
    ],
)
def test_what_is_no_list_is_refused_with_a_sentence(data: bytes, told: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        read_army(data)
    assert refused.value.message == told


# ---------------------------------------------------------------- any bytes at all

scalars = st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.floats(allow_nan=False) | st.text(max_size=12)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
KEYS = ("id", "name_en", "name_fr", "points", "strength", "equipment", "armor", "options", "mounts", "command", "items",
        "selected", "specialRules", "notes", "detachments", "active", "perModel", "customName")  # fmt: skip
entries = st.recursive(
    anything, lambda inner: st.dictionaries(st.sampled_from(KEYS), inner | st.lists(inner, max_size=3)), max_leaves=12
)
lists = st.dictionaries(
    st.sampled_from(("name", "game", "army", "core", "rare", "characters", "allies", "roster")),
    entries | st.lists(entries, max_size=4),
)


def check_fit_to_show(army: ArmyList) -> None:
    for unit in army.units:
        texts = [unit.name, unit.key, *unit.gear, unit.notes, army.title, army.game, *army.warnings]
        assert unit.name
        assert 1 <= unit.count <= 200
        assert not [
            char for text in texts for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        ]
        assert max(map(len, texts)) <= 500
    assert 1 <= len(army.units) <= MOST_UNITS


@settings(deadline=None)
@given(anything | lists | st.lists(lists, max_size=3))
@example({"game": "x", "core": [{"name_en": "\ud800"}]})
def test_any_json_is_read_or_refused_and_nothing_else(value: object) -> None:
    try:
        data = msgspec.json.encode(value)
    except (UnicodeEncodeError, msgspec.MsgspecError, OverflowError):
        return
    check_or_refused(data)


@settings(deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_refused_and_nothing_else(data: bytes) -> None:
    check_or_refused(data)


words_of_lists = st.sampled_from(
    [
        "20 ",
        "x",
        "Dwarf Warriors",
        "[180 pts]",
        "(5)",
        ",",
        "- ",
        "\n",
        "++ Core ++",
        "+ HQ +",
        "===",
        ":",
        "Regiment",
        "{a}",
    ]
)


@settings(deadline=None)
@given(st.lists(words_of_lists | st.text(max_size=5), max_size=40).map("".join))
def test_any_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    check_or_refused(text.encode("utf-8", "surrogatepass"))


def check_or_refused(data: bytes) -> None:
    try:
        army = read_army(data)
    except ImportRefused as refused:
        told = refused.message
    else:
        check_fit_to_show(army)
        told = "Fine."
    assert told.endswith(".")


@pytest.mark.parametrize(
    "text", ["(" * 400, "1 " * 200, "[1 " * 130, "x 1" * 130, "+ " * 200, "a," * 200, " " * 399 + "x"]
)
def test_odd_lines_come_to_an_end(text: str) -> None:
    check_or_refused("\n".join([text] * 2_000).encode())


@given(st.integers(0, 30), st.sampled_from(["characters", "core", "rare"]), st.data())
def test_no_model_is_lost_or_doubled(number: int, category: str, data: st.DataObject) -> None:
    strengths = data.draw(st.lists(st.integers(1, 200), min_size=number + 1, max_size=number + 1))
    entries = [{"name_en": f"Unit {i}", "strength": strength} for i, strength in enumerate(strengths)]
    army = read_army(owb(**{category: entries}))
    assert army.models == sum(strengths)
    assert not army.warnings


JUNK: tuple[object, ...] = (None, 7, "x", [], [None, [], 3], {"name_en": []})


def test_mutilating_the_dwarf_list_anywhere_never_breaks_the_rest() -> None:
    whole = cast("Json", msgspec.json.decode(DWARFS))
    for category in ("characters", "core", "special", "rare"):
        for number, entry in enumerate(cast("list[Json]", whole[category])):
            for key in entry:
                if key in ("name_en", "id", "strength"):
                    continue
                for junk in JUNK:
                    broken = [
                        {**e, key: junk} if i == number else e
                        for i, e in enumerate(cast("list[Json]", whole[category]))
                    ]
                    assert read_army(msgspec.json.encode({**whole, category: broken})).models == 38
