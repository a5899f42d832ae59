"""Restricted Removal, many shelves at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import ALL, Ended, Which, ended
from numberduels.batch.bitsets import BitsetBatch, Masks, told
from numberduels.batch.records import WORD
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf, neighbours


class RestrictedRemovalBatch(BitsetBatch):
    """For each game the available and the removed numbers; bit 0 stands for number 2."""

    def __init__(self, game: RestrictedRemoval, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << self.actions) - 1)
        self.locks = np.array([locked >> 2 for locked in neighbours(game.size)[2:]], dtype=np.uint64)
        self.available = np.zeros(n, dtype=np.uint64)
        self.removed = np.zeros(n, dtype=np.uint64)

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        self.available[rows] = self.full
        self.removed[rows] = 0

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return (np.bitwise_count(self.removed[rows]) & 1).astype(np.int8)

    def open(self, rows: Which) -> Masks:
        return self.available[rows]

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        bits = self.bits(actions, rows)
        available = self.available[rows] & ~(self.locks.take(actions, mode="clip") | bits)
        removed = self.removed[rows] | bits
        self.available[rows], self.removed[rows] = available, removed
        return ended(available == 0, np.bitwise_count(removed))

    def observe(self, rows: Which = ALL) -> NDArray[Any]:
        count = self.actions
        available, removed = self.available[rows], self.removed[rows]
        both = available | removed << np.uint64(count)  # the second set follows the first
        if 2 * count > WORD:
            both = np.column_stack((both, removed >> np.uint64(WORD - count)))
        return told(both, 2 * count, [self.turn(rows) + 1], self.dtype)[:, : self.columns]

    def state(self, row: int) -> Shelf:
        return int(self.available[row]) << 2, int(self.removed[row]) << 2
