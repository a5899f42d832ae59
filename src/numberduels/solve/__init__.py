"""Exact solvers that know no game by name."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol, TypeVar

from numberduels.core import Game, M, S, Scored
from numberduels.solve.margins import Margins
from numberduels.solve.retrograde import DRAW, LOSS, WIN, Retrograde, TooLarge

__all__ = ["DRAW", "LOSS", "WIN", "Margins", "Retrograde", "Solver", "TooLarge", "solver"]


S_in = TypeVar("S_in", bound=Hashable, contravariant=True)


class Solver(Protocol[S_in, M]):
    """Something that knows positions exactly."""

    def __contains__(self, state: S_in) -> bool:
        """Whether the state is solved."""

    def value(self, state: S_in) -> int:
        """WIN, DRAW or LOSS for the player to move."""

    def best(self, state: S_in) -> list[M]:
        """The moves that a perfect player would choose from."""


def solver(game: Game[S, M], state: S, most: int = 100_000) -> Solver[S, M]:
    """The solver that fits the game, ready for the state and all that can follow.

    Raises TooLarge when that takes more than `most` positions.
    """
    found: Any
    if isinstance(game, Scored):
        found = Margins(game, most)
        found.at(state)
    else:
        found = Retrograde(game, state, most)
    return found  # type: ignore[no-any-return]  # both kinds are solvers of this very game
