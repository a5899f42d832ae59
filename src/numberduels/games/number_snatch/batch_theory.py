"""The moves of the perfect player of Number Snatch, in many games at once.

The margins are those of `theory`, whose docstring has the proof; here they are computed for whole arrays. A
column stands for a number: column 0 is the number 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import Indices
from numberduels.game.batch.bitsets import unpack_bits
from numberduels.games.number_snatch.batch import NumberSnatchBatch

NEVER = -(1 << 30)
"""The gain of a number that is not left."""

Numbers = NDArray[np.int32]


def perfect_moves(games: Any, indices: Indices, patience: int) -> NDArray[np.bool_] | None:
    """For each game, the actions that `oracles.engaging_moves` selects; None if this is another batch.

    If the best play wins, those are all moves with the best margin. Otherwise they leave the opponent the
    fewest moves with the best margin, unless there are more than `patience` replies to count.
    """
    if not isinstance(games, NumberSnatchBatch):
        return None
    game, top = games.game, games.game.top
    left = unpack_bits(games.left[indices], top)
    last, first, second, turn = games.rows.array[indices, top : top + 4].astype(np.int32).T
    gains = move_gains(left, last)
    best_gains = gains.max(axis=1)
    best: NDArray[np.bool_] = gains == best_gains[:, None]
    margins = np.where(turn == 1, first - second, second - first) + best_gains
    wins = (margins > 0) | ((margins == 0) & (turn - 1 == game.tie_winner()))
    replies = best.sum(axis=1) * (left.sum(axis=1) - 1)
    undecided = (~wins & (best.sum(axis=1) > 1) & (replies <= patience)).nonzero()[0]
    if len(undecided):
        best[undecided] = hardest_to_answer(left[undecided], best[undecided])
    return best


def hardest_to_answer(left: NDArray[np.bool_], moves: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of these moves, those after which the opponent has the fewest moves with the best margin."""
    rows, columns = moves.nonzero()
    after = left[rows]
    after[np.arange(len(rows)), columns] = False
    gains = move_gains(after, (columns + 1).astype(np.int32))
    counts = np.full(moves.shape, 1 << 30)
    counts[rows, columns] = (after & (gains == gains.max(axis=1)[:, None])).sum(axis=1)
    fewest: NDArray[np.bool_] = counts == counts.min(axis=1)[:, None]
    return fewest


def move_gains(left: NDArray[np.bool_], last: Numbers) -> Numbers:
    """As `theory.gains`, for many games: by number, the points that the player to move gains by taking it.

    >>> move_gains(np.array([[True, True, False, True]]), np.array([0], dtype=np.int32)).tolist()
    [[-3, -5, -1073741824, 3]]
    """
    numbers = np.arange(1, left.shape[1] + 1, dtype=np.int32)
    from_top = left[:, ::-1].cumsum(axis=1, dtype=np.int32)[:, ::-1]  # how many are left from here to the top
    signed = np.where(left, numbers * (2 * (from_top & 1) - 1), 0)
    down_to = signed[:, ::-1].cumsum(axis=1, dtype=np.int32)[:, ::-1]  # alternating sum from the top to here
    beside = 2 * down_to - signed  # the sum of those above and of those from here on
    total = down_to[:, :1]
    reply = beside - total  # the alternating sum without the number
    largest = largest_multiples(left)
    without_both = np.take_along_axis(beside, np.maximum(largest - 1, 0), axis=1) - reply
    snatching = largest + 2 * numbers - without_both
    reply = np.where(largest > 0, np.maximum(reply, snatching), reply)
    snatched = np.where(numbers % np.maximum(last, 1)[:, None] == 0, 2 * last[:, None], 0)
    return np.where(left, numbers + snatched - reply, NEVER).astype(np.int32)


def largest_multiples(left: NDArray[np.bool_]) -> Numbers:
    """By number, its largest multiple that is left, other than itself; 0 if there is none.

    >>> largest_multiples(np.array([[True, True, False, True]])).tolist()
    [[4, 4, 0, 0]]
    """
    top = left.shape[1]
    found = np.zeros(left.shape, dtype=np.int32)
    for factor in range(2, top + 1):
        multiples = np.arange(factor, top + 1, factor, dtype=np.int32)
        part = found[:, : len(multiples)]
        np.copyto(part, np.broadcast_to(multiples, part.shape), where=left[:, multiples - 1])
    return found
