"""Batches of Number Snatch."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import (
    ALL,
    FIRST,
    SECOND,
    FinishedGames,
    Indices,
    features_of,
    random_below,
    smallest_dtype,
)
from numberduels.game.batch.bitsets import (
    ONE,
    WORD,
    BitsetBatch,
    Masks,
    RowArray,
    RowTable,
    padded_width,
    unpack_bits,
    unpack_with_columns,
)
from numberduels.game.bits import mask_of
from numberduels.games.number_snatch.rules import NumberSnatch, Pool

ODD = np.uint64(mask_of(range(0, WORD, 2)))
"""The bits of the odd numbers."""


class NumberSnatchBatch(BitsetBatch):
    """Holds the set of numbers left, and a row that is the observation.

    Bit 0 stands for number 1.
    """

    def __init__(self, game: NumberSnatch, n: int) -> None:
        super().__init__(game, n)
        self.left = np.zeros(n, dtype=np.uint64)
        self.rows = RowArray(n, self.num_features, self.dtype)
        self.changes, self.after = snatch_changes(game)
        self.base = np.zeros(n, dtype=np.intp)
        """The offset of the turn and the last number in the table of changes."""

    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        lists = self._lists(len(self.left[indices]), rng)
        self.left[indices] = lists
        self.base[indices] = 0
        self.rows.put(indices, unpack_with_columns(lists, self.num_actions, (0, 0, 0, 1), self.dtype))

    def _lists(self, count: int, rng: np.random.Generator) -> Masks:
        """The given list, or uniformly random lists with an odd sum."""
        game = self.game
        if game.numbers:
            return np.full(count, mask_of(game.numbers) >> 1, dtype=np.uint64)
        if game.top <= MAX_LISTED_TOP:
            lists = all_lists(game.size, game.top)
            return lists.take(random_below(np.full(count, len(lists), dtype=np.uint64), rng).view(np.intp))
        # If about half of the numbers are on the list, random bits have the right size often enough.
        likely = comb(game.top, game.size) << 5 > 1 << game.top
        found = np.empty(0, dtype=np.uint64)
        while len(found) < count:
            tries = 2 * (count - len(found)) + 10
            lists = self._guessed(tries, rng) if likely else self._shuffled(tries, rng)
            found = np.concatenate((found, lists[odd_sums(lists)]))
        return found[:count]

    def _guessed(self, tries: int, rng: np.random.Generator) -> Masks:
        size, top = self.game.size, self.game.top
        draws = tries * (1 << top) // comb(top, size)
        masks: Masks = rng.bit_generator.random_raw(draws) >> np.uint64(64 - top)
        return np.compress(np.bitwise_count(masks) == size, masks)

    def _shuffled(self, tries: int, rng: np.random.Generator) -> Masks:
        size, top = self.game.size, self.game.top
        chosen = rng.random((tries, top)).argpartition(size - 1, axis=1)[:, :size]
        bits: Masks = np.left_shift(ONE, chosen.astype(np.uint64))
        masks: Masks = np.bitwise_or.reduce(bits, axis=1)
        return masks

    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        return self.rows.array[indices, self.num_features - 1].astype(np.int8) - np.int8(1)

    def legal_bits(self, indices: Indices) -> Masks:
        return self.left[indices]

    def legal(self, indices: Indices = ALL) -> NDArray[np.bool_]:
        if self.dtype.itemsize > 1:
            return super().legal(indices)
        return self.rows.copy(indices)[:, : self.num_actions].view(np.bool_)  # the row begins with them

    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        left = self.left[indices] ^ self.action_bits(actions, indices)
        self.left[indices] = left
        key = self.base[indices] + actions
        self.rows.apply(indices, np.add, self.changes.take(key))
        self.base[indices] = self.after.take(key, mode="clip")
        over = left == 0
        finished = over.nonzero()[0]
        top = self.game.top
        first, second = (
            self.rows.array[indices, place].take(finished).astype(np.int32) for place in (top + 1, top + 2)
        )
        ahead = first - second
        results = np.where(ahead > 0, FIRST, np.where(ahead < 0, SECOND, FIRST + self.game.tie_winner()))
        return FinishedGames(finished, results.astype(np.int8), over)

    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        return self.rows.copy(indices)

    def state(self, index: int) -> Pool:
        last, first, second, turn = self.rows.array[index, self.num_actions : self.num_features].tolist()
        return int(self.left[index]) << 1, last, *((second, first) if turn == 2 else (first, second))

    def perfect_moves(self, indices: Indices, patience: int) -> NDArray[np.bool_]:
        """The margins are those of `theory`, whose docstring has the proof.

        If the best play wins, these are all moves with the best margin. Otherwise they leave the opponent the
        fewest moves with the best margin, unless there are more than `patience` replies to count.
        """
        left = unpack_bits(self.left[indices], self.game.top)
        last, first, second, turn = (
            self.rows.array[indices, self.num_actions : self.num_features].astype(np.int32).T
        )
        gains = move_gains(left, last)
        best_gains = gains.max(axis=1)
        best: NDArray[np.bool_] = gains == best_gains[:, None]
        margins = np.where(turn == 1, first - second, second - first) + best_gains
        wins = (margins > 0) | ((margins == 0) & (turn - 1 == self.game.tie_winner()))
        replies = best.sum(axis=1) * (left.sum(axis=1) - 1)
        undecided = (~wins & (best.sum(axis=1) > 1) & (replies <= patience)).nonzero()[0]
        if len(undecided):
            best[undecided] = hardest_to_answer(left[undecided], best[undecided])
        return best


MAX_LISTED_TOP = 20
"""Largest top for which all lists are enumerated: 92,504 lists at the size of the book, else fewer."""


@lru_cache(maxsize=32)
def all_lists(size: int, top: int) -> Masks:
    """All lists with an odd sum."""
    masks = np.arange(1 << top, dtype=np.uint32)
    lists: Masks = masks[np.bitwise_count(masks) == size].astype(np.uint64)
    return np.compress(odd_sums(lists), lists)


def odd_sums(lists: Masks) -> NDArray[np.bool_]:
    """Whether the sum of each list is odd, which is so if an odd count of its numbers is odd."""
    flags: NDArray[np.bool_] = np.bitwise_count(lists & ODD) & 1 == 1
    return flags


@lru_cache(maxsize=32)
def snatch_changes(game: NumberSnatch) -> tuple[RowTable, NDArray[np.intp]]:
    """By turn, last number and action: the change of the row, and the next offset in this table."""
    top = game.top
    turn, last, action = np.indices((2, top + 1, top))
    number = action + 1
    # The opponent has at least the number taken last, so no score becomes negative (reading 4).
    stolen = np.where(number % np.maximum(last, 1) == 0, last, 0)
    rows = np.zeros((*turn.shape, top + 4), dtype=np.int32)
    np.put_along_axis(rows, action[..., None], -1, axis=-1)
    rows[..., top] = number - last
    for seat in (0, 1):
        rows[..., top + 1 + seat] = np.where(turn == seat, number + stolen, -stolen)
    rows[..., top + 3] = 1 - 2 * turn
    after = ((1 - turn) * (top + 1) + number) * top
    wide = padded_width(top + 4)
    return RowTable(rows.reshape(-1, top + 4).astype(smallest_dtype(features_of(game))), wide), after.ravel()


UNAVAILABLE = -(1 << 30)
"""The gain of a number that is not left."""

Numbers = NDArray[np.int32]


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
    return np.where(left, numbers + snatched - reply, UNAVAILABLE).astype(np.int32)


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
