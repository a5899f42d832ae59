"""The oracles that judge the moves of a run, cached for each game."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

from numberduels.analysis.depth import DepthFinder
from numberduels.solvers import MAX_POSITIONS, Oracle, TooLarge, make_oracle

CACHE_SIZE = 8
"""Oracles that a worker keeps: a run plays its games in turn."""


class OracleCache(threading.local):
    """The oracles of a worker; each thread has its own.

    An oracle that has solved a whole game is reused. Another one is used for one game only: what it can judge
    depends on what it was asked before, and verdicts must be the same on every worker.
    """

    def __init__(self, max_positions: int = MAX_POSITIONS) -> None:
        """Limit each oracle to `max_positions`."""
        self.max_positions = max_positions
        self._oracles: dict[Any, Oracle[Any, Any] | None] = {}
        self._finders: dict[Any, DepthFinder] = {}

    def oracle(self, game: Any) -> Oracle[Any, Any]:
        """The oracle of a game with a fixed start."""
        cached = self._oracles.get(game)
        if cached is not None and 2 * cached.positions <= cached.max_positions:
            return cached
        fresh = make_oracle(game, self.max_positions)
        if game in self._oracles and cached is None:
            return fresh  # the game is too large to solve as a whole
        if len(self._oracles) >= CACHE_SIZE:
            del self._oracles[next(iter(self._oracles))]
        try:
            fresh.evaluate(game.start(Random(0)))
            self._oracles[game] = fresh
        except TooLarge:
            self._oracles[game] = None
            fresh = make_oracle(game, self.max_positions)
        return fresh

    def keeps(self, oracle: Oracle[Any, Any]) -> bool:
        """Whether this oracle is reused for the next game."""
        return self._oracles.get(oracle.game) is oracle

    def depth_finder(self, oracle: Oracle[Any, Any]) -> DepthFinder:
        """The finder of depths that uses this oracle; it is kept as long as the oracle."""
        found = self._finders.get(oracle.game)
        if found is None or found.oracle is not oracle:
            found = DepthFinder(oracle)
            self._finders = {game: each for game, each in self._finders.items() if self._oracles.get(game)}
            self._finders[oracle.game] = found
        return found


ORACLES = OracleCache()
