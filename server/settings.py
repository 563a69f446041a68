"""What an operator may set, with defaults for a laptop. Each comes from the environment as `LINSTOCK_<NAME>`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

_PREFIX = "LINSTOCK_"


class BadSetting(ValueError):
    """A setting that the program does not understand, told in one line."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that differs between one installation and the next."""

    host: str = "127.0.0.1"
    port: int = 8000
    data_dir: str = ""
    """Where games are kept. By default a folder of the user's own."""
    database_url: str = ""
    """Another database than the file `games.sqlite` in `data_dir`."""
    public_url: str = ""
    """The address that players use, when a proxy stands before the server. It alone may then open sockets."""
    trusted_proxies: int = 0
    """How many proxies stand before the server; only what they add to `X-Forwarded-*` is believed."""
    async_mode: Literal["gevent", "threading"] = "gevent"
    dev: bool = False
    """For work on the page: files are read anew for each request and never kept by the browser."""
    games_per_hour: int = 60
    """Battles that one address may begin."""
    sockets_per_address: int = 400
    sockets: int = 3000
    games: int = 5000
    """Battles that may be kept at all."""
    idle_minutes: int = 1
    """A game leaves memory after nobody has been there for so long."""

    @property
    def folder(self) -> Path:
        """The folder that holds everything worth keeping."""
        return Path(self.data_dir) if self.data_dir else _own_folder()

    @property
    def database(self) -> str:
        """The address of the database."""
        return self.database_url or f"sqlite:///{self.folder / 'games.sqlite'}"

    @property
    def public_origin(self) -> str:
        """Scheme, host and port of `public_url`, or nothing."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this environment. Raises BadSetting for one that is unknown or cannot be."""
    environment = os.environ if environment is None else environment
    given = {
        name.removeprefix(_PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(_PREFIX) and value
    }
    try:
        chosen = msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        raise BadSetting(f"A setting {_PREFIX}... is not understood: {wrong}") from wrong
    if chosen.public_url and not chosen.public_origin.startswith(("http://", "https://")):
        raise BadSetting(f"{_PREFIX}PUBLIC_URL must be an address that begins with http:// or https://")
    return chosen


def _own_folder() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "linstock"
