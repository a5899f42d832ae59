"""A batch of any game, which calls the rules game by game. Faster batches are tested against it."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch import ALL, RUNNING, FinishedGames, GameBatch, Indices, observer_of, result_code
from numberduels.game.batch.bitsets import random_below
from numberduels.game.contract import IllegalMove


class PlainBatch(GameBatch):
    """Holds each game as a state of its rules."""

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
