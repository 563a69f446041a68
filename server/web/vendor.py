"""Is the third-party browser code in `static/vendor` the one that the lock file names?

The build hook puts it there, and loads this file by its path to agree on the stamp: so nothing is imported here but
the standard library.
"""

import hashlib
import json
import shlex
import sys
from pathlib import Path

MANIFEST, LOCK, VENDOR, STAMP = "package.json", "package-lock.json", "vendor", ".stamp"


def wanted_stamp(static_dir: Path) -> str:
    """Changes with every pinned version and with the list of files to serve."""
    return hashlib.sha256((static_dir / LOCK).read_bytes() + (static_dir / MANIFEST).read_bytes()).hexdigest()


def vendor_files(static_dir: Path) -> dict[str, str]:
    """Name below `static/vendor` -> name below `node_modules`."""
    files: dict[str, str] = json.loads((static_dir / MANIFEST).read_text("utf-8"))["vendor"]
    return files


def vendor_problem(static_dir: Path) -> str | None:
    """None if all is well, else a sentence with the one command that mends it."""
    vendor = static_dir / VENDOR
    stamp = vendor / STAMP
    if not stamp.is_file():
        return f"The browser code of third parties is not in place yet. {_remedy(static_dir)}"
    if stamp.read_text("utf-8").strip() != wanted_stamp(static_dir):
        return f"The browser code of third parties is not the one that {LOCK} names. {_remedy(static_dir)}"
    missing = [name for name in vendor_files(static_dir) if not (vendor / name).is_file()]
    if missing:
        return f"{missing[0]} is missing from the browser code of third parties. {_remedy(static_dir)}"
    return None


def _remedy(static_dir: Path) -> str:
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--editable", str(static_dir.parent)]
    return f"This fetches it: {shlex.join(command)}"
