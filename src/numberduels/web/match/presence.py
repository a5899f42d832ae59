"""Presence: which visitors have an open event stream, in this process or in another one.

A visitor may have several streams, one for each tab, and is online while at least one is open. After the last
one is closed they stay online for a moment, because a page that is loaded again closes its stream and opens
another one. Processes that share a store tell each other by messages. A message can be lost, so all of them
are repeated; the visitors of a process that was killed are forgotten after EXPIRY seconds.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from numberduels.web.match.tokens import new_secret

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
