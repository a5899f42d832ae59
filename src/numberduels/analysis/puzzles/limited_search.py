"""LimitedSearch: what a search of limited depth sees of a position, with the rules alone.

In most games it sees nothing but ends: a win, a loss, or neither within its depth. In a game of points it
counts the points at its horizon, as people do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numberduels.game.contract import Scored, Symmetric, always_ends
from numberduels.solvers import DRAW, LOSS, WIN, TooLarge
from numberduels.solvers.general import lead

MAX_POSITIONS = 60_000
"""The most positions of one search."""


class LimitedSearch:
    """Searches one game to any depth; what was seen is remembered.

    In a game that must end, best play is computed once and says what every depth sees. If that takes too many
    positions, and in other games, each depth is searched by itself.

    >>> from random import Random
    >>> from numberduels.games.summation_duel.rules import SummationDuel
    >>> game = SummationDuel(size=10, target=20)
    >>> search, start = LimitedSearch(game), game.start(Random(0))
    >>> [search.value(start, plies) for plies in (2, 4, 6)]
    [0, 0, 1]
    """

    def __init__(
        self,
        game: Any,
        max_positions: int = MAX_POSITIONS,
        twin: Callable[[Any], Any] | None = None,
    ) -> None:
        """`twin` maps positions that are worth the same to one key; by default the game's own."""
        self.game = game
        self.max_positions = max_positions
        self.positions = 0
        self.scored = isinstance(game, Scored)
        self._must_end = always_ends(game)
        self._seen: dict[tuple[Any, int], int] = {}
        self._ends: dict[Any, tuple[int, int]] = {}
        if twin is None:
            twin = game.canonical if isinstance(game, Symmetric) else lambda state: state
        self._twin = twin

    def value(self, state: Any, plies: int) -> int:
        """What a search of so many plies sees for the player to move: WIN, LOSS, or 0 if neither.

        In a game of points, it sees WIN for a lead and LOSS for being behind. TooLarge beyond the limit.
        """
        if self.scored:
            margin = self.margin(state, plies)
            return WIN if margin > 0 else LOSS if margin < 0 else DRAW
        return self._value(state, plies)

    def margin(self, state: Any, plies: int) -> int:
        """In a game of points, the lead of the player to move after so many plies of best play."""
        return lead(self.game, state) + self._gain(self.game.without_scores(state), plies)

    def _value(self, state: Any, plies: int) -> int:
        if self._must_end:
            # A search sees a win or a loss if and only if best play ends the game within its depth.
            try:
                value, end = self._best_end(state)
                return value if end <= plies else DRAW
            except TooLarge:
                self._must_end = False
        key = self._twin(state), plies
        found = self._seen.get(key)
        if found is None:
            self._count()
            found = self._seen[key] = self._look(state, plies)
        return found

    def _best_end(self, state: Any) -> tuple[int, int]:
        """The value of a position, and the plies to the end if the winner hurries and the loser delays."""
        key = self._twin(state)
        found = self._ends.get(key)
        if found is None:
            self._count()
            game = self.game
            outcome = game.outcome(state)
            if outcome is not None:
                won = 0 if outcome.winner is None else WIN if outcome.winner == game.turn(state) else LOSS
                found = won, 0
            else:
                after = [self._best_end(game.play(state, move)) for move in game.moves(state)]
                value = -min(after)[0]
                plies = [end for worth, end in after if -worth == value]
                found = value, 1 + (min(plies) if value == WIN else max(plies))
            self._ends[key] = found
        return found

    def _look(self, state: Any, plies: int) -> int:
        game = self.game
        outcome = game.outcome(state)
        if outcome is not None:
            if outcome.winner is None:
                return DRAW
            return WIN if outcome.winner == game.turn(state) else LOSS
        if not plies:
            return DRAW
        best = LOSS
        for move in game.moves(state):
            best = max(best, -self._value(game.play(state, move), plies - 1))
            if best == WIN:
                break
        return best

    def _gain(self, twin: Any, plies: int) -> int:
        """The points that the player to move gains within so many plies, from a position without scores."""
        if not plies:
            return 0
        key = self._twin(twin), plies
        found = self._seen.get(key)
        if found is None:
            self._count()
            game = self.game
            ahead = lead(game, twin)
            gains = []
            for move in game.moves(twin):
                after = game.play(twin, move)
                gains.append(-lead(game, after) - self._gain(game.without_scores(after), plies - 1))
            found = self._seen[key] = max(gains, default=ahead) - ahead
        return found

    def _count(self) -> None:
        self.positions += 1
        if self.positions > self.max_positions * (1 if self._must_end else 2):
            raise TooLarge(f"there are more than {self.max_positions:,} positions")
