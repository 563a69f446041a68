"""Names that come from outside: what is kept of them, and what two spellings have in common."""

from __future__ import annotations

import re
import unicodedata

BRACE_TAG = re.compile(r"\{[^{}]*\}")


def clean(text: str, most: int) -> str:
    """The text as it may be shown: NFC, on one line, without control or bidi characters, at most `most` long."""
    visible = "".join(" " if _is_blank(char) else char for char in text[: 8 * most] if not _is_hidden(char))
    return unicodedata.normalize("NFC", " ".join(visible.split()))[:most].strip()


def _is_blank(char: str) -> bool:
    return char.isspace() or unicodedata.category(char).startswith("Z")


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char).startswith("C") and char not in "\t\n\r"


def untagged(text: str) -> str:
    """The text without its tags in braces: "Cannon {dwarfs}" is a "Cannon"."""
    return BRACE_TAG.sub(" ", text)


def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case and the singular: "Orc Boyz", "orc_boy" and "orc-boys" are the same."""
    plain = unicodedata.normalize("NFKD", name.lower())
    return tuple(
        _singular(word) for word in re.findall(r"[^\W_]+", "".join(c for c in plain if c.isalnum() or c in " _-"))
    )


def _singular(word: str) -> str:
    for plural, singular in (("men", "man"), ("ies", "y"), ("ves", "f"), ("z", ""), ("s", "")):
        if word.endswith(plural) and len(word) > len(plural) + 2 and not word.endswith(("ss", "us", "is")):
            return word.removesuffix(plural) + singular
    return word


def slug(name: str, most: int = 24) -> str:
    """A name as part of an id: lower case letters and digits, joined by hyphens; "unit" when nothing is left."""
    plain = unicodedata.normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:most].strip("-") or "unit"
