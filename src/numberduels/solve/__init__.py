"""Exact solvers that know no game by name.

The package can be called: `numberduels.solve(game, state)` is `numberduels.analysis.solve`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from numberduels.core import Divided, Game, M, S, Scored
from numberduels.solve.margins import Margins
from numberduels.solve.nimbers import Nimbers
from numberduels.solve.oracle import DRAW, LOSS, MOST, WIN, Oracle, TooLarge, Worth
from numberduels.solve.retrograde import Retrograde
from numberduels.solve.search import Search

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
    if isinstance(game, Divided):
        return Nimbers(game, most)
    return Retrograde(game, most)


class _Callable(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Any:
        # By name, as theories are: the solvers themselves know nothing of what is built on them.
        return import_module("numberduels.analysis").solve(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
