"""Who looks on: open connections that are told of every change of a game."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

PING = 15.0
"""Seconds of silence after which a stream says that it is still there; proxies cut what is silent."""


class Full(Exception):
    """Too many streams are open, from one address or in all."""


class Stream:
    """One open connection. Only the newest state of a game counts: who is slow skips what came between."""

    __slots__ = ("_state", "_wake", "address", "brief", "closing", "duel")

    def __init__(self, duel: str, address: str, brief: bool) -> None:
        self.duel = duel
        self.address = address
        self.brief = brief
        """Whether it is only told that something has happened, as pages are: they fetch what they show."""
        self.closing = False
        self._state: bytes | None = None
        self._wake = asyncio.Event()

    def put(self, state: bytes) -> None:
        """Hand over the newest state."""
        self._state = state
        self._wake.set()

    def close(self) -> None:
        """Ask the connection to end."""
        self.closing = True
        self._wake.set()

    async def next(self) -> bytes | None:
        """The next state; None when nothing has happened for a while, or it is time to go."""
        try:
            await asyncio.wait_for(self._wake.wait(), PING)
        except TimeoutError:
            return None
        self._wake.clear()
        state, self._state = self._state, None
        return state


class Streams:
    """All open connections, by game."""

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self.closing = False
        self._of: dict[str, set[Stream]] = {}
        self._from: Counter[str] = Counter()
        self.count = 0

    def open(self, duel: str, address: str, brief: bool = False) -> Stream:
        """A new connection that looks at a game; Full if there are too many."""
        if self.closing or self.count >= self.most or self._from[address] >= self.most_each:
            raise Full
        stream = Stream(duel, address, brief)
        self._of.setdefault(duel, set()).add(stream)
        self._from[address] += 1
        self.count += 1
        return stream

    def end(self, stream: Stream) -> None:
        """The connection is gone."""
        looking = self._of[stream.duel]
        looking.discard(stream)
        if not looking:
            del self._of[stream.duel]
        self._from[stream.address] -= 1
        if not self._from[stream.address]:
            del self._from[stream.address]
        self.count -= 1

    def watched(self, duel: str) -> bool:
        """Whether anybody looks at the game."""
        return duel in self._of

    def duels(self) -> list[str]:
        """The games that somebody looks at."""
        return list(self._of)

    def tell(self, duel: str, news: Callable[[bool], bytes]) -> None:
        """Tell all who look at the game; `news` says it in brief, or whole, and is asked once for each."""
        told: dict[bool, bytes] = {}
        for stream in self._of.get(duel, ()):
            if stream.brief not in told:
                told[stream.brief] = news(stream.brief)
            stream.put(told[stream.brief])

    def close(self) -> None:
        """Ask all connections to end, and take no more."""
        self.closing = True
        for looking in self._of.values():
            for stream in looking:
                stream.close()


def message(version: int, state: bytes) -> bytes:
    """A state as the stream sends it; its number lets a lost connection catch up."""
    return b"id: %d\nevent: state\ndata: %b\n\n" % (version, state)
