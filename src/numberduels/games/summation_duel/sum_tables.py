"""Tables that solve Summation Duel with NumPy: for one target, and for all targets.

The rule is: *a player who cannot add a number without passing the target loses.* Meeting the target is no
exception, because it leaves the opponent only numbers that pass it. With the bit "the player to move loses",

    loses(left) = the target is not passed, and there is no n in left with loses(left without n)

In `SumTable` the six smallest numbers index the 64 bits of a word, the next six the column, and the rest the
row; columns and rows are subsets in order of size. Removing a number of the row leads from whole rows to
whole rows. Removing a number of the column leads, in a transposed chunk of rows, from whole columns to whole
columns. So all copies are contiguous. Removing a number inside the word is a shift. Entries that are not
solved yet are 0, and so are entries beyond the target: both never count as a loss of the opponent, so neither
needs a mask.

`iterate_lost_rests` solves all targets; `theory.py` has the rule. The bits of a word are 64 rests, the sets
of the six smallest numbers are the columns, and the sets of the other numbers are the rows. More rests take
more passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from numberduels.game.contract import ProgressCallback

Words: TypeAlias = NDArray[np.uint64]

BITS = 6
"""Numbers inside a word: 2**6 sets are the 64 bits of a uint64."""

COLUMN = 6
"""Numbers of the column: enough for long copies, few enough to skip rows beyond the target."""

CHUNK = 1 << 9
"""Rows solved at once: few enough that the intermediate arrays stay in the cache."""

SHIFTS = tuple(np.array(1 << i, np.uint64) for i in range(BITS))
SIZES = tuple(
    np.array(sum(1 << bits for bits in range(1 << BITS) if bits.bit_count() == size), np.uint64)
    for size in range(BITS + 1)
)
"""For each size from 0 to 6, the bits of a word that are sets of this size."""


class SumTable:
    """Who wins from any subset of these numbers, if the total is `deficit` short of the target.

    It is practical up to about 33 numbers. `positions` counts the sets that do not pass the target.

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
        # A number above the deficit can only pass the target, which never helps, so the table leaves it out.
        playable = [number for number in self.numbers if number <= deficit]
        self._bit = {number: 1 << i for i, number in enumerate(playable)}
        builder = _Builder(playable, deficit)
        builder.build(progress)
        self.positions = builder.positions
        self._rows, self._columns, self._loses = builder.rows, builder.columns, builder.loses

    def wins(self, used: Iterable[int] = ()) -> bool:
        """Whether the player to move wins after these numbers have been used.

        If the target is met, the player to move has lost; if it is passed, won.
        """
        used = frozenset(used)
        if not used <= frozenset(self.numbers):
            raise ValueError(f"only {self.numbers} can have been used")
        if sum(used) > self.deficit:
            return True
        left = sum(self._bit.values()) - sum(self._bit[number] for number in used)
        row = self._rows.place[left >> BITS + COLUMN]
        column = self._columns.place[left >> BITS & len(self._columns) - 1]
        return not int(self._loses[row, column]) >> left % (1 << BITS) & 1


def estimate_bytes(count: int) -> int:
    """The memory that a table of `count` numbers needs. Only numbers up to the deficit count.

    A low target needs less, because rows beyond it are never written.

    >>> estimate_bytes(30) >> 20
    139
    """
    rows, columns = _shape(count)
    # The words; for each row its sum, its place and the arrays to sort them; one chunk.
    return rows * (8 * columns + 32) + 12 * 8 * columns * min(rows, CHUNK)


def _shape(count: int) -> tuple[int, int]:
    columns = min(max(count - BITS, 0), COLUMN)
    return 1 << max(count - BITS - COLUMN, 0), 1 << columns


