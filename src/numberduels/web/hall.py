"""The hall: all duels of this server, who plays in them, who looks on, and the computer that thinks.

An event is written before anybody hears of it. What is kept in memory is only a copy: where it may be old,
the store is asked again before anybody is refused.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from numberduels import options
from numberduels.store.log import Conflict, Event, Store, Unavailable
from numberduels.web.duel import CREATED, MOVED, Duel, Refused, Wish
from numberduels.web.secrets import fresh_id
from numberduels.web.streams import Streams, message
from numberduels.web.thinking import Busy, Thinker, Unthought

log = logging.getLogger("numberduels.web")

KEPT = 20_000
"""Duels that are kept in memory."""

FALLBACK = "greedy"
"""Who plays for a computer that has thought for too long."""

PATIENCE = 2.0
"""Seconds before the computer tries again, when the store was away or too many were waiting."""


class Unknown(Exception):
    """There is no such duel."""


class Hall:
    """What all requests share."""

    def __init__(self, store: Store, thinker: Thinker, streams: Streams) -> None:
        self.store = store
        self.thinker = thinker
        self.streams = streams
        self._duels: OrderedDict[str, Duel] = OrderedDict()
        self._thinking: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        if store.shared:
            store.listeners.append(self._heard)

    @property
    def count(self) -> int:
        """How many duels are in memory."""
        return len(self._duels)

    # Finding

    async def duel(self, name: str, *, fresh: bool = False) -> Duel:
        """The duel of this name, as it is now; Unknown if there is none."""
        duel = self._duels.get(name)
        if duel is None:
            events = await self.store.read(name)
            if not events:
                raise Unknown(name)
            duel = self._duels.get(name)
            if duel is None:
                duel = Duel.of(name, events)
                self._keep(duel)
            else:  # somebody else has read it meanwhile, and perhaps less of it
                for event in events:
                    self._add(duel, event)
        else:
            self._duels.move_to_end(name)
            if fresh or self.store.shared:
                await self._catch_up(duel)
        self._wake(duel)
        return duel

    def _keep(self, duel: Duel) -> None:
        self._duels[duel.id] = duel
        while len(self._duels) > KEPT:
            self._duels.popitem(last=False)

    async def _catch_up(self, duel: Duel) -> bool:
        """Read what others have written; whether there was anything."""
        grown = False
        for event in await self.store.read(duel.id, duel.version):
            grown = self._add(duel, event) or grown
        return grown

    def _add(self, duel: Duel, event: Event) -> bool:
        """Let an event happen, unless it has; and tell everybody."""
        if event.seq != duel.version + 1:
            return False
        duel.add(event)
        if self.streams.watched(duel.id):
            self.streams.tell(duel.id, self.telling(duel))
        return True

    @staticmethod
    def json(duel: Duel) -> bytes:
        """The state of a duel as JSON."""
        return json.dumps(duel.state(), separators=(",", ":")).encode()

    def telling(self, duel: Duel) -> bytes:
        """The state of a duel as a stream tells it."""
        return message(duel.version, self.json(duel))

    def _heard(self, name: str, seq: int) -> None:
        """Another worker, or this one, has written something; of no name: anything may have happened."""
        for each in [name] if name else self.streams.duels():
            duel = self._duels.get(each)
            if (duel is None and self.streams.watched(each)) or (duel and (not name or duel.version < seq)):
                self._later(self._follow(each))

    async def _follow(self, name: str) -> None:
        """Look again at a game that somebody watches, or that is in memory."""
        try:
            if name in self._duels:
                await self.duel(name, fresh=True)
            else:
                self.streams.tell(name, self.telling(await self.duel(name)))
        except (Unavailable, Unknown):
            log.warning("cannot follow %s: the store is away", name)  # its return will be heard of

    # Acting

    async def create(self, data: dict[str, Any]) -> Duel:
        """A new duel, of what `made` says about it."""
        name = fresh_id()
        duel = Duel(name, await self.store.append(name, 1, CREATED, data))
        self._keep(duel)
        self._wake(duel)
        return duel

    async def act(self, name: str, wish: Callable[[Duel], Wish]) -> Duel:
        """Turn a wish into the next event. Refused says why not, and carries the duel as it is now."""
        duel = self._duels.get(name) or await self.duel(name)
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
                await self._catch_up(duel)
                if kind != MOVED:
                    continue
                # Of two moves for one turn one counts; the other was meant for a position that is gone.
                raise Refused("stale", "The game has gone on in the meantime.") from None
            if not self._add(duel, event):
                await self._catch_up(duel)
            self._wake(duel)
            return duel

    async def rematch(self, name: str, key: str) -> str:
        """The name of the game that follows this one, with the seats swapped."""
        duel = await self.duel(name, fresh=True)
        data = duel.again(duel.seats(key))
        if not duel.rematch:
            new = await self.create(data)
            with suppress(Refused):  # if the other was quicker, theirs counts
                await self.act(name, lambda duel: duel.followed(new.id))
        return (await self.duel(name)).rematch

    # Thinking

    def _wake(self, duel: Duel) -> None:
        """Let the computer think, if it is to move and does not think yet."""
        if duel.thinker and duel.id not in self._thinking:
            self._thinking.add(duel.id)
            self._later(self._think(duel))

    async def _think(self, duel: Duel) -> None:
        try:
            while level := duel.thinker:
                version = duel.version
                move = await self._choice(duel, level)
                if duel.version != version:
                    continue  # a move was taken back while it thought
                try:
                    seat = duel.turn
                    data = {"seat": seat, "move": move}
                    self._add(duel, await self.store.append(duel.id, version + 1, MOVED, data))
                except Conflict:
                    await self._catch_up(duel)
                except Unavailable:
                    await asyncio.sleep(PATIENCE)
        except Exception:
            log.exception("the computer could not move in %s", duel.id)
        finally:
            self._thinking.discard(duel.id)

    async def _choice(self, duel: Duel, level: str) -> str:
        """The move of the computer; where it would take too long, that of a simpler one."""
        players = [level, FALLBACK, "random"]
        while players:
            place = duel.room.name, options.written(duel.game), duel.moves
            try:
                found = await self.thinker.think("choose", *place, players[0], f"{duel.id} {duel.table.ply}")
            except Busy:
                await asyncio.sleep(PATIENCE)  # better late than badly
            except Unthought as fault:
                log.warning("%s cannot choose in %s: %s", players.pop(0), duel.id, type(fault).__name__)
            else:
                return str(found["move"])
        return str(duel.words.notation(duel.table.moves[0]))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Let go of all that is under way; the store has everything."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
