"""Nimbers of components: for any `Decomposable` game that must end.

Such a game is impartial: both players have the same moves, and a player who cannot move loses. The nimber of
a position is the smallest number that is not the nimber of a position after one move. The nimber of a sum of
independent components is the bitwise xor of their nimbers (Sprague and Grundy), so only components are
cached.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor

from numberduels.game.contract import Game, M, S
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth


class Nimbers(Oracle[S, M]):
    """The nimber of a position.

    >>> from numberduels.games.restricted_removal.rules import RestrictedRemoval
    >>> from random import Random
    >>> game = RestrictedRemoval(size=9)
    >>> Nimbers(game).evaluate(game.start(Random())).nimber
    3
    """

    method = "nimbers of independent parts"

    def __init__(self, game: Game[S, M], max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._known: dict[S, int] = {}

    def evaluate(self, state: S) -> Worth:
        nimber = self._sum(state)
        return Worth(WIN if nimber else LOSS, nimber=nimber)

    def _sum(self, state: S) -> int:
        return reduce(xor, map(self._component, self.game.components(state)), 0)

    def _component(self, component: S) -> int:
        found = self._known.get(component)
        if found is None:
            self.count_position()
            try:
                found = mex(self._sum(self.game.play(component, move)) for move in self.game.moves(component))
            except RecursionError:
                raise TooLarge(TOO_DEEP) from None
            self._known[component] = found
        return found


def mex(nimbers: Iterable[int]) -> int:
    """The minimum excludant: the smallest number from 0 that is not among these.

    >>> mex([0, 1, 3])
    2
    """
    found = set(nimbers)
    return next(number for number in range(len(found) + 1) if number not in found)
