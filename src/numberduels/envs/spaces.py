"""The Gymnasium spaces of actions, action masks and observations."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from numberduels.envs.encoding import Encoding
from numberduels.game.formatting import short
from numberduels.game.options import BadOption


def make_action_space(encoding: Encoding) -> Discrete:
    """One action for every move of the game."""
    return Discrete(encoding.num_actions)


def make_mask_space(encoding: Encoding) -> Box:
    """One flag for every action."""
    return Box(0, 1, (encoding.num_actions,), np.int8)


def make_observation_space(encoding: Encoding, dtype: Any = None) -> Box:
    """One number for every feature, within its bounds; `dtype` defaults to the encoding's own.

    BadOption if `dtype` is not a numeric type, or cannot represent every whole number within the bounds.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> make_observation_space(Encoding(RangeWar(size=2)), "float32")
    Box([0. 0. 0. 0. 1.], [1. 1. 2. 2. 2.], (5,), float32)
    """
    kind = encoding.dtype if dtype is None else _kind(dtype)
    low = [feature.low for feature in encoding.features]
    high = [feature.high for feature in encoding.features]
    most = 2 ** (np.finfo(kind).nmant + 1) if kind.kind == "f" else int(np.iinfo(kind).max)
    least = -most if kind.kind == "f" else int(np.iinfo(kind).min)
    if max(high) > most or min(low) < least:
        raise BadOption(
            "dtype", f"dtype {kind} cannot tell all whole numbers from {min(low)} to {max(high)} apart"
        )
    return Box(np.array(low, kind), np.array(high, kind), dtype=kind.type)


def _kind(dtype: Any) -> np.dtype[Any]:
    kind: np.dtype[Any]
    try:
        kind = np.dtype(dtype)
    except (TypeError, ValueError):
        kind = np.dtype(object)
    if kind.kind not in "iuf" or not kind.isnative:
        raise BadOption(
            "dtype",
            f"dtype must be a NumPy type of numbers, such as 'float32' or 'int64', not {short(str(dtype))}",
        )
    return kind