class _Builder:
    """Fills the table in one pass over the sets in order of size."""

    def __init__(self, numbers: Sequence[int], deficit: int) -> None:
        word, column, row = numbers[:BITS], numbers[BITS : BITS + COLUMN], numbers[BITS + COLUMN :]
        self.rows, self.columns = SubsetTable(len(row)), SubsetTable(len(column))
        # The target is passed if the numbers left add up to less than this.
        floor = sum(numbers) - deficit
        self._missing = floor - self.rows.sums(row)
        self._column_sums = self.columns.sums(column)
        self._allowed_words = _allowed_words(word)
        self._max_inside_row = sum(column) + sum(word)
        self._column_steps = [
            (lo, hi, [self.columns.toggle(i, slice(lo, hi)) for i in range(len(column))])
            for lo, hi in self.columns.size_slices
        ]
        self._row_numbers = range(len(row))
        # Zeros take no memory until they are written, so rows beyond the target are free.
        self.loses: Words = np.zeros((len(self.rows), len(self.columns)), np.uint64)
        self.positions = 0

    def build(self, progress: ProgressCallback | None) -> None:
        """Solve every row, smaller sets first."""
        for start, stop in self.rows.size_slices:
            # Rows that lie beyond the target as a whole stay 0.
            alive = start + np.flatnonzero(self._missing[start:stop] <= self._max_inside_row)
            for first, after in chunks(0, len(alive), CHUNK):
                places = alive[first:after]
                wins = self._wins_by_row(places)
                self.loses[places] = self._solve_columns(wins, self._missing[places]).T
                if progress:
                    sets = len(self.columns) << BITS  # of each row
                    progress((int(places[-1]) + 1) * sets, len(self.rows) * sets)

    def _wins_by_row(self, places: NDArray[np.intp]) -> Words:
        """The sets in which removing a number of the row wins, transposed."""
        wins: Words = np.zeros((len(places), len(self.columns)), np.uint64)
        reached = np.empty_like(wins)
        for i in self._row_numbers:
            np.take(self.loses, self.rows.toggle(i, places), axis=0, out=reached, mode="clip")
            np.bitwise_or(wins, reached, out=wins)
        return np.ascontiguousarray(wins.T)

    def _solve_columns(self, wins: Words, missing: NDArray[np.int64]) -> Words:
        """The lost sets of these rows, given which sets win by a number of the row."""
        loses = np.zeros_like(wins)
        for lo, hi, steps in self._column_steps:
            for step in steps:
                np.bitwise_or(wins[lo:hi], loses[step], out=wins[lo:hi])
            # Clipped: if nothing is missing, every set is allowed; if too much is missing, none is.
            allowed = np.take(self._allowed_words, missing - self._column_sums[lo:hi, None], mode="clip")
            self.positions += int(np.bitwise_count(allowed).sum(dtype=np.int64))
            loses[lo:hi] = _solve_words(allowed & ~wins[lo:hi])
        return loses


def _solve_words(candidates: Words) -> Words:
    """The lost sets of each word, given the sets that do not win by a number outside the word.

    A set wins if it is a lost set with one more number; adding number i is a shift by 2**i. If i was there
    already, the shift carries, which never gives a set that is larger by one; the next size drops it.
    """
    fresh = candidates & SIZES[0]
    loses = fresh.copy()
    wins, shifted = np.empty_like(fresh), np.empty_like(fresh)
    for size in SIZES[1:]:
        np.left_shift(fresh, SHIFTS[0], out=wins)
        for shift in SHIFTS[1:]:
            np.left_shift(fresh, shift, out=shifted)
            np.bitwise_or(wins, shifted, out=wins)
        np.invert(wins, out=wins)
        np.bitwise_and(candidates, size, out=fresh)
        np.bitwise_and(fresh, wins, out=fresh)
        np.bitwise_or(loses, fresh, out=loses)
    return loses


def _allowed_words(numbers: Sequence[int]) -> Words:
    """For each amount from 0, the sets of these numbers, as bits of a word, with at least this sum."""
    table: Words = np.zeros(sum(numbers) + 2, np.uint64)
    for bits in range(1 << len(numbers)):
        total = sum(number for i, number in enumerate(numbers) if bits >> i & 1)
        table[: total + 1] |= np.uint64(1 << bits)
    return table


RESTS = 64
"""Rests solved in one pass."""

LOWEST = np.array([(1 << count) - 1 for count in range(RESTS + 1)], np.uint64)
"""The words whose lowest 0 to 64 bits are set."""


def estimate_rest_bytes(size: int) -> int:
    """The memory that a table of the numbers 1..size needs."""
    rows = 1 << max(size - COLUMN, 0)
    return rows * (8 * (1 << COLUMN) + 32) + 4 * 8 * CHUNK * (1 << COLUMN)


def lost_rests(size: int, progress: ProgressCallback | None = None) -> list[int]:
    """For each n from 0 to size, the rests with which the player to move loses the numbers 1..n, as bits.

    >>> [bin(lost) for lost in lost_rests(4)]
    ['0b1', '0b10', '0b1001', '0b1000110', '0b10000100001']
    """
    return [lost for _, lost in iterate_lost_rests(size, progress)]


