"""Rows of numbers that are copied in one piece each.

NumPy copies an array of short rows row by row, at a cost for each. The same bytes seen as an array of opaque
items are copied several times faster, fastest where an item has 1, 2, 4, 8, 16 or 32 bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import Which

WORD = 64
"""Numbers that a set of them, held in one word, has room for."""

FAST = 32
"""The bytes of the largest item that NumPy copies without a call for each."""


def roomy(columns: int) -> int:
    """The width to give a row of so many numbers: as many as the bits of the smallest word, or of some words.

    >>> [roomy(columns) for columns in (3, 11, 24, 50, 100)]
    [8, 16, 32, 64, 128]
    """
    return max(8, 1 << (columns - 1).bit_length()) if columns <= FAST else -(-columns // WORD) * WORD


class Pieces:
    """A table of rows, looked up by their numbers.

    >>> Pieces(np.array([[1, 2, 3], [4, 5, 6]])).take(np.array([1, 1]))
    array([[4, 5, 6],
           [4, 5, 6]])
    """

    def __init__(self, table: NDArray[Any], width: int | None = None) -> None:
        count, columns = table.shape
        self.dtype = table.dtype
        self.columns = width or columns
        """How many numbers are handed out: with a width given, that many, the last of them padding."""
        self.width = width or (roomy(columns) if columns <= FAST else columns)
        wide = np.zeros((count, self.width), dtype=self.dtype)
        wide[:, :columns] = table
        self._items = items(wide)

    def take(self, index: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """A copy of these rows."""
        found = self._items.take(index, mode="clip")
        return found.view(self.dtype).reshape(-1, self.width)[:, : self.columns]


class Board:
    """A row of numbers for each of `n` games, which a move changes by a record of the same width."""

    def __init__(self, n: int, columns: int, dtype: np.dtype[Any]) -> None:
        self.columns = columns
        self.width = roomy(columns)
        self.array = np.zeros((n, self.width), dtype=dtype)
        """The rows, padded."""

    def copy(self, rows: Which) -> NDArray[Any]:
        """The numbers of these rows."""
        return self._wide(rows)[:, : self.columns]

    def put(self, rows: Which, wide: NDArray[Any]) -> None:
        """Put these in the place of the rows, padding and all; or one of them in the place of all."""
        items(self.array)[rows] = items(wide)

    def change(self, rows: Which, how: np.ufunc, records: NDArray[Any]) -> None:
        """Put `how(row, record)` in the place of each of these rows."""
        if isinstance(rows, slice):
            part = self.array[rows]
            how(part, records, out=part)
        else:
            self.put(rows, how(self._wide(rows), records))

    def _wide(self, rows: Which) -> NDArray[Any]:
        every = items(self.array)
        found = every[rows].copy() if isinstance(rows, slice) else every.take(rows, mode="clip")
        return found.view(self.array.dtype).reshape(-1, self.width)


def items(wide: NDArray[Any]) -> NDArray[np.void]:
    """The rows of an array without gaps, each as one item."""
    return wide.view(f"V{wide.shape[1] * wide.itemsize}").ravel()
