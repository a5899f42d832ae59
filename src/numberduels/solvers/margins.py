"""Best margins: by how much a game of points is won, right for any `Scored` game that must end.

The points already made are left out of the search: what is still to be won depends on them only
through the margin so far, which is added at the end.
"""

from __future__ import annotations

from typing import Any

from numberduels.core import Game, M, S, Scored
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth


class Margins(Oracle[S, M]):
    """The final margin, at best play by both, from every position that it is asked for.

    >>> from numberduels.games.number_snatch.rules import NumberSnatch
    >>> from random import Random
    >>> game = NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20))
    >>> Margins(game).evaluate(game.start(Random()))
    Worth(value=1, remoteness=None, margin=11, nimber=None)
    """

    method = "best margins, each position once"

    def __init__(self, game: Game[S, M], max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._rest: dict[S, int] = {}

    def evaluate(self, state: S) -> Worth:
        return worth(
            self.game, state, lead(self.game, state) + self._to_come(self.game.without_scores(state))
        )

    def _to_come(self, twin: S) -> int:
        """How much the lead of the player to move will still grow, from a position without scores."""
        found = self._rest.get(twin)
        if found is None:
            self.count_position()
            game = self.game
            ahead = lead(game, twin)
            try:
                best = max((self._left_by(game.play(twin, move)) for move in game.moves(twin)), default=ahead)
            except RecursionError:
                raise TooLarge(TOO_DEEP) from None
            found = self._rest[twin] = best - ahead
        return found

    def _left_by(self, state: S) -> int:
        """The final lead of the player who has just moved to this state."""
        return -lead(self.game, state) - self._to_come(self.game.without_scores(state))


def lead(game: Any, state: S) -> int:
    """The points by which the player to move is ahead so far."""
    first, second = game.scores(state)
    points: int = second - first if game.turn(state) else first - second
    return points


def worth(game: Scored[S], state: S, margin: int) -> Worth:
    """What a final margin means to the player to move."""
    if margin:
        value = WIN if margin > 0 else LOSS
    else:
        winner = game.tie_winner()
        value = DRAW if winner is None else WIN if winner == game.turn(state) else LOSS  # type: ignore[attr-defined]
    return Worth(value, None, margin)