def iterate_lost_rests(size: int, progress: ProgressCallback | None = None) -> Iterator[tuple[int, int]]:
    """The same one by one with n, each as soon as all its rests are solved, 64 of them in each pass."""
    rows = SubsetTable(max(size - COLUMN, 0))
    sums = rows.sums(range(COLUMN + 1, size + 1))
    count = -(-(size * (size + 1) // 2 + 1) // RESTS)
    found, complete = [0] * (size + 1), 0
    for number in range(count):
        loses = _solve(rows, sums - number * RESTS, (number, count), progress)
        for n in range(size + 1):
            row = rows.place[(1 << max(n - COLUMN, 0)) - 1]
            found[n] |= int(loses[row, (1 << min(n, COLUMN)) - 1]) << number * RESTS
        while complete <= size and complete * (complete + 1) // 2 < (number + 1) * RESTS:
            yield complete, found[complete]
            complete += 1


def _solve(
    rows: SubsetTable,
    row_sums: NDArray[np.int64],
    which: tuple[int, int],
    progress: ProgressCallback | None,
) -> Words:
    """The lost sets for 64 rests; the sums of the rows are given without the first of these rests."""
    columns = 1 << COLUMN
    number, passes = which
    # Zeros take no memory until they are written, so rows below all these rests are free.
    loses: Words = np.zeros((len(rows), columns), np.uint64)
    for start, stop in rows.size_slices:
        alive = start + np.flatnonzero(row_sums[start:stop] >= -sum(range(COLUMN + 1)))
        for first, after in chunks(0, len(alive), CHUNK):
            places = alive[first:after]
            wins: Words = np.zeros((len(places), columns), np.uint64)
            for i in range(len(rows).bit_length() - 1):
                wins |= loses[rows.toggle(i, places)]
            loses[places] = _solve_columns(np.ascontiguousarray(wins.T), row_sums[places]).T
            if progress:
                done = number * len(rows) + int(places[-1]) + 1
                progress(done * columns, passes * len(rows) * columns)
    return loses


def _solve_columns(wins: Words, row_sums: NDArray[np.int64]) -> Words:
    """The lost sets of these rows, transposed, given which sets win by a number of the row."""
    loses = np.empty_like(wins)
    for column in range(len(wins)):
        numbers = [i for i in range(COLUMN) if column >> i & 1]
        for i in numbers:
            wins[column] |= loses[column ^ 1 << i]
        allowed = LOWEST[np.clip(row_sums + sum(i + 1 for i in numbers) + 1, 0, RESTS)]
        loses[column] = allowed & ~wins[column]
    return loses


class SubsetTable:
    """All subsets of `count` things in order of size.

    A subset is identified by its place in this order, so that all subsets of one size are a slice.

    >>> table = SubsetTable(3)
    >>> [f"{subset:03b}" for subset in table.order]
    ['000', '001', '010', '100', '011', '101', '110', '111']
    >>> table.size_slices
    [(0, 1), (1, 4), (4, 7), (7, 8)]
    >>> table.toggle(0, slice(4, 7)).tolist()    # 011 -> 010, 101 -> 100; 110 has no thing 0 and leads to 111
    [2, 3, 7]
    >>> table.sums([1, 2, 5]).tolist()
    [0, 1, 2, 5, 3, 6, 7, 8]
    """

    def __init__(self, count: int) -> None:
        self.size_slices = list(
            pairwise(accumulate((comb(count, size) for size in range(count + 1)), initial=0))
        )
        sizes = np.bitwise_count(np.arange(1 << count, dtype=np.int32))
        self.order: NDArray[np.int32] = np.argsort(sizes, kind="stable").astype(np.int32)
        self.place: NDArray[np.int32] = np.empty_like(self.order)
        self.place[self.order] = np.arange(1 << count, dtype=np.int32)

    def __len__(self) -> int:
        return len(self.order)

    def toggle(self, thing: int, places: slice | NDArray[np.intp]) -> NDArray[np.intp]:
        """The places of these subsets after removing one thing, or adding it where it is missing.

        A solver that works in order of size has not yet written to the larger subsets, so it need not mask
        the subsets where the thing is missing.
        """
        reached: NDArray[np.int32] = self.place[self.order[places] ^ np.int32(1 << thing)]
        return reached.astype(np.intp)

    def sums(self, numbers: Sequence[int]) -> NDArray[np.int64]:
        """The sum of each subset if the things are these numbers."""
        sums = np.zeros(len(self), np.int64)
        for i, number in enumerate(numbers):
            np.add(sums[: 1 << i], number, out=sums[1 << i : 2 << i])
        return sums[self.order]


def chunks(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Split a range into chunks of at most `size`.

    >>> list(chunks(4, 9, 2))
    [(4, 6), (6, 8), (8, 9)]
    """
    for first in range(start, stop, size):
        yield first, min(first + size, stop)
