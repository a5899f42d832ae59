"""Batches of Summation Duel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import ALL, FinishedGames, Indices, won_by_last_mover
from numberduels.game.batch.bitsets import BitsetBatch, Masks, unpack_with_columns
from numberduels.games.summation_duel.rules import Sum, SummationDuel


class SummationDuelBatch(BitsetBatch):
    """Holds the unused numbers, the total and the count of used numbers."""

    def __init__(self, game: SummationDuel, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << game.size) - 1)
        self.unused = np.zeros(n, dtype=np.uint64)
        self.total = np.zeros(n, dtype=np.int32)
        self.used = np.zeros(n, dtype=np.int32)

    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        self.unused[indices] = self.full
        self.total[indices] = self.used[indices] = 0

    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        return (self.used[indices] & 1).astype(np.int8)

    def legal_bits(self, indices: Indices) -> Masks:
        return np.where(self.total[indices] < self.game.target, self.unused[indices], np.uint64(0))

    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        bits = self.action_bits(actions, indices)
        total = self.total[indices] + (actions + 1).astype(np.int32)
        used = self.used[indices] + 1
        self.unused[indices] ^= bits
        self.total[indices], self.used[indices] = total, used
        # Passing the target loses, as if the opponent had made the last move.
        return won_by_last_mover(total >= self.game.target, used + (total > self.game.target))

    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        rest = self.total[indices], self.turn(indices) + 1
        return unpack_with_columns(self.unused[indices], self.num_actions, rest, self.dtype)[
            :, : self.num_features
        ]

    def state(self, index: int) -> Sum:
        return int(self.unused[index]) << 1, int(self.total[index])
