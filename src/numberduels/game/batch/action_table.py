"""A table of legal actions, indexed by position or by whatever else decides them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.game.batch.bitsets import random_below
from numberduels.game.batch.row_arrays import RowTable


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
