"""Exact solvers that work for any game with the required capabilities, and know no game by name.

`oracle` says what a solver is: the worth of a position, or TooLarge. `oracles` chooses the one that fits a
game: its own theory, or `retrograde` (any finite game), `margins` (points), `nimbers` (independent parts),
`search` (depth first). `node_kayles` and `kayles_proof_search`, `vertex_geography`, `game_length` and
`subset_table` are what theories of games build on. Only `game` is imported. Begin with `oracle`.
"""

from __future__ import annotations

from numberduels.game.contract import Decomposable, Game, M, S, Scored
from numberduels.solvers.margins import Margins
from numberduels.solvers.nimbers import Nimbers
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.retrograde import Retrograde
from numberduels.solvers.search import DepthFirstSearch

__all__ = [
    "DRAW",
    "LOSS",
    "MAX_POSITIONS",
    "WIN",
    "DepthFirstSearch",
    "Margins",
    "Nimbers",
    "Oracle",
    "Retrograde",
    "TooLarge",
    "Worth",
    "general_oracle",
]


def general_oracle(game: Game[S, M], max_positions: int = MAX_POSITIONS) -> Oracle[S, M]:
    """The general solver for the capabilities of the game."""
    if isinstance(game, Scored):
        return Margins(game, max_positions)
    if isinstance(game, Decomposable):
        return Nimbers(game, max_positions)
    return Retrograde(game, max_positions)
