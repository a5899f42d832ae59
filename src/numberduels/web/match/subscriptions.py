"""Who follows a match, and who is online."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, TypeVar

from numberduels.web.match.model import Match
from numberduels.web.match.seating import new_secret

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


GRACE = 5.0
"""Seconds between the end of a visitor's last stream and being away."""

DELAY = 0.05
"""Seconds in which changes are collected for one message to the other processes."""

INTERVAL = 20.0
"""Seconds after which a process repeats who is online."""

EXPIRY = 50.0
"""Seconds after which a visitor of another process is forgotten, if they are not mentioned again."""

MAX_KEYS = 150
"""Keys in one message: PostgreSQL carries 8,000 bytes."""


class Presence:
    """Who is online. Visitors are known by the hash of their secret, the key of their seats."""

    def __init__(
        self,
        send: Callable[[str], None] = lambda _: None,
        *,
        grace: float = GRACE,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.on_change: Callable[[str], None] = lambda _: None
        """Called with the key of a visitor who has come online or gone away."""
        self._send = send
        self._grace = grace
        self._clock = clock
        self._process = new_secret()
        self._streams: Counter[str] = Counter()
        """Open streams of this process by key."""
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        """Visitors whose last stream has just ended."""
        self._elsewhere: dict[str, dict[str, float]] = {}
        """When to forget the visitors of other processes, by key and process."""
        self._news: dict[str, bool] = {}
        """Changes that the other processes are not told of yet."""

    def is_online(self, key: str) -> bool:
        """Whether this visitor is online."""
        return key in self._streams or key in self._leaving or key in self._elsewhere

    def enter(self, key: str) -> None:
        """A visitor has opened a stream."""
        was_online = self.is_online(key)
        self._streams[key] += 1
        if leaving := self._leaving.pop(key, None):
            leaving.cancel()
        elif self._streams[key] == 1:
            self._tell(key, True)
        if not was_online:
            self.on_change(key)

    def leave(self, key: str) -> None:
        """A visitor has closed a stream; the last one ends the presence after a moment."""
        self._streams[key] -= 1
        if not self._streams[key]:
            del self._streams[key]
            loop = asyncio.get_running_loop()
            self._leaving[key] = loop.call_later(self._grace, self._end, key)

    def _end(self, key: str) -> None:
        del self._leaving[key]
        self._tell(key, False)
        if not self.is_online(key):
            self.on_change(key)

    # Other processes

    def _tell(self, key: str, online: bool) -> None:
        """Tell the other processes soon, together with other changes."""
        if not self._news:
            asyncio.get_running_loop().call_later(DELAY, self._send_news)
        self._news[key] = online

    def _send_news(self) -> None:
        news, self._news = self._news, {}
        for online in (True, False):
            self._send_keys(online, [key for key, each in news.items() if each == online])

    def _send_keys(self, online: bool, keys: Iterable[str]) -> None:
        all_keys = list(keys)
        for start in range(0, len(all_keys), MAX_KEYS):
            message = {"from": self._process, "online": online, "keys": all_keys[start : start + MAX_KEYS]}
            self._send(json.dumps(message))

    def ask(self) -> None:
        """Ask the other processes who is online; they answer soon."""
        self._send(json.dumps({"from": self._process, "ask": True}))

    def repeat(self) -> None:
        """Tell the other processes again who is online here, and forget visitors whom nobody mentions."""
        self._send_keys(True, [*self._streams, *self._leaving])
        now = self._clock()
        for key, processes in list(self._elsewhere.items()):
            for process in [each for each, until in processes.items() if until <= now]:
                self._forget(key, process)

    def receive(self, message: dict[str, Any]) -> None:
        """Take a message of another process; anything else is ignored."""
        process, keys = message.get("from"), message.get("keys", [])
        if not isinstance(process, str) or process == self._process or not isinstance(keys, list):
            return
        if message.get("ask"):
            self._send_keys(True, [*self._streams, *self._leaving])
        for key in keys:
            if isinstance(key, str):
                if message.get("online") is True:
                    self._remember(key, process)
                else:
                    self._forget(key, process)

    def _remember(self, key: str, process: str) -> None:
        was_online = self.is_online(key)
        self._elsewhere.setdefault(key, {})[process] = self._clock() + EXPIRY
        if not was_online:
            self.on_change(key)

    def _forget(self, key: str, process: str) -> None:
        processes = self._elsewhere.get(key, {})
        if processes.pop(process, None) is not None and not processes:
            del self._elsewhere[key]
            if not self.is_online(key):
                self.on_change(key)

    async def run(self) -> None:
        """Keep in touch with the other processes."""
        self.ask()
        while True:
            await asyncio.sleep(INTERVAL)
            self.repeat()
