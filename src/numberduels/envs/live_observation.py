"""LiveObservation: the observation and the action mask of a game in progress, changed in place by moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from numberduels.envs.encoding import INT8, Encoding, MaskArray, ObservationArray

WRITABLE = frozenset("bBhHiIlLqQfd")
"""The types of numbers that memory views can write in every version of Python, by their letters."""


class LiveObservation:
    """The observation and the mask of one game, for games that are `UpdatesObservation`.

    The game writes into `numbers` and `flags`, memory views of the arrays, which is faster than to assign to
    an array. Give copies of the arrays away.

    >>> from random import Random
    >>> from numberduels.games.number_collision.rules import NumberCollision, Place
    >>> game = NumberCollision(size=2, values=2)
    >>> start = game.start(Random())
    >>> live = LiveObservation(Encoding(game), np.dtype(np.uint8))
    >>> live.set_start(start)
    >>> game.update_observation(live.numbers, live.flags, start, Place(2, 1), game.play(start, Place(2, 1)))
    >>> live.observation.tolist(), live.mask.tolist()
    ([2, 0, 2], [0, 0, 1, 1])
    """

    def __init__(self, encoding: Encoding, dtype: np.dtype[Any]) -> None:
        self._encoding = encoding
        self.observation: ObservationArray = np.zeros(len(encoding.features), dtype)
        self.mask: MaskArray = np.zeros(encoding.num_actions, INT8)
        self.numbers = self.observation.data
        self.flags = self.mask.view(np.uint8).data
        self._of_bytes = dtype == np.uint8
        self._start: tuple[memoryview, memoryview] | None = None
        """What `numbers` and `flags` are at the start, once that is known, unless the start is random."""

    @classmethod
    def supports(cls, encoding: Encoding, dtype: np.dtype[Any]) -> bool:
        """Whether it can follow the games of this encoding, with observations of this dtype."""
        return encoding.updates and dtype.char in WRITABLE

    def set_start(self, state: Any) -> None:
        """Observe the start of a game."""
        if self._start is not None:
            self.numbers[:], self.flags[:] = self._start
            return
        encoding = self._encoding
        numbers = encoding.observe_position(state)
        if self._of_bytes:
            self.numbers[:] = bytes(numbers)
        else:
            self.observation[:] = list(numbers)
        self.flags[:] = encoding.flags(encoding.game.moves(state))
        if not encoding.dealt:
            self._start = self.observation.copy().data, self.mask.view(np.uint8).copy().data

    def __reduce__(self) -> tuple[Any, ...]:
        # Copied one by one, the arrays and the memory views would no longer be of the same memory.
        return (
            LiveObservation,
            (self._encoding, self.observation.dtype),
            (self.observation.copy(), self.mask.copy()),
        )

    def __setstate__(self, arrays: tuple[ObservationArray, MaskArray]) -> None:
        self.observation[:], self.mask[:] = arrays
