"""Summation Duel solved whole: one bit for every set of numbers left, 64 sets to a word.

The rule in one line: *who cannot add a number without passing the target loses.* Meeting the target is no
exception, for it leaves the other player only numbers that pass it. So with the bit "the mover loses",

    loses(left) = the target is not passed, and there is no n in left with loses(left without n)

The six smallest numbers make the 64 bits of a word, the next six make the column, and the rest the row, each
on a ladder of growing sets. Taking a number of the row leads from whole rows to whole rows, and taking one of
the column, in a chunk of rows laid on its side, from whole columns to whole columns, so that all is copied in
long runs; taking one inside the word is a shift. What is not solved yet is 0, and so is what lies beyond the
target: neither ever tempts the mover, and neither has to be masked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from numberduels.core import ProgressCallback
from numberduels.solvers.subset_table import SubsetTable, chunks

Words: TypeAlias = NDArray[np.uint64]

BITS = 6
"""How many numbers live inside a word: 2**6 sets are the 64 bits of a uint64."""

COLUMN = 6
"""How many numbers make the column: enough for long runs, few enough to skip rows beyond the target."""

CHUNK = 1 << 9
"""Rows solved at once: few enough that all that is computed on the way stays in the cache."""

SHIFTS = tuple(np.array(1 << i, np.uint64) for i in range(BITS))
SIZES = tuple(
    np.array(sum(1 << bits for bits in range(1 << BITS) if bits.bit_count() == size), np.uint64)
    for size in range(BITS + 1)
)
"""The bits of a word that stand for sets of 0, 1, ..., 6 numbers."""


class SumTable:
    """Who wins from any part of these numbers, `deficit` short of the target: exact, up to 33 numbers or so.

    `positions` counts the sets that do not pass the target: all that can be met while the game is on, and
    those that end it exactly. The numbers and the deficit alone decide it.

    >>> table = SumTable(range(1, 11), 42)
    >>> table.wins()
    True
    >>> [number for number in table.numbers if not table.wins([number])]
    [6]
    >>> table.positions    # of 1024
    957
    """

    def __init__(
        self, numbers: Iterable[int], deficit: int, progress: ProgressCallback | None = None
    ) -> None:
        self.numbers = tuple(sorted(numbers))
        self.deficit = deficit
        if not self.numbers or self.numbers[0] < 1 or len(set(self.numbers)) < len(self.numbers):
            raise ValueError(f"the numbers must differ and be at least 1: {self.numbers}")
        if not 1 <= deficit <= sum(self.numbers):
            raise ValueError(f"the numbers add up to {sum(self.numbers)} and cannot meet {deficit}")
        # A number above the deficit can only pass the target, which never helps: the table goes without it.
        playable = [number for number in self.numbers if number <= deficit]
        self._bit = {number: 1 << i for i, number in enumerate(playable)}
        climb = _Climb(playable, deficit)
        climb.climb(progress)
        self.positions = climb.positions
        self._rows, self._columns, self._loses = climb.rows, climb.columns, climb.loses

    def wins(self, used: Iterable[int] = ()) -> bool:
        """Whether the player to move wins once these numbers have been used.

        Once the target is met, the player to move has lost; once it is passed, won.
        """
        gone = frozenset(used)
        if not gone <= frozenset(self.numbers):
            raise ValueError(f"only {self.numbers} can have been used")
        if sum(gone) > self.deficit:
            return True
        left = sum(self._bit.values()) - sum(self._bit[number] for number in gone)
        row = self._rows.place[left >> BITS + COLUMN]
        column = self._columns.place[left >> BITS & len(self._columns) - 1]
        return not int(self._loses[row, column]) >> left % (1 << BITS) & 1


def estimate_bytes(count: int) -> int:
    """Memory that a table of `count` numbers takes beside Python and NumPy: ask before it is started.

    Only numbers up to the deficit count. A low target takes less: rows beyond it are never written.

    >>> estimate_bytes(30) >> 20
    139
    """
    rows, columns = _shape(count)
    # The words and, for each row, its sum, its place and what a ladder takes to make; then one chunk.
    return rows * (8 * columns + 32) + 12 * 8 * columns * min(rows, CHUNK)


def _shape(count: int) -> tuple[int, int]:
    columns = min(max(count - BITS, 0), COLUMN)
    return 1 << max(count - BITS - COLUMN, 0), 1 << columns


class _Climb:
    """One pass up the ladders, which leaves behind the losers among all sets."""

    def __init__(self, numbers: Sequence[int], deficit: int) -> None:
        word, column, row = numbers[:BITS], numbers[BITS : BITS + COLUMN], numbers[BITS + COLUMN :]
        self.rows, self.columns = SubsetTable(len(row)), SubsetTable(len(column))
        # The target is passed when what is left adds up to less than this.
        floor = sum(numbers) - deficit
        self._short = floor - self.rows.sums(row)
        self._column_sums = self.columns.sums(column)
        self._inside = _inside(word)
        self._hopeless = sum(column) + sum(word)
        self._column_steps = [
            (lo, hi, [self.columns.step(i, slice(lo, hi)) for i in range(len(column))])
            for lo, hi in self.columns.rungs
        ]
        self._row_numbers = range(len(row))
        # Zeros take no memory until they are written: rows beyond the target are free.
        self.loses: Words = np.zeros((len(self.rows), len(self.columns)), np.uint64)
        self.positions = 0

    def climb(self, progress: ProgressCallback | None) -> None:
        """Solve every row, smaller sets first."""
        for start, stop in self.rows.rungs:
            # Whole rows beyond the target are left at 0.
            alive = start + np.flatnonzero(self._short[start:stop] <= self._hopeless)
            for first, after in chunks(0, len(alive), CHUNK):
                places = alive[first:after]
                wins = self._tempted(places)
                self.loses[places] = self._settle_columns(wins, self._short[places]).T
                if progress:
                    progress(int(places[-1]) + 1, len(self.rows))

    def _tempted(self, places: NDArray[np.intp]) -> Words:
        """The sets from which a number of the row leads to a loser, columns first."""
        wins: Words = np.zeros((len(places), len(self.columns)), np.uint64)
        there = np.empty_like(wins)
        for i in self._row_numbers:
            np.take(self.loses, self.rows.step(i, places), axis=0, out=there, mode="clip")
            np.bitwise_or(wins, there, out=wins)
        return np.ascontiguousarray(wins.T)

    def _settle_columns(self, wins: Words, short: NDArray[np.int64]) -> Words:
        """The losers of these rows, given which sets win by a number of the row."""
        loses = np.zeros_like(wins)
        for lo, hi, steps in self._column_steps:
            for step in steps:
                np.bitwise_or(wins[lo:hi], loses[step], out=wins[lo:hi])
            # Clipped: with nothing missing every set is inside, and far too short none is.
            inside = np.take(self._inside, short - self._column_sums[lo:hi, None], mode="clip")
            self.positions += int(np.bitwise_count(inside).sum(dtype=np.int64))
            loses[lo:hi] = _settle_words(inside & ~wins[lo:hi])
        return loses


def _settle_words(open_sets: Words) -> Words:
    """The losers of each word, smaller sets first, given its sets that neither win outside it nor are beyond.

    A loser leads back to the sets with one more number: adding number i is a shift by 2**i. Where i was
    there already the sum carries, and a carry never makes a set one larger; the next size drops it.
    """
    fresh = open_sets & SIZES[0]
    loses = fresh.copy()
    wins, shifted = np.empty_like(fresh), np.empty_like(fresh)
    for size in SIZES[1:]:
        np.left_shift(fresh, SHIFTS[0], out=wins)
        for shift in SHIFTS[1:]:
            np.left_shift(fresh, shift, out=shifted)
            np.bitwise_or(wins, shifted, out=wins)
        np.invert(wins, out=wins)
        np.bitwise_and(open_sets, size, out=fresh)
        np.bitwise_and(fresh, wins, out=fresh)
        np.bitwise_or(loses, fresh, out=loses)
    return loses


def _inside(numbers: Sequence[int]) -> Words:
    """For each amount from 0 on, the sets of these numbers, as bits of a word, that come to it or more."""
    table: Words = np.zeros(sum(numbers) + 2, np.uint64)
    for bits in range(1 << len(numbers)):
        total = sum(number for i, number in enumerate(numbers) if bits >> i & 1)
        table[: total + 1] |= np.uint64(1 << bits)
    return table
