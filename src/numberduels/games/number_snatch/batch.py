"""Number Snatch, many pools at once."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import ALL, FIRST, SECOND, Ended, Which, columns, narrowest
from numberduels.batch.bitsets import ONE, BitsetBatch, Masks, below, told
from numberduels.batch.records import WORD, Board, Pieces, roomy
from numberduels.bits import mask_of
from numberduels.games.number_snatch.rules import NumberSnatch, Pool

ODD = np.uint64(mask_of(range(0, WORD, 2)))
"""The bits of the odd numbers."""


class NumberSnatchBatch(BitsetBatch):
    """For each game the set of the numbers left, and a board: its view.

    Bit 0 stands for number 1.
    """

    def __init__(self, game: NumberSnatch, n: int) -> None:
        super().__init__(game, n)
        self.left = np.zeros(n, dtype=np.uint64)
        self.board = Board(n, self.columns, self.dtype)
        self.records, self.after = changes(game)
        self.base = np.zeros(n, dtype=np.intp)
        """Where the records begin for the turn and the last number."""

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        lists = self._lists(len(self.left[rows]), rng)
        self.left[rows] = lists
        self.base[rows] = 0
        self.board.put(rows, told(lists, self.actions, (0, 0, 0, 1), self.dtype))

    def _lists(self, count: int, rng: np.random.Generator) -> Masks:
        """The list given, or lists dealt with an odd sum, each as likely as any other."""
        game = self.game
        if game.numbers:
            return np.full(count, mask_of(game.numbers) >> 1, dtype=np.uint64)
        if game.top <= LISTED:
            lists = every_list(game.size, game.top)
            return lists.take(below(np.full(count, len(lists), dtype=np.uint64), rng).view(np.intp))
        # Near half of the numbers guessing whole lists is right soonest.
        likely = comb(game.top, game.size) << 5 > 1 << game.top
        found = np.empty(0, dtype=np.uint64)
        while len(found) < count:
            tries = 2 * (count - len(found)) + 10
            lists = self._guessed(tries, rng) if likely else self._shuffled(tries, rng)
            found = np.concatenate((found, lists[odd(lists)]))
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

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return self.board.array[rows, self.columns - 1].astype(np.int8) - np.int8(1)

    def open(self, rows: Which) -> Masks:
        return self.left[rows]

    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        if self.dtype.itemsize > 1:
            return super().legal(rows)
        return self.board.copy(rows)[:, : self.actions].view(np.bool_)  # the view begins with these flags

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        left = self.left[rows] ^ self.bits(actions, rows)
        self.left[rows] = left
        record = self.base[rows] + actions
        self.board.change(rows, np.add, self.records.take(record))
        self.base[rows] = self.after.take(record, mode="clip")
        over = left == 0
        which = over.nonzero()[0]
        top = self.game.top
        first, second = (
            self.board.array[rows, place].take(which).astype(np.int32) for place in (top + 1, top + 2)
        )
        ahead = first - second
        how = np.where(ahead > 0, FIRST, np.where(ahead < 0, SECOND, FIRST + self.game.tie_winner()))
        return Ended(which, how.astype(np.int8), over)

    def observe(self, rows: Which = ALL) -> NDArray[Any]:
        return self.board.copy(rows)

    def state(self, row: int) -> Pool:
        last, first, second, turn = self.board.array[row, self.actions : self.columns].tolist()
        return int(self.left[row]) << 1, last, *((second, first) if turn == 2 else (first, second))


LISTED = 20
"""The top up to which all lists are kept to deal from: the book's 92,504, and fewer at any other size."""


@lru_cache(maxsize=32)
def every_list(size: int, top: int) -> Masks:
    """All lists with an odd sum."""
    masks = np.arange(1 << top, dtype=np.uint32)
    lists: Masks = masks[np.bitwise_count(masks) == size].astype(np.uint64)
    return np.compress(odd(lists), lists)


def odd(lists: Masks) -> NDArray[np.bool_]:
    """Whether the sum of each is odd: whether an odd number of its numbers are."""
    flags: NDArray[np.bool_] = np.bitwise_count(lists & ODD) & 1 == 1
    return flags


@lru_cache(maxsize=32)
def changes(game: NumberSnatch) -> tuple[Pieces, NDArray[np.intp]]:
    """By turn, last number and action: what is added to the board, and where the records go on after it."""
    top = game.top
    turn, last, action = np.indices((2, top + 1, top))
    number = action + 1
    # Their account has at least the number they took last, so nothing goes below zero (reading 4).
    stolen = np.where(number % np.maximum(last, 1) == 0, last, 0)
    records = np.zeros((*turn.shape, top + 4), dtype=np.int32)
    np.put_along_axis(records, action[..., None], -1, axis=-1)
    records[..., top] = number - last
    for seat in (0, 1):
        records[..., top + 1 + seat] = np.where(turn == seat, number + stolen, -stolen)
    records[..., top + 3] = 1 - 2 * turn
    after = ((1 - turn) * (top + 1) + number) * top
    wide = roomy(top + 4)
    return Pieces(records.reshape(-1, top + 4).astype(narrowest(columns(game))), wide), after.ravel()
