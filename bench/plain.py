"""A relay as the documentation of Flask-SocketIO shows one: it checks nothing, keeps nothing, and knows no rules.

It answers to the same messages as our server, so the same generator measures both in one run.
"""

from __future__ import annotations

import sys


def main(port: int) -> None:
    """Serve until told to stop."""
    from gevent import monkey

    monkey.patch_all()
    from flask import Flask, request
    from flask_socketio import SocketIO, emit, join_room

    app = Flask("plain")
    socketio = SocketIO(app, async_mode="gevent", async_handlers=False, cors_allowed_origins="*")

    @socketio.on("join", namespace="/table")
    def join(_message: object) -> dict[str, object]:
        join_room(request.args["game"])
        return {"ok": True, "seq": 0}

    @socketio.on("point", namespace="/table")
    def point(message: dict[str, object]) -> None:
        emit("presence", [{"role": "south", **message}], to=request.args["game"], include_self=False)

    @socketio.on("connect", namespace="/table")
    def connect(_auth: object = None) -> None:
        """Everybody may."""

    print("ready", flush=True)
    socketio.run(app, host="127.0.0.1", port=port)


if __name__ == "__main__":
    main(int(sys.argv[1]))
