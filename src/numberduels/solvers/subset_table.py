"""Subsets of a few things, in the order in which a game that uses them up can be solved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray


class SubsetTable:
    """All subsets of `count` things, smaller sets first, and the step from each to its neighbours.

    A set is known by its place on the ladder, so that all the sets of one size, a rung, are a slice.

    >>> ladder = SubsetTable(3)
    >>> [f"{subset:03b}" for subset in ladder.order]
    ['000', '001', '010', '100', '011', '101', '110', '111']
    >>> ladder.rungs
    [(0, 1), (1, 4), (4, 7), (7, 8)]
    >>> ladder.step(0, slice(4, 7)).tolist()    # 011 -> 010, 101 -> 100, but 110 -> 111, higher up
    [2, 3, 7]
    >>> ladder.sums([1, 2, 5]).tolist()
    [0, 1, 2, 5, 3, 6, 7, 8]
    """

    def __init__(self, count: int) -> None:
        self.rungs = list(pairwise(accumulate((comb(count, size) for size in range(count + 1)), initial=0)))
        sizes = np.bitwise_count(np.arange(1 << count, dtype=np.int32))
        self.order: NDArray[np.int32] = np.argsort(sizes, kind="stable").astype(np.int32)
        self.place: NDArray[np.int32] = np.empty_like(self.order)
        self.place[self.order] = np.arange(1 << count, dtype=np.int32)

    def __len__(self) -> int:
        return len(self.order)

    def step(self, thing: int, places: slice | NDArray[np.intp]) -> NDArray[np.intp]:
        """Where taking the thing leads from these places.

        Sets without it have nothing to take. They are sent up, to the set with it: whoever climbs the
        ladder has left nothing there yet, and need not mask them.
        """
        leads_to: NDArray[np.int32] = self.place[self.order[places] ^ np.int32(1 << thing)]
        return leads_to.astype(np.intp)

    def sums(self, numbers: Sequence[int]) -> NDArray[np.int64]:
        """What each set adds up to when the things are these numbers."""
        sums = np.zeros(len(self), np.int64)
        for i, number in enumerate(numbers):
            np.add(sums[: 1 << i], number, out=sums[1 << i : 2 << i])
        return sums[self.order]


def chunks(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """A slice in pieces of at most `size`.

    >>> list(chunks(4, 9, 2))
    [(4, 6), (6, 8), (8, 9)]
    """
    for first in range(start, stop, size):
        yield first, min(first + size, stop)
