"""Margin search: the final margin at best play, for any `Scored` game that must end.

The search leaves out the points already made: they only add the margin so far to the result.
"""

from __future__ import annotations

from typing import Any

from numberduels.game.contract import Game, M, S, Scored
from numberduels.solvers.oracle import DRAW, LOSS, MAX_POSITIONS, TOO_DEEP, WIN, Oracle, TooLarge, Worth


class Margins(Oracle[S, M]):
    """The final margin of a position at best play by both players.

    >>> from numberduels.games.number_snatch.rules import NumberSnatch
    >>> from random import Random
    >>> game = NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20))
    >>> Margins(game).evaluate(game.start(Random()))
    Worth(value=1, remoteness=None, margin=11, nimber=None)
    """

    method = "best margins, each position once"

    def __init__(self, game: Game[S, M], max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._gains: dict[S, int] = {}

    def evaluate(self, state: S) -> Worth:
        return worth_of_margin(
            self.game, state, lead(self.game, state) + self._gain(self.game.without_scores(state))
        )

    def _gain(self, twin: S) -> int:
        """The points that the player to move still gains, from a position without scores."""
        found = self._gains.get(twin)
        if found is None:
            self.count_position()
            game = self.game
            ahead = lead(game, twin)
            try:
                best = max(
                    (self._lead_after(game.play(twin, move)) for move in game.moves(twin)), default=ahead
                )
            except RecursionError:
                raise TooLarge(TOO_DEEP) from None
            found = self._gains[twin] = best - ahead
        return found

    def _lead_after(self, state: S) -> int:
        """The final lead of the player who has just moved to this state."""
        return -lead(self.game, state) - self._gain(self.game.without_scores(state))


def lead(game: Any, state: S) -> int:
    """The current lead of the player to move in points."""
    first, second = game.scores(state)
    points: int = second - first if game.turn(state) else first - second
    return points


def worth_of_margin(game: Scored[S], state: S, margin: int) -> Worth:
    """The worth of a final margin for the player to move."""
    if margin:
        value = WIN if margin > 0 else LOSS
    else:
        winner = game.tie_winner()
        value = DRAW if winner is None else WIN if winner == game.turn(state) else LOSS  # type: ignore[attr-defined]
    return Worth(value, None, margin)
