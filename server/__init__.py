"""Linstock: a shared wargame table in the browser, with a server that rolls every die and knows the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from server.settings import Settings


def create_app(settings: Settings | None = None) -> Flask:
    """The web application, for this package's own command or for another WSGI server."""
    from server.web.app import build  # rules and engine must not load the web when they import this package

    return build(settings)
