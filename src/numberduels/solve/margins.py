"""Best margins: by how much a game of points is won, right for any `Scored` game that must end.

The points already made are left out of the search: what is still to be won depends on them only
through the margin so far, which is added at the end.
"""

from __future__ import annotations

from typing import Any, Generic, Protocol

from numberduels.core import Game, M, S, Scored
from numberduels.solve.retrograde import DRAW, LOSS, WIN, TooLarge


class Pointed(Game[S, M], Scored[S], Protocol):
    """A game of points."""


class Margins(Generic[S, M]):
    """The final margin, at best play by both, from every position that it is asked for.

    >>> from numberduels.games.number_snatch.rules import NumberSnatch
    >>> from random import Random
    >>> game = NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20))
    >>> Margins(game).at(game.start(Random()))
    11
    """

    def __init__(self, game: Pointed[S, M], most: int = 100_000) -> None:
        """Nothing is solved yet; `at` raises TooLarge beyond `most` positions."""
        self.game = game
        self.most = most
        self._rest: dict[Any, int] = {}

    @property
    def positions(self) -> int:
        """How many positions were looked at, points left out."""
        return len(self._rest)

    def __contains__(self, state: S) -> bool:
        """Whether the state is solved."""
        return self.game.levelled(state) in self._rest

    def at(self, state: S) -> int:
        """The final margin for the player to move: points ahead if positive."""
        return self._ahead(state) + self._to_come(self.game.levelled(state))

    def after(self, state: S, move: M) -> int:
        """The final margin for the player to move who makes this move."""
        return -self.at(self.game.play(state, move))

    def value(self, state: S) -> int:
        """WIN, DRAW or LOSS for the player to move."""
        margin = self.at(state)
        return (margin > 0) - (margin < 0) if margin else self._level(state)

    def _level(self, state: S) -> int:
        """What a margin of zero means: best play leads there, and the game itself says who won."""
        mover = self.game.turn(state)
        while (outcome := self.game.outcome(state)) is None:
            state = self.game.play(state, self.best(state)[0])
        if outcome.winner is None:
            return DRAW
        return WIN if outcome.winner == mover else LOSS

    def best(self, state: S) -> list[M]:
        """The moves with the best margin."""
        margins = [(self.after(state, move), move) for move in self.game.moves(state)]
        top = max((margin for margin, _ in margins), default=None)
        return [move for margin, move in margins if margin == top]

    def _ahead(self, state: S) -> int:
        """The points by which the player to move leads."""
        first, second = self.game.scores(state)
        return second - first if self.game.turn(state) else first - second

    def _to_come(self, twin: S) -> int:
        """How much the lead of the player to move will still grow, from a levelled position."""
        found = self._rest.get(twin)
        if found is None:
            if len(self._rest) >= self.most:
                raise TooLarge(f"more than {self.most:,} positions")
            moves = self.game.moves(twin)
            try:
                best = max((self.after(twin, move) for move in moves), default=self._ahead(twin))
            except RecursionError:
                raise TooLarge("more moves in a row than the search is deep") from None
            found = self._rest[twin] = best - self._ahead(twin)
        return found
