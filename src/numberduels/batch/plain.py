"""A batch of any game: one position after the other, by its rules. Faster batches are tested against it."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch import ALL, RUNNING, Ended, GameBatch, Which, standing, viewer
from numberduels.batch.bitsets import below
from numberduels.core import IllegalMove


class PlainBatch(GameBatch):
    """A list of states."""

    @classmethod
    def fits(cls, game: Any) -> bool:  # noqa: ARG003  # they fit all
        return True

    def __init__(self, game: Any, n: int) -> None:
        super().__init__(game, n)
        self.index = {letter: action for action, letter in enumerate(self.letters)}
        self.states: list[Any] = [None] * n

    def _chosen(self, rows: Which) -> list[int]:
        found: list[int] = np.arange(self.n)[rows].tolist()
        return found

    def deal(self, rows: Which, rng: np.random.Generator) -> None:
        chance = Random(int(rng.bit_generator.random_raw()))
        for row in self._chosen(rows):
            self.states[row] = self.game.start(chance)

    def turn(self, rows: Which = ALL) -> NDArray[np.int8]:
        return np.array([self.game.turn(self.states[row]) for row in self._chosen(rows)], dtype=np.int8)

    def legal(self, rows: Which = ALL) -> NDArray[np.bool_]:
        chosen = self._chosen(rows)
        legal = np.zeros((len(chosen), self.actions), dtype=np.bool_)
        for flags, row in zip(legal, chosen, strict=True):
            flags[[self.index[move] for move in self.game.moves(self.states[row])]] = True
        return legal

    def play(self, actions: NDArray[np.intp], rows: Which = ALL) -> Ended:
        chosen = self._chosen(rows)
        play, letters, states = self.game.play, self.letters, self.states
        row = 0
        try:
            moved = [
                play(states[row := each], letters[a])
                for each, a in zip(chosen, actions.tolist(), strict=True)
            ]
        except IllegalMove as fault:
            raise IllegalMove(f"Game {row}: {fault}") from None
        for row, state in zip(chosen, moved, strict=True):
            states[row] = state
        how = np.array([standing(outcome) for outcome in map(self.game.outcome, moved)], dtype=np.int8)
        which = how.nonzero()[0]
        return Ended(which, how[which], how != RUNNING)

    def sample(self, rng: np.random.Generator, rows: Which = ALL) -> NDArray[np.intp]:
        choices = [self.game.moves(self.states[row]) for row in self._chosen(rows)]
        nth = below(np.array([len(moves) for moves in choices], dtype=np.uint32), rng).tolist()
        picks = [self.index[moves[k]] if moves else 0 for moves, k in zip(choices, nth, strict=True)]
        return np.array(picks, dtype=np.intp)

    def observe(self, rows: Which = ALL) -> NDArray[Any]:
        see = viewer(self.game)
        seen = [list(see(self.states[row])) for row in self._chosen(rows)]
        return np.array(seen, dtype=self.dtype).reshape(len(seen), self.columns)

    def state(self, row: int) -> Any:
        return self.states[row]
