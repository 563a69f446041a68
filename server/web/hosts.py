"""Under which names the server answers, and which pages may open a socket to it."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

_OWN_ENDINGS = (".localhost", ".local", ".lan", ".home", ".internal", ".home.arpa")


def is_known(host: str, public_origin: str) -> bool:
    """Whether a `Host` header names this server.

    With a public address that one counts, and local ones for health checks. Without one the server answers to what
    nobody on the internet can own: addresses, names without a dot, names of home networks.
    """
    name = _name(host)
    if name is None:
        return False
    if public_origin and host.lower() == urlsplit(public_origin).netloc.lower():
        return True
    return _is_address(name) or (("." not in name or name.endswith(_OWN_ENDINGS)) and _is_plain(name))


def is_own_origin(origin: str | None, environ: Mapping[str, object], public_origin: str) -> bool:
    """Whether a page of `origin` may open a socket: ours only. Programs that are no browser send none."""
    if origin is None:
        return True
    if public_origin and origin == public_origin:
        return True
    host = str(environ.get("HTTP_HOST", ""))
    parts = urlsplit(origin)
    same = parts.scheme == environ.get("wsgi.url_scheme") and parts.netloc.lower() == host.lower() and bool(host)
    return same and origin == f"{parts.scheme}://{parts.netloc}" and (not public_origin or _is_loopback(host))


def _name(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _is_plain(name: str) -> bool:
    return bool(name) and all(character.isalnum() or character in "-._" for character in name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    name = _name(host) or ""
    return name == "localhost" or (_is_address(name) and ipaddress.ip_address(name.partition("%")[0]).is_loopback)
