"""Sets of small numbers, each in one word: bit k for number k."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import ALL, GameBatch, Which
from numberduels.batch.records import WORD, roomy

Masks = NDArray[np.uint64]

ONE = np.uint64(1)


class BitsetBatch(GameBatch):
    """A batch whose legal actions are a set, in one word for each game."""

    @classmethod
    def fits(cls, game: Any) -> bool:
        return len(game.all_moves()) <= WORD

    @abstractmethod
    def open(self, rows: Which) -> Masks:
        """The set of legal actions: bit a for action a."""

    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        return unpacked(self.open(rows), self.actions)

    def sample(self, rng: np.random.Generator, rows: Which = ALL) -> NDArray[np.intp]:
        return picked(self.open(rows), self.actions, rng)

    def bits(self, actions: NDArray[np.intp], rows: Which) -> Masks:
        """Each action as a set of one; IllegalMove where it is not open."""
        bits: Masks = np.left_shift(ONE, actions.view(np.uint64))
        found = self.open(rows) & bits
        if np.count_nonzero(found) < len(found):
            self.refuse(actions, found == 0, rows)
        return bits


def unpacked(masks: Masks, count: int) -> NDArray[np.bool_]:
    """The sets as rows of flags, for the numbers from 0 to below count.

    >>> unpacked(np.array([5], dtype=np.uint64), 4).astype(int)
    array([[1, 0, 1, 0]])
    """
    return _flags(masks, roomy(count))[:, :count].view(np.bool_)


def told(
    masks: Masks, count: int, columns: Sequence[NDArray[Any] | int], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Views that begin with the flags of a set and go on with these columns, and then with padding.

    A set of more than 64 numbers has several words, a row of them for each game.

    >>> told(np.array([5], dtype=np.uint64), 3, [np.array([7]), 9], np.dtype(np.uint8))
    array([[1, 0, 1, 7, 9, 0, 0, 0]], dtype=uint8)
    """
    views = _flags(masks, roomy(count + len(columns))).astype(dtype, copy=False)
    for place, column in enumerate(columns, count):
        views[:, place] = column
    return views


def _flags(masks: Masks, width: int) -> NDArray[np.uint8]:
    """The sets as rows of flags."""
    if width <= WORD:
        octets = masks.astype(f"<u{width // 8}").view(np.uint8)
    else:
        sets = masks if masks.ndim > 1 else masks[:, None]
        words = np.zeros((len(masks), width // WORD), dtype="<u8")
        words[:, : sets.shape[1]] = sets
        octets = words.view(np.uint8)
    return np.unpackbits(octets, bitorder="little").reshape(-1, width)


def below(counts: NDArray[Any], rng: np.random.Generator) -> NDArray[np.uint64]:
    """For each count a number from 0 to below it, as likely as any other but for a part in 2**32 / count."""
    half = (len(counts) + 1) // 2
    drawn = rng.bit_generator.random_raw(half).view(np.uint32)[: len(counts)].astype(np.uint64)
    drawn *= counts.view(np.uint64) if counts.itemsize == 8 else counts
    drawn >>= 32
    return drawn


CHUNK = 11
"""Numbers of a set that are looked up at once, in a table that stays close to the processor."""


def _nth() -> NDArray[np.uint8]:
    """At [mask * CHUNK + k]: the k-th number of the set, counted from 0."""
    table = np.zeros((1 << CHUNK, CHUNK), dtype=np.uint8)
    for mask in range(1 << CHUNK):
        numbers = [number for number in range(CHUNK) if mask >> number & 1]
        table[mask, : len(numbers)] = numbers
    return table.ravel()


NTH = _nth()


def picked(masks: Masks, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """A member of each set, each as likely as the others; of the numbers from 0 to below count.

    >>> picked(np.array([4, 1 << 40], dtype=np.uint64), 64, np.random.default_rng(1))
    array([ 2, 40])
    """
    return selected(masks, count, below(np.bitwise_count(masks), rng).astype(np.uint8)).astype(np.intp)


def selected(masks: Masks, count: int, nth: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The member of each set before which there are so many; of the numbers from 0 to below count.

    >>> selected(np.array([13], dtype=np.uint64), 4, np.array([1], dtype=np.uint8))
    array([2], dtype=uint8)
    """
    width = CHUNK
    while width < count:
        width *= 2
    if count <= 32:
        masks = masks.astype(np.uint32)  # half the memory to go through
    passed = np.zeros(1, dtype=np.uint8)
    while width > CHUNK:  # in which half is it?
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
