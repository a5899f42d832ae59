"""The games in progress, found by ids that nobody can guess, with limits on their number and age."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from numberduels.harness.text_episode import TextEpisode

MAX_GAMES = 1_000
"""Games of all clients together; beyond that, the one that was not used for the longest time is forgotten."""
MAX_GAMES_EACH = 50
"""Games of one session; the same holds."""
IDLE_SECONDS = 24 * 3_600
"""A game that was not used for so long is forgotten."""

BUSY_SECONDS = 10.0
"""How long a call waits for another one that uses the same game."""


@dataclass(slots=True)
class OpenGame:
    """A game in progress. Use the episode only within `in_use`."""

    id: str
    session: str
    episode: TextEpisode
    used: float
    lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def in_use(self, seconds: float = BUSY_SECONDS) -> Iterator[TextEpisode]:
        """The episode, for one call at a time; ValueError if another call uses it for too long."""
        if not self.lock.acquire(timeout=seconds):
            raise ValueError("an earlier call for this game is still being computed: try again later")
        try:
            yield self.episode
        finally:
            self.lock.release()


class OpenGames:
    """The games of all sessions, the least recently used first."""

    def __init__(
        self,
        max_games: int = MAX_GAMES,
        max_games_each: int = MAX_GAMES_EACH,
        idle_seconds: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.max_games = max_games
        self.max_games_each = max_games_each
        self.idle_seconds = idle_seconds
        self._clock = clock
        self._games: dict[str, OpenGame] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._games)

    def add(self, session: str, episode: TextEpisode) -> OpenGame:
        """Keep a new game; others are forgotten if there are too many."""
        game = OpenGame(secrets.token_urlsafe(12), session, episode, self._clock())
        with self._lock:
            self._forget_idle()
            self._games[game.id] = game
            mine = [each.id for each in self._games.values() if each.session == session]
            if len(mine) > self.max_games_each:
                del self._games[mine[0]]
            if len(self._games) > self.max_games:
                del self._games[next(iter(self._games))]
        return game

    def find(self, game_id: str) -> OpenGame:
        """The game of this id; LookupError if there is none, or none any more."""
        with self._lock:
            self._forget_idle()
            game = self._games.pop(game_id, None)
            if game is None:
                raise LookupError("there is no game with this id: begin one with new_game")
            game.used = self._clock()
            self._games[game_id] = game  # as the last one used
        return game

    def _forget_idle(self) -> None:
        oldest = self._clock() - self.idle_seconds
        for game in list(self._games.values()):
            if game.used >= oldest:
                break
            del self._games[game.id]
