"""Range War, many lines at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import ALL, Ended, Which, ended
from numberduels.batch.bitsets import ONE, BitsetBatch, Masks, told
from numberduels.games.range_war.rules import ANYWHERE, Line, RangeWar

ENDLESS = np.uint64((1 << 64) - 1)


class RangeWarBatch(BitsetBatch):
    """For each game the free numbers, the side that is open, the last number and how many are claimed."""

    def __init__(self, game: RangeWar, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << game.size) - 1)
        self.free = np.zeros(n, dtype=np.uint64)
        self.side = np.zeros(n, dtype=np.uint64)
        self.last = np.zeros(n, dtype=np.int32)
        self.claimed = np.zeros(n, dtype=np.int32)

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        self.free[rows] = self.full
        self.side[rows] = ENDLESS
        self.last[rows] = self.claimed[rows] = 0

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return (self.claimed[rows] & 1).astype(np.int8)

    def open(self, rows: Which) -> Masks:
        return self.free[rows] & self.side[rows]

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        bits = self.bits(actions, rows)
        free = self.free[rows] ^ bits
        last = self.last[rows]
        numbers = (actions + 1).astype(np.int32)
        lower = bits - ONE
        side = np.where(numbers < last, ~(lower | bits), lower)
        if self.game.opening == "free":
            side[last == 0] = ENDLESS
        claimed = self.claimed[rows] + 1
        self.free[rows], self.side[rows] = free, side
        self.last[rows], self.claimed[rows] = numbers, claimed
        return ended((free & side) == 0, claimed)

    def observe(self, rows: Which = ALL) -> NDArray[Any]:
        rest = self.last[rows], self._where(rows), self.turn(rows) + 1
        return told(self.free[rows], self.actions, rest, self.dtype)[:, : self.columns]

    def _where(self, rows: Which) -> NDArray[np.int32]:
        """Whether the next number must be lower (0), may be either (1) or must be higher (2)."""
        side = self.side[rows]  # only one that is up reaches to the last bit
        return np.where(side == ENDLESS, 1, (side >> np.uint64(63)) * 2).astype(np.int32)

    def state(self, row: int) -> Line:
        last = int(self.last[row])
        side = {0: (1 << last) - 1, 1: ANYWHERE, 2: -1 << last}[int(self._where(slice(row, row + 1))[0])]
        return int(self.free[row]) << 1, last, side
