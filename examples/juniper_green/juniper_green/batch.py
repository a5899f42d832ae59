"""Batches of Juniper Green, up to size 64."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from juniper_green.rules import JuniperGreen, Sheet
from numberduels.game.batch import ALL, FinishedGames, Indices, won_by_last_mover
from numberduels.game.batch.bitsets import BitsetBatch, Masks, unpack_with_columns


class JuniperGreenBatch(BitsetBatch):
    """Holds the numbers that are left and the last number; bit 0 stands for number 1."""

    def __init__(self, game: JuniperGreen, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << game.size) - 1)
        self.related = np.array([related >> 1 for related in game.related], dtype=np.uint64)
        self.left = np.zeros(n, dtype=np.uint64)
        self.last = np.zeros(n, dtype=np.intp)

    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        self.left[indices] = self.full
        self.last[indices] = 0

    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        return (self._struck_out(self.left[indices]) & 1).astype(np.int8)

    def _struck_out(self, left: Masks) -> NDArray[np.int8]:
        """How many numbers have been struck out."""
        return (self.num_actions - np.bitwise_count(left)).astype(np.int8)

    def legal_bits(self, indices: Indices) -> Masks:
        return self.left[indices] & self.related[self.last[indices]]

    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        left = self.left[indices] ^ self.action_bits(actions, indices)
        last = actions + 1
        self.left[indices], self.last[indices] = left, last
        return won_by_last_mover((left & self.related[last]) == 0, self._struck_out(left))

    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        rest = self.last[indices], self.turn(indices) + 1
        rows = unpack_with_columns(self.left[indices], self.num_actions, rest, self.dtype)
        return rows[:, : self.num_features]

    def state(self, index: int) -> Sheet:
        return int(self.left[index]) << 1, int(self.last[index])
