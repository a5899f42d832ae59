"""Number Collision, many lines at once, as long as lines may come back."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import ALL, FIRST, SECOND, Ended, GameBatch, Which
from numberduels.batch.action_table import Choices
from numberduels.batch.bitsets import ONE, Masks, below, selected, unpacked
from numberduels.batch.records import WORD, Board, Pieces, roomy
from numberduels.games.number_collision.rules import NEVER, Line, NumberCollision


class NumberCollisionBatch(GameBatch):
    """For each game the set of the empty cells, and a board: the numbers in the cells, and the turn.

    Bit 0 stands for position 1. The actions go through the numbers of one cell before the next cell.
    """

    def __init__(self, game: NumberCollision, n: int) -> None:
        super().__init__(game, n)
        self.full = np.uint64((1 << game.size) - 1)
        self.empty = np.zeros(n, dtype=np.uint64)
        self.board = Board(n, self.columns, self.dtype)
        self.start = np.zeros((1, self.board.width), dtype=self.dtype)
        self.start[0, game.size] = 1  # an empty line, and the first player's turn
        self.line = np.arange(n) * self.board.width  # where the line of each game begins
        self.cell, self.number = (each.ravel() for each in np.indices((game.size, game.values)))
        self.number = (self.number + 1).astype(np.uint8)
        self.flips, self.records = changes(game.size, game.values)
        self.choices = choices(game.size, game.values) if game.size <= SHORT else None

    @classmethod
    def fits(cls, game: NumberCollision) -> bool:
        return game.size <= WORD and game.repetition == "allowed"

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        self.empty[rows] = self.full
        self.board.put(rows, self.start)

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return (self.board.array[rows, self.game.size] - 1).view(np.int8)

    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        if self.choices:
            return self.choices.flags(self.empty[rows].view(np.intp))
        return spread(self.empty[rows], self.game.size, self.game.values)

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        numbers = self.board.array.reshape(-1)
        number = self.number.take(actions, mode="clip")
        place = self.cell.take(actions, mode="clip")
        place += self.line[rows]
        taken = numbers.take(place, mode="clip")
        if np.count_nonzero(taken):
            self.refuse(actions, taken != 0, rows)
        # Beyond an end of the line these find anything but a cell of it; the records know.
        right = numbers[1:].take(place, mode="clip") == number
        place -= 1
        left = numbers.take(place, mode="clip") == number
        record = actions * SIDES
        record += right.view(np.uint8) * RIGHT + left
        empty = self.empty[rows] ^ self.flips.take(record, mode="clip")
        self.empty[rows] = empty
        self.board.change(rows, np.bitwise_xor, self.records.take(record))
        over = empty == 0
        which = over.nonzero()[0]
        stuck = self.board.array[rows, self.game.size].take(which)
        return Ended(which, np.where(stuck == 1, np.int8(SECOND), np.int8(FIRST)), over)

    def sample(self, rng: np.random.Generator, rows: Which = ALL) -> NDArray[np.intp]:
        empty, values = self.empty[rows], np.uint16(self.game.values)
        if self.choices:
            return self.choices.sample(empty.view(np.intp), rng)
        drawn = below(np.bitwise_count(empty) * values, rng).astype(np.uint16)
        nth = drawn // values  # among the cells; the rest is the number
        actions = selected(empty, self.game.size, nth.astype(np.uint8)) * values
        actions += drawn - nth * values
        return actions.astype(np.intp)

    def observe(self, rows: Which = ALL) -> NDArray[Any]:
        return self.board.copy(rows)

    def state(self, row: int) -> Line:
        *cells, turn = self.board.array[row, : self.columns].tolist()
        width = self.game.size + 1
        filled = sum(
            1 << width * (number - 1) + position for position, number in enumerate(cells, 1) if number
        )
        return int(self.empty[row]) << 1, filled, 1 if turn == 2 else 0, NEVER


LEFT, RIGHT, SIDES = np.uint8(1), np.uint8(2), 4
"""The sides on which a neighbour has the number that is placed, as bits, and how many sets of them exist."""


@lru_cache(maxsize=32)
def changes(size: int, values: int) -> tuple[Masks, Pieces]:
    """At [SIDES * action + sides]: the cells that become empty or filled, and what flips on the board.

    A number without equals beside it stays; one with equals goes with them, and they are all that changes.
    """
    flips = np.zeros((size, values, SIDES), dtype=np.uint64)
    records = np.zeros((size, values, SIDES, size + 1), dtype=np.uint8)
    records[..., size] = 1 ^ 2  # the other turn
    for cell in range(size):
        for sides in range(SIDES):
            equal = [(cell - 1, sides & LEFT), (cell + 1, sides & RIGHT)]
            gone = [beside for beside, there in equal if there and 0 <= beside < size]
            for each in gone or [cell]:
                flips[cell, :, sides] |= ONE << np.uint64(each)
                records[cell, :, sides, each] = np.arange(1, values + 1)
    return flips.ravel(), Pieces(records.reshape(-1, size + 1), roomy(size + 1))


SHORT = 11
"""Cells of a line for which the placements into every set of empty cells are laid out."""


@lru_cache(maxsize=32)
def choices(size: int, values: int) -> Choices:
    """The placements by set of empty cells."""
    return Choices(spread(np.arange(1 << size, dtype=np.uint64), size, values))


def spread(masks: Masks, size: int, values: int) -> NDArray[np.bool_]:
    """The sets of cells as rows of flags, each flag as often as there are numbers.

    >>> spread(np.array([5], dtype=np.uint64), 3, 2).astype(int)
    array([[1, 1, 0, 0, 1, 1]])
    """
    octets = np.ascontiguousarray(masks, "<u8").view(np.uint8).reshape(-1, 8)[:, : -(-size // 8)]
    flags = _flags(values).take(octets)
    return flags.reshape(len(masks), octets.shape[1] * 8 * values)[:, : size * values]


@lru_cache(maxsize=32)
def _flags(values: int) -> Pieces:
    """For every set of eight cells its flags."""
    return Pieces(unpacked(np.arange(256, dtype=np.uint64), 8).repeat(values, axis=1))
