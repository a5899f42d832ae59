"""The interface of all stores, the stored form of events, and the store that a text names."""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
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


class PendingEvent(NamedTuple):
    """An event to be written, and the future of the caller."""

    game: str
    text: str
    event: Event
    future: asyncio.Future[Event]


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
        """Call all listeners; the fault of one is reported and harms nobody."""
        try:
            for listener in self.listeners:
                listener(game, seq)
        except Exception as error:
            asyncio.get_running_loop().call_exception_handler(
                {"message": "a listener of the store failed", "exception": error}
            )

    def pending(self, game: str, seq: int, kind: str, data: Mapping[str, Any]) -> PendingEvent:
        """A new event of now, with the future of whoever appends it."""
        text = serialize(game, seq, kind, data)
        event = Event(seq, time.time_ns() // 1_000 / 1e6, kind, json.loads(text))
        return PendingEvent(game, text, event, asyncio.get_running_loop().create_future())

    def resolve(self, pending: PendingEvent, *, written: bool = True, fault: str = "") -> None:
        """Tell the caller that the event is written, is in conflict with another one, or has a fault."""
        self.write_failed = monotonic() if fault else -math.inf
        if pending.future.done():
            return
        if fault:
            pending.future.set_exception(Unavailable(fault))
        elif written:
            pending.future.set_result(pending.event)
        else:
            pending.future.set_exception(Conflict(f"{pending.game} {pending.event.seq}"))

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


MAX_GAME_NAME = 200
MAX_DATA = 1_000_000
MAX_SEQ = 2**63 - 1

to_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_nul = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def serialize(game: str, seq: int, kind: str, data: Mapping[str, Any]) -> str:
    r"""The data of an event as JSON; TypeError or ValueError for data that any store would refuse.

    >>> serialize("kX3", 1, "move", {"move": "4", "seat": 0})
    '{"move":"4","seat":0}'
    >>> serialize("kX3", 1, "move", {"name": "\0"})
    Traceback (most recent call last):
    ValueError: a store keeps no NUL characters
    """
    for name, text in (("game", game), ("kind", kind)):
        if not 0 < len(text) <= MAX_GAME_NAME:
            raise ValueError(f"a {name} has 1 to {MAX_GAME_NAME} characters")
    if not 0 < seq <= MAX_SEQ:
        raise ValueError(f"events are numbered from 1 on, not {seq}")
    if not isinstance(data, Mapping):
        raise TypeError(f"data is a mapping, not {type(data).__name__}")
    try:
        text = to_json(dict(data))
    except RecursionError:
        raise ValueError("the data is nested too deeply") from None
    if len(text) > MAX_DATA:
        raise ValueError(f"the data of an event has at most {MAX_DATA:,} characters")
    if "\0" in game or "\0" in kind or ("\\u0000" in text and _nul.search(text)):
        raise ValueError("a store keeps no NUL characters")
    try:
        f"{game}{kind}{text}".encode()
    except UnicodeEncodeError:
        raise ValueError("a store keeps no halves of characters (lone surrogates)") from None
    return text


def is_storable(game: str, after: int) -> bool:
    """Whether a store can contain such a game; if not, there is no need to ask the database."""
    return 0 < len(game) <= MAX_GAME_NAME and "\0" not in game and _is_valid_utf8(game) and after < MAX_SEQ


def _is_valid_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


EXPECTED = (
    "a store is a file (duels.sqlite, sqlite:///duels.sqlite) or a database (postgresql://user@host/name)"
)


def make_store(place: str) -> Store:
    """The store at this place, not opened yet; ValueError if the text names no place.

    >>> make_store("duels.sqlite").path.name
    'duels.sqlite'
    >>> make_store("mysql://localhost/duels")
    Traceback (most recent call last):
    ValueError: a store is a file (duels.sqlite, sqlite:///duels.sqlite) or a database (postgresql://user@host/name)
    """
    if place.startswith("postgresql://"):
        from numberduels.web.store.postgres import PostgresStore

        return PostgresStore(place)
    path = place.removeprefix("sqlite:///")
    # One letter and a colon is a Windows drive, more letters are a URL scheme.
    if not path or "\0" in path or path == ":memory:" or re.match(r"[A-Za-z][\w+.-]+:", path):
        raise ValueError(EXPECTED)
    from numberduels.web.store.sqlite import SqliteStore

    return SqliteStore(Path(path).expanduser())
