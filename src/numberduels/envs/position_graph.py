"""PositionGraph: the positions of a game that an environment has met, linked by the moves between them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from numberduels.envs.encoding import Encoding, MaskArray, ObservationArray
from numberduels.game.batch import result_code

KEPT = 1 << 14
"""The most positions that are kept."""

CAPACITY = 1 << 20
"""The most numbers in all of them, so that a few positions of a large game do not fill the memory."""


class Position:
    """A position: its result code, its observation and mask once they are made, and what moves lead to."""

    __slots__ = ("after", "arrays", "result", "state")

    def __init__(self, state: Any, result: int) -> None:
        self.state = state
        self.result = result
        self.arrays: tuple[ObservationArray, MaskArray] | None = None
        self.after: dict[Hashable, Position] = {}
        """The position after each move that was made here."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, (self.state, self.result)  # not the whole graph


class PositionGraph:
    """The positions of one game, so that in a small game a move that was made before is one lookup.

    Nothing is kept if the start is random, and no longer if there are too many positions: they would rarely
    come again.

    >>> from random import Random
    >>> from numberduels.games.range_war.rules import RangeWar
    >>> game = RangeWar(size=3)
    >>> graph = PositionGraph(Encoding(game), np.dtype(np.uint8))
    >>> start = graph.position(game.start(Random()))
    >>> graph.follow(start, 2) is start.after[2]
    True
    >>> graph.arrays(start.after[2])[1].tolist()
    [1, 0, 0]
    """

    def __init__(self, encoding: Encoding, dtype: np.dtype[Any]) -> None:
        self._encoding = encoding
        self._dtype = dtype
        self._known: dict[Any, Position] | None = None if encoding.dealt else {}
        self._capacity = max(2, min(KEPT, CAPACITY // (len(encoding.features) + encoding.num_actions)))

    def __reduce__(self) -> tuple[Any, ...]:
        return PositionGraph, (self._encoding, self._dtype)

    def position(self, state: Any) -> Position:
        """The position of this state."""
        known = self._known
        found = None if known is None else known.get(state)
        if found is None:
            found = Position(state, result_code(self._encoding.game.outcome(state)))
            if known is not None:
                known[state] = found
                if len(known) == self._capacity:
                    self._known = None
        return found

    def follow(self, position: Position, move: Any) -> Position:
        """The position after a move; IllegalMove if the rules refuse it. Look into `after` first."""
        after = self.position(self._encoding.game.play(position.state, move))
        if self._known is not None:
            position.after[move] = after
        return after

    def arrays(self, position: Position) -> tuple[ObservationArray, MaskArray]:
        """The observation without history, and the mask. Nobody may write into these arrays."""
        if position.arrays is None:
            observation, mask = self._encoding.observe(position.state)
            # Copies, because these arrays lie in the memory of other objects and are slower to read.
            position.arrays = observation.astype(self._dtype), mask.copy()
        return position.arrays
