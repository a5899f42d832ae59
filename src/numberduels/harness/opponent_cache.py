"""The opponents of the episodes of a process, with the solutions that they have computed."""

from __future__ import annotations

import threading
from typing import Any

from numberduels.players import Player, make_player

CACHE_SIZE = 16
"""Opponents that a thread keeps: a harness plays many episodes of few games."""


class OpponentCache(threading.local):
    """Players by name and game; each thread has its own.

    Players choose by their arguments alone, so a player that is reused makes the same moves as a new one.
    """

    def __init__(self) -> None:
        self._players: dict[tuple[str, Any], Player] = {}

    def player(self, name: str, game: Any, start: Any) -> Player:
        """The player of this name, prepared for this game; ValueError if it cannot play it."""
        found = self._players.pop((name, game), None)
        if found is None:
            found = make_player(name)
            found.prepare(game, start)
        self._players[name, game] = found  # as the last one used
        if len(self._players) > CACHE_SIZE:
            del self._players[next(iter(self._players))]
        return found


OPPONENTS = OpponentCache()
