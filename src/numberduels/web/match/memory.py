"""The matches that this process has in memory."""

from __future__ import annotations

from collections import OrderedDict
from weakref import WeakValueDictionary

from numberduels.web.match.model import Match

MAX_RECENT = 20_000
"""Matches in memory."""


class MatchMemory:
    """Matches by id: the ones used last, and every one that is still in use somewhere."""

    def __init__(self) -> None:
        self._recent: OrderedDict[str, Match] = OrderedDict()
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
        self._loaded[match.id] = self._recent[match.id] = match
        self._recent.move_to_end(match.id)
        while len(self._recent) > MAX_RECENT:
            self._recent.popitem(last=False)

    def forget(self, match_id: str) -> None:
        """Remove a match from memory; the next request reads it from the store."""
        self._recent.pop(match_id, None)
        self._loaded.pop(match_id, None)
