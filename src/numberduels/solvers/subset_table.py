"""Subsets in order of size, for games that use up a set of things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray


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
