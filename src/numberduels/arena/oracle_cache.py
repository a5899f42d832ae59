"""Who judges the moves: an exact method for each game, kept as long as that changes nothing but the speed."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

from numberduels.analysis import solution
from numberduels.solvers import MAX_POSITIONS, Oracle, TooLarge

KEPT = 8
"""Judges that a worker keeps: a run goes through its games in turn, and comes back to each."""


class OracleCache(threading.local):
    """The judges of a worker, each thread for itself.

    A judge that knows the whole game may be kept from game to game. One that does not could judge more, or
    less, for what it has seen before: it is asked about one game only, so that verdicts are the same
    wherever they are given.
    """

    def __init__(self, max_positions: int = MAX_POSITIONS) -> None:
        """Let each judge look at so many positions."""
        self.max_positions = max_positions
        self._kept: dict[Any, Oracle[Any, Any] | None] = {}

    def of(self, game: Any) -> Oracle[Any, Any]:
        """Who judges this game, its deal made certain."""
        oracle = self._kept.get(game)
        if oracle is not None and 2 * oracle.positions <= oracle.max_positions:
            return oracle
        fresh = solution.make_oracle(game, self.max_positions)
        if game in self._kept and oracle is None:
            return fresh  # too large to be known as a whole
        if len(self._kept) >= KEPT:
            del self._kept[next(iter(self._kept))]
        try:
            fresh.evaluate(game.start(Random(0)))
            self._kept[game] = fresh
        except TooLarge:
            self._kept[game] = None
            fresh = solution.make_oracle(game, self.max_positions)
        return fresh


ORACLES = OracleCache()
