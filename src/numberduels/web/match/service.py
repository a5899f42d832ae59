"""The match service: finds matches, stores the events of commands, notifies subscribers, runs the computer.

An event is stored before anybody is notified. Matches in memory are copies: before a command is rejected, the
copy is brought up to date with the store.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from numberduels.engine.pool import EnginePool
from numberduels.game.contract import OTHER
from numberduels.game.messages import Message
from numberduels.game.registry import UnknownGame
from numberduels.web.errors import UserError
from numberduels.web.match import commands, seating
from numberduels.web.match.commands import require_room
from numberduels.web.match.engine_queries import RETRY_DELAY, ByteCache, choose_move
from numberduels.web.match.events import AGREED, CLAIMED, CREATED, JOINED, MOVED, RESIGNED, NewEvent
from numberduels.web.match.model import OVER, Match
from numberduels.web.match.seating import new_match_id
from numberduels.web.match.state import Online, state_of, summary_of
from numberduels.web.match.subscriptions import Presence, Subscriptions
from numberduels.web.store.base import Conflict, Event, SeatedGame, Store, Unavailable

MAX_BYTES = 512 << 20
"""Estimated size of the matches that are kept in memory though nobody uses them."""

MATCH_BYTES = 16 << 10
"""Estimated size of a match without events."""

EVENT_BYTES = 2 << 10
"""Estimated size of an event: a position of a large board."""


def estimated_bytes(match: Match) -> int:
    """The memory that a match takes, rather more than less."""
    return MATCH_BYTES + EVENT_BYTES * match.version


class MatchMemory:
    """Matches by id: the ones used last, and every one that is still in use somewhere."""

    def __init__(self) -> None:
        self._recent = ByteCache[str, Match](MAX_BYTES)
        self._loaded: WeakValueDictionary[str, Match] = WeakValueDictionary()
        """Every match that is in use, recent or not: there is never a second copy of one."""

    def __len__(self) -> int:
        return len(self._recent)

    def get(self, match_id: str) -> Match | None:
        """The match with this id, if it is in memory."""
        return self._loaded.get(match_id)

    def use(self, match_id: str) -> Match | None:
        """The match with this id, if it is in memory; it is the one used last now."""
        match = self._loaded.get(match_id)
        if match is not None:
            self.keep(match)
        return match

    def keep(self, match: Match) -> None:
        """Keep a match in memory, and let go of those that were not used for longest."""
        self._loaded[match.id] = match
        self._recent.put(match.id, match, estimated_bytes(match))

    def forget(self, match_id: str) -> None:
        """Remove a match from memory; the next request reads it from the store."""
        self._recent.pop(match_id)
        self._loaded.pop(match_id, None)


log = logging.getLogger("numberduels.web")

MAX_STATE_BYTES = 16 << 20
"""Size of the cache of JSON states."""

ENDINGS = (MOVED, RESIGNED, CLAIMED, AGREED)
"""The kinds of events that can end a game."""

MANY_EVENTS = 20
"""Events of a match that takes longer to build than most requests take."""

OVERDUE = 10.0
"""If an engine move is overdue by this many seconds, any request may restart it."""


class MatchNotFound(Exception):
    """There is no match with this id."""


class MatchService:
    """All matches of this server."""

    def __init__(
        self,
        store: Store,
        pool: EnginePool,
        subscriptions: Subscriptions,
        *,
        clock: Callable[[], float] = time.time,
        on_move: Callable[[], None] = lambda: None,
        presence: Presence | None = None,
        turn: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.store = store
        self.pool = pool
        self.subscriptions = subscriptions
        self.presence = presence or Presence(store.broadcast)
        self.presence.on_change = self._on_presence
        self._clock = clock
        self._on_move = on_move
        self._turn = turn
        """Waits until this visitor may use the processor for long."""
        self.memory = MatchMemory()
        self._states = ByteCache[tuple[str, int], bytes](MAX_STATE_BYTES)
        self._stale: set[str] = set()
        self._refreshing = False
        self._engine_running: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        if store.shared:
            store.listeners.append(self._on_stored)
            store.message_listeners.append(self._on_message)

    @property
    def count(self) -> int:
        """The number of matches in memory."""
        return len(self.memory)

    def now(self) -> float:
        """The time of day that deadlines are compared with, in seconds since 1970."""
        return self._clock()

    # Find

    async def get(self, match_id: str, *, fresh: bool = False) -> Match:
        """The match with this id, up to date; MatchNotFound if there is none."""
        match = self.memory.use(match_id)
        if match is None:
            match = await self._read(match_id)
        elif fresh or self.store.shared:
            await self._catch_up(match)
            if self.memory.get(match_id) is not match:
                match = await self._read(match_id)
        if not self.store.shared or self._clock() - match.updated >= OVERDUE:
            self._start_engine(match)
        return match

    async def games_of(
        self, key: str, most: int, before: SeatedGame | None = None
    ) -> tuple[list[Match], SeatedGame | None]:
        """The matches in which the holder of this key has a seat, latest first, and the end of this page.

        They are ordered by when the seat was taken. That never changes, so pages neither overlap nor skip
        anything, and the store finds a page by its index. The last page has no end.
        """
        found = await self.store.games_of(key, most + 1, before)
        matches = []
        for each in found[:most]:
            with suppress(MatchNotFound, UnknownGame):  # deleted just now, or its game is not installed
                match = await self.get(each.game)
                if match.seats_of(key):  # otherwise the seat was taken back from this device
                    matches.append(match)
        return matches, found[most - 1] if len(found) > most else None

    async def _read(self, match_id: str) -> Match:
        events = await self.store.read(match_id)
        if not events:
            raise MatchNotFound(match_id)
        if self._turn and len(events) > MANY_EVENTS:
            await self._turn()
        match = self.memory.get(match_id)
        if match is None:
            match = Match.from_events(match_id, events)
        else:  # another task has loaded it meanwhile, perhaps an older version
            for event in events:
                self._apply(match, event)
        self.memory.keep(match)
        return match

    async def _catch_up(self, match: Match) -> bool:
        """Apply the events that other processes have stored; return whether there were any.

        If the store lacks our last event, the match was deleted or a backup was restored. Then we forget our
        copy: the store is right.
        """
        changed = False
        events = await self.store.read(match.id, match.version - 1)
        if not events and self.memory.get(match.id) is match:
            self.memory.forget(match.id)
        for event in events:
            changed = self._apply(match, event) or changed
        return changed

    def _apply(self, match: Match, event: Event) -> bool:
        """Apply an event and notify subscribers; do nothing if it is not the next one."""
        if event.seq != match.version + 1:
            return False
        match.apply(event)
        if event.kind == MOVED:
            self._on_move()
        if match.status == OVER and event.kind in ENDINGS:
            log.info(json.dumps({"event": "over", "game": match.spec.name, "moves": match.table.ply}))
        if event.kind == JOINED:
            self._introduce(match, {event.data["key"]})
        self.subscriptions.notify(match)
        return True

    def state_json(self, match: Match) -> bytes:
        """The state of a match as JSON, cached: many subscribers get the same one."""
        key = match.id, match.version
        found = self._states.get(key)
        if found is None:
            found = msgspec.json.encode(state_of(match))
            self._states.put(key, found, len(found))
        return found

    def summary_json(self, match: Match, key: str) -> bytes:
        """The entry of a match in the list of the holder of this key, as JSON."""
        return msgspec.json.encode(summary_of(match, match.seats_of(key), self.online(match)))

    # Visitors

    def online(self, match: Match) -> Online:
        """Whether each player is online; None for a computer and for a free seat."""
        one, other = (self._is_seat_online(match.keys_of(seat)) for seat in (0, 1))
        return one, other

    def _is_seat_online(self, keys: tuple[str, ...]) -> bool | None:
        return any(map(self.presence.is_online, keys)) if keys else None

    def _on_presence(self, key: str) -> None:
        """A visitor has come online or gone away: tell the subscribers of their matches."""
        for match_id in self.subscriptions.matches_of(key):
            if match := self.memory.get(match_id):
                self.subscriptions.notify(match)

    def _introduce(self, match: Match, keys: set[str]) -> None:
        """Let the subscriptions of visitors who have just got a seat follow the match."""
        self.subscriptions.index_players(match)
        for key in keys:
            for subscription in self.subscriptions.of_visitor(key):
                self.subscriptions.watch(subscription, match.id)
                self.subscriptions.index_players(match)
                subscription.notify(match)

    def _tell_seats(self, match: Match, keys: set[str]) -> None:
        """Introduce visitors to their new match here and in the other processes."""
        self._introduce(match, keys)
        if self.store.shared:
            self.store.broadcast(json.dumps({"match": match.id, "seated": sorted(keys)}))

    def _on_message(self, text: str) -> None:
        """Another process has sent a message; any client of the database can send one."""
        try:
            message = json.loads(text)
        except ValueError:
            return
        if not isinstance(message, dict):
            return
        match_id, keys = message.get("match"), message.get("seated")
        if not isinstance(match_id, str) or not isinstance(keys, list):
            self.presence.receive(message)
            return
        here = {key for key in keys if isinstance(key, str) and self.subscriptions.of_visitor(key)}
        if here:
            self._spawn(self._introduce_later(match_id, here))

    async def _introduce_later(self, match_id: str, keys: set[str]) -> None:
        with suppress(MatchNotFound, UnknownGame, Unavailable):
            match = await self.get(match_id)
            self._introduce(match, keys & match.keys)

    # Follow other processes

    def _on_stored(self, match_id: str, seq: int) -> None:
        """An event was stored by any process; an empty id means that any match may have changed.

        Only matches with subscribers are refreshed now. All others are when they are requested.
        """
        for each in [match_id] if match_id else self.subscriptions.match_ids():
            match = self.memory.get(each)
            if self.subscriptions.watched(each) and (match is None or not match_id or match.version < seq):
                self._stale.add(each)
        if self._stale and not self._refreshing:
            self._refreshing = True
            self._spawn(self._refresh_stale())

    async def _refresh_stale(self) -> None:
        try:
            while self._stale:
                match_id = self._stale.pop()
                try:
                    if (match := self.memory.use(match_id)) is not None:
                        await self._catch_up(match)
                    else:
                        match = await self._read(match_id)
                        self.subscriptions.index_players(match)
                        self.subscriptions.notify(match)
                except Unavailable:
                    self._stale.add(match_id)
                    await asyncio.sleep(RETRY_DELAY)
                except MatchNotFound:
                    pass
        finally:
            self._refreshing = False

    # Execute commands

    async def create(self, data: dict[str, Any], client: str = "") -> Match:
        """Create a match from `created_data`, for a client at this address."""
        match = await self._create(data)
        self._begin(match, client)
        return match

    async def _create(self, data: dict[str, Any]) -> Match:
        match_id = new_match_id()
        match = Match(match_id, await self.store.append(match_id, 1, CREATED, data))
        self.memory.keep(match)
        return match

    def _begin(self, match: Match, client: str) -> None:
        log.info(json.dumps({"event": "made", "game": match.spec.name}))
        self._tell_seats(match, match.keys)
        self._start_engine(match, client)

    async def execute(self, match_id: str, command: Callable[[Match], NewEvent], client: str = "") -> Match:
        """Store and apply the event of a command; UserError if the command is rejected."""
        match = self.memory.use(match_id) or await self.get(match_id)
        while True:
            try:
                kind, data = command(match)
                require_room(match, kind)
            except UserError:
                if await self._catch_up(match):
                    continue
                raise
            version, ply, state = match.version, match.table.ply, match.table.state
            try:
                event = await self.store.append(match_id, version + 1, kind, data)
            except Conflict:
                await self._catch_up(match)
                same = (match.table.ply, match.table.state) == (ply, state)
                if match.version > version and (kind != MOVED or same):
                    continue
                # Another move for the same turn was stored first; this one was chosen for an old position.
                raise UserError("stale", Message("The game has gone on in the meantime.")) from None
            if not self._apply(match, event):
                await self._catch_up(match)
            if kind == JOINED:
                self._tell_seats(match, {data["key"]})
            self._start_engine(match, client)
            return match

    async def rematch(self, match_id: str, key: str, client: str = "") -> Match:
        """The rematch of this match, with the seats swapped.

        If several requests create one at once, the first that is stored in the old match wins. The others
        are deleted, and all requests get the same rematch.
        """
        match = await self.get(match_id, fresh=True)
        data = commands.rematch_data(match, match.seats_of(key))
        if match.rematch:
            return await self.get(match.rematch)
        new = await self._create(data)
        for device, seats in match.device_seats.items():
            kind, also = seating.seat_device(device, tuple(sorted(OTHER[seat] for seat in seats)))
            new.apply(await self.store.append(new.id, new.version + 1, kind, also))
        try:
            match = await self.execute(match_id, lambda match: commands.set_rematch(match, new.id))
        except UserError:
            self.memory.forget(new.id)
            with suppress(Unavailable):
                await self.store.delete({new.id: new.version})
            if not match.rematch:
                raise
            return await self.get(match.rematch)
        self._begin(new, client)
        return new

    async def visit(self, match: Match, key: str) -> None:
        """The holder of this key looks at a match: if it is a rematch, their clock may run from now on."""
        if match.unvisited(match.seats_of(key)):
            # Another request may be faster. If the store is unavailable, the next visit is the first one.
            with suppress(UserError, Unavailable):
                await self.execute(match.id, lambda match: commands.visit(match, match.seats_of(key)))

    # Run the computer

    def _start_engine(self, match: Match, client: str = "") -> None:
        """Let the computer move, if it is to move; its time is charged to this client.

        If several processes share the store, the process that stored the last event does this. A request that
        only reads does it when the move is overdue, because that process may have died.
        """
        if match.engine_level and match.id not in self._engine_running:
            self._engine_running.add(match.id)
            self._spawn(self._run_engine(match, client))

    async def _run_engine(self, match: Match, client: str) -> None:
        try:
            while level := match.engine_level:
                version = match.version
                move = await choose_move(self.pool, match, level, client)
                if match.version != version:
                    continue  # a move was taken back meanwhile
                data = {"seat": match.turn, "move": move}
                try:
                    self._apply(match, await self.store.append(match.id, version + 1, MOVED, data))
                except Conflict:
                    if not await self._catch_up(match):
                        return
                except Unavailable:
                    await asyncio.sleep(RETRY_DELAY)
        except Exception:
            log.exception("the computer could not move in %s", match.id)
        finally:
            self._engine_running.discard(match.id)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error(json.dumps({"event": "fault"}), exc_info=error)

    async def close(self) -> None:
        """Cancel all background tasks; nothing is lost, because the store has every event."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
