"""A table that solves Summation Duel for all targets: one bit for each set of numbers left and each rest.

`all_targets.py` has the rule. The bits of a word are 64 rests, the sets of the six smallest numbers are the
columns, and the sets of the other numbers are the rows, in order of size. More rests take more passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from numberduels.game.contract import ProgressCallback
from numberduels.solvers.resumable import BadRows, Checkpoints, Row, read_integers, read_mask
from numberduels.solvers.subset_table import SubsetTable, chunks

Words: TypeAlias = NDArray[np.uint64]

COLUMN = 6
"""Numbers of the column."""

CHUNK = 1 << 9
"""Rows solved at once: few enough that the intermediate arrays stay in the cache."""

BITS = 64
"""Rests solved in one pass."""

LOWEST = np.array([(1 << count) - 1 for count in range(BITS + 1)], np.uint64)
"""The words whose lowest 0 to 64 bits are set."""


def estimate_bytes(size: int) -> int:
    """The memory that a table of the numbers 1..size needs."""
    rows = 1 << max(size - COLUMN, 0)
    return rows * (8 * (1 << COLUMN) + 32) + 4 * 8 * CHUNK * (1 << COLUMN)


def lost_rests(size: int, progress: ProgressCallback | None = None) -> list[int]:
    """For each n from 0 to size, the rests with which the player to move loses the numbers 1..n, as bits.

    >>> [bin(lost) for lost in lost_rests(4)]
    ['0b1', '0b10', '0b1001', '0b1000110', '0b10000100001']
    """
    return [lost for _, lost in iterate_lost_rests(size, progress)]


def iterate_lost_rests(
    size: int, progress: ProgressCallback | None = None, checkpoints: Checkpoints | None = None
) -> Iterator[tuple[int, int]]:
    """The same one by one with n, each as soon as all its rests are solved."""
    passes = SolvedPasses(size)
    checkpoints = checkpoints or Checkpoints()
    checkpoints.restore(passes)
    restored, complete = passes.done, 0
    while True:
        while complete <= size and complete * (complete + 1) // 2 < passes.done * BITS:
            yield complete, passes.found[complete]
            complete += 1
        if complete > size:
            return
        if passes.done > restored:
            checkpoints.reached()
        passes.solve_next(progress)


class SolvedPasses:
    """The lost rests that the passes so far have found. It can be saved after each pass."""

    state_format = "lost rests 1"

    def __init__(self, size: int) -> None:
        self.size = size
        self.done = 0
        """The number of passes that are done; each of them solves the next 64 rests."""
        self.found = [0] * (size + 1)
        """For each n, the rests with which the player to move loses, as bits."""
        self.count = -(-(size * (size + 1) // 2 + 1) // BITS)
        self._rows: SubsetTable | None = None

    def solve_next(self, progress: ProgressCallback | None) -> None:
        """Solve the next 64 rests."""
        self._rows = rows = self._rows or SubsetTable(max(self.size - COLUMN, 0))
        first_rest = self.done * BITS
        row_sums = rows.sums(range(COLUMN + 1, self.size + 1)) - first_rest
        loses = _solve(rows, row_sums, (self.done, self.count), progress)
        for n in range(self.size + 1):
            row = rows.place[(1 << max(n - COLUMN, 0)) - 1]
            self.found[n] |= int(loses[row, (1 << min(n, COLUMN)) - 1]) << first_rest
        self.done += 1

    def dump(self) -> Iterator[Row]:
        """The number of passes, then the lost rests of each n."""
        yield [self.done]
        for lost in self.found:
            yield [f"{lost:x}"]

    def load(self, rows: Iterable[Row]) -> None:
        """Restore the passes from rows; BadRows if they do not fit."""
        first, *lists = rows
        (self.done,) = read_integers(first, 1)
        if self.done > self.count or len(lists) != len(self.found):
            raise BadRows("the number of passes")
        self.found = [read_mask(row[0] if row else None, self.done * BITS) for row in lists]


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
        allowed = LOWEST[np.clip(row_sums + sum(i + 1 for i in numbers) + 1, 0, BITS)]
        loses[column] = allowed & ~wins[column]
    return loses
