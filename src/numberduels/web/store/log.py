"""The interface of all stores: events of games, and the guarantees for them."""

from __future__ import annotations

import asyncio
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, NamedTuple

CHECK_SECONDS = 5.0
"""Seconds for which the result of a check holds."""

MessageListener = Callable[[str], None]
"""Called with a message of another process."""

Listener = Callable[[str, int], None]
"""Called with a game and its last event number; with ("", 0) if any game may have changed."""


class Event(NamedTuple):
    """One event of a game."""

    seq: int
    """The number of the event in its game: 1, 2, 3, without a gap."""
    at: float
    """Time in seconds since 1970."""
    kind: str
    data: Mapping[str, Any]


class SeatedGame(NamedTuple):
    """A game in which somebody has a seat."""

    game: str
    at: float
    """When the seat was taken, in seconds since 1970."""


class Conflict(Exception):
    """Another event with this number was stored first: read the new events and try again."""


class Unavailable(Exception):
    """The store cannot be reached or cannot write now; nothing was written."""


class Store(ABC):
    """Stores events. Game and number are the primary key, which is the only lock that writers need.

    An event is on the disk before `append` returns and before listeners are called.
    """

    shared = False
    """Whether listeners also hear of the events of other processes."""

    def __init__(self) -> None:
        self._probe: asyncio.Future[None] | None = None
        self._probed = 0.0
        self.write_failed = -math.inf
        """When the last event could not be written; minus infinity if it could."""
        self.listeners: list[Listener] = []
        self.message_listeners: list[MessageListener] = []

    def notify(self, game: str, seq: int) -> None:
        """Call all listeners."""
        for listener in self.listeners:
            listener(game, seq)

    def broadcast(self, message: str) -> None:  # noqa: B027  # a store that is not shared has nobody to tell
        """Send a message of at most 7,900 bytes to all processes that share this store, soon.

        It is not stored, and it is lost if the store is unavailable. The sender may get it, too.
        """

    async def check(self) -> None:
        """Unavailable if the last event could not be written just now, or if nothing can be.

        Writing is tried at most every CHECK_SECONDS.
        """
        now = monotonic()
        if now - self.write_failed < CHECK_SECONDS:
            raise Unavailable("the last event could not be written")
        if self._probe is None or (self._probe.done() and now - self._probed >= CHECK_SECONDS):
            self._probed = now
            self._probe = asyncio.ensure_future(self.try_to_write())
        if not self._probe.done():
            await asyncio.shield(self._probe)
        self._probe.result()

    @abstractmethod
    async def try_to_write(self) -> None:
        """Write something that changes nothing; Unavailable if writing fails."""

    @abstractmethod
    async def open(self) -> None:
        """Connect, and create tables that are missing; Unavailable if that fails."""

    @abstractmethod
    async def close(self) -> None:
        """Write pending events, then disconnect."""

    @abstractmethod
    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        """Store an event; Conflict if the number is taken, Unavailable if writing fails."""

    @abstractmethod
    async def read(self, game: str, after: int = 0) -> list[Event]:
        """The events of a game after this number, in order; none for an unknown game."""

    @abstractmethod
    async def games_of(self, key: str, most: int, before: SeatedGame | None = None) -> list[SeatedGame]:
        """At most `most` games in which the holder of this key has a seat, latest first, each once.

        `before` is the last entry of the previous page. A key has a seat if an event of the kind `created`
        has it as the `key` of one of its two `sittings`, or one of the kind `joined` as its own `key`. The
        store has an index for this.
        """

    @abstractmethod
    async def idle(
        self, since: float, until: float, after: str = "", most: int = 100
    ) -> list[tuple[str, int]]:
        """Games whose last event was after `since` and not after `until`, with its number.

        They are in alphabetical order, after the name `after`, at most `most` of them.
        """

    @abstractmethod
    async def delete(self, games: Mapping[str, int]) -> set[str]:
        """Delete the games whose last event still has this number; return the names of those deleted."""
