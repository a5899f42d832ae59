"""Depth-first search: the value of a position, for any game that must end.

It tries moves first that leave the opponent few replies, and stops at the first winning move. So it visits
few positions and computes no remoteness.
"""

from __future__ import annotations

from numberduels.game.contract import Game, M, S
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth


class DepthFirstSearch(Oracle[S, M]):
    """The value of a position, by depth-first search with a cache.

    >>> from numberduels.games.number_collision.rules import NumberCollision
    >>> from random import Random
    >>> game = NumberCollision(size=3, repetition="forbidden")
    >>> DepthFirstSearch(game).evaluate(game.start(Random())).value == WIN
    True
    """

    method = "depth-first search"

    def __init__(self, game: Game[S, M], max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._known: dict[S, int] = {}

    def evaluate(self, state: S) -> Worth:
        try:
            return Worth(self._value(state))
        except RecursionError:
            raise TooLarge(TOO_DEEP) from None

    def _value(self, state: S) -> int:
        found = self._known.get(state)
        if found is None:
            self.count_position()
            found = self._known[state] = self._best(state)
        return found

    def _best(self, state: S) -> int:
        game = self.game
        outcome = game.outcome(state)
        if outcome is not None:
            if outcome.winner is None:
                return DRAW
            return WIN if outcome.winner == game.turn(state) else LOSS
        best = LOSS
        after = [game.play(state, move) for move in game.moves(state)]
        for child in sorted(after, key=lambda child: len(game.moves(child))):
            best = max(best, -self._value(child))
            if best == WIN:
                break
        return best
