"""Data files of systems: TOML, read once, into frozen structs. A wrong key or type stops with file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


class BadData(ValueError):
    """A data file that cannot be read; the text names file and line."""


def tables(path: Path, section: str, kind: type[T]) -> Mapping[str, T]:
    """The tables `[section.<key>]` (or the values of `[section]`) of a file, each as a `kind`, by key."""
    text = path.read_text(encoding="utf-8")
    try:
        entries = tomllib.loads(text).get(section, {})
    except tomllib.TOMLDecodeError as wrong:
        raise BadData(f"{path}: {wrong}") from wrong
    return {key: _entry(path, text, section, key, entry, kind) for key, entry in entries.items()}


def _entry(path: Path, text: str, section: str, key: str, entry: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(entry, kind, strict=True)
    except msgspec.ValidationError as wrong:
        raise BadData(f"{path}:{_line(text, section, key, str(wrong))}: {section}.{key}: {wrong}") from wrong


def _line(text: str, section: str, key: str, message: str) -> int:
    """The line of the field that the message speaks of, else of the table, counted from 1."""
    lines = text.splitlines()
    header = rf"\s*(\[{section}\.\"?{re.escape(key)}\"?\]|\"?{re.escape(key)}\"?\s*=)"
    start = next((i for i, line in enumerate(lines) if re.match(header, line)), 0)
    for name in re.findall(r"`\$?\.?(\w+)", message)[::-1]:
        for i in range(start + 1, len(lines)):
            if lines[i].startswith("["):
                break
            if re.match(rf"\s*{name}\s*=", lines[i]):
                return i + 1
    return start + 1
