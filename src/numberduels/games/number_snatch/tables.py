"""Number Snatch solved whole: the margin still to come for every set of numbers left and every last number.

Points won so far never matter, only what is left and which number was taken last:

    value(left, last) = max over n in left of  worth(left, n) + (2 * last if n is a multiple of last)
    worth(left, n)    = n - value(left without n, n)

`worth` knows nothing of `last`. So one look at a set finds its plain value, the greatest worth, and for each
divisor the greatest worth among its multiples; a last number asks for no more than that:

    value(left, last) = max(plain(left), 2 * last + greatest worth among the multiples of last)

A last number that divides none of the others is as good as none. The divisors need values of their own, but
only until the sets one number larger are solved: what stays in memory is `plain`, and a question finds the
rest by following multiples of multiples, a chain that soon ends.

A set is a row, its part among the `high` numbers, and a column, its part among the `low` ones, both on
ladders of growing sets. Taking a high number leads from whole rows to whole rows, and taking a low one, in
a chunk of rows laid on its side, from whole columns to whole columns, so that all is copied in long runs.
The numbers that divide most others are low, where their own values never leave the chunk.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from numberduels.core import Progress
from numberduels.solve.ladder import Ladder, chunks

Values: TypeAlias = NDArray[np.int16 | np.int32]

LOW = 8
"""How many numbers make the column: enough for long runs, few enough for short columns."""

CHUNK = 1 << 8
"""Rows solved at once: few enough that all that is computed on the way stays in the cache."""


class SnatchTable:
    """The margin of perfect play from any part of these numbers: exact, up to about 28 numbers.

    `positions` counts what was evaluated: every set once for all the last numbers that divide none of the
    others, and every set without d once more for each d that divides some.

    >>> table = SnatchTable([2, 5, 7, 10, 12, 13, 15, 17, 18, 20])
    >>> table.value(table.numbers)
    11
    >>> [number for number, margin in table.moves(table.numbers).items() if margin == 11]
    [20]
    >>> table.value([20], last=10)    # 20 points, and 10 that change hands
    40
    >>> table.positions    # 2, 5 and 10 divide others
    2560
    """

    def __init__(self, numbers: Iterable[int], progress: Progress | None = None) -> None:
        self.numbers = tuple(sorted(numbers))
        if min(self.numbers, default=1) < 1 or len(set(self.numbers)) < len(self.numbers):
            raise ValueError(f"the numbers must differ and be at least 1: {self.numbers}")
        climb = _Climb(self.numbers)
        climb.climb(progress)
        self.positions = (2 + len(climb.divisors) << len(self.numbers)) // 2
        self._bit = {number: 1 << i for i, number in enumerate(climb.low + climb.high)}
        self._rows, self._columns, self._plain = climb.rows, climb.columns, climb.plain

    def value(self, left: Iterable[int], last: int = 0) -> int:
        """By how much the player to move will outscore the other from here on, `last` just taken (0: none).

        `last` may be any number that is not left, in the list or not.
        """
        return self._value(_left(left, last), last)

    def moves(self, left: Iterable[int], last: int = 0) -> dict[int, int]:
        """The same for each number that can be taken now, smallest number first; the greatest is `value`."""
        numbers = _left(left, last)
        stealing = multiples(last, numbers)
        return {n: self._worth(numbers, n) + 2 * last * (n in stealing) for n in sorted(numbers)}

    def _value(self, left: frozenset[int], last: int) -> int:
        place = sum(self._bit[number] for number in left)
        row, column = self._rows.place[place >> LOW], self._columns.place[place & len(self._columns) - 1]
        plain = int(self._plain[row, column])
        return max([plain, *(2 * last + self._worth(left, number) for number in multiples(last, left))])

    def _worth(self, left: frozenset[int], number: int) -> int:
        return number - self._value(left - {number}, number)


def _left(left: Iterable[int], last: int) -> frozenset[int]:
    numbers = frozenset(left)
    if last in numbers:
        raise ValueError(f"number {last} was taken last and cannot be left")
    return numbers


def multiples(number: int, others: Iterable[int]) -> list[int]:
    """Those of the others that the number divides; 0 divides nothing."""
    return [other for other in others if number and other != number and other % number == 0]


def estimate_bytes(numbers: Collection[int]) -> int:
    """Memory that the table of these numbers takes beside Python and NumPy: ask before it is started.

    >>> estimate_bytes(range(1, 25)) >> 20
    89
    """
    low, high, divisors = _split(numbers)
    row = _dtype(numbers).itemsize << len(low)
    widest = comb(len(high), len(high) // 2)
    kept = sum(number in divisors for number in high)
    chunk = min(CHUNK, widest) * (3 * len(divisors) + 6)
    # The plain values and the ladder of their rows, two rungs of each high divisor, and one chunk.
    return (row + 24 << len(high)) + (2 * kept * (widest + 1) + chunk) * row


def _split(numbers: Collection[int]) -> tuple[list[int], list[int], list[int]]:
    """The low numbers, the high ones, and all those that divide another number."""
    by_use = sorted(numbers, key=lambda number: (-len(multiples(number, numbers)), number))
    return by_use[:LOW], by_use[LOW:], [number for number in by_use if multiples(number, numbers)]


def _never(numbers: Collection[int]) -> int:
    """A value so good for the mover that no number is worth leaving it, not even one that snatches.

    No worth is below minus the sum of all, and a number with its bonus adds less than twice that sum.
    """
    return 3 * sum(numbers) + 1


def _dtype(numbers: Collection[int]) -> np.dtype[np.int16 | np.int32]:
    """The smallest type for every value there can be, `_never` included."""
    return np.dtype(np.int16 if _never(numbers) < 1 << 15 else np.int32)


class _Climb:
    """One pass up the ladders, which leaves behind the plain value of every set.

    In `best`, part 0 is the greatest worth of all; part t, the greatest among the t-th divisor's multiples.
    """

    def __init__(self, numbers: Collection[int]) -> None:
        self.low, self.high, self.divisors = _split(numbers)
        self.rows, self.columns = Ladder(len(self.high)), Ladder(len(self.low))
        self._dtype, self._never = _dtype(numbers), _never(numbers)
        part_of = {divisor: part for part, divisor in enumerate(self.divisors, start=1)}
        self._high_parts = {d: part for d, part in part_of.items() if d in self.high}
        self._low_parts = {d: part for d, part in part_of.items() if d in self.low}
        self._joins = {
            n: [0, *(part for d, part in part_of.items() if d != n and n % d == 0)] for n in numbers
        }
        self._column_steps = [
            (lo, hi, [self.columns.step(i, slice(lo, hi)) for i in range(len(self.low))])
            for lo, hi in self.columns.rungs
        ]
        # What is not solved yet is so good for its mover that nobody wishes to lead there.
        self.plain = self._unsolved(len(self.rows), len(self.columns))
        self._below: dict[int, Values] = {}
        self._bottom = 0

    def _unsolved(self, *shape: int) -> Values:
        return np.full(shape, self._never, self._dtype)

    def climb(self, progress: Progress | None) -> None:
        """Solve every row, smaller sets first, with the divisors' own values kept for one rung."""
        for start, stop in self.rows.rungs:
            # One row more than the rung has: whatever leads beyond the rung is clipped to it.
            here = {d: self._unsolved(stop - start + 1, len(self.columns)) for d in self._high_parts}
            for first, after in chunks(start, stop, CHUNK):
                best = self._take_high(first, after)
                if first == 0:
                    best[0, 0, 0] = 0  # Nothing is left: nothing more is won.
                self.plain[first:after] = self._take_low(best).T
                for divisor, part in self._high_parts.items():
                    here[divisor][first - start : after - start] = _with_bonus(best, divisor, part).T
                if progress:
                    progress(after, len(self.rows))
            self._below, self._bottom = here, start

    def _take_high(self, first: int, after: int) -> Values:
        """The greatest worths of these rows, as far as high numbers go, laid on their side."""
        best = np.full((1 + len(self.divisors), after - first, len(self.columns)), -self._never, self._dtype)
        worth = np.empty_like(best[0])
        for i, number in enumerate(self.high):
            step = self.rows.step(i, slice(first, after))
            if number in self._below:
                np.take(self._below[number], step - self._bottom, axis=0, out=worth, mode="clip")
            else:
                np.take(self.plain, step, axis=0, out=worth, mode="clip")
            self._offer(number, worth, best)
        return np.ascontiguousarray(best.transpose(0, 2, 1))

    def _take_low(self, best: Values) -> Values:
        """The plain values of a chunk: the greatest worths are raised by those of the low numbers."""
        values = {d: self._unsolved(*best[0].shape) for d in (0, *self._low_parts)}
        for lo, hi, steps in self._column_steps:
            rung = best[:, lo:hi]
            worth = np.empty_like(rung[0])
            for number, step in zip(self.low, steps, strict=True):
                np.take(values.get(number, values[0]), step, axis=0, out=worth, mode="clip")
                self._offer(number, worth, rung)
            values[0][lo:hi] = rung[0]
            for divisor, part in self._low_parts.items():
                values[divisor][lo:hi] = _with_bonus(rung, divisor, part)
        return values[0]

    def _offer(self, number: int, value: Values, best: Values) -> None:
        """Enter a number in the greatest worths, given the value it leaves, whose place its worth takes."""
        worth = np.subtract(self._dtype.type(number), value, out=value)
        for part in self._joins[number]:
            np.maximum(best[part], worth, out=best[part])


def _with_bonus(best: Values, divisor: int, part: int) -> Values:
    """The values of sets after this divisor was taken."""
    values: Values = best[part] + best.dtype.type(2 * divisor)
    np.maximum(best[0], values, out=values)
    return values
