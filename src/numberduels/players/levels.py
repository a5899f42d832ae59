"""Players of four levels between random and perfect, which make the mistakes that people make.

On some turns a level overlooks the best move; how often is its slip. Then it falls for a mistake that is
hard to punish: one after which few replies are right. It also overlooks what can be seen at once, such as a
win by the next move, but only if it slips a second time on the same turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from numberduels.game import registry
from numberduels.game.contract import Game, M, S
from numberduels.players.mcts import MctsPlayer
from numberduels.players.perfect import PerfectPlayer
from numberduels.players.player import Player
from numberduels.players.simple import moves_for_a_game, moves_in_sight
from numberduels.solvers import Oracle, TooLarge
from numberduels.solvers.oracles import engaging_moves, tempting_moves

SLIPS = {"beginner": 0.8, "casual": 0.5, "skilled": 0.25, "expert": 0.1}
"""The share of turns on which a level overlooks the best move; a game may declare its own shares."""

PATIENCE = 400_000
"""The legal moves that the tree search looks at for one move, so that it takes a second at any size."""


class LevelPlayer(Player):
    """Plays like perfect, except on the turns on which it slips; the generator decides which.

    What is too large to solve it plays by tree search.
    """

    def __init__(self, level: str, perfect: PerfectPlayer | None = None, slip: float | None = None) -> None:
        """With `perfect`, players can share one solution of the game; `slip` replaces the level's own."""
        self.name = level
        self._slip = slip
        self._perfect = perfect or PerfectPlayer()
        self._search = MctsPlayer(400, PATIENCE)
        self._solved = True

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        self._perfect.progress = self.progress
        try:
            self._perfect.solve_from(game, start)
        except TooLarge:
            self._solved = False
        else:
            self._solved = True

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        slip = slip_of(self.name, game) if self._slip is None else self._slip
        if rng.random() >= slip:
            best = self._consult(game, state, engaging_moves)
            return rng.choice(best) if best else self._search.choose(game, state, rng)
        if rng.random() < slip:
            return rng.choice(moves_for_a_game(game, state))
        moves = moves_in_sight(game, state)
        return rng.choice(self._consult(game, state, partial(tempting_moves, moves=moves)) or moves)

    def _consult(self, game: Game[S, M], state: S, question: Callable[[Oracle[S, M], S], list[M]]) -> list[M]:
        """The moves that the exact solution selects; none if the position is too large to solve."""
        if not self._solved:
            return []
        try:
            return self._perfect.consult(game, state, question)
        except TooLarge:
            return []


def slip_of(level: str, game: Any) -> float:
    """The share of turns on which this level overlooks the best move of this game.

    >>> from numberduels.games.template.rules import LastCounter
    >>> slip_of("casual", LastCounter())
    0.5
    """
    try:
        declared = registry.spec_of(game).slips
    except registry.UnknownGame:
        declared = {}
    return declared.get(level, SLIPS[level])
