"""The results of a step of the vector environment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Results:
    """For each game the reward of the agent, and whether the game ended."""

    def __init__(self, n: int) -> None:
        self.rewards = np.zeros(n, dtype=np.float64)
        self.terminated = np.zeros(n, dtype=np.bool_)
        self.truncated = np.zeros(n, dtype=np.bool_)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over."""
        return self.terminated | self.truncated

    def clear(self, indices: NDArray[np.intp]) -> None:
        """Reset the results of these games."""
        self.rewards[indices] = 0
        self.terminated[indices] = self.truncated[indices] = False
