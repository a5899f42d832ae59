"""The games in progress, found by ids that nobody can guess, with limits on their number, size and age."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

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
