"""Batches: many games of one kind held in NumPy arrays and played by vectorised calls.

Every game with `all_moves` has a batch. `LookupBatch` holds a small game as a table of all its positions.
`PlainBatch` holds any game and calls its rules game by game. A game may bring a faster batch in its
`batch.py`; the tests compare it with the rules, move by move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberduels.game.contract import Feature, IllegalMove, Observable, Outcome

RUNNING, FIRST, SECOND, TIE = range(4)
"""Result codes: the game is running, seat 0 won, seat 1 won, tie."""

REWARDS = ((0, 0), (1, -1), (-1, 1), (0, 0))
"""The rewards of both seats by result code."""

Indices = slice | NDArray[np.intp]
"""Selects games of a batch, as in NumPy indexing."""

ALL = slice(None)
"""Selects every game."""


class FinishedGames(NamedTuple):
    """The games that ended with the last move."""

    indices: NDArray[np.intp]
    """Their positions among the games that moved."""
    results: NDArray[np.int8]
    """Their result codes."""
    mask: NDArray[np.bool_]
    """For every game that moved, whether it ended."""


def result_code(outcome: Outcome | None) -> int:
    """The result code of an outcome.

    >>> result_code(Outcome(1, "stuck")) == SECOND
    True
    """
    if outcome is None:
        return RUNNING
    return TIE if outcome.winner is None else FIRST + outcome.winner


def features_of(game: Any) -> Sequence[Feature]:
    """The features of an observation. A game that is not `Observable` has only the turn."""
    return game.features() if isinstance(game, Observable) else [Feature("turn", 1, 2)]


def smallest_dtype(features: Sequence[Feature]) -> np.dtype[Any]:
    """The smallest dtype for these features: uint8 if all values fit, else int32.

    >>> smallest_dtype([Feature("turn", 1, 2)]), smallest_dtype([Feature("points", 0, 300)])
    (dtype('uint8'), dtype('int32'))
    """
    small = all(low >= 0 and high < 256 for _, low, high in features)
    return np.dtype(np.uint8 if small else np.int32)


def observer_of(game: Any) -> Callable[[Any], Sequence[int]]:
    """A function that returns the feature values of one position."""
    return game.observe if isinstance(game, Observable) else partial(_turn, game)


def _turn(game: Any, state: Any) -> tuple[int]:
    return (game.turn(state) + 1,)


class GameBatch(ABC):
    """`n` games of one kind. An action is an index into `all_moves`; `indices` selects some of the games.

    Call `reset` before anything else.
    """

    def __init__(self, game: Any, n: int) -> None:
        self.game = game
        self.n = n
        self.moves = tuple(game.all_moves())
        self.num_actions = len(self.moves)
        self.num_features = len(features_of(game))
        self.dtype = smallest_dtype(features_of(game))
        """The dtype of observations."""

    @classmethod
    @abstractmethod
    def supports(cls, game: Any) -> bool:
        """Whether this class can hold the game."""

    @abstractmethod
    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        """Start these games again."""

    @abstractmethod
    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        """The seat to move in each game."""

    @abstractmethod
    def legal(self, indices: Indices = ALL) -> NDArray[np.bool_]:
        """The action mask of each game, all False if the game is over."""

    @abstractmethod
    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        """Play one action in each of these games.

        IllegalMove names the first illegal action; then no game has moved.
        """

    @abstractmethod
    def sample(self, rng: np.random.Generator, indices: Indices = ALL) -> NDArray[np.intp]:
        """A uniformly random legal action for each running game."""

    @abstractmethod
    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        """The observation of each game, of type `dtype`."""

    @abstractmethod
    def state(self, index: int) -> Any:
        """The position of one game as its rules define it."""

    def keys(self, indices: Indices = ALL) -> list[Any]:
        """A hashable key of each game, equal where the positions are equal."""
        return [self.state(index) for index in np.arange(self.n)[indices].tolist()]

    def perfect_moves(self, indices: Indices, patience: int) -> NDArray[np.bool_] | None:
        """For each game, the actions that `solvers.choose.engaging_moves` selects, for fast perfect players.

        None if the batch does not know them: then the solver of the game is asked, position by position.
        """
        return None

    def raise_illegal(self, actions: NDArray[np.intp], refused: NDArray[np.bool_], indices: Indices) -> None:
        """Raise the IllegalMove that the rules raise for the first refused action."""
        first = int(refused.argmax())
        index = int(np.arange(self.n)[indices][first])
        try:
            self.game.play(self.state(index), self.moves[int(actions[first])])
        except IllegalMove as fault:
            raise IllegalMove(f"Game {index}: {fault}") from None
        raise AssertionError(f"the rules allow what the batch of {self.game} refuses")


def won_by_last_mover(over: NDArray[np.bool_], plies: NDArray[Any]) -> FinishedGames:
    """The finished games, each won by the player who made its last move; `plies` counts the moves.

    >>> won_by_last_mover(np.array([False, True]), np.array([5, 5]))
    FinishedGames(indices=array([1]), results=array([1], dtype=int8), mask=array([False,  True]))
    """
    finished = over.nonzero()[0]
    return FinishedGames(finished, np.where(plies[finished] & 1, np.int8(FIRST), np.int8(SECOND)), over)


def random_below(counts: NDArray[Any], rng: np.random.Generator) -> NDArray[np.uint64]:
    """A random integer below each count, uniform up to a bias of count / 2**32."""
    half = (len(counts) + 1) // 2
    drawn = rng.bit_generator.random_raw(half).view(np.uint32)[: len(counts)].astype(np.uint64)
    drawn *= counts.view(np.uint64) if counts.itemsize == 8 else counts
    drawn >>= 32
    return drawn


class PlainBatch(GameBatch):
    """Holds any game, each as a state of its rules. Faster batches are tested against it."""

    @classmethod
    def supports(cls, game: Any) -> bool:  # noqa: ARG003  # it supports every game
        return True

    def __init__(self, game: Any, n: int) -> None:
        super().__init__(game, n)
        self.action_of = {move: action for action, move in enumerate(self.moves)}
        self.states: list[Any] = [None] * n

    def _selected(self, indices: Indices) -> list[int]:
        found: list[int] = np.arange(self.n)[indices].tolist()
        return found

    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        deals = Random(int(rng.bit_generator.random_raw()))
        for index in self._selected(indices):
            self.states[index] = self.game.start(deals)

    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        return np.array(
            [self.game.turn(self.states[index]) for index in self._selected(indices)], dtype=np.int8
        )

    def legal(self, indices: Indices = ALL) -> NDArray[np.bool_]:
        selected = self._selected(indices)
        legal = np.zeros((len(selected), self.num_actions), dtype=np.bool_)
        for flags, index in zip(legal, selected, strict=True):
            flags[[self.action_of[move] for move in self.game.moves(self.states[index])]] = True
        return legal

    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        selected = self._selected(indices)
        play, moves, states = self.game.play, self.moves, self.states
        index = 0
        try:
            moved = [
                play(states[index := each], moves[a])
                for each, a in zip(selected, actions.tolist(), strict=True)
            ]
        except IllegalMove as fault:
            raise IllegalMove(f"Game {index}: {fault}") from None
        for index, state in zip(selected, moved, strict=True):
            states[index] = state
        results = np.array([result_code(outcome) for outcome in map(self.game.outcome, moved)], dtype=np.int8)
        finished = results.nonzero()[0]
        return FinishedGames(finished, results[finished], results != RUNNING)

    def sample(self, rng: np.random.Generator, indices: Indices = ALL) -> NDArray[np.intp]:
        choices = [self.game.moves(self.states[index]) for index in self._selected(indices)]
        nth = random_below(np.array([len(moves) for moves in choices], dtype=np.uint32), rng).tolist()
        picks = [self.action_of[moves[k]] if moves else 0 for moves, k in zip(choices, nth, strict=True)]
        return np.array(picks, dtype=np.intp)

    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        observe = observer_of(self.game)
        rows = [list(observe(self.states[index])) for index in self._selected(indices)]
        return np.array(rows, dtype=self.dtype).reshape(len(rows), self.num_features)

    def state(self, index: int) -> Any:
        return self.states[index]
