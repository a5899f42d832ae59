"""Batches of Restricted Removal."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import ALL, FinishedGames, Indices, won_by_last_mover
from numberduels.game.batch.bitsets import WORD, BitsetBatch, Masks, unpack_with_columns
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf, neighbours


class RestrictedRemovalBatch(BitsetBatch):
    """Holds the available and the removed numbers; bit 0 stands for number 2."""

    def __init__(self, game: RestrictedRemoval, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << self.num_actions) - 1)
        self.locks = np.array([locked >> 2 for locked in neighbours(game.size)[2:]], dtype=np.uint64)
        self.available = np.zeros(n, dtype=np.uint64)
        self.removed = np.zeros(n, dtype=np.uint64)

    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        self.available[indices] = self.full
        self.removed[indices] = 0

    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        return (np.bitwise_count(self.removed[indices]) & 1).astype(np.int8)

    def legal_bits(self, indices: Indices) -> Masks:
        return self.available[indices]

    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        bits = self.action_bits(actions, indices)
        available = self.available[indices] & ~(self.locks.take(actions, mode="clip") | bits)
        removed = self.removed[indices] | bits
        self.available[indices], self.removed[indices] = available, removed
        return won_by_last_mover(available == 0, np.bitwise_count(removed))

    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        count = self.num_actions
        available, removed = self.available[indices], self.removed[indices]
        both = available | removed << np.uint64(count)  # the second set follows the first
        if 2 * count > WORD:
            both = np.column_stack((both, removed >> np.uint64(WORD - count)))
        return unpack_with_columns(both, 2 * count, [self.turn(indices) + 1], self.dtype)[
            :, : self.num_features
        ]

    def state(self, index: int) -> Shelf:
        return int(self.available[index]) << 2, int(self.removed[index]) << 2
