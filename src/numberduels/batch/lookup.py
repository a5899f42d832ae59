"""The batch of a small game: every position that it has, laid out once by its rules, and then only looked up.

Right for any game with a settled start and few enough positions, and faster than arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import ALL, Ended, GameBatch, Which, columns, narrowest, standing, viewer
from numberduels.batch.action_table import Choices
from numberduels.batch.records import Pieces
from numberduels.core import has_fixed_start

MOST = 1 << 15
"""Positions that are laid out: their numbers fit into 16 bits with a sign."""

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
    after: NDArray[np.int16]
    """At [position * width + action]: the position after it, or NOWHERE."""
    over: int
    """From this one on the positions are ends."""
    how: NDArray[np.int8]
    """How the game stands."""
    legal: Choices
    turn: NDArray[np.int8]
    view: Pieces


@lru_cache(maxsize=32)
def lay_out(game: Any, most: int = MOST) -> Layout | None:
    """The layout of a game, or None if it has too many positions or is dealt."""
    if not has_fixed_start(game):
        return None
    letters = {letter: action for action, letter in enumerate(game.all_moves())}
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
    after = np.full((len(states), width), NOWHERE, dtype=np.int16)  # narrow, to be close to the processor
    for number, lead in enumerate(leads):
        after[number, list(lead)] = list(lead.values())
    return Layout(
        states,
        width,
        after.ravel(),
        sum(map(bool, leads)),
        np.array([standing(game.outcome(state)) for state in states], dtype=np.int8),
        Choices(after[:, : len(letters)] != NOWHERE),
        np.array([game.turn(state) for state in states], dtype=np.int8),
        Pieces(np.array([list(see(state)) for state in states], dtype=narrowest(columns(game)))),
    )


class LookupBatch(GameBatch):
    """A batch of numbers of positions."""

    @classmethod
    def fits(cls, game: Any) -> bool:
        return lay_out(game) is not None

    def __init__(self, game: Any, n: int) -> None:
        super().__init__(game, n)
        layout = lay_out(game)
        assert layout is not None, "asked only of a game that fits"
        self.layout = layout
        self.at = np.zeros(n, dtype=np.intp)

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        self.at[rows] = 0

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return self.layout.turn.take(self.at[rows], mode="clip")

    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        return self.layout.legal.flags(self.at[rows])

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        layout = self.layout
        index = self.at[rows] * layout.width
        index += actions
        at = layout.after.take(index, mode="clip")
        over = at.view(np.uint16) >= layout.over  # or NOWHERE, which is large seen like this
        which = over.nonzero()[0]
        how = layout.how.take(at.take(which, mode="clip"), mode="clip")
        if np.count_nonzero(how) < len(how):  # taken for the start, where the game goes on
            self.refuse(actions, at == NOWHERE, rows)
        self.at[rows] = at
        return Ended(which, how, over)

    def sample(self, rng: np.random.Generator, rows: Which = ALL) -> NDArray[np.intp]:
        return self.layout.legal.sample(self.at[rows], rng)

    def observe(self, rows: Which = ALL) -> NDArray[Any]:
        return self.layout.view.take(self.at[rows])

    def state(self, row: int) -> Any:
        return self.layout.states[self.at[row]]
