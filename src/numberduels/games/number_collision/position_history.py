"""The history of positions in a game: an immutable set that grows without being copied."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice


class PositionHistory:
    """An immutable set of lines that shares memory with the sets it was made from.

    All histories of one game share one dict of lines, numbered in order; each uses only the first ones. If a
    game branches, the new branch gets a dict of its own.

    >>> one = PositionHistory().with_position(7)
    >>> two, other = one.with_position(8), one.with_position(9)
    >>> 8 in one, 8 in two, 8 in other, two == PositionHistory().with_position(8).with_position(7)
    (False, True, False, True)
    """

    __slots__ = ("_count", "_hash", "_lines")

    def __init__(self) -> None:
        self._lines: dict[int, int] = {}
        self._count = 0
        self._hash = 0

    def with_position(self, line: int) -> PositionHistory:
        """The set with one more line, which must not be in it yet."""
        lines = self._lines
        if len(lines) != self._count:
            lines = dict(islice(lines.items(), self._count))
        lines[line] = self._count
        more = PositionHistory()
        more._lines, more._count, more._hash = lines, self._count + 1, self._hash ^ hash((line,))
        return more

    def __iter__(self) -> Iterator[int]:
        return islice(self._lines, self._count)

    def __contains__(self, line: int) -> bool:
        return self._lines.get(line, self._count) < self._count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PositionHistory) or self._count != other._count or self._hash != other._hash:
            return False
        return self._lines is other._lines or all(line in other for line in self)

    def __hash__(self) -> int:
        return self._hash
