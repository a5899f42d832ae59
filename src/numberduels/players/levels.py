"""Players between random and perfect: they know the best move, and overlook it more or less often."""

from __future__ import annotations

from random import Random
from typing import Any

from numberduels.core import Game, M, S
from numberduels.players.mcts import MctsPlayer
from numberduels.players.perfect import PerfectPlayer
from numberduels.players.player import Player
from numberduels.solvers import TooLarge

LEVELS = {"beginner": 0.25, "casual": 0.5, "skilled": 0.75, "expert": 0.92}
"""How often a level sees the best move; otherwise any move will do."""


class LevelPlayer(Player):
    """Plays perfectly on some turns and at random on the others; which ones, the generator says."""

    def __init__(self, level: str) -> None:
        self.name = level
        self.care = LEVELS[level]
        self._perfect = PerfectPlayer()
        self._careful: Player = self._perfect

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        self._careful = self._perfect
        self._perfect.progress = self.progress
        try:
            self._perfect.solve_from(game, start)
        except TooLarge:
            self._careful = MctsPlayer(400)  # beyond what is known, thinking must do

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        if rng.random() < self.care:
            return self._careful.choose(game, state, rng)
        return rng.choice(game.moves(state))
