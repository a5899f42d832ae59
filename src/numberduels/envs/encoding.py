"""A game in numbers: an action for every letter of its alphabet, an observation for every position."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import index
from random import Random
from struct import pack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import columns, narrowest, viewer
from numberduels.core import (
    Bounded,
    Feature,
    FiniteMoves,
    HistoryDependent,
    IllegalMove,
    Observable,
    has_fixed_start,
)
from numberduels.options import whole
from numberduels.table import PLY_LIMIT

Numbers = NDArray[Any]
Flags = NDArray[np.int8]


INT8 = np.dtype(np.int8)

MOST = 100_000
"""What a limit may be at most: a history has room for every move up to it."""

KEPT = 1 << 14
"""Positions that are kept in mind: those of a small game are looked at only once."""

CAPACITY = 1 << 20
"""Numbers that may be kept in mind, so that a few positions of a large game do not fill the memory."""


class Encoding:
    """The actions and observations of one game.

    An action is a place in the alphabet. An observation is the game's own view of the position; where that
    does not tell all, or the game offers none, the story of the game follows: for a dealt game the moves that
    were legal at the start, and then every action so far, counted from 1, and 0 for those yet to come.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> encoding = Encoding(RangeWar(size=3))
    >>> [column.name for column in encoding.columns]
    ['free 1', 'free 2', 'free 3', 'last', 'side', 'turn']
    """

    def __init__(self, game: Any, limit: int | None = None) -> None:
        self.game = game
        if not isinstance(game, FiniteMoves):
            raise ValueError(f"{type(game).__name__} has no `all_moves`, so its moves have no numbers")
        self.letters: tuple[Hashable, ...] = tuple(game.all_moves())
        self.actions = len(self.letters)
        self.index = {letter: action for action, letter in enumerate(self.letters)}
        if limit is not None:
            whole("limit", limit, 1, MOST)
        elif not isinstance(game, Bounded):
            limit = PLY_LIMIT
        self.limit = limit
        """Moves after which a game is broken off as unfinished; None: it ends by itself."""
        self._known: dict[Any, tuple[Numbers, Flags]] | None
        self.dealt = not has_fixed_start(game)
        start = self.game.start(Random(0))
        self._shared = self.game.moves(start) is self.game.moves(start)
        """Whether the game hands out the same tuple for the same moves, so that their mask is known by it."""
        self._masks: dict[int, tuple[Sequence[Hashable], Flags]] = {}
        self.view = viewer(game)
        story = self._story()
        self.story = len(story)
        """How many numbers of an observation are the story."""
        self.columns: Sequence[Feature] = [*columns(game), *story]
        """What the numbers of an observation tell, each with its bounds."""
        self.dtype = narrowest(self.columns)
        self._packed = bytearray if self.dtype == np.uint8 else self._as_integers
        self._struct = f"{len(columns(game))}i"
        self._known = None if self.dealt else {}
        self._capacity = max(2, min(KEPT, CAPACITY // (len(self.columns) + self.actions)))

    def _story(self) -> list[Feature]:
        game = self.game
        if isinstance(game, Observable) and not (isinstance(game, HistoryDependent) and game.history_matters):
            return []
        if self.limit is None:
            self.limit = game.max_plies  # which it never passes; but now its moves are counted
        opening = [Feature(f"at the start {letter}", 0, 1) for letter in self.letters if self.dealt]
        return [*opening, *(Feature(f"move {ply}", 0, self.actions) for ply in range(1, self.limit + 1))]

    def opening(self, state: Any) -> Numbers:
        """The story of a game at its start."""
        story = np.zeros(self.story, dtype=self.dtype)
        if self.story and self.dealt:
            story[: self.actions] = self._mask(state)
        return story

    def chapter(self, ply: Any) -> Any:
        """Where in the story the move after so many others is told."""
        return ply + self.actions if self.dealt else ply

    def look(self, state: Any) -> tuple[Numbers, Flags]:
        """The view of a position, and its mask: 1 for every legal action. Both are the caller's to keep."""
        if self._known is None:
            return np.frombuffer(self._packed(self.view(state)), self.dtype), self._mask(state)
        known = self._known.get(state)
        if known is None:
            known = np.frombuffer(self._packed(self.view(state)), self.dtype), self._mask(state)
            self._known[state] = known
            if len(self._known) == self._capacity:
                self._known = None  # there are too many for one to come twice often
        view, mask = known
        return view.copy(), mask.copy()

    def _as_integers(self, view: Sequence[int]) -> bytearray:
        return bytearray(pack(self._struct, *view))

    def _mask(self, state: Any) -> Flags:
        moves = self.game.moves(state)
        if not self._shared:
            return np.frombuffer(self._flags(moves), INT8)
        known = self._masks.get(id(moves))
        if known is None or known[0] is not moves:
            known = moves, np.frombuffer(self._flags(moves), INT8)
            if len(self._masks) < KEPT:
                self._masks[id(moves)] = known
        return known[1].copy()

    def _flags(self, moves: Sequence[Hashable]) -> bytearray:
        flags = bytearray(self.actions)
        index = self.index
        for move in moves:
            flags[index[move]] = 1
        return flags

    def letter(self, action: Any) -> Hashable:
        """The move that an action means; TypeError if it is no whole number, IllegalMove if none has it.

        >>> from numberduels.games.range_war.rules import RangeWar
        >>> Encoding(RangeWar(size=3)).letter(-1)
        Traceback (most recent call last):
        numberduels.core.IllegalMove: -1 is not an action: those are the numbers from 0 to 2.
        >>> Encoding(RangeWar(size=3)).letter(1.0)
        Traceback (most recent call last):
        TypeError: an action is a whole number from 0 to 2, not a value of type float
        """
        place = action if type(action) is int else self.place(action)
        if 0 <= place < self.actions:  # a negative place would count from the end
            return self.letters[place]
        given = place if abs(place) < 10**12 else "That"
        raise IllegalMove(f"{given} is not an action: those are the numbers from 0 to {self.actions - 1}.")

    def place(self, action: Any) -> int:
        """A whole number of any kind as an int; TypeError for all else, arrays of one element too."""
        shape = getattr(action, "shape", ())
        if shape == () and not isinstance(action, bool):
            try:
                return index(action)
            except TypeError:
                pass
        given = f"an array of shape {tuple(shape)}" if shape else f"a value of type {type(action).__name__}"
        raise TypeError(f"an action is a whole number from 0 to {self.actions - 1}, not {given}")
