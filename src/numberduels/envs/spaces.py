"""Where actions and observations lie, as Gymnasium says it. Exactly: nothing reachable lies outside."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from numberduels.envs.encoding import Encoding
from numberduels.options import BadOption
from numberduels.text import short


def actions(encoding: Encoding) -> Discrete:
    """One number for every letter of the alphabet."""
    return Discrete(encoding.actions)


def masks(encoding: Encoding) -> Box:
    """A flag for every action."""
    return Box(0, 1, (encoding.actions,), np.int8)


def observations(encoding: Encoding, dtype: Any = None) -> Box:
    """A number for every column, within its bounds; of the encoding's own type if none is asked for.

    BadOption if the type is none of NumPy's for numbers, or cannot tell all numbers within the bounds apart.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> observations(Encoding(RangeWar(size=2)), "float32")
    Box([0. 0. 0. 0. 1.], [1. 1. 2. 2. 2.], (5,), float32)
    """
    kind = encoding.dtype if dtype is None else _kind(dtype)
    low = [column.low for column in encoding.columns]
    high = [column.high for column in encoding.columns]
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
