"""The player that never lets a win or a draw slip, where the game can be solved to the end."""

from __future__ import annotations

from random import Random
from typing import Any

from numberduels.core import Game, M, S
from numberduels.options import resized
from numberduels.players.player import Player
from numberduels.solve import Solver, TooLarge, solver


class PerfectPlayer(Player):
    """Chooses at random among the best moves, so that no two games need be the same."""

    name = "perfect"

    def __init__(self) -> None:
        self._game: Game[Any, Any] | None = None
        self._solver: Solver[Any, Any]

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        if self._game == game and start in self._solver:
            return
        try:
            self._game, self._solver = game, solver(game, start)
        except TooLarge as fault:
            raise ValueError(f"perfect cannot finish this game ({fault}); {reach(game)}") from None

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        self.prepare(game, state)
        best: list[M] = self._solver.best(state)
        return rng.choice(best)


def reach(game: Any) -> str:
    """A phrase that names the largest size of this variant that can be solved."""
    largest = None
    for size in range(1, getattr(game, "size", 1)):
        try:
            smaller = resized(game, size)
            solver(smaller, smaller.start(Random(0)))
        except TooLarge:
            break
        except ValueError:
            continue  # this variant has no game of that size
        largest = size
    return f"it can up to size {largest}" if largest else "it can at no size"
