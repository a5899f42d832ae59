"""Subscriptions: who is notified when a match changes, or when one of its players comes or goes."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TypeVar

from numberduels.web.match.model import Match

Item = TypeVar("Item")

MAX_WATCHED = 100
"""Matches of one visitor that one subscription follows."""


class TooManySubscriptions(Exception):
    """One address, or all together, have too many open subscriptions."""


class Subscription:
    """One subscriber of some matches. A slow subscriber skips versions: only the newest one counts."""

    __slots__ = ("_matches", "_waiter", "address", "closing", "key", "match_ids")

    def __init__(self, address: str, key: str = "") -> None:
        self.address = address
        self.key = key
        """The key of a visitor who follows all of their matches; empty for a subscriber of one match."""
        self.match_ids: set[str] = set()
        self.closing = False
        self._matches: dict[str, Match] = {}
        self._waiter: asyncio.Future[None] | None = None
        """The future of a subscriber who waits for a change."""

    def notify(self, match: Match) -> None:
        """Tell the subscriber that the match has changed."""
        self._matches[match.id] = match
        self._wake()

    def close(self) -> None:
        """Ask the subscriber to end."""
        self.closing = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self, timeout: float) -> list[Match]:
        """Wait for the next changes; none after the timeout, or if the subscription is closing."""
        if not self._matches and not self.closing:
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            timer = loop.call_later(timeout, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
                self._waiter = None
        matches, self._matches = self._matches, {}
        return list(matches.values())


class Subscriptions:
    """All open subscriptions, by match and by visitor; limited in all and for each address."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self.closing = False
        self.count = 0
        self._by_match: dict[str, set[Subscription]] = {}
        self._by_address: Counter[str] = Counter()
        self._by_visitor: dict[str, set[Subscription]] = {}
        """Subscriptions of visitors to all of their matches, by key."""
        self._keys: dict[str, set[str]] = {}
        """The keys of the players of each match that has subscribers."""
        self._matches_of: dict[str, set[str]] = {}
        """The matches with subscribers in which a key has a seat."""

    def open(self, match_id: str, address: str) -> Subscription:
        """Subscribe to a match; TooManySubscriptions if a limit is reached."""
        subscription = self._open(Subscription(address))
        self.watch(subscription, match_id)
        return subscription

    def open_for_visitor(self, key: str, address: str) -> Subscription:
        """Subscribe to the matches of a visitor, which are still to be named by `watch`."""
        subscription = self._open(Subscription(address, key))
        self._by_visitor.setdefault(key, set()).add(subscription)
        return subscription

    def _open(self, subscription: Subscription) -> Subscription:
        address = subscription.address
        if self.closing or self.count >= self.most or self._by_address[address] >= self.most_each:
            raise TooManySubscriptions
        self._by_address[address] += 1
        self.count += 1
        return subscription

    def end(self, subscription: Subscription) -> None:
        """Remove a subscription."""
        for match_id in list(subscription.match_ids):
            self.unwatch(subscription, match_id)
        _discard(self._by_visitor, subscription.key, subscription)
        self._by_address[subscription.address] -= 1
        if not self._by_address[subscription.address]:
            del self._by_address[subscription.address]
        self.count -= 1

    def watch(self, subscription: Subscription, match_id: str) -> None:
        """Let a subscription follow a match, too, unless it follows too many already."""
        if len(subscription.match_ids) < MAX_WATCHED:
            subscription.match_ids.add(match_id)
            self._by_match.setdefault(match_id, set()).add(subscription)

    def unwatch(self, subscription: Subscription, match_id: str) -> None:
        """Let a subscription no longer follow a match."""
        subscription.match_ids.discard(match_id)
        _discard(self._by_match, match_id, subscription)
        if match_id not in self._by_match:
            for key in self._keys.pop(match_id, ()):
                _discard(self._matches_of, key, match_id)

    def index_players(self, match: Match) -> None:
        """Note who plays in a match with subscribers, so that their presence can be told."""
        if match.id in self._by_match:
            for key in match.keys - self._keys.setdefault(match.id, set()):
                self._keys[match.id].add(key)
                self._matches_of.setdefault(key, set()).add(match.id)

    def matches_of(self, key: str) -> list[str]:
        """The matches with subscribers in which this key has a seat."""
        return list(self._matches_of.get(key, ()))

    def of_visitor(self, key: str) -> list[Subscription]:
        """The subscriptions of this visitor to all of their matches."""
        return list(self._by_visitor.get(key, ()))

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
        for group in (self._by_match, self._by_visitor):
            for subscribers in group.values():
                for subscription in subscribers:
                    subscription.close()


def _discard(groups: dict[str, set[Item]], name: str, item: Item) -> None:
    """Remove an item from a group, and the group if it is empty."""
    if name in groups:
        groups[name].discard(item)
        if not groups[name]:
            del groups[name]
