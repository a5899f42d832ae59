"""PerfectPlayer: plays a solved game without mistakes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from numberduels.game.contract import Game, M, S
from numberduels.game.options import with_size
from numberduels.players.player import Player
from numberduels.solvers import Oracle, TooLarge
from numberduels.solvers.oracles import engaging_moves, make_oracle

REMEMBERED = 1_000_000
"""The most positions to search and remember."""


class PerfectPlayer(Player):
    """Always keeps the value. A win leaves the opponent something to decide; otherwise few replies are good.

    Among moves that are equally good, the generator chooses.
    """

    name = "perfect"

    def __init__(self, max_positions: int | None = None) -> None:
        """It searches and remembers at most `max_positions`, or REMEMBERED."""
        self.max_positions = max_positions or REMEMBERED
        self._game: Game[Any, Any] | None = None
        self._oracle: Oracle[Any, Any]

    def use_solution(self, oracle: Oracle[Any, Any]) -> None:
        """Play by a solution that exists already."""
        self._game, self._oracle = oracle.game, oracle

    def __reduce__(self) -> tuple[type[PerfectPlayer], tuple[int]]:
        return PerfectPlayer, (self.max_positions,)  # the solution is large, and a copy can compute it again

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        try:
            self.solve_from(game, start)
        except TooLarge as fault:
            can = fault.reach or describe_reach(game)
            raise ValueError(f"perfect cannot finish this game: {fault}; {can}") from None

    def solve_from(self, game: Game[Any, Any], start: Any) -> None:
        """Solve the game from this start; TooLarge if that is impossible."""
        fresh = self._game != game
        if fresh:
            self._game, self._oracle = game, make_oracle(game, self.max_positions)
            self._oracle.progress = self.progress
        try:
            self._oracle.evaluate(start)
        except TooLarge:
            self._game = None
            if fresh:
                raise
            self.solve_from(game, start)  # earlier positions filled the memory: start again with an empty one

    def consult(self, game: Game[S, M], state: S, question: Callable[[Oracle[S, M], S], list[M]]) -> list[M]:
        """The moves that a function of an oracle and a position selects; TooLarge if it cannot be solved."""
        if self._game != game:
            self.solve_from(game, state)
        try:
            return question(self._oracle, state)
        except TooLarge:
            self._game = None
            self.solve_from(game, state)
            return question(self._oracle, state)

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        if self._game != game:
            self.prepare(game, state)
        return rng.choice(self.consult(game, state, engaging_moves))


def describe_reach(game: Any) -> str:
    """A phrase with the largest size of this game that can be solved."""
    largest = None
    for size in range(1, getattr(game, "size", 1)):
        try:
            smaller = with_size(game, size)
            make_oracle(smaller).evaluate(smaller.start(Random(0)))
        except TooLarge:
            break
        except ValueError:
            continue  # this size is not valid
        largest = size
    return f"sizes up to {largest} are within reach" if largest else "no size is within reach"
