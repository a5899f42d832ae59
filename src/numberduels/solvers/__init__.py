"""Exact solvers that know no game by name.

The package can be called: `numberduels.solve(game, state)` is `numberduels.analysis.solution.solve`.
"""

from __future__ import annotations

from numberduels.core import Decomposable, Game, M, S, Scored
from numberduels.solvers.margins import Margins
from numberduels.solvers.nimbers import Nimbers
from numberduels.solvers.oracle import DRAW, LOSS, MOST, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.retrograde import Retrograde
from numberduels.solvers.search import Search

__all__ = [
    "DRAW",
    "LOSS",
    "MOST",
    "WIN",
    "Margins",
    "Nimbers",
    "Oracle",
    "Retrograde",
    "Search",
    "TooLarge",
    "Worth",
    "general",
]


def general(game: Game[S, M], most: int = MOST) -> Oracle[S, M]:
    """The general method that fits what the game offers."""
    if isinstance(game, Scored):
        return Margins(game, most)
    if isinstance(game, Decomposable):
        return Nimbers(game, most)
    return Retrograde(game, most)
