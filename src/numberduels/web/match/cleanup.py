"""Deletes old matches: those that ended long ago, and those that were abandoned.

The age of a match is the age of its last event. Several workers may clean up at once: a match with a new
event is not deleted, and deleting one twice does no harm.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from numberduels.web.match.model import OVER, Match
from numberduels.web.match.service import MatchService
from numberduels.web.store.base import Unavailable

log = logging.getLogger("numberduels.web")

DAY = 24 * 3600.0
INTERVAL = 3600.0
"""Seconds between two rounds."""


@dataclass(slots=True)
class _Rule:
    """Delete matches that are over, or those that are not, this many days after their last event."""

    over: bool
    days: int
    checked_until: float = float("-inf")
    """Matches with a last event up to this time were checked: only a new event changes the result."""


class Cleaner:
    """Deletes matches that are over, or abandoned, after this many days; 0 for never."""

    def __init__(
        self,
        matches: MatchService,
        days_over: int,
        days_abandoned: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._matches = matches
        self._rules = [rule for rule in (_Rule(True, days_over), _Rule(False, days_abandoned)) if rule.days]
        self._clock = clock

    async def run(self) -> None:
        """Clean up again and again; if the store is unavailable, try again in the next round."""
        while self._rules:
            try:
                count = await self.clean()
                if count:
                    log.info(json.dumps({"event": "deleted", "games": count}))
            except Unavailable as error:
                log.error(json.dumps({"event": "store away", "fault": str(error)}))
            await asyncio.sleep(INTERVAL)

    async def clean(self) -> int:
        """Delete everything that is old now; return the number of deleted matches."""
        return sum([await self._apply(rule) for rule in self._rules])

    async def _apply(self, rule: _Rule) -> int:
        store, count, last = self._matches.store, 0, ""
        until = self._clock() - rule.days * DAY
        while idle := await store.idle(rule.checked_until, until, last):
            last = idle[-1][0]
            old = {match_id: seq for match_id, seq in idle if await self._is_over(match_id) == rule.over}
            deleted = await store.delete(old) if old else set()
            for match_id in deleted:
                self._matches.memory.forget(match_id)
            count += len(deleted)
        rule.checked_until = until
        return count

    async def _is_over(self, match_id: str) -> bool:
        """Whether the match is over; a match that cannot be read counts as abandoned."""
        events = await self._matches.store.read(match_id)
        try:
            return Match.from_events(match_id, events).status == OVER
        except Exception:  # its game is not installed any more, or its events are broken
            return False
