"""The moves of the perfect player of Number Collision, in many games at once.

`theory` has the theorem and its proof: on three cells or more, the player to move wins if the only empty
cell is open, and every other line that is not full is a draw. So a move keeps the draw unless it leaves a
line whose only empty cell is open. Of the moves that keep the draw, the perfect player takes those that
leave the fewest replies that keep it, too. A line with three empty cells or more has as many such replies
as legal moves, because every reply leaves two empty cells or more. A line with one empty cell that is not
open has as many, too. Only on a line with two empty cells some replies lose; `losing_replies` counts them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import Indices
from numberduels.games.number_collision.batch import NumberCollisionBatch

SMALLEST_SIZE = 3
"""The shortest line for which the theorem holds."""

MANY = np.int16((1 << 15) - 1)
"""More replies than there can be: at most 64 cells times 20 numbers."""

Lines = NDArray[np.uint8]
"""Lines by game and cell, 0 for an empty cell, with an empty cell more at both ends."""

Flags = NDArray[np.bool_]


def perfect_moves(games: Any, indices: Indices, patience: int) -> Flags | None:
    """For each game, the actions that `oracles.engaging_moves` selects; None if the theorem does not tell.

    All moves that keep the draw are selected if they leave more than `patience` replies in all.
    """
    if not isinstance(games, NumberCollisionBatch) or games.game.size < SMALLEST_SIZE:
        return None
    size, values = games.game.size, games.game.values
    cells = games.rows.array[indices, :size]
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
