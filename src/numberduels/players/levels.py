"""Players of four levels between random and perfect."""

from __future__ import annotations

from random import Random
from typing import Any

from numberduels.core import Game, M, S
from numberduels.players.mcts import MctsPlayer
from numberduels.players.perfect import PerfectPlayer
from numberduels.players.player import Player
from numberduels.solvers import TooLarge

LEVELS = {"beginner": 0.25, "casual": 0.5, "skilled": 0.75, "expert": 0.92}
"""The share of turns on which a level plays perfectly; otherwise it plays at random."""


class LevelPlayer(Player):
    """Plays perfectly on some turns and at random on the others, as the generator decides."""

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
            self._careful = MctsPlayer(400)  # too large to solve

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        if rng.random() < self.care:
            return self._careful.choose(game, state, rng)
        return rng.choice(game.moves(state))
