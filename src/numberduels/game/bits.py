"""Sets of small numbers as bit masks: number n is in the set when bit n is one.

A mask is one integer: it hashes and compares fast, and removing a number is one operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

CHUNK = 11
"""Bits of one table lookup: 1..10 needs one lookup, 1..20 needs two."""


def _listed(first: int) -> list[tuple[int, ...]]:
    """The members of every mask of CHUNK bits, where bit 0 stands for `first`."""
    table: list[tuple[int, ...]] = [()]
    for number in range(first, first + CHUNK):
        table += [numbers + (number,) for numbers in table]
    return table


LOW = (1 << CHUNK) - 1
"""The mask of the numbers below CHUNK."""

LOW_MEMBERS = _listed(0)
HIGH_MEMBERS: list[tuple[int, ...]] = []
"""The members of each mask of the first chunk and, shifted down, of the second. Rules look here where even
the call of `members` costs too much. The second is filled when `members` first needs it, since book sizes
hardly do."""


def members(mask: int) -> tuple[int, ...]:
    """The numbers in the set, ascending.

    >>> members(0b10110)
    (1, 2, 4)
    >>> members(1 << 10_000 | 1)
    (0, 10000)
    """
    high = mask >> CHUNK
    if not high:
        return LOW_MEMBERS[mask]
    if high <= LOW:
        try:
            return LOW_MEMBERS[mask & LOW] + HIGH_MEMBERS[high]
        except IndexError:
            HIGH_MEMBERS.extend(_listed(CHUNK))
            return members(mask)
    if mask.bit_count() << 5 < mask.bit_length():
        return tuple(_picked(mask))
    return tuple(number for number, bit in enumerate(reversed(f"{mask:b}")) if bit == "1")


def _picked(mask: int) -> Iterator[int]:
    """The numbers of a sparse set, lowest bit first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(numbers: Iterable[int]) -> int:
    """The set of these numbers.

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
    """For every mask of CHUNK bits, one byte for each bit; filled on demand."""

    def __missing__(self, mask: int) -> bytes:
        self[mask] = found = bytes([mask >> number & 1 for number in range(CHUNK)])
        return found


_FLAGS = _Flags()


def flags(mask: int, low: int, width: int, numbers: tuple[int, ...]) -> Sequence[int]:
    """One flag for each of `width` numbers from low on: 1 if it is in the set. `numbers` are appended.

    The result is bytes if every value fits, since bytes are the fastest sequence to build.

    >>> list(flags(0b10110, 1, 5, (7,))), flags(0b100, 1, 2, (300,))
    ([1, 1, 0, 1, 0, 7], (0, 1, 300))
    """
    mask >>= low
    found = _FLAGS[mask & LOW]
    if width > CHUNK:
        found += _FLAGS[mask >> CHUNK & LOW]
        if width > 2 * CHUNK:
            for start in range(2 * CHUNK, width, CHUNK):
                found += _FLAGS[mask >> start & LOW]
    try:
        return found[:width] + bytes(numbers)
    except ValueError:
        return (*found[:width], *numbers)
