"""The moves of the perfect player in many positions at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.envs.batch_env import BatchEnv
from numberduels.envs.batch_opponents import Positions
from numberduels.game.batch import GameBatch, Indices
from numberduels.game.spec import GameSpec
from numberduels.players.perfect import PerfectPlayer
from numberduels.solvers.oracles import PATIENCE, engaging_moves

Masks = NDArray[np.bool_]
BatchTheory = Callable[[GameBatch, Indices, int], Masks | None]

MAX_POSITIONS = 100_000
"""The most positions that are remembered."""

MAX_BYTES = 64 << 20
"""The most bytes of remembered masks: a game with many actions is remembered for fewer positions."""


class BestMoves:
    """For many positions, the moves that a perfect player draws from: those of `engaging_moves`.

    A game may know them for whole arrays, by its `batch_theory`. Otherwise the player's exact solver is asked
    when a position is met for the first time, and the answer is remembered. When the memory is full, all is
    forgotten.
    """

    def __init__(self, player: PerfectPlayer, spec: GameSpec, batch: BatchEnv) -> None:
        self._player, self._spec, self._batch = player, spec, batch
        self._theory: BatchTheory | None = spec.load("batch_theory")
        self.capacity = max(1, min(MAX_POSITIONS, MAX_BYTES // batch.num_actions))
        """How many positions are remembered at most."""
        self._rows: dict[Hashable, int] = {}
        self._masks = np.zeros((1, batch.num_actions), dtype=np.bool_)

    def __reduce__(self) -> tuple[type[BestMoves], tuple[Any, ...]]:
        return BestMoves, (self._player, self._spec, self._batch)  # a copy can compute the rest again

    @property
    def remembered(self) -> int:
        """How many positions are remembered."""
        return len(self._rows)

    def choose_in_batch(self, positions: Positions) -> Masks:
        """For each position, which actions the perfect player draws from: these have equal weights."""
        if self._theory:
            known = self._theory(self._batch.games, positions.indices, PATIENCE)
            if known is not None:
                return known
        keys = positions.keys()
        rows = np.fromiter(map(self._rows.get, keys, repeat(-1)), np.intp, len(keys))
        found = self._masks.take(rows, axis=0, mode="clip")
        for row in (rows < 0).nonzero()[0].tolist():
            place = self._place(keys[row], positions, row)
            found[row] = self._masks[place]
        return found

    def _place(self, key: Hashable, positions: Positions, row: int) -> int:
        """The place of a position in the memory, solved if it is new."""
        known = self._rows.get(key)
        if known is not None:  # an earlier row had the same position
            return known
        action_of = self._batch.encoding.action_of
        state = positions.state(row)
        best = [action_of[move] for move in self._player.consult(positions.game, state, engaging_moves)]
        if len(self._rows) == self.capacity:
            self._rows.clear()
        place = len(self._rows)
        if place == len(self._masks):
            rows = min(self.capacity, 2 * place)
            self._masks = np.concatenate((self._masks, np.zeros_like(self._masks[: rows - place])))
        self._masks[place] = False
        self._masks[place, best] = True
        self._rows[key] = place
        return place
