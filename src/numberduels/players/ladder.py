"""Players that know the solution: perfect, and four levels below it that make the mistakes of people.

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
from numberduels.game.options import with_size
from numberduels.players.player import Player
from numberduels.players.search import MctsPlayer, moves_for_a_game, moves_in_sight
from numberduels.solvers import Oracle, TooLarge, make_oracle
from numberduels.solvers.choose import engaging_moves, tempting_moves

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


# Levels

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
