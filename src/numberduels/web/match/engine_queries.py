"""What the engine computes for a match: moves of the computer, hints, values, reviews.

Answers to the questions of visitors are cached: equal questions are computed once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from numberduels.engine.pool import EngineBusy, EngineError, EnginePool, EngineQueueFull, EngineRejected
from numberduels.game import options
from numberduels.game.messages import Message
from numberduels.game.record import write
from numberduels.web.errors import UserError, sentence
from numberduels.web.match.events import Seats
from numberduels.web.match.model import OVER, Match

log = logging.getLogger("numberduels.web")

MAX_BYTES = 64 << 20
"""Size of the cache in bytes."""

ANSWER_BYTES = 1_024
"""Estimated size of an answer beside its content."""

CHECK_PATIENCE = 10
"""How many times as long as a move the check of a new game may take."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class ByteCache(Generic[K, V]):
    """The values that were used last, as many as fit into so many bytes.

    >>> cache = ByteCache[str, str](100)
    >>> for name in "abc":
    ...     cache.put(name, name.upper(), 40)
    >>> cache.get("a"), cache.get("c"), len(cache), cache.size
    (None, 'C', 2, 80)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def get(self, key: K) -> V | None:
        """The value of a key, which was used last now."""
        if key not in self._entries:
            return None
        self._entries.move_to_end(key)
        return self._entries[key][0]

    def put(self, key: K, value: V, size: int) -> None:
        """Keep a value of about so many bytes, and drop those that were not used for longest."""
        self.pop(key)
        self._entries[key] = value, size
        self.size += size
        while self.size > self.most:
            self.pop(next(iter(self._entries)))

    def pop(self, key: K) -> None:
        """Drop a value."""
        _, size = self._entries.pop(key, (None, 0))
        self.size -= size


class EngineService:
    """Asks the pool, and caches what never changes: answers, and rejections.

    Timeouts and a busy pool are not cached: the same question may be answered later.
    """

    def __init__(self, pool: EnginePool, most_bytes: int = MAX_BYTES) -> None:
        self.pool = pool
        self._cache = ByteCache[str, tuple[Any, str]](most_bytes)
        """By question: an answer, or the reason why there is none."""

    async def answer(self, client: str, task: str, *arguments: Any, seconds: float | None = None) -> Any:
        """The result of a task, cached or computed on behalf of a client; EngineError if there is none."""
        key = json.dumps((task, arguments), sort_keys=True)
        if (found := self._cache.get(key)) is None:
            try:
                found = await self.pool.run(task, *arguments, client=client, seconds=seconds), ""
            except EngineRejected as error:
                found = None, str(error) or "there is no answer"
            self._cache.put(key, found, len(key) + len(pickle.dumps(found)) + ANSWER_BYTES)
        value, rejection = found
        if rejection:
            raise EngineRejected(rejection)
        return value

    async def ask(self, client: str, task: str, *arguments: Any, seconds: float | None = None) -> Any:
        """The same; UserError if there is no result."""
        try:
            return await self.answer(client, task, *arguments, seconds=seconds)
        except EngineRejected as error:
            raise UserError("unanswered", sentence(error)) from None
        except EngineBusy as error:
            raise busy_error(error) from None
        except EngineError:
            text = Message("That would take the computer too long to find out.")
            raise UserError("too_hard", text) from None


def busy_error(error: EngineBusy) -> UserError:
    """The error for a visitor whose question found no free worker."""
    if isinstance(error, EngineQueueFull):
        return UserError("busy.client", str(error))
    return UserError("busy", Message("The computer has too much to think about. Try again in a moment."))


async def hint(engine: EngineService, match: Match, seats: Seats, client: str) -> Any:
    """A good move and the reason, for the person to move against the computer."""
    if match.turn is None or match.turn not in seats or not match.has_computer:
        raise UserError("no_hint", Message("Hints are for whoever is to move against the computer."))
    return await engine.ask(client, "hint", *position(match, match.table.ply))


async def values(
    engine: EngineService, match: Match, seats: Seats, client: str, ply: int | None = None
) -> Any:
    """The value of every move at a ply (default: now), against the computer or when the game is over."""
    if not match.may_see_values(seats):
        raise UserError(
            "no_values", Message("Values are shown against the computer, or when the game is over.")
        )
    at = match.table.ply if ply is None else ply
    return await engine.ask(client, "values", *position(match, at))


async def accepts_draw(engine: EngineService, match: Match, client: str) -> bool:
    """Whether the computer accepts the draw that the player to move offers; without an answer it plays on."""
    try:
        return bool(await engine.ask(client, "accepts_draw", *position(match, match.table.ply)))
    except UserError:
        return False


async def review(engine: EngineService, match: Match, _seats: Seats, client: str) -> Any:
    """The review of a match that is over."""
    if match.status != OVER:
        raise UserError("not_over", Message("A game is reviewed when it is over."))
    return await engine.ask(client, "review", write(match.record()))


async def better_move(engine: EngineService, match: Match, ply: int, client: str) -> Any:
    """The move that was better than the one made at this ply, and the reason; both empty if none was."""
    judged = (await review(engine, match, (), client))["moves"]
    found = judged[ply] if ply < len(judged) else {"better": []}
    better = [*found["better"], ""][0]
    return {"move": better, "why": (found["why"] or "") if better else ""}


async def require_playable(engine: EngineService, created: dict[str, Any], level: str, client: str) -> None:
    """Raise UserError if the computer cannot play a new match at this level.

    The solvers decide that by counting positions. The time limit is long, and exceeding it says nothing
    about the game: the machine may be busy.
    """
    assert engine.pool.seconds is not None, "the server limits every task"
    seconds = CHECK_PATIENCE * engine.pool.seconds
    try:
        await engine.answer(
            client, "check_player", created["game"], created["options"], level, seconds=seconds
        )
    except EngineRejected as error:
        raise UserError("unable", sentence(error), "level") from None
    except EngineBusy as error:
        raise busy_error(error) from None
    except EngineError:
        text = Message("The computer is too busy to look at this size. Try again in a moment.")
        raise UserError("busy", text, "level") from None


def position(match: Match, ply: int) -> tuple[str, dict[str, str], list[str]]:
    """A position of the match as engine tasks take it: the game, its options, the moves."""
    return match.spec.name, options.format_options(match.game), match.moves[:ply]


FALLBACK = "greedy"
"""The level that moves if the chosen level runs out of time."""

RETRY_DELAY = 2.0
"""Seconds before a retry, if the store or the engine pool was unavailable."""


async def choose_move(pool: EnginePool, match: Match, level: str, client: str) -> str:
    """The move of a level, computed for this client; if it has no answer, the move of a simpler level."""
    players = [level, FALLBACK, "random"]
    while players:
        arguments = *position(match, match.table.ply), players[0], f"{match.id} {match.table.ply}"
        try:
            found = await pool.run("choose", *arguments, client=client)
        except EngineBusy:
            await asyncio.sleep(RETRY_DELAY)  # a late move is better than a bad one
        except EngineError as error:
            log.warning("%s cannot choose in %s: %s", players.pop(0), match.id, type(error).__name__)
        else:
            return str(found["move"])
    return str(match.text.format_move(match.table.moves[0]))
