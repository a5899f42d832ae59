"""The log of events that a game is: what every store keeps, and what it promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Listener = Callable[[str, int], None]
"""Is told of a game and how far its log reaches now; of no game ("", 0) when anything may have happened."""


class Event(NamedTuple):
    """One thing that happened in a game."""

    seq: int
    """Its number in the game, from 1 on, without a gap."""
    at: float
    """When, in seconds since 1970."""
    kind: str
    data: Mapping[str, Any]


class Seated(NamedTuple):
    """A game in which somebody has a seat."""

    game: str
    at: float
    """When they sat down, in seconds since 1970."""


class Conflict(Exception):
    """Somebody else has written that event of the game already: read on, and look again."""


class Unavailable(Exception):
    """The store cannot be reached, or cannot write, now; nothing was written."""


class Store(ABC):
    """Keeps the events of games. The pair of game and number is the key, and so the only lock there is.

    An event is on the disk before `append` returns, and only then is anybody told.
    """

    shared = False
    """Whether other processes write to it, too, of which listeners are told."""

    def __init__(self) -> None:
        self.listeners: list[Listener] = []

    def tell(self, game: str, seq: int) -> None:
        """Tell everybody who listens."""
        for listener in self.listeners:
            listener(game, seq)

    @abstractmethod
    async def open(self) -> None:
        """Get ready, making what is missing; Unavailable when that cannot be."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was begun, and let go."""

    @abstractmethod
    async def append(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> Event:
        """Write this event of the game; Conflict if that number is taken, Unavailable if it cannot be."""

    @abstractmethod
    async def read(self, game: str, after: int = 0) -> list[Event]:
        """The events of a game beyond that number, in order; none for a game that is unknown."""

    @abstractmethod
    async def games_of(self, key: str, most: int, before: Seated | None = None) -> list[Seated]:
        """The games in which the holder of this key has a seat, each once, the latest first, at most so many.

        With `before`, which the answer before ended with, those that follow. A key has a seat where an event
        of the kind `created` names it as the `key` of one of its two `sittings`, or one of the kind `joined`
        as its own `key`. The store has an index of these, so that the answer costs as much as it is long.
        """

    @abstractmethod
    async def idle(
        self, since: float, until: float, after: str = "", most: int = 100
    ) -> list[tuple[str, int]]:
        """Games whose last event was later than `since` and not later than `until`, with its number.

        They come in the order of their names, those after the name `after`, so many at most.
        """

    @abstractmethod
    async def delete(self, games: Mapping[str, int]) -> set[str]:
        """Delete games of which this is still the last number; the names of those that were deleted."""
