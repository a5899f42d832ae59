"""The numeric encoding of a game: actions for its moves, observations and action masks for its positions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import index
from struct import pack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import features_of, observer_of, smallest_dtype
from numberduels.game.contract import (
    Bounded,
    Feature,
    FiniteMoves,
    IllegalMove,
    Observable,
    has_fixed_start,
    history_matters,
)
from numberduels.game.options import check_whole
from numberduels.game.table import PLY_LIMIT

ObservationArray = NDArray[Any]
MaskArray = NDArray[np.int8]


INT8 = np.dtype(np.int8)

WHOLE_NUMBERS = frozenset(
    [int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
)
"""Types of actions that need no further check."""

MAX_LIMIT = 100_000
"""The largest limit of moves: a history has a feature for every move up to it."""


class Encoding:
    """The actions and observations of one game.

    An action is an index into `moves`. An observation has the features that the game defines. If the game
    defines none, or they do not tell everything, the history of the game follows: the moves that were legal
    at the start if the start is random, then every action so far plus 1, and 0 for each move still to come.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> encoding = Encoding(RangeWar(size=3))
    >>> [feature.name for feature in encoding.features]
    ['free 1', 'free 2', 'free 3', 'last', 'side', 'turn']
    """

    def __init__(self, game: Any, limit: int | None = None) -> None:
        self.game = game
        if not isinstance(game, FiniteMoves):
            raise ValueError(f"{type(game).__name__} has no `all_moves`, so its moves have no numbers")
        self.moves: tuple[Hashable, ...] = tuple(game.all_moves())
        self.num_actions = len(self.moves)
        self.action_of = {move: action for action, move in enumerate(self.moves)}
        if limit is not None:
            check_whole("limit", limit, 1, MAX_LIMIT)
        elif not isinstance(game, Bounded):
            limit = PLY_LIMIT
        self.limit = limit
        """Moves after which a game is truncated; None if it always ends."""
        self.dealt = not has_fixed_start(game)
        self.observe_position = observer_of(game)
        history = self._history_features()
        self.history_length = len(history)
        """How many features of an observation are history."""
        self.features: Sequence[Feature] = [*features_of(game), *history]
        """The features of an observation, each with its bounds."""
        self.dtype = smallest_dtype(self.features)
        self._to_bytes = bytearray if self.dtype == np.uint8 else self._as_integers
        self._struct = f"{len(features_of(game))}i"
        self.updates = not history and hasattr(game, "update_observation")
        """Whether the game writes what a move changed, so that a `LiveObservation` can follow it."""

    def _history_features(self) -> list[Feature]:
        game = self.game
        if isinstance(game, Observable) and not history_matters(game):
            return []
        if self.limit is None:
            self.limit = game.max_plies  # the game never exceeds it, but its moves are counted now
        opening = [Feature(f"at the start {move}", 0, 1) for move in self.moves if self.dealt]
        return [*opening, *(Feature(f"move {ply}", 0, self.num_actions) for ply in range(1, self.limit + 1))]

    def initial_history(self, state: Any) -> ObservationArray:
        """The history features at the start of a game."""
        history = np.zeros(self.history_length, dtype=self.dtype)
        if self.history_length and self.dealt:
            history[: self.num_actions] = self._mask(state)
        return history

    def history_index(self, ply: Any) -> Any:
        """The index of the move number `ply` in the history, counted from 0."""
        return ply + self.num_actions if self.dealt else ply

    def observe(self, state: Any) -> tuple[ObservationArray, MaskArray]:
        """The features of a position, without history, and its action mask. The caller owns both arrays."""
        return np.frombuffer(self._to_bytes(self.observe_position(state)), self.dtype), self._mask(state)

    def _as_integers(self, features: Sequence[int]) -> bytearray:
        return bytearray(pack(self._struct, *features))

    def _mask(self, state: Any) -> MaskArray:
        return np.frombuffer(self.flags(self.game.moves(state)), INT8)

    def flags(self, moves: Sequence[Hashable]) -> bytearray:
        """The mask with 1 for each of these moves."""
        flags = bytearray(self.num_actions)
        for action in map(self.action_of.__getitem__, moves):
            flags[action] = 1
        return flags

    def move(self, action: Any) -> Hashable:
        """The move of an action; TypeError if it is not a whole number, IllegalMove if it is out of range.

        >>> from numberduels.games.range_war.rules import RangeWar
        >>> Encoding(RangeWar(size=3)).move(-1)
        Traceback (most recent call last):
        numberduels.game.contract.IllegalMove: -1 is not an action: those are the numbers from 0 to 2.
        >>> Encoding(RangeWar(size=3)).move(1.0)
        Traceback (most recent call last):
        TypeError: an action is a whole number from 0 to 2, not a value of type float
        """
        number = index(action) if type(action) in WHOLE_NUMBERS else self.to_int(action)
        if 0 <= number < self.num_actions:  # a negative index would count from the end
            return self.moves[number]
        given = number if abs(number) < 10**12 else "That"
        raise IllegalMove(
            f"{given} is not an action: those are the numbers from 0 to {self.num_actions - 1}."
        )

    def to_int(self, action: Any) -> int:
        """An action of any integer type as an int; TypeError for everything else, even one-element arrays."""
        shape = getattr(action, "shape", ())
        if shape == () and type(action).__name__ not in ("bool", "bool_"):  # NumPy has a bool, too
            try:
                return index(action)
            except TypeError:
                pass
        given = f"an array of shape {tuple(shape)}" if shape else f"a value of type {type(action).__name__}"
        raise TypeError(f"an action is a whole number from 0 to {self.num_actions - 1}, not {given}")
