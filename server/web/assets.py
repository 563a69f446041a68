"""Static files, each under an address that holds the hash of all of them, so that a browser may keep them for ever.

The hash is a folder name, hence relative imports between modules stay within one version of the page.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from functools import cached_property
from pathlib import Path, PurePosixPath

import msgspec

from server.web.vendor import vendor_files

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".wav": "audio/wav",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}
_PACKED = {".js", ".css", ".svg", ".txt", ".webmanifest"}
_LEFT_OUT = {"node_modules"}


class Asset(msgspec.Struct, frozen=True):
    """A file as it is served: plain, and packed where that helps."""

    content: bytes
    packed: bytes | None
    type: str
    tag: str


def folder(name: str) -> Path:
    """`static` or `templates`: inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


class Assets:
    """The static files of one folder. With `is_live` they are read anew for each request and never kept."""

    def __init__(self, root: Path, *, is_live: bool) -> None:
        self._root = root
        self.is_live = is_live
        self._read: dict[str, Asset | None] = {}

    @cached_property
    def version(self) -> str:
        """Changes with any file."""
        if self.is_live:
            return "live"
        total = hashlib.sha256()
        for path in self._paths():
            total.update(path.relative_to(self._root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        return total.hexdigest()[:16]

    def address(self, name: str) -> str:
        """Where a file is served."""
        return f"/static/{self.version}/{name}"

    def get(self, name: str) -> Asset | None:
        """The file of that name, or None."""
        if self.is_live:
            return self._load(name)
        if name not in self._known:
            return None
        if name not in self._read:
            self._read[name] = self._load(name)
        return self._read[name]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(path.relative_to(self._root).as_posix() for path in self._paths())

    def _load(self, name: str) -> Asset | None:
        path = self._root / name
        if not _is_served(PurePosixPath(name)) or not path.resolve().is_relative_to(self._root.resolve()):
            return None
        if not path.is_file():
            return None
        content = path.read_bytes()
        packed = gzip.compress(_sent(name, content), 9, mtime=0) if path.suffix in _PACKED else None
        return Asset(content, packed, _TYPES[path.suffix], hashlib.sha256(content).hexdigest()[:16])

    def _paths(self) -> list[Path]:
        found = (path for path in self._root.rglob("*") if path.is_file())
        return sorted(path for path in found if _is_served(PurePosixPath(path.relative_to(self._root).as_posix())))

    def import_map(self) -> str:
        """The names by which modules import third-party code, as JSON."""
        names: dict[str, str] = {}
        for name in vendor_files(self._root):
            if name.endswith(".js"):
                names[_imported_as(name)] = self.address(f"vendor/{name}")
        return json.dumps({"imports": names}, separators=(",", ":"), sort_keys=True)


def _imported_as(name: str) -> str:
    """What modules call a vendored file: packages by their names, their other files by path."""
    known = {"socket.io.js": "socket.io-client", "lit-html/lit-html.js": "lit-html"}
    return known.get(name, name)


def _sent(name: str, content: bytes) -> bytes:
    """What is packed of a file: our own scripts go without comments, other people's keep their licences."""
    is_ours = name.startswith("js/") and name.endswith(".js")
    return uncommented(content) if is_ours else content


_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*$", re.MULTILINE | re.DOTALL)


def uncommented(script: bytes) -> bytes:
    """A script without the comments that have lines to themselves; all lines keep their numbers."""
    return _COMMENT.sub(lambda comment: b"\n" * comment.group().count(b"\n"), script)


def _is_served(name: PurePosixPath) -> bool:
    hidden = any(part in _LEFT_OUT or part.startswith(".") for part in name.parts)
    return not hidden and name.suffix in _TYPES


def script_hash(text: str) -> str:
    """How a content security policy names an inline script."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
