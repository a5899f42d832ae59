"""Summation Duel, many totals at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import ALL, Ended, Which, ended
from numberduels.batch.bitsets import BitsetBatch, Masks, told
from numberduels.games.summation_duel.rules import Sum, SummationDuel


class SummationDuelBatch(BitsetBatch):
    """For each game the unused numbers, the total and how many are used."""

    def __init__(self, game: SummationDuel, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << game.size) - 1)
        self.unused = np.zeros(n, dtype=np.uint64)
        self.total = np.zeros(n, dtype=np.int32)
        self.used = np.zeros(n, dtype=np.int32)

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        self.unused[rows] = self.full
        self.total[rows] = self.used[rows] = 0

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return (self.used[rows] & 1).astype(np.int8)

    def open(self, rows: Which) -> Masks:
        return np.where(self.total[rows] < self.game.target, self.unused[rows], np.uint64(0))

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        bits = self.bits(actions, rows)
        total = self.total[rows] + (actions + 1).astype(np.int32)
        used = self.used[rows] + 1
        self.unused[rows] ^= bits
        self.total[rows], self.used[rows] = total, used
        # Who passes the target loses, as if the other had made the last move.
        return ended(total >= self.game.target, used + (total > self.game.target))

    def observe(self, rows: Which = ALL) -> NDArray[Any]:
        rest = self.total[rows], self.turn(rows) + 1
        return told(self.unused[rows], self.actions, rest, self.dtype)[:, : self.columns]

    def state(self, row: int) -> Sum:
        return int(self.unused[row]) << 1, int(self.total[row])
