"""Names and chat as people type them: bounded, in one line, without tricks."""

from __future__ import annotations

import unicodedata

from server.engine.refusals import Refused

MOST_NAME, MOST_TEXT, MOST_TITLE = 40, 500, 80
_KEPT_FORMAT = {"\u200d"}
"""Zero-width joiner: emoji families and some scripts need it; every other format character is dropped."""


def clean(text: str) -> str:
    """The text in normal form, without control, direction or invisible characters, in one line."""
    kept = (" " if character.isspace() else character for character in unicodedata.normalize("NFC", text))
    return " ".join("".join(character for character in kept if not _is_trick(character)).split())


def name_of(text: str) -> str:
    """A name that may be shown. Raises Refused."""
    name = clean(text).strip("\u200d ")
    if not 1 <= len(name) <= MOST_NAME:
        raise Refused(f"A name has 1 to {MOST_NAME} characters.")
    return name


def title_of(text: str, otherwise: str) -> str:
    """A battle's title; `otherwise` where none was given."""
    title = clean(text)
    if len(title) > MOST_TITLE:
        raise Refused(f"A title has at most {MOST_TITLE} characters.")
    return title or otherwise


def line_of(text: str) -> str:
    """A line of chat. Raises Refused."""
    line = clean(text)
    if not 1 <= len(line) <= MOST_TEXT:
        raise Refused(f"A message has 1 to {MOST_TEXT} characters.")
    return line


def _is_trick(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn") and character not in _KEPT_FORMAT
