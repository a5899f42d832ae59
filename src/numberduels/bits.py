"""Sets of small numbers as bit masks: number n is in the set when bit n is one.

A mask hashes and compares at once, and removing a number is one operation. That is what lets
plain Python keep up with compiled engines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

CHUNK = 11
"""Bits looked up at once: the book's 1..10 are one look, 1..20 are two."""


def _listed(first: int) -> list[tuple[int, ...]]:
    """For every mask of CHUNK bits, its numbers, counted from `first`."""
    table: list[tuple[int, ...]] = [()]
    for number in range(first, first + CHUNK):
        table += [numbers + (number,) for numbers in table]
    return table


_LOW = _listed(0)
_HIGH = _listed(CHUNK)
_CUT = (1 << CHUNK) - 1


def members(mask: int) -> tuple[int, ...]:
    """The numbers in the set, ascending.

    >>> members(0b10110)
    (1, 2, 4)
    >>> members(1 << 10_000 | 1)
    (0, 10000)
    """
    high = mask >> CHUNK
    if not high:
        return _LOW[mask]
    if high <= _CUT:
        return _LOW[mask & _CUT] + _HIGH[high]
    if mask.bit_count() << 5 < mask.bit_length():
        return tuple(_picked(mask))
    return tuple(number for number, bit in enumerate(reversed(f"{mask:b}")) if bit == "1")


def _picked(mask: int) -> Iterator[int]:
    """The numbers of a sparse set, taken out one by one."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(numbers: Iterable[int]) -> int:
    """The set that holds just these numbers.

    >>> bin(mask_of([1, 2, 4]))
    '0b10110'
    """
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def span(low: int, high: int) -> int:
    """The set of all numbers from low to high.

    >>> members(span(2, 5))
    (2, 3, 4, 5)
    """
    return (1 << high + 1) - (1 << low)


class _Flags(dict[int, bytes]):
    """For every mask of CHUNK bits, the bits one by one; found on demand."""

    def __missing__(self, mask: int) -> bytes:
        self[mask] = found = bytes([mask >> number & 1 for number in range(CHUNK)])
        return found


_FLAGS = _Flags()


def flags(mask: int, low: int, width: int, numbers: tuple[int, ...]) -> Sequence[int]:
    """For `width` numbers from low on, whether each is in the set, and some more numbers behind them.

    Bytes, where all of them fit: nothing is made of numbers faster.

    >>> list(flags(0b10110, 1, 5, (7,))), flags(0b100, 1, 2, (300,))
    ([1, 1, 0, 1, 0, 7], (0, 1, 300))
    """
    mask >>= low
    found = _FLAGS[mask & _CUT]
    if width > CHUNK:
        found += _FLAGS[mask >> CHUNK & _CUT]
        for start in range(2 * CHUNK, width, CHUNK):
            found += _FLAGS[mask >> start & _CUT]
    try:
        return found[:width] + bytes(numbers)
    except ValueError:
        return (*found[:width], *numbers)
