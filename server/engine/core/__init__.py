"""The core's own actions: moving under the rules, ending a phase, and free play. They carry arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.engine.core.action import CoreAction, read
from server.engine.core.manual import MANUAL
from server.engine.core.movement import MOVE
from server.engine.core.turns import PASS

_ALL: tuple[CoreAction[Any], ...] = (MOVE, PASS, *MANUAL)

CORE: Mapping[str, CoreAction[Any]] = {action.name: action for action in _ALL}

__all__ = ["CORE", "CoreAction", "read"]
