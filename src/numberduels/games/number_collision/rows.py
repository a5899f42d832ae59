"""Number Collision, many lines at once, as long as lines may come back."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from numberduels.games.number_collision.rules import NEVER, Line, NumberCollision
from numberduels.rows import ALL, ONE, WORD, Ended, Masks, Rows, Which, below, ended, picked, unpacked


class NumberCollisionRows(Rows):
    """For each game the empty cells, for each of its numbers the cells that hold it, and the turn.

    Bit 0 stands for position 1. The actions go through the numbers of one cell before the next cell.
    """

    def __init__(self, game: NumberCollision, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << game.size) - 1)
        self.empty = np.zeros(n, dtype=np.uint64)
        self.layers = np.zeros((n, game.values), dtype=np.uint64)
        self.mover = np.zeros(n, dtype=np.int8)
        self.base = np.arange(n) * game.values
        spots = np.arange(self.actions)
        self.number = spots % game.values
        self.cell = np.left_shift(ONE, (spots // game.values).astype(np.uint64))

    @classmethod
    def fits(cls, game: NumberCollision) -> bool:
        return game.size <= WORD and game.repetition == "allowed"

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        self.empty[rows] = self.full
        self.layers[rows] = 0
        self.mover[rows] = 0

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return self.mover[rows].copy()

    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        return spread(self.empty[rows], self.game.size, self.game.values)

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        cell = self.cell.take(actions, mode="clip")
        empty = self.empty[rows]
        self.refuse(actions, (empty & cell) == 0, rows)
        where = self.base[rows] + self.number.take(actions, mode="clip")
        layers = self.layers.reshape(-1)
        layer = layers.take(where, mode="clip")
        gone = layer & (cell << ONE | cell >> ONE)
        # A number with equals beside it goes with them; one without stays. Either way one mask changes both.
        stays = np.where(gone, np.uint64(0), cell)
        changed = gone | stays
        layers[where] = layer ^ changed
        empty = empty ^ changed
        turn = self.mover[rows] ^ np.int8(1)
        self.empty[rows], self.mover[rows] = empty, turn
        return ended(empty == 0, turn)

    def sample(self, rng: np.random.Generator, rows: Which = ALL) -> NDArray[np.intp]:
        cells = picked(self.empty[rows], self.game.size, rng)
        cells *= self.game.values
        cells += below(np.full(len(cells), self.game.values, dtype=np.uint32), rng).view(np.intp)
        return cells

    def view(self, rows: Which = ALL) -> NDArray[np.int32]:
        layers = self.layers[rows]
        cells = np.zeros((len(layers), self.game.size), dtype=np.int32)
        for index in range(self.game.values):
            cells[unpacked(layers[:, index], self.game.size)] = index + 1
        return np.column_stack((cells, self.mover[rows] + 1))

    def state(self, row: int) -> Line:
        width = self.game.size + 1
        layers = self.layers[row].tolist()
        filled = sum(layer << 1 << width * index for index, layer in enumerate(layers))
        return int(self.empty[row]) << 1, filled, 1 if self.mover[row] else 0, NEVER


CHUNK = 8
"""Cells that are looked up at once."""


def spread(masks: Masks, size: int, values: int) -> NDArray[np.bool_]:
    """The sets of cells as rows of flags, each flag as often as there are numbers.

    >>> spread(np.array([5], dtype=np.uint64), 3, 2).astype(int)
    array([[1, 1, 0, 0, 1, 1]])
    """
    chunks = np.ascontiguousarray(masks, "<u8").view(np.uint8).reshape(-1, 8)[:, : -(-size // CHUNK)]
    pieces = _pieces(values).take(chunks, mode="clip")
    return pieces.view(np.bool_).reshape(len(masks), chunks.shape[1] * CHUNK * values)[:, : size * values]


@lru_cache(maxsize=32)
def _pieces(values: int) -> NDArray[np.void]:
    """For every set of a chunk of cells its flags, in one piece."""
    table = unpacked(np.arange(1 << CHUNK, dtype=np.uint64), CHUNK).repeat(values, axis=1)
    return table.view(f"V{CHUNK * values}").ravel()
