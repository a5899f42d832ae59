"""The matches that this process has in memory."""

from __future__ import annotations

from weakref import WeakValueDictionary

from numberduels.web.cache import ByteCache
from numberduels.web.match.model import Match

MAX_BYTES = 512 << 20
"""Estimated size of the matches that are kept in memory though nobody uses them."""

MATCH_BYTES = 16 << 10
"""Estimated size of a match without events."""

EVENT_BYTES = 2 << 10
"""Estimated size of an event: a position of a large board."""


def estimated_bytes(match: Match) -> int:
    """The memory that a match takes, rather more than less."""
    return MATCH_BYTES + EVENT_BYTES * match.version


class MatchMemory:
    """Matches by id: the ones used last, and every one that is still in use somewhere."""

    def __init__(self) -> None:
        self._recent = ByteCache[str, Match](MAX_BYTES)
        self._loaded: WeakValueDictionary[str, Match] = WeakValueDictionary()
        """Every match that is in use, recent or not: there is never a second copy of one."""

    def __len__(self) -> int:
        return len(self._recent)

    def get(self, match_id: str) -> Match | None:
        """The match with this id, if it is in memory."""
        return self._loaded.get(match_id)

    def use(self, match_id: str) -> Match | None:
        """The match with this id, if it is in memory; it is the one used last now."""
        match = self._loaded.get(match_id)
        if match is not None:
            self.keep(match)
        return match

    def keep(self, match: Match) -> None:
        """Keep a match in memory, and let go of those that were not used for longest."""
        self._loaded[match.id] = match
        self._recent.put(match.id, match, estimated_bytes(match))

    def forget(self, match_id: str) -> None:
        """Remove a match from memory; the next request reads it from the store."""
        self._recent.pop(match_id)
        self._loaded.pop(match_id, None)
