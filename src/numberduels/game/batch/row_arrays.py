"""Arrays of short rows that NumPy can copy fast.

NumPy copies short rows one by one, with overhead for each. The same bytes viewed as an array of opaque items
are copied several times faster, and fastest if an item has 1, 2, 4, 8, 16 or 32 bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import Indices

WORD = 64
"""Bits of a word."""

FAST = 32
"""Bytes of the largest item that NumPy copies inline."""


def padded_width(columns: int) -> int:
    """The padded width of a row: a power of two up to 32, else a multiple of 64.

    >>> [padded_width(columns) for columns in (3, 11, 24, 50, 100)]
    [8, 16, 32, 64, 128]
    """
    return max(8, 1 << (columns - 1).bit_length()) if columns <= FAST else -(-columns // WORD) * WORD


class RowTable:
    """A constant table of rows, looked up by row number.

    >>> RowTable(np.array([[1, 2, 3], [4, 5, 6]])).take(np.array([1, 1]))
    array([[4, 5, 6],
           [4, 5, 6]])
    """

    def __init__(self, table: NDArray[Any], width: int | None = None) -> None:
        count, columns = table.shape
        self.dtype = table.dtype
        self.columns = width or columns
        """The length of a returned row; if `width` is given, it includes the padding."""
        self.width = width or (padded_width(columns) if columns <= FAST else columns)
        wide = np.zeros((count, self.width), dtype=self.dtype)
        wide[:, :columns] = table
        self._items = as_items(wide)

    def take(self, index: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """A copy of these rows."""
        found = self._items.take(index, mode="clip")
        return found.view(self.dtype).reshape(-1, self.width)[:, : self.columns]


class RowArray:
    """One row of numbers for each of `n` games; a move combines it with a change of the same width."""

    def __init__(self, n: int, columns: int, dtype: np.dtype[Any]) -> None:
        self.columns = columns
        self.width = padded_width(columns)
        self.array = np.zeros((n, self.width), dtype=dtype)
        """The padded rows."""

    def copy(self, indices: Indices) -> NDArray[Any]:
        """A copy of these rows, without the padding."""
        return self._wide(indices)[:, : self.columns]

    def put(self, indices: Indices, wide: NDArray[Any]) -> None:
        """Replace these rows by padded ones, or by one row for all."""
        as_items(self.array)[indices] = as_items(wide)

    def apply(self, indices: Indices, function: np.ufunc, changes: NDArray[Any]) -> None:
        """Replace each of these rows by `function(row, change)`."""
        if isinstance(indices, slice):
            part = self.array[indices]
            function(part, changes, out=part)
        else:
            self.put(indices, function(self._wide(indices), changes))

    def _wide(self, indices: Indices) -> NDArray[Any]:
        every = as_items(self.array)
        found = every[indices].copy() if isinstance(indices, slice) else every.take(indices, mode="clip")
        return found.view(self.array.dtype).reshape(-1, self.width)


def as_items(wide: NDArray[Any]) -> NDArray[np.void]:
    """The rows of a contiguous array, each viewed as one opaque item."""
    return wide.view(f"V{wide.shape[1] * wide.itemsize}").ravel()


def row_keys(rows: NDArray[Any]) -> list[bytes]:
    """The bytes of each row.

    >>> row_keys(np.array([[1, 2], [1, 2]], dtype=np.uint8))
    [b'\\x01\\x02', b'\\x01\\x02']
    """
    found: list[bytes] = as_items(np.ascontiguousarray(rows)).tolist()
    return found
