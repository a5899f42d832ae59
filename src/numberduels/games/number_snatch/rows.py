"""Number Snatch, many pools at once."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from numberduels.bits import mask_of
from numberduels.games.number_snatch.rules import NumberSnatch, Pool
from numberduels.rows import ALL, FIRST, ONE, SECOND, Ended, Masks, SetRows, Which, unpacked


class NumberSnatchRows(SetRows):
    """For each game the numbers left, the last one, the points of the player to move and of the other.

    Bit 0 stands for number 1.
    """

    def __init__(self, game: NumberSnatch, n: int) -> None:
        super().__init__(game, n)
        self.left = np.zeros(n, dtype=np.uint64)
        self.last = np.zeros(n, dtype=np.intp)
        self.mine = np.zeros(n, dtype=np.int32)
        self.theirs = np.zeros(n, dtype=np.int32)
        self.odd = np.uint64(mask_of(range(0, game.top, 2)))
        # What a number steals after another one: the other, if it is a factor. Division itself is slow.
        numbers = np.arange(game.top + 1)
        steals = np.where(numbers % np.maximum(numbers, 1)[:, None] == 0, numbers[:, None], 0)
        self.steals = steals.astype(np.int32).ravel()

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        self.left[rows] = self._lists(len(self.left[rows]), rng)
        self.last[rows] = self.mine[rows] = self.theirs[rows] = 0

    def _lists(self, count: int, rng: np.random.Generator) -> Masks:
        """The list given, or lists dealt with an odd sum, each as likely as any other."""
        game = self.game
        if game.numbers:
            return np.full(count, mask_of(game.numbers) >> 1, dtype=np.uint64)
        # Near half of the numbers, as in the book, guessing whole lists is right soonest.
        likely = comb(game.top, game.size) << 5 > 1 << game.top
        found = np.empty(0, dtype=np.uint64)
        while len(found) < count:
            tries = 2 * (count - len(found)) + 10
            lists = self._guessed(tries, rng) if likely else self._shuffled(tries, rng)
            found = np.concatenate((found, lists[np.bitwise_count(lists & self.odd) & 1 == 1]))
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
        taken = np.bitwise_count(self.left[rows]) ^ np.uint8(self.game.size & 1)
        return (taken & 1).astype(np.int8)

    def open(self, rows: Which) -> Masks:
        return self.left[rows]

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        left = self.left[rows] ^ self.bits(actions, rows)
        numbers = actions + 1
        stolen = self.steals.take(self.last[rows] * (self.game.top + 1) + numbers, mode="clip")
        # They have at least what they took last, so nothing goes below zero (reading 4).
        mine, theirs = self.theirs[rows] - stolen, self.mine[rows] + stolen
        theirs += numbers.astype(np.int32)
        self.left[rows], self.last[rows] = left, numbers
        self.mine[rows], self.theirs[rows] = mine, theirs
        which = (left == 0).nonzero()[0]
        ahead = (mine[which] - theirs[which]) * (-1 if self.game.size & 1 else 1)  # of seat 0
        how = np.where(ahead > 0, FIRST, np.where(ahead < 0, SECOND, FIRST + self.game.level()))
        return Ended(which, how.astype(np.int8))

    def view(self, rows: Which = ALL) -> NDArray[np.int32]:
        flags, turn = unpacked(self.left[rows], self.actions), self.turn(rows)
        mine, theirs = self.mine[rows], self.theirs[rows]
        first, second = np.where(turn, theirs, mine), np.where(turn, mine, theirs)
        return np.column_stack((flags, self.last[rows], first, second, turn + 1)).astype(np.int32)

    def state(self, row: int) -> Pool:
        return int(self.left[row]) << 1, int(self.last[row]), int(self.mine[row]), int(self.theirs[row])
