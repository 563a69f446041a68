"""`python -m server` and `linstock serve`: one process that serves everything."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import msgspec

from server.settings import BadSetting, Settings, settings


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until told to stop."""
    try:
        chosen = _chosen(arguments)
    except BadSetting as wrong:
        sys.exit(str(wrong))
    if chosen.async_mode == "gevent":
        from gevent import monkey  # before anything else opens a socket or a lock

        monkey.patch_all()
    from server.web.run import serve

    sys.exit(serve(chosen))


def _chosen(arguments: Sequence[str] | None) -> Settings:
    parser = argparse.ArgumentParser("linstock", description=__doc__)
    parser.add_argument("command", nargs="?", choices=["serve"], default="serve")
    parser.add_argument("--host", help="the address to listen at (default: this machine only)")
    parser.add_argument("--port", type=int, help="the port to listen at (default: 8000)")
    parser.add_argument("--data", dest="data_dir", help="the folder that keeps the games")
    parser.add_argument("--dev", action="store_true", default=None, help="read pages and scripts anew for each request")
    given = vars(parser.parse_args(arguments))
    given.pop("command")
    return msgspec.structs.replace(settings(), **{name: value for name, value in given.items() if value is not None})


if __name__ == "__main__":
    main()
