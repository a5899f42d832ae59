"""WorkEstimate: what a computation takes, as far as it is known beforehand."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Bound(Enum):
    """What the number of positions in an estimate means."""

    ABOUT = "about"
    """It was measured, or follows from a count that was."""
    AT_MOST = "at most"
    """It is an upper bound."""
    LIMIT = "limit"
    """How many it takes is not known; the solver gives up there."""


class WorkEstimate(NamedTuple):
    """How many positions a solver will visit, and how much memory that takes."""

    positions: int
    memory: int | None = None
    """Bytes; None if nothing is known."""
    bound: Bound = Bound.LIMIT
