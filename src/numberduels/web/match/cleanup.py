"""Deleting games that ended long ago, or that were abandoned, where the host wants that.

A game is judged by its last event. Several workers may do this at once: a game that goes on meanwhile stays,
and one that is deleted twice is deleted.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from numberduels.store.log import Unavailable
from numberduels.web.match.model import OVER, Duel
from numberduels.web.match.service import Hall

log = logging.getLogger("numberduels.web")

DAY = 24 * 3600.0
PAUSE = 3600.0
"""Seconds from the end of one round to the next."""


@dataclass(slots=True)
class _Rule:
    """Games that have ended, or that have not, are deleted so many days after their last event."""

    ended: bool
    days: int
    done: float = float("-inf")
    """Games whose last event is not later were looked at: only a new event could change what came out."""


class Cleaner:
    """Deletes what is old; 0 days stand for never."""

    def __init__(
        self, hall: Hall, ended: int, unfinished: int, clock: Callable[[], float] = time.time
    ) -> None:
        self._hall = hall
        self._rules = [rule for rule in (_Rule(True, ended), _Rule(False, unfinished)) if rule.days]
        self._clock = clock

    async def run(self) -> None:
        """Clean again and again; a store that is away is tried again later."""
        while self._rules:
            try:
                count = await self.clean()
                if count:
                    log.info(json.dumps({"event": "deleted", "games": count}))
            except Unavailable as fault:
                log.error(json.dumps({"event": "store away", "fault": str(fault)}))
            await asyncio.sleep(PAUSE)

    async def clean(self) -> int:
        """Delete all that is old now; how many games that were."""
        return sum([await self._apply(rule) for rule in self._rules])

    async def _apply(self, rule: _Rule) -> int:
        store, count, last = self._hall.store, 0, ""
        until = self._clock() - rule.days * DAY
        while games := await store.idle(rule.done, until, last):
            last = games[-1][0]
            old = {game: seq for game, seq in games if await self._ended(game) == rule.ended}
            deleted = await store.delete(old) if old else set()
            for game in deleted:
                self._hall.forget(game)
            count += len(deleted)
        rule.done = until
        return count

    async def _ended(self, game: str) -> bool:
        """Whether the game is over; of one that cannot be read any more, nobody will say so."""
        events = await self._hall.store.read(game)
        try:
            return Duel.of(game, events).status == OVER
        except Exception:  # a game of a package that is gone, or nonsense: whatever it is, cleaning goes on
            return False
