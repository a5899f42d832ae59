"""Sets of small integers as bits of a 64-bit word, and short rows of numbers, for whole arrays of games.

NumPy copies short rows one by one, with overhead for each. The same bytes viewed as an array of opaque items
are copied several times faster, and fastest if an item has 1, 2, 4, 8, 16 or 32 bytes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import ALL, GameBatch, Indices, random_below

Masks = NDArray[np.uint64]

ONE = np.uint64(1)


class BitsetBatch(GameBatch):
    """A batch that holds the legal actions of each game as one 64-bit word."""

    @classmethod
    def supports(cls, game: Any) -> bool:
        return len(game.all_moves()) <= WORD

    @abstractmethod
    def legal_bits(self, indices: Indices) -> Masks:
        """The legal actions of each game: bit a is action a."""

    def legal(self, indices: Indices = ALL) -> NDArray[np.bool_]:
        return unpack_bits(self.legal_bits(indices), self.num_actions)

    def sample(self, rng: np.random.Generator, indices: Indices = ALL) -> NDArray[np.intp]:
        return random_members(self.legal_bits(indices), self.num_actions, rng)

    def keys(self, indices: Indices = ALL) -> list[Any]:
        return row_keys(self.observe(indices))  # which tells the whole position

    def action_bits(self, actions: NDArray[np.intp], indices: Indices) -> Masks:
        """Each action as a word with one bit; IllegalMove if an action is not legal."""
        bits: Masks = np.left_shift(ONE, actions.view(np.uint64))
        allowed = self.legal_bits(indices) & bits
        if np.count_nonzero(allowed) < len(allowed):
            self.raise_illegal(actions, allowed == 0, indices)
        return bits


def unpack_bits(masks: Masks, count: int) -> NDArray[np.bool_]:
    """The first `count` bits of each word as a row of booleans.

    >>> unpack_bits(np.array([5], dtype=np.uint64), 4).astype(int)
    array([[1, 0, 1, 0]])
    """
    return _flags(masks, padded_width(count))[:, :count].view(np.bool_)


def unpack_with_columns(
    masks: Masks, count: int, columns: Sequence[NDArray[Any] | int], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Rows that hold the first `count` bits of each word, then these columns, then padding.

    A set of more than 64 numbers takes a row of several words.

    >>> unpack_with_columns(np.array([5], dtype=np.uint64), 3, [np.array([7]), 9], np.dtype(np.uint8))
    array([[1, 0, 1, 7, 9, 0, 0, 0]], dtype=uint8)
    """
    rows = _flags(masks, padded_width(count + len(columns))).astype(dtype, copy=False)
    for position, column in enumerate(columns, count):
        rows[:, position] = column
    return rows


def _flags(masks: Masks, width: int) -> NDArray[np.uint8]:
    """The bits of each word as a row of `width` zeros and ones."""
    if width <= WORD:
        octets = masks.astype(f"<u{width // 8}").view(np.uint8)
    else:
        sets = masks if masks.ndim > 1 else masks[:, None]
        words = np.zeros((len(masks), width // WORD), dtype="<u8")
        words[:, : sets.shape[1]] = sets
        octets = words.view(np.uint8)
    return np.unpackbits(octets, bitorder="little").reshape(-1, width)


CHUNK = 11
"""Bits that one table lookup covers; the table fits into the L1 cache."""


def _nth() -> NDArray[np.uint8]:
    """At [mask * CHUNK + k]: the k-th member of the set, counted from 0."""
    table = np.zeros((1 << CHUNK, CHUNK), dtype=np.uint8)
    for mask in range(1 << CHUNK):
        numbers = [number for number in range(CHUNK) if mask >> number & 1]
        table[mask, : len(numbers)] = numbers
    return table.ravel()


NTH = _nth()


def random_members(masks: Masks, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """A uniformly random member of each set of numbers below `count`.

    >>> random_members(np.array([4, 1 << 40], dtype=np.uint64), 64, np.random.default_rng(1))
    array([ 2, 40])
    """
    return nth_members(masks, count, random_below(np.bitwise_count(masks), rng).astype(np.uint8)).astype(
        np.intp
    )


def nth_members(masks: Masks, count: int, nth: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The nth member of each set of numbers below `count`, counted from 0.

    >>> nth_members(np.array([13], dtype=np.uint64), 4, np.array([1], dtype=np.uint8))
    array([2], dtype=uint8)
    """
    width = CHUNK
    while width < count:
        width *= 2
    if count <= 32:
        masks = masks.astype(np.uint32)  # halves the memory traffic
    passed = np.zeros(1, dtype=np.uint8)
    while width > CHUNK:  # find the half that holds it
        width //= 2
        half = masks.dtype.type((1 << width) - 1)
        lower = np.bitwise_count(masks & half)
        high = (nth >= lower).view(np.uint8)
        nth = nth - lower * high
        skip = high * np.uint8(width)
        masks = (masks >> skip) & half
        passed = passed + skip
    index = masks * masks.dtype.type(CHUNK)
    index += nth
    found = NTH.take(index.astype(np.intp, copy=False), mode="clip")
    found += passed
    return found


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
