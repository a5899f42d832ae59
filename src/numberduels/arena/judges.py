"""Who judges the moves: an exact method for each game, kept as long as that changes nothing but the speed."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

from numberduels.analysis import solution
from numberduels.solvers import MOST, Oracle, TooLarge

KEPT = 8
"""Judges that a worker keeps: a run goes through its games in turn, and comes back to each."""


class Judges(threading.local):
    """The judges of a worker, each thread for itself.

    A judge that knows the whole game may be kept from game to game. One that does not could judge more, or
    less, for what it has seen before: it is asked about one game only, so that verdicts are the same
    wherever they are given.
    """

    def __init__(self, most: int = MOST) -> None:
        """Let each judge look at so many positions."""
        self.most = most
        self._kept: dict[Any, Oracle[Any, Any] | None] = {}

    def of(self, game: Any) -> Oracle[Any, Any]:
        """Who judges this game, its deal made certain."""
        seer = self._kept.get(game)
        if seer is not None and 2 * seer.positions <= seer.most:
            return seer
        fresh = solution.oracle(game, self.most)
        if game in self._kept and seer is None:
            return fresh  # too large to be known as a whole
        if len(self._kept) >= KEPT:
            del self._kept[next(iter(self._kept))]
        try:
            fresh.at(game.start(Random(0)))
            self._kept[game] = fresh
        except TooLarge:
            self._kept[game] = None
            fresh = solution.oracle(game, self.most)
        return fresh


JUDGES = Judges()
