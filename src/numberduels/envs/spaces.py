"""Where actions and observations lie, as Gymnasium says it. Exactly: nothing reachable lies outside."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Discrete

from numberduels.envs.encoding import Encoding


def actions(encoding: Encoding) -> Discrete:
    """One number for every letter of the alphabet."""
    return Discrete(encoding.actions)


def masks(encoding: Encoding) -> Box:
    """A flag for every action."""
    return Box(0, 1, (encoding.actions,), np.int8)


def observations(encoding: Encoding) -> Box:
    """A whole number for every column, within its bounds."""
    low, high = ([column[bound] for column in encoding.columns] for bound in (1, 2))
    return Box(np.array(low, encoding.dtype), np.array(high, encoding.dtype), dtype=encoding.dtype.type)
