"""The load generator runs against a real server. How fast that is, is no matter of a test."""

from __future__ import annotations

from bench.machine import generate, linstock


def test_the_generator_sees_drags_actions_and_visitors() -> None:
    with linstock() as server:
        asked = {"url": server.url, "pid": server.pid, "tables": 1, "spectators": 1, "settle": 0.2, "seconds": 2}
        drags = generate(**asked, run="drag", joins=True)
        actions = generate(**asked, run="act", hz=4, actions=["free_roll", "free_move"])
    for found in (drags, actions):
        assert found["failed"] == []
        assert found["strays"] == 0
        assert found["lines"] == 3
        assert found["seen"]["count"] > 0
    assert drags["joined"]["count"] > 0
    assert actions["answered"]["count"] > 0
