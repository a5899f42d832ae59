"""The hall: all duels of this server, who plays in them, who looks on, and the computer that thinks.

An event is written before anybody hears of it. What is kept in memory is only a copy: where it may be old,
the store is asked again before anybody is refused.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

from numberduels import options
from numberduels.registry import UnknownGame
from numberduels.store.log import Conflict, Event, Seated, Store, Unavailable
from numberduels.web.engine.pool import Busy, Thinker, Unthought
from numberduels.web.match.model import CREATED, MOVED, OVER, RESIGNED, Duel, Refused, Wish
from numberduels.web.match.subscriptions import Streams, message
from numberduels.web.match.tokens import fresh_id

log = logging.getLogger("numberduels.web")

KEPT = 20_000
"""Duels that are kept in memory."""

STATES = 300
"""States that are kept as JSON."""

FALLBACK = "greedy"
"""Who plays for a computer that has thought for too long."""

LONG = 10.0
"""Seconds after which a computer that others should have woken is woken by whoever comes by."""

PATIENCE = 2.0
"""Seconds before the computer tries again, when the store was away or too many were waiting."""


class Unknown(Exception):
    """There is no such duel."""


class Hall:
    """What all requests share."""

    def __init__(
        self, store: Store, thinker: Thinker, streams: Streams, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.thinker = thinker
        self.streams = streams
        self._clock = clock
        self._kept: OrderedDict[str, Duel] = OrderedDict()
        self._live: WeakValueDictionary[str, Duel] = WeakValueDictionary()
        """Every duel that anybody holds, kept or not: of one game there are never two."""
        self._states: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._behind: set[str] = set()
        self._following = False
        self.moves = 0
        """That were made or heard of here."""
        self._thinking: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        if store.shared:
            store.listeners.append(self._heard)

    @property
    def count(self) -> int:
        """How many duels are in memory."""
        return len(self._kept)

    # Finding

    async def duel(self, name: str, *, fresh: bool = False) -> Duel:
        """The duel of this name, as it is now; Unknown if there is none."""
        duel = self._known(name)
        if duel is None:
            duel = await self._read(name)
        elif fresh or self.store.shared:
            await self._catch_up(duel)
            if self._live.get(name) is not duel:
                duel = await self._read(name)
        self._wake(duel, by_chance=True)
        return duel

    async def games_of(
        self, key: str, most: int, before: Seated | None = None
    ) -> tuple[list[Duel], Seated | None]:
        """The duels in which the holder of this key has a seat, the latest first, and the end of this page.

        They are ordered by when the seat was taken: that never changes, so that pages neither overlap nor
        leave anything out, and the store finds a page by its index alone. The last page has no end.
        """
        found = await self.store.games_of(key, most + 1, before)
        duels = []
        for each in found[:most]:
            with suppress(Unknown, UnknownGame):  # it was deleted just now, or its rules are not installed
                duels.append(await self.duel(each.game))
        return duels, found[most - 1] if len(found) > most else None

    def _known(self, name: str) -> Duel | None:
        duel = self._live.get(name)
        if duel is not None:
            self._keep(duel)
        return duel

    async def _read(self, name: str) -> Duel:
        events = await self.store.read(name)
        if not events:
            raise Unknown(name)
        duel = self._live.get(name)
        if duel is None:
            duel = Duel.of(name, events)
        else:  # somebody else has read it meanwhile, and perhaps less of it
            for event in events:
                self._add(duel, event)
        self._keep(duel)
        return duel

    def _keep(self, duel: Duel) -> None:
        self._live[duel.id] = self._kept[duel.id] = duel
        self._kept.move_to_end(duel.id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def forget(self, name: str) -> None:
        """Let go of a duel: whoever asks for it next reads it anew."""
        self._kept.pop(name, None)
        self._live.pop(name, None)

    async def _catch_up(self, duel: Duel) -> bool:
        """Read what others have written; whether there was anything.

        Where the store does not have what we know, a backup was put back or the game was deleted: then we
        forget it, for what the store knows is what counts.
        """
        grown = False
        events = await self.store.read(duel.id, duel.version - 1)
        if not events and self._live.get(duel.id) is duel:
            self.forget(duel.id)
        for event in events:
            grown = self._add(duel, event) or grown
        return grown

    def _add(self, duel: Duel, event: Event) -> bool:
        """Let an event happen, unless it has; and tell everybody."""
        if event.seq != duel.version + 1:
            return False
        duel.add(event)
        if event.kind == MOVED:
            self.moves += 1
        if duel.status == OVER and event.kind in (MOVED, RESIGNED):
            log.info(json.dumps({"event": "over", "game": duel.spec.name, "moves": duel.table.ply}))
        self._tell(duel)
        return True

    def json(self, duel: Duel) -> bytes:
        """The state of a duel as JSON; the latest are kept, for many may ask for the same."""
        key = duel.id, duel.version
        if key not in self._states:
            self._states[key] = json.dumps(duel.state(), separators=(",", ":")).encode()
            if len(self._states) > STATES:
                self._states.popitem(last=False)
        self._states.move_to_end(key)
        return self._states[key]

    def news(self, duel: Duel, brief: bool) -> bytes:
        """What a stream tells of a duel: its state, or in brief only that there is a new one."""
        return message(duel.version, b"{}" if brief else self.json(duel))

    def _tell(self, duel: Duel) -> None:
        self.streams.tell(duel.id, lambda brief: self.news(duel, brief))

    def _heard(self, name: str, seq: int) -> None:
        """Somebody has written something; of no name: anything may have happened.

        Only what is watched here is looked at again: all else is, when somebody asks.
        """
        for each in [name] if name else self.streams.duels():
            duel = self._live.get(each)
            if self.streams.watched(each) and (duel is None or not name or duel.version < seq):
                self._behind.add(each)
        if self._behind and not self._following:
            self._following = True
            self._later(self._follow())

    async def _follow(self) -> None:
        """Look again at the games that have gone on, one after the other, until none is left."""
        try:
            while self._behind:
                name = self._behind.pop()
                try:
                    if (duel := self._known(name)) is not None:
                        await self._catch_up(duel)
                    else:
                        self._tell(await self._read(name))
                except Unavailable:
                    self._behind.add(name)
                    await asyncio.sleep(PATIENCE)
                except Unknown:
                    pass
        finally:
            self._following = False

    # Acting

    async def create(self, data: dict[str, Any], who: str = "") -> Duel:
        """A new duel, of what `made` says about it, for whoever asks from this address."""
        duel = await self._create(data)
        self._begin(duel, who)
        return duel

    async def _create(self, data: dict[str, Any]) -> Duel:
        name = fresh_id()
        duel = Duel(name, await self.store.append(name, 1, CREATED, data))
        self._keep(duel)
        return duel

    def _begin(self, duel: Duel, who: str) -> None:
        log.info(json.dumps({"event": "made", "game": duel.spec.name}))
        self._wake(duel, who)

    async def act(self, name: str, wish: Callable[[Duel], Wish], who: str = "") -> Duel:
        """Turn a wish of somebody at this address into the next event; Refused says why not."""
        duel = self._known(name) or await self.duel(name)
        while True:
            try:
                kind, data = wish(duel)
            except Refused:
                # What is kept here may be old: nobody is refused for what is no longer so.
                if await self._catch_up(duel):
                    continue
                raise
            try:
                event = await self.store.append(name, duel.version + 1, kind, data)
            except Conflict:
                if await self._catch_up(duel) and kind != MOVED:
                    continue
                # Of two moves for one turn one counts; the other was meant for a position that is gone.
                raise Refused("stale", "The game has gone on in the meantime.") from None
            if not self._add(duel, event):
                await self._catch_up(duel)
            self._wake(duel, who)
            return duel

    async def rematch(self, name: str, key: str, who: str = "") -> Duel:
        """The game that follows this one, with the seats swapped.

        Its name cannot be guessed. Of several who ask at once, the one whose event is written first in the
        old game has made the rematch; what the others made is deleted, and all find the same game.
        """
        duel = await self.duel(name, fresh=True)
        data = duel.again(duel.seats(key))
        if duel.rematch:
            return await self.duel(duel.rematch)
        new = await self._create(data)
        try:
            duel = await self.act(name, lambda duel: duel.followed(new.id))
        except Refused:
            self.forget(new.id)
            with suppress(Unavailable):
                await self.store.delete({new.id: new.version})
            if not duel.rematch:
                raise
            return await self.duel(duel.rematch)
        self._begin(new, who)
        return new

    # Thinking

    def _wake(self, duel: Duel, who: str = "", *, by_chance: bool = False) -> None:
        """Let the computer think on behalf of this address, if it is to move and does not think yet.

        Where others serve, too, it is woken by whoever wrote the last event; who only comes by wakes it when
        that was long ago, and so seems to have come to nothing.
        """
        if by_chance and self.store.shared and self._clock() - duel.at < LONG:
            return
        if duel.thinker and duel.id not in self._thinking:
            self._thinking.add(duel.id)
            self._later(self._think(duel, who))

    async def _think(self, duel: Duel, who: str) -> None:
        try:
            while level := duel.thinker:
                version = duel.version
                move = await self._choice(duel, level, who)
                if duel.version != version:
                    continue  # a move was taken back while it thought
                try:
                    seat = duel.turn
                    data = {"seat": seat, "move": move}
                    self._add(duel, await self.store.append(duel.id, version + 1, MOVED, data))
                except Conflict:
                    if not await self._catch_up(duel):
                        return
                except Unavailable:
                    await asyncio.sleep(PATIENCE)
        except Exception:
            log.exception("the computer could not move in %s", duel.id)
        finally:
            self._thinking.discard(duel.id)

    async def _choice(self, duel: Duel, level: str, who: str) -> str:
        """The move of the computer; where it would take too long, that of a simpler one."""
        players = [level, FALLBACK, "random"]
        while players:
            place = duel.spec.name, options.format_options(duel.game), duel.moves
            seed = f"{duel.id} {duel.table.ply}"
            try:
                found = await self.thinker.think("choose", *place, players[0], seed, who=who)
            except Busy:
                await asyncio.sleep(PATIENCE)  # better late than badly
            except Unthought as fault:
                log.warning("%s cannot choose in %s: %s", players.pop(0), duel.id, type(fault).__name__)
            else:
                return str(found["move"])
        return str(duel.words.format_move(duel.table.moves[0]))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()):
            log.error(json.dumps({"event": "fault"}), exc_info=fault)

    async def close(self) -> None:
        """Let go of all that is under way; the store has everything."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
