"""Rows of a small game: every position that it has, laid out once by its rules, and then only looked up.

Right for any game with a settled start and few enough positions, and faster than arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.core import settled
from numberduels.rows import ALL, Ended, Rows, Which, below, standing, viewer

MOST = 1 << 15
"""Positions that are laid out."""

CELLS = 1 << 21
"""Positions times actions that are laid out: a game with few positions may have a great many moves."""

NOWHERE = -1
"""Where an illegal action leads."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The positions of a game, by number, the start being 0."""

    states: list[Any]
    width: int
    """The room for the actions of a position: a power of two is multiplied with faster."""
    after: NDArray[np.intp]
    """At [position * width + action]: the position after it, or NOWHERE."""
    over: int
    """From this one on the positions are ends."""
    how: NDArray[np.int8]
    """How the game stands."""
    count: NDArray[np.uint64]
    """How many actions are legal."""
    nth: NDArray[np.intp]
    """At [position * width + k]: the k-th of them."""
    legal: NDArray[np.bool_]
    turn: NDArray[np.int8]
    view: NDArray[np.int32]


@lru_cache(maxsize=32)
def lay_out(game: Any, most: int = MOST) -> Layout | None:
    """The layout of a game, or None if it has too many positions or is dealt."""
    if not settled(game):
        return None
    letters = {letter: action for action, letter in enumerate(game.alphabet())}
    start = game.start(Random(0))
    found = {start}
    states = [start]
    for state in states:
        for move in game.moves(state):
            after = game.play(state, move)
            if after not in found:
                found.add(after)
                states.append(after)
        if len(states) > most or len(states) * len(letters) > CELLS:
            return None
    states.sort(key=lambda state: game.outcome(state) is not None)  # and else as they came: the start first
    return _filled(game, states, letters)


def _filled(game: Any, states: list[Any], letters: dict[Any, int]) -> Layout:
    numbers = {state: number for number, state in enumerate(states)}
    leads = [
        {letters[move]: numbers[game.play(state, move)] for move in game.moves(state)} for state in states
    ]
    see = viewer(game)
    width = 1 << (len(letters) - 1).bit_length()
    after = np.full((len(states), width), NOWHERE, dtype=np.intp)
    nth = np.zeros_like(after)
    for number, lead in enumerate(leads):
        after[number, list(lead)] = list(lead.values())
        nth[number, : len(lead)] = sorted(lead)
    return Layout(
        states,
        width,
        after.ravel(),
        sum(map(bool, leads)),
        np.array([standing(game.outcome(state)) for state in states], dtype=np.int8),
        np.array([len(lead) for lead in leads], dtype=np.uint64),
        nth.ravel(),
        after != NOWHERE,
        np.array([game.turn(state) for state in states], dtype=np.int8),
        np.array([list(see(state)) for state in states], dtype=np.int32),
    )


class TableRows(Rows):
    """Rows that are numbers of positions."""

    @classmethod
    def fits(cls, game: Any) -> bool:
        return lay_out(game) is not None

    def __init__(self, game: Any, n: int) -> None:
        super().__init__(game, n)
        layout = lay_out(game)
        assert layout is not None, "asked only of a game that fits"
        self.layout = layout
        self.at = np.zeros(n, dtype=np.intp)
        self.base = np.zeros(n, dtype=np.intp)  # where the actions of each begin: at * width

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        self.at[rows] = self.base[rows] = 0

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return self.layout.turn.take(self.at[rows], mode="clip")

    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        # Taken as single pieces, the rows of the table are copied much faster than as rows.
        layout = self.layout
        piece = layout.legal.view(f"V{layout.width}").ravel().take(self.at[rows], mode="clip")
        return piece.view(np.bool_).reshape(-1, layout.width)[:, : self.actions]

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        layout = self.layout
        at = layout.after.take(self.base[rows] + actions, mode="clip")
        if at.min(initial=0) == NOWHERE:
            self.refuse(actions, at == NOWHERE, rows)
        if rows is ALL:
            self.at, self.base = at, at * layout.width
        else:
            self.at[rows], self.base[rows] = at, at * layout.width
        which = (at >= layout.over).nonzero()[0]
        return Ended(which, layout.how[at[which]])

    def sample(self, rng: np.random.Generator, rows: Which = ALL) -> NDArray[np.intp]:
        layout = self.layout
        index = below(layout.count.take(self.at[rows], mode="clip"), rng).view(np.intp)
        index += self.base[rows]
        return layout.nth.take(index, mode="clip")

    def view(self, rows: Which = ALL) -> NDArray[np.int32]:
        return self.layout.view.take(self.at[rows], axis=0, mode="clip")

    def state(self, row: int) -> Any:
        return self.layout.states[self.at[row]]
