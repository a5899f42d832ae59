"""Batches of Number Collision, where repetition is allowed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import ALL, FIRST, SECOND, FinishedGames, GameBatch, Indices
from numberduels.game.batch.action_table import ActionTable
from numberduels.game.batch.bitsets import ONE, Masks, nth_members, random_below, unpack_bits
from numberduels.game.batch.row_arrays import WORD, RowArray, RowTable, padded_width, row_keys
from numberduels.games.number_collision.rules import NEVER, Line, NumberCollision


class NumberCollisionBatch(GameBatch):
    """Holds the set of empty cells, and a row with the numbers in the cells and the turn.

    Bit 0 stands for position 1. The actions go through the numbers of one cell before the next cell.
    """

    def __init__(self, game: NumberCollision, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << game.size) - 1)
        self.empty = np.zeros(n, dtype=np.uint64)
        self.rows = RowArray(n, self.num_features, self.dtype)
        self.start = np.zeros((1, self.rows.width), dtype=self.dtype)
        self.start[0, game.size] = 1  # an empty line, and the first player's turn
        self.line = np.arange(n) * self.rows.width  # where the row of each game begins
        self.cell, self.number = (each.ravel() for each in np.indices((game.size, game.values)))
        self.number = (self.number + 1).astype(np.uint8)
        self.flips, self.changes = placement_changes(game.size, game.values)
        self.actions = action_table(game.size, game.values) if game.size <= MAX_TABLE_SIZE else None

    @classmethod
    def supports(cls, game: NumberCollision) -> bool:
        return game.size <= WORD and game.repetition == "allowed"

    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        self.empty[indices] = self.full
        self.rows.put(indices, self.start)

    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        return (self.rows.array[indices, self.game.size] - 1).view(np.int8)

    def legal(self, indices: Indices = ALL) -> NDArray[np.bool_]:
        if self.actions:
            return self.actions.masks(self.empty[indices].view(np.intp))
        return repeat_flags(self.empty[indices], self.game.size, self.game.values)

    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        numbers = self.rows.array.reshape(-1)
        number = self.number.take(actions, mode="clip")
        place = self.cell.take(actions, mode="clip")
        place += self.line[indices]
        taken = numbers.take(place, mode="clip")
        if np.count_nonzero(taken):
            self.raise_illegal(actions, taken != 0, indices)
        # Beyond the ends of the line these read other numbers, which the table of changes ignores.
        right = numbers[1:].take(place, mode="clip") == number
        place -= 1
        left = numbers.take(place, mode="clip") == number
        key = actions * SIDES
        key += right.view(np.uint8) * RIGHT + left
        empty = self.empty[indices] ^ self.flips.take(key, mode="clip")
        self.empty[indices] = empty
        self.rows.apply(indices, np.bitwise_xor, self.changes.take(key))
        over = empty == 0
        finished = over.nonzero()[0]
        stuck = self.rows.array[indices, self.game.size].take(finished)
        return FinishedGames(finished, np.where(stuck == 1, np.int8(SECOND), np.int8(FIRST)), over)

    def sample(self, rng: np.random.Generator, indices: Indices = ALL) -> NDArray[np.intp]:
        empty, values = self.empty[indices], np.uint16(self.game.values)
        if self.actions:
            return self.actions.sample(empty.view(np.intp), rng)
        drawn = random_below(np.bitwise_count(empty) * values, rng).astype(np.uint16)
        nth = drawn // values  # which empty cell; the remainder is the number
        actions = nth_members(empty, self.game.size, nth.astype(np.uint8)) * values
        actions += drawn - nth * values
        return actions.astype(np.intp)

    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        return self.rows.copy(indices)

    def keys(self, indices: Indices = ALL) -> list[Any]:
        return row_keys(self.rows.copy(indices))

    def state(self, index: int) -> Line:
        *cells, turn = self.rows.array[index, : self.num_features].tolist()
        width = self.game.size + 1
        filled = sum(
            1 << width * (number - 1) + position for position, number in enumerate(cells, 1) if number
        )
        return int(self.empty[index]) << 1, filled, 1 if turn == 2 else 0, NEVER


LEFT, RIGHT, SIDES = np.uint8(1), np.uint8(2), 4
"""Bits for the sides on which the neighbour has the same number, and the count of their combinations."""


@lru_cache(maxsize=32)
def placement_changes(size: int, values: int) -> tuple[Masks, RowTable]:
    """At [SIDES * action + sides]: the cells to flip between empty and filled, and the change of the row.

    A number without equal neighbours stays. With equal neighbours it is removed together with them.
    """
    flips = np.zeros((size, values, SIDES), dtype=np.uint64)
    rows = np.zeros((size, values, SIDES, size + 1), dtype=np.uint8)
    rows[..., size] = 1 ^ 2  # switches the turn
    for cell in range(size):
        for sides in range(SIDES):
            equal = [(cell - 1, sides & LEFT), (cell + 1, sides & RIGHT)]
            gone = [beside for beside, there in equal if there and 0 <= beside < size]
            for each in gone or [cell]:
                flips[cell, :, sides] |= ONE << np.uint64(each)
                rows[cell, :, sides, each] = np.arange(1, values + 1)
    return flips.ravel(), RowTable(rows.reshape(-1, size + 1), padded_width(size + 1))


MAX_TABLE_SIZE = 11
"""Longest line for which the legal actions of every set of empty cells are in a table."""


@lru_cache(maxsize=32)
def action_table(size: int, values: int) -> ActionTable:
    """The legal actions, indexed by the set of empty cells."""
    return ActionTable(repeat_flags(np.arange(1 << size, dtype=np.uint64), size, values))


def repeat_flags(masks: Masks, size: int, values: int) -> NDArray[np.bool_]:
    """The bits of each set of cells as flags, each repeated `values` times.

    >>> repeat_flags(np.array([5], dtype=np.uint64), 3, 2).astype(int)
    array([[1, 1, 0, 0, 1, 1]])
    """
    octets = np.ascontiguousarray(masks, "<u8").view(np.uint8).reshape(-1, 8)[:, : -(-size // 8)]
    flags = _flags(values).take(octets)
    return flags.reshape(len(masks), octets.shape[1] * 8 * values)[:, : size * values]


@lru_cache(maxsize=32)
def _flags(values: int) -> RowTable:
    """The repeated flags of every set of eight cells."""
    return RowTable(unpack_bits(np.arange(256, dtype=np.uint64), 8).repeat(values, axis=1))
