"""The batch of a small game: a table of all its positions, so that a move is one lookup.

It works for any game with a fixed start and few positions, and is faster than arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import (
    ALL,
    FinishedGames,
    GameBatch,
    Indices,
    features_of,
    observer_of,
    random_below,
    result_code,
    smallest_dtype,
)
from numberduels.game.batch.bitsets import RowTable
from numberduels.game.contract import has_fixed_start

MAX_POSITIONS = 1 << 15
"""The largest table: position numbers must fit into int16."""

CELLS = 1 << 21
"""The largest number of positions times actions: a game with few positions may have many actions."""

ILLEGAL = -1
"""The entry of an illegal action."""


@dataclass(frozen=True, slots=True, eq=False)
class PositionTable:
    """All positions of a game, numbered; the start is 0 and finished positions come last."""

    states: list[Any]
    width: int
    """Entries per position, a power of two: multiplying by it is faster."""
    after: NDArray[np.int16]
    """At [position * width + action]: the next position, or ILLEGAL."""
    first_finished: int
    """The number of the first finished position."""
    results: NDArray[np.int8]
    """The result code of each position."""
    actions: ActionTable
    turns: NDArray[np.int8]
    observations: RowTable


@lru_cache(maxsize=32)
def make_position_table(game: Any, max_positions: int = MAX_POSITIONS) -> PositionTable | None:
    """The table of a game, or None if the game is too large or has a random start."""
    if not has_fixed_start(game):
        return None
    action_of = {move: action for action, move in enumerate(game.all_moves())}
    start = game.start(Random(0))
    found = {start}
    states = [start]
    for state in states:
        for move in game.moves(state):
            after = game.play(state, move)
            if after not in found:
                found.add(after)
                states.append(after)
        if len(states) > max_positions or len(states) * len(action_of) > CELLS:
            return None
    states.sort(key=lambda state: game.outcome(state) is not None)  # stable: the start stays first
    return _fill(game, states, action_of)


def _fill(game: Any, states: list[Any], action_of: dict[Any, int]) -> PositionTable:
    numbers = {state: number for number, state in enumerate(states)}
    successors = [
        {action_of[move]: numbers[game.play(state, move)] for move in game.moves(state)} for state in states
    ]
    observe = observer_of(game)
    width = 1 << (len(action_of) - 1).bit_length()
    after = np.full((len(states), width), ILLEGAL, dtype=np.int16)  # int16 keeps the table in the cache
    for number, after_action in enumerate(successors):
        after[number, list(after_action)] = list(after_action.values())
    return PositionTable(
        states,
        width,
        after.ravel(),
        sum(map(bool, successors)),
        np.array([result_code(game.outcome(state)) for state in states], dtype=np.int8),
        ActionTable(after[:, : len(action_of)] != ILLEGAL),
        np.array([game.turn(state) for state in states], dtype=np.int8),
        RowTable(
            np.array([list(observe(state)) for state in states], dtype=smallest_dtype(features_of(game)))
        ),
    )


class LookupBatch(GameBatch):
    """Holds each game as the number of its position."""

    @classmethod
    def supports(cls, game: Any) -> bool:
        return make_position_table(game) is not None

    def __init__(self, game: Any, n: int) -> None:
        super().__init__(game, n)
        table = make_position_table(game)
        assert table is not None, "the game is supported"
        self.table = table
        self.positions = np.zeros(n, dtype=np.intp)

    def reset(self, indices: Indices, rng: np.random.Generator) -> None:
        self.positions[indices] = 0

    def turn(self, indices: Indices = ALL) -> NDArray[np.int8]:
        return self.table.turns.take(self.positions[indices], mode="clip")

    def legal(self, indices: Indices = ALL) -> NDArray[np.bool_]:
        return self.table.actions.masks(self.positions[indices])

    def play(self, actions: NDArray[np.intp], indices: Indices = ALL) -> FinishedGames:
        table = self.table
        index = self.positions[indices] * table.width
        index += actions
        reached = table.after.take(index, mode="clip")
        over = reached.view(np.uint16) >= table.first_finished  # as unsigned, ILLEGAL is large as well
        finished = over.nonzero()[0]
        results = table.results.take(reached.take(finished, mode="clip"), mode="clip")
        if np.count_nonzero(results) < len(results):  # ILLEGAL was clipped to the start, which is running
            self.raise_illegal(actions, reached == ILLEGAL, indices)
        self.positions[indices] = reached
        return FinishedGames(finished, results, over)

    def sample(self, rng: np.random.Generator, indices: Indices = ALL) -> NDArray[np.intp]:
        return self.table.actions.sample(self.positions[indices], rng)

    def observe(self, indices: Indices = ALL) -> NDArray[Any]:
        return self.table.observations.take(self.positions[indices])

    def state(self, index: int) -> Any:
        return self.table.states[self.positions[index]]

    def keys(self, indices: Indices = ALL) -> list[Any]:
        found: list[Any] = self.positions[indices].tolist()
        return found


class ActionTable:
    """The action mask of every key 0, 1, 2, ...

    >>> table = ActionTable(np.array([[True, False, True], [False, False, True]]))
    >>> table.sample(np.array([1, 1]), np.random.default_rng(1))
    array([2, 2])
    """

    def __init__(self, legal: NDArray[np.bool_]) -> None:
        count, actions = legal.shape
        self._masks = RowTable(legal)
        self._counts = legal.sum(axis=1, dtype=np.uint64)
        self._width = 1 << (actions - 1).bit_length()  # a power of two: multiplying by it is faster
        nth = np.zeros((count, self._width), dtype=np.min_scalar_type(actions))
        nth[:, :actions] = np.argsort(~legal, axis=1, kind="stable")  # legal actions first
        self._nth = nth.ravel()

    def masks(self, keys: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """The action mask of each key."""
        return self._masks.take(keys)

    def sample(self, keys: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
        """A uniformly random legal action for each key."""
        index = random_below(self._counts.take(keys, mode="clip"), rng).view(np.intp)
        index += keys * self._width
        return self._nth.take(index, mode="clip").astype(np.intp)
