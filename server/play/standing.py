"""What is open besides the table, as one role may know it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from server.engine.actions import offers
from server.engine.audience import view_question, view_table
from server.engine.forecast import Forecast
from server.engine.interpreter import Game
from server.engine.system import Offer
from server.table.model import SEATS, ModelId, Role, Table
from server.wire.messages import Standing

OVER = "The game is over."


def standing(game: Game, role: Role) -> Standing:
    """Questions, motion, offers and what may be undone."""
    return Standing(
        questions={seq: view_question(question, role, game.table) for seq, question in game.questions.items()},
        motion=game.motion,
        offers=_offers(game, role),
        undo=game.undoable(role) if role != "watch" else None,
        frozen=OVER if game.closed else game.stuck,
    )


def thinned(forecast: Forecast, table: Table, role: Role) -> Forecast:
    """A forecast without the models that the role may not know of."""
    seen = view_table(table, role)
    if seen is table:
        return forecast
    hits, lost = _known(forecast.hits, seen), _known(forecast.lost, seen)
    own = {model: chance for model, chance in hits.items() if seen.models[model].owner == role}
    expected = {name: sum(each.values()) // 10 for name, each in (("hits", hits), ("lost", lost), ("own_hits", own))}
    return replace(forecast, hits=hits, lost=lost, expected=expected)


def _known(chances: Mapping[ModelId, int], seen: Table) -> Mapping[ModelId, int]:
    return {model: chance for model, chance in chances.items() if model in seen.models}


def _offers(game: Game, role: Role) -> tuple[Offer, ...]:
    if role == "watch" or game.system is None or game.closed or game.stuck is not None or not game.at_rest:
        return ()
    if len(game.seated) < len(SEATS):
        return ()
    return offers(game.system, game.scene(role))
