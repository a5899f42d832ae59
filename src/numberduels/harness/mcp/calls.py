"""Calls of the tools: each is computed by a worker, for one client, from the games in progress."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from numberduels.harness.mcp.open_games import OpenGames

BUSY_SECONDS = 10.0
"""How long a call waits for another one that changes the same game."""

LOOKING = ("position", "legal_moves", "hint", "values", "review")
"""The tasks that look at a game in progress."""

CHANGING = ("move", "answer")
"""The tasks that change one."""

Run = Callable[..., Awaitable[Any]]
"""Runs a task of tools.py in a worker: name, arguments, and `client`; ValueError if it has no answer."""


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
        if task in CHANGING:
            return await self._change(client, task, *arguments)
        return await self.run(task, *arguments, client=client)

    async def _begin(self, client: str, *arguments: Any) -> Any:
        self.games.require_room(client)
        game_id = self.games.new_id()
        state, result = await self.run("new_game", game_id, *arguments, client=client)
        self.games.add(game_id, client, state)
        return result

    async def _change(self, client: str, task: str, game_id: str, *arguments: Any) -> Any:
        """Run a task that changes a game; one at a time, because each begins where the one before ended."""
        game = self.games.find(game_id)
        try:
            async with asyncio.timeout(BUSY_SECONDS):
                await game.lock.acquire()
        except TimeoutError:
            raise ValueError(
                "an earlier call for this game is still being computed: try again later"
            ) from None
        try:
            state, result = await self.run(task, game_id, game.state, *arguments, client=client)
            self.games.change(game, state)
            return result
        finally:
            game.lock.release()
