"""How hard a position is to play: by its wrong moves, by its depth, and by whether a greedy player fails.

The difficulty is a number from 0 to 4, one point for each of these:

    more than half of the legal moves are wrong
    best play takes more than two plies to the end: looking one move and one reply ahead is not enough
    best play takes more than six plies to the end, or no end is known
    a greedy player can go wrong

A move is wrong if another one is better: it loses the value, or in a game of points some of the margin. A
greedy player wins at once if it can, does not hand over a win in one move, and otherwise plays at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numberduels.analysis.oracle_cache import ORACLES
from numberduels.game.contract import Scored
from numberduels.players.simple import moves_in_sight
from numberduels.solvers import DRAW, Oracle, Worth
from numberduels.solvers.oracle import select_best

NEAR, FAR = 2, 6
"""Plies to the end: up to NEAR is what a greedy player sees, above FAR is deep."""

HALF = 0.5
LEVELS = range(5)
"""The difficulties."""

DEPTHS = (f"1-{NEAR}", f"{NEAR + 1}-{FAR}", f"{FAR + 1}+", "no end")
"""The classes of depth. No end: nobody can force one, or it is too far to find."""


class Difficulty(NamedTuple):
    """The three measures of one position."""

    wrong_share: float
    """The share of the legal moves that are wrong."""
    depth: int | None
    """Plies to the end with best play; None if nobody can force an end, or if it is too far to find."""
    greedy_fails: bool
    """Whether a greedy player may choose a wrong move."""

    @property
    def depth_class(self) -> str:
        """Which of DEPTHS it is."""
        if self.depth is None:
            return DEPTHS[3]
        return DEPTHS[(self.depth > NEAR) + (self.depth > FAR)]

    @property
    def level(self) -> int:
        """The difficulty as one number, see above.

        >>> Difficulty(0.2, 1, False).level, Difficulty(0.9, None, True).level
        (0, 4)
        """
        depth = FAR + 1 if self.depth is None else self.depth
        return (self.wrong_share > HALF) + (depth > NEAR) + (depth > FAR) + self.greedy_fails

    @property
    def cell(self) -> tuple[bool, str, bool]:
        """The classes of all three measures: positions are balanced over them."""
        return self.wrong_share > HALF, self.depth_class, self.greedy_fails


def measure_difficulty(
    oracle: Oracle[Any, Any], state: Any, choices: Mapping[Any, Worth]
) -> Difficulty | None:
    """The difficulty of a position whose moves have these worths; None if no move is wrong.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> from numberduels.solvers.oracles import make_oracle
    >>> oracle = make_oracle(RangeWar(size=10))
    >>> start = oracle.game.start(None)
    >>> measure_difficulty(oracle, start, oracle.evaluate_moves(start))  # 1 to 5 win, and 1 ends the game
    Difficulty(wrong_share=0.5, depth=1, greedy_fails=True)
    """
    best = select_best(dict(choices))
    if len(best) == len(choices):
        return None
    fails = any(move not in best for move in moves_in_sight(oracle.game, state))
    return Difficulty((len(choices) - len(best)) / len(choices), _depth(oracle, state), fails)


def _depth(oracle: Oracle[Any, Any], state: Any) -> int | None:
    """Plies to the end with best play; None for a draw, which need not end, and where it is too far."""
    if oracle.value(state) == DRAW and not isinstance(oracle.game, Scored):
        return None
    return ORACLES.depth_finder(oracle).find(state).remoteness
