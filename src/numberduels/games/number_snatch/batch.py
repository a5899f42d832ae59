"""Batches of Number Snatch."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import ALL, FIRST, SECOND, FinishedGames, Indices, features_of, smallest_dtype
from numberduels.game.batch.bitsets import ONE, BitsetBatch, Masks, random_below, unpack_with_columns
from numberduels.game.batch.row_arrays import WORD, RowArray, RowTable, padded_width
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
