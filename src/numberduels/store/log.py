"""The interface of all stores: events of games, and the guarantees for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

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
