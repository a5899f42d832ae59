"""Calls of the tools: each is computed by a worker, for one client, from the games in progress.

Games are found by ids that nobody can guess, with limits on their number, size and age.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from numberduels.engine.pool import EngineCrashed, EngineError, EnginePool, EngineTimeout

TASKS = "numberduels.harness.mcp.tools:TASKS"
"""The tasks of the workers."""

log = logging.getLogger("numberduels.mcp")

BUSY_SECONDS = 10.0
"""How long a call waits for another one that changes the same game."""

LOOKING = ("position", "hint", "values", "review")
"""The tasks that look at a game in progress."""

Run = Callable[..., Awaitable[Any]]
"""Runs a task of tools.py in a worker: name, arguments, and `client`; ValueError if it has no answer."""

MAX_GAMES = 2_000
"""Games of all clients together; a client who has none yet is refused when there are so many."""
MAX_GAMES_EACH = 50
"""Games of one client; beyond that, their game that was not used for the longest time is forgotten."""
MAX_BYTES_EACH = 2 << 20
"""Bytes of the games of one client; the same holds."""
IDLE_SECONDS = 24 * 3_600
"""A game that was not used for so long is forgotten."""


@dataclass(slots=True)
class OpenGame:
    """A game in progress. Change its state only while you hold the lock."""

    id: str
    client: str
    state: bytes
    """The pickled episode; only the workers read it."""
    used: float
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class OpenGames:
    """The games of all clients, the least recently used first. No client can make another one lose a game."""

    def __init__(
        self,
        max_games: int = MAX_GAMES,
        max_games_each: int = MAX_GAMES_EACH,
        max_bytes_each: int = MAX_BYTES_EACH,
        idle_seconds: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.max_games = max_games
        self.max_games_each = max_games_each
        self.max_bytes_each = max_bytes_each
        self.idle_seconds = idle_seconds
        self._clock = clock
        self._games: dict[str, OpenGame] = {}

    def __len__(self) -> int:
        return len(self._games)

    def require_room(self, client: str) -> None:
        """ValueError if there are too many games, and none of this client that could make room."""
        self._forget_idle()
        if len(self) >= self.max_games and not self._games_of(client):
            raise ValueError("this server has too many games in progress: try again later")

    def new_id(self) -> str:
        """An id for a new game."""
        return secrets.token_urlsafe(12)

    def add(self, game_id: str, client: str, state: bytes) -> OpenGame:
        """Keep a new game; older ones of the same client are forgotten if there are too many."""
        self.require_room(client)
        game = self._games[game_id] = OpenGame(game_id, client, state, self._clock())
        self._make_room(client)
        return game

    def change(self, game: OpenGame, state: bytes) -> None:
        """Keep the new state of a game."""
        game.state = state
        self._make_room(game.client)

    def _make_room(self, client: str) -> None:
        mine = self._games_of(client)
        while len(mine) > 1 and (
            len(mine) > self.max_games_each
            or len(self) > self.max_games
            or sum(len(each.state) for each in mine) > self.max_bytes_each
        ):
            del self._games[mine.pop(0).id]

    def find(self, game_id: str) -> OpenGame:
        """The game of this id; LookupError if there is none, or none any more."""
        self._forget_idle()
        game = self._games.pop(game_id, None)
        if game is None:
            raise LookupError("there is no game with this id: begin one with new_game")
        game.used = self._clock()
        self._games[game_id] = game  # as the last one used
        return game

    def _games_of(self, client: str) -> list[OpenGame]:
        return [each for each in self._games.values() if each.client == client]

    def _forget_idle(self) -> None:
        oldest = self._clock() - self.idle_seconds
        for game in list(self._games.values()):
            if game.used >= oldest:
                break
            del self._games[game.id]


class Calls:
    """Runs the tools. ValueError and LookupError are for the caller: one sentence each."""

    def __init__(self, run: Run, games: OpenGames | None = None) -> None:
        self.run = run
        self.games = OpenGames() if games is None else games

    async def __call__(self, client: str, task: str, *arguments: Any) -> Any:
        """The result of a tool for this client."""
        if task == "new_game":
            return await self._begin(client, *arguments)
        if task in LOOKING:
            game_id, *more = arguments
            return await self.run(task, game_id, self.games.find(game_id).state, *more, client=client)
        if task == "move":
            return await self._move(client, *arguments)
        return await self.run(task, *arguments, client=client)

    async def _begin(self, client: str, *arguments: Any) -> Any:
        self.games.require_room(client)
        game_id = self.games.new_id()
        state, result = await self.run("new_game", game_id, *arguments, client=client)
        self.games.add(game_id, client, state)
        return result

    async def _move(self, client: str, game_id: str, *arguments: Any) -> Any:
        """Make a move; one at a time, because each begins where the one before ended."""
        game = self.games.find(game_id)
        try:
            async with asyncio.timeout(BUSY_SECONDS):
                await game.lock.acquire()
        except TimeoutError:
            raise ValueError(
                "an earlier call for this game is still being computed: try again later"
            ) from None
        try:
            state, result = await self.run("move", game_id, game.state, *arguments, client=client)
            self.games.change(game, state)
            return result
        finally:
            game.lock.release()


def run_in_workers(pool: EnginePool) -> Run:
    """Run tasks in this pool; what it cannot answer is a ValueError with a sentence for the caller."""

    async def run(task: str, *arguments: Any, client: str) -> Any:
        try:
            return await pool.run(task, *arguments, client=client)
        except EngineTimeout as fault:
            raise ValueError(f"{str(fault).rstrip('.')}; try a smaller game") from None
        except EngineCrashed as fault:
            log.error("the tool %s failed: %s", task, fault)
            raise ValueError("this could not be computed; try another game") from None
        except EngineError as fault:
            raise ValueError(str(fault)) from None

    return run
