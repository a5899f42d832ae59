"""Batches of Range War."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import ALL, FinishedGames, Indices, won_by_last_mover
from numberduels.game.batch.bitsets import ONE, BitsetBatch, Masks, unpack_with_columns
from numberduels.games.range_war.rules import ANYWHERE, Line, RangeWar

ENDLESS = np.uint64((1 << 64) - 1)


class RangeWarBatch(BitsetBatch):
    """Holds the free numbers, the open side, the last number and the count of claimed numbers."""

    def __init__(self, game: RangeWar, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << game.size) - 1)
        self.misere = int(game.ending == "misere")
        self.free = np.zeros(n, dtype=np.uint64)
        self.side = np.zeros(n, dtype=np.uint64)
        self.last = np.zeros(n, dtype=np.int32)
        self.claimed = np.zeros(n, dtype=np.int32)

    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        self.free[indices] = self.full
        self.side[indices] = ENDLESS
        self.last[indices] = self.claimed[indices] = 0

    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        return (self.claimed[indices] & 1).astype(np.int8)

    def legal_bits(self, indices: Indices) -> Masks:
        return self.free[indices] & self.side[indices]

    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        bits = self.action_bits(actions, indices)
        free = self.free[indices] ^ bits
        last = self.last[indices]
        numbers = (actions + 1).astype(np.int32)
        lower = bits - ONE
        side = np.where(numbers < last, ~(lower | bits), lower)
        if self.game.opening == "free":
            side[last == 0] = ENDLESS
        claimed = self.claimed[indices] + 1
        self.free[indices], self.side[indices] = free, side
        self.last[indices], self.claimed[indices] = numbers, claimed
        # With the ending `misere` the winner is the one who did not make the last move.
        return won_by_last_mover((free & side) == 0, claimed + self.misere)

    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        rest = self.last[indices], self._where(indices), self.turn(indices) + 1
        return unpack_with_columns(self.free[indices], self.num_actions, rest, self.dtype)[
            :, : self.num_features
        ]

    def _where(self, indices: Indices) -> NDArray[np.int32]:
        """Whether the next number must be lower (0), may be either (1) or must be higher (2)."""
        side = self.side[indices]  # only one that is up reaches to the last bit
        return np.where(side == ENDLESS, 1, (side >> np.uint64(63)) * 2).astype(np.int32)

    def state(self, index: int) -> Line:
        last = int(self.last[index])
        side = {0: (1 << last) - 1, 1: ANYWHERE, 2: -1 << last}[int(self._where(slice(index, index + 1))[0])]
        return int(self.free[index]) << 1, last, side
