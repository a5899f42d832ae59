"""A cache that is bounded by bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ByteCache(Generic[K, V]):
    """The values that were used last, as many as fit into so many bytes.

    >>> cache = ByteCache[str, str](100)
    >>> for name in "abc":
    ...     cache.put(name, name.upper(), 40)
    >>> cache.get("a"), cache.get("c"), len(cache), cache.size
    (None, 'C', 2, 80)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def get(self, key: K) -> V | None:
        """The value of a key, which was used last now."""
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key: K, value: V, size: int) -> None:
        """Keep a value of about so many bytes, and drop those that were not used for longest."""
        self.pop(key)
        self._entries[key] = value, size
        self.size += size
        while self.size > self.most:
            self.pop(next(iter(self._entries)))

    def pop(self, key: K) -> None:
        """Drop a value."""
        _, size = self._entries.pop(key, (None, 0))
        self.size -= size
