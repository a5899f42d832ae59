"""Batches of Number Collision, where repetition is allowed, with the moves of the perfect player.

`theory` has the theorem and its proof: on three cells or more, the player to move wins if the only empty
cell is open, and every other line that is not full is a draw. So a move keeps the draw unless it leaves a
line whose only empty cell is open. Of the moves that keep the draw, the perfect player takes those that
leave the fewest replies that keep it, too. A line with three empty cells or more has as many such replies
as legal moves, because every reply leaves two empty cells or more. A line with one empty cell that is not
open has as many, too. Only on a line with two empty cells some replies lose; `losing_replies` counts them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import ALL, FIRST, SECOND, FinishedGames, GameBatch, Indices, random_below
from numberduels.game.batch.bitsets import (
    ONE,
    WORD,
    Masks,
    RowArray,
    RowTable,
    nth_members,
    padded_width,
    row_keys,
    unpack_bits,
)
from numberduels.game.batch.lookup import ActionTable
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

    def perfect_moves(self, indices: Indices, patience: int) -> Flags | None:
        if self.game.size < SMALLEST_SIZE:
            return None
        return perfect_placements(self.rows.array[indices, : self.game.size], self.game.values, patience)


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


SMALLEST_SIZE = 3
"""The shortest line for which the theorem holds."""

MANY = np.int16((1 << 15) - 1)
"""More replies than there can be: at most 64 cells times 20 numbers."""

Lines = NDArray[np.uint8]
"""Lines by game and cell, 0 for an empty cell, with an empty cell more at both ends."""

Flags = NDArray[np.bool_]


def perfect_placements(cells: NDArray[np.uint8], values: int, patience: int) -> Flags:
    """For each line, the actions that `oracles.engaging_moves` selects.

    All moves that keep the draw are selected if they leave more than `patience` replies in all.
    """
    size = cells.shape[1]
    lines = np.zeros((len(cells), size + 2), dtype=np.uint8)
    lines[:, 1:-1] = cells
    is_empty = cells == 0
    empty = is_empty.sum(axis=1, dtype=np.int16)
    equal = equal_neighbours(lines, values)
    left = empty[:, None, None] + np.where(equal == 0, np.int8(-1), equal)
    """By game, cell and number: how many cells are empty after that move."""
    legal = np.broadcast_to(is_empty[:, :, None], left.shape)
    replies = left * np.int16(values)  # the replies that keep the draw
    full = left == 0
    two = (legal & (left == 2)).nonzero()
    if len(two[0]):
        replies[two] -= losing_replies(lines_after(lines, two, equal), values)
    keeps = legal & ~full
    one = (legal & (left == 1)).nonzero()
    if len(one[0]):
        keeps[one] = ~only_cell_open(lines_after(lines, one, equal), values)
    counted = (keeps * left).sum(axis=(1, 2), dtype=np.int64) * values <= patience
    fewest = np.where(keeps, replies, MANY).min(axis=(1, 2))
    chosen = keeps & (~counted[:, None, None] | (replies == fewest[:, None, None]))
    won = full.any(axis=(1, 2)).nonzero()[0]
    if len(won):
        wins = legal[won] & full[won]
        chosen[won] = np.where(wins.any(axis=(1, 2))[:, None, None], wins, chosen[won])
    found: Flags = chosen.reshape(len(lines), size * values)
    return found


def equal_neighbours(lines: Lines, values: int) -> NDArray[np.int8]:
    """By game, cell and number: how many neighbours of the cell have the number.

    >>> equal_neighbours(np.array([[0, 2, 0, 2, 0]], dtype=np.uint8), 2).tolist()
    [[[0, 0], [0, 2], [0, 0]]]
    """
    numbers = np.arange(1, values + 1, dtype=np.uint8)
    left = lines[:, :-2, None] == numbers
    right = lines[:, 2:, None] == numbers
    found: NDArray[np.int8] = left.astype(np.int8) + right
    return found


def lines_after(lines: Lines, moves: tuple[NDArray[np.intp], ...], equal: NDArray[np.int8]) -> Lines:
    """The lines after moves, given as game, cell and number, which are counted from 0."""
    rows, cells, numbers = moves
    after = lines[rows]
    each = np.arange(len(rows))
    number = (numbers + 1).astype(np.uint8)
    after[each, cells + 1] = np.where(equal[moves] == 0, number, 0)
    for beside in (cells, cells + 2):
        after[each, beside] = np.where(after[each, beside] == number, 0, after[each, beside])
    return after


def only_cell_open(lines: Lines, values: int) -> Flags:
    """Whether some number fits the only empty cell of each line.

    >>> only_cell_open(np.array([[0, 1, 0, 2, 0], [0, 1, 0, 1, 0]], dtype=np.uint8), 2)
    array([False,  True])
    """
    each, cell = np.arange(len(lines)), (lines[:, 1:-1] == 0).argmax(axis=1)
    before, after = lines[each, cell], lines[each, cell + 2]
    different = (before > 0).astype(np.uint8) + ((after > 0) & (after != before))
    found: Flags = different < values
    return found


def losing_replies(lines: Lines, values: int) -> NDArray[np.int16]:
    """How many moves leave a single empty cell that is open, in lines with two empty cells.

    >>> losing_replies(np.array([[0, 0, 1, 0, 0]], dtype=np.uint8), 2)
    array([2], dtype=int16)
    """
    rows, cells = (lines[:, 1:-1] == 0).nonzero()  # two for each line
    numbers = np.arange(1, values + 1, dtype=np.uint8)
    fits = (lines[rows, cells, None] != numbers) & (lines[rows, cells + 2, None] != numbers)
    fitting, number = fits.nonzero()
    after = lines[rows[fitting]]
    after[np.arange(len(after)), cells[fitting] + 1] = number + 1
    losing = rows[fitting][only_cell_open(after, values)]
    return np.bincount(losing, minlength=len(lines)).astype(np.int16)
