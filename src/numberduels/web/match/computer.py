"""The moves of the computer in a match."""

from __future__ import annotations

import asyncio
import logging

from numberduels.engine.pool import EngineBusy, EngineError, EnginePool
from numberduels.web.match.engine_queries import position
from numberduels.web.match.model import Match

log = logging.getLogger("numberduels.web")

FALLBACK = "greedy"
"""The level that moves if the chosen level runs out of time."""

RETRY_DELAY = 2.0
"""Seconds before a retry, if the store or the engine pool was unavailable."""


async def choose_move(pool: EnginePool, match: Match, level: str, client: str) -> str:
    """The move of a level, computed for this client; if it has no answer, the move of a simpler level."""
    players = [level, FALLBACK, "random"]
    while players:
        arguments = *position(match, match.table.ply), players[0], f"{match.id} {match.table.ply}"
        try:
            found = await pool.run("choose", *arguments, client=client)
        except EngineBusy:
            await asyncio.sleep(RETRY_DELAY)  # a late move is better than a bad one
        except EngineError as error:
            log.warning("%s cannot choose in %s: %s", players.pop(0), match.id, type(error).__name__)
        else:
            return str(found["move"])
    return str(match.text.format_move(match.table.moves[0]))
