"""Subscriptions: who is notified when a match changes."""

from __future__ import annotations

import asyncio
from collections import Counter

from numberduels.web.match.model import Match


class TooManySubscriptions(Exception):
    """One address, or all together, have too many open subscriptions."""


class Subscription:
    """One subscriber of one match. A slow subscriber skips versions: only the newest one counts."""

    __slots__ = ("_changed", "_match", "address", "closing", "match_id")

    def __init__(self, match_id: str, address: str) -> None:
        self.match_id = match_id
        self.address = address
        self.closing = False
        self._match: Match | None = None
        self._changed = asyncio.Event()

    def notify(self, match: Match) -> None:
        """Tell the subscriber that the match has changed."""
        self._match = match
        self._changed.set()

    def close(self) -> None:
        """Ask the subscriber to end."""
        self.closing = True
        self._changed.set()

    async def next(self, timeout: float) -> Match | None:
        """Wait for the next change; None after the timeout, or if the subscription is closing."""
        try:
            await asyncio.wait_for(self._changed.wait(), timeout)
        except TimeoutError:
            return None
        self._changed.clear()
        match, self._match = self._match, None
        return match


class Subscriptions:
    """All open subscriptions, by match; limited in all and for each address."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self.closing = False
        self.count = 0
        self._by_match: dict[str, set[Subscription]] = {}
        self._by_address: Counter[str] = Counter()

    def open(self, match_id: str, address: str) -> Subscription:
        """Subscribe to a match; TooManySubscriptions if a limit is reached."""
        if self.closing or self.count >= self.most or self._by_address[address] >= self.most_each:
            raise TooManySubscriptions
        subscription = Subscription(match_id, address)
        self._by_match.setdefault(match_id, set()).add(subscription)
        self._by_address[address] += 1
        self.count += 1
        return subscription

    def end(self, subscription: Subscription) -> None:
        """Remove a subscription."""
        subscribers = self._by_match[subscription.match_id]
        subscribers.discard(subscription)
        if not subscribers:
            del self._by_match[subscription.match_id]
        self._by_address[subscription.address] -= 1
        if not self._by_address[subscription.address]:
            del self._by_address[subscription.address]
        self.count -= 1

    def match_ids(self) -> list[str]:
        """The matches that have subscribers."""
        return list(self._by_match)

    def watched(self, match_id: str) -> bool:
        """Whether a match has subscribers."""
        return match_id in self._by_match

    def notify(self, match: Match) -> None:
        """Notify all subscribers of a match."""
        for subscription in self._by_match.get(match.id, ()):
            subscription.notify(match)

    def close(self) -> None:
        """Ask all subscribers to end, and accept no new ones."""
        self.closing = True
        for subscribers in self._by_match.values():
            for subscription in subscribers:
                subscription.close()
