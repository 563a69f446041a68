"""Names and chat as people type them: bounded, in one line, without tricks."""

from __future__ import annotations

from server.engine.names import clean
from server.engine.refusals import Refused

MOST_NAME, MOST_TEXT, MOST_TITLE = 40, 500, 80


def name_of(text: str) -> str:
    """A name that may be shown. Raises Refused."""
    name = clean(text, MOST_NAME + 1)
    if not 1 <= len(name) <= MOST_NAME:
        raise Refused(f"A name has 1 to {MOST_NAME} characters.")
    return name


def title_of(text: str, otherwise: str) -> str:
    """A battle's title; `otherwise` where none was given."""
    title = clean(text, MOST_TITLE + 1)
    if len(title) > MOST_TITLE:
        raise Refused(f"A title has at most {MOST_TITLE} characters.")
    return title or otherwise


def line_of(text: str) -> str:
    """A line of chat. Raises Refused."""
    line = clean(text, MOST_TEXT + 1)
    if not 1 <= len(line) <= MOST_TEXT:
        raise Refused(f"A message has 1 to {MOST_TEXT} characters.")
    return line
