"""Exact solvers that work for any game with the required capabilities, and know no game by name.

`oracle` says what a solver is: the worth of a position, or TooLarge. `general` has the solvers for any game,
and `make_oracle`, which chooses the one that fits. `choose` picks moves by a solver. `node_kayles`,
`vertex_geography` and `graphs` are what theories of games build on; `game_length` is another
question about a game. Only `game` is imported. Begin with `oracle`.
"""

from numberduels.solvers.general import (
    DepthFirstSearch,
    Margins,
    Nimbers,
    Retrograde,
    general_oracle,
    make_oracle,
)
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, WIN, Oracle, TooLarge, Worth

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
    "make_oracle",
]
