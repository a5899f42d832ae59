"""Legal actions looked up by the number of what decides them, such as a position."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberduels.batch.bitsets import below
from numberduels.batch.records import Pieces


class Choices:
    """Which actions are legal, by number: a row of flags for each.

    >>> choices = Choices(np.array([[True, False, True], [False, False, True]]))
    >>> choices.sample(np.array([1, 1]), np.random.default_rng(1))
    array([2, 2])
    """

    def __init__(self, legal: NDArray[np.bool_]) -> None:
        count, actions = legal.shape
        self._flags = Pieces(legal)
        self._counts = legal.sum(axis=1, dtype=np.uint64)
        self._width = 1 << (actions - 1).bit_length()  # a power of two is multiplied with faster
        nth = np.zeros((count, self._width), dtype=np.min_scalar_type(actions))
        nth[:, :actions] = np.argsort(~legal, axis=1, kind="stable")  # the legal ones first
        self._nth = nth.ravel()

    def flags(self, numbers: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """A row of flags for each of these numbers."""
        return self._flags.take(numbers)

    def sample(self, numbers: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
        """A legal action for each of these numbers, each as likely as the others."""
        index = below(self._counts.take(numbers, mode="clip"), rng).view(np.intp)
        index += numbers * self._width
        return self._nth.take(index, mode="clip").astype(np.intp)
