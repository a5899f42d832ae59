"""Nimbers by splitting: who wins an impartial game, right for any `Decomposable` one that must end.

Impartial means that both players have the same moves and whoever cannot move loses. Such a position
is worth a nimber: the smallest number that none of the positions after a move is worth. Where a
position falls apart, the nimber of the whole is the bitwise sum of those of its parts (Sprague and
Grundy), so that only the parts need be remembered.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor

from numberduels.core import Game, M, S
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth


class Nimbers(Oracle[S, M]):
    """The nimber of every position that it is asked for.

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
        return reduce(xor, map(self._part, self.game.components(state)), 0)

    def _part(self, part: S) -> int:
        found = self._known.get(part)
        if found is None:
            self.count_position()
            try:
                found = mex(self._sum(self.game.play(part, move)) for move in self.game.moves(part))
            except RecursionError:
                raise TooLarge(TOO_DEEP) from None
            self._known[part] = found
        return found


def mex(nimbers: Iterable[int]) -> int:
    """The smallest number, from 0 on, that is not among these.

    >>> mex([0, 1, 3])
    2
    """
    there = set(nimbers)
    return next(number for number in range(len(there) + 1) if number not in there)
