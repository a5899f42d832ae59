"""A solver for tests that shares no code with ours: plain recursion over the five methods of a game."""

from __future__ import annotations

from typing import Any, NamedTuple


class TooMany(Exception):
    """There are more positions than the test has patience for."""


class Found(NamedTuple):
    """For the player to move: 1, 0 or -1; the moves to the end at best play; the final lead in points."""

    value: int
    plies: int
    lead: int


class PlainSolver:
    """Best play, where the winner hurries and the loser delays; for games that always end."""

    def __init__(self, game: Any, most: int = 100_000) -> None:
        self.game = game
        self.most = most
        self.found: dict[Any, Found] = {}

    def solve(self, state: Any) -> Found:
        if state not in self.found:
            if len(self.found) >= self.most:
                raise TooMany
            self.found[state] = self._solve(state)
        return self.found[state]

    def _solve(self, state: Any) -> Found:
        game = self.game
        outcome = game.outcome(state)
        if outcome:
            mine = game.turn(state)
            value = 0 if outcome.winner is None else 1 if outcome.winner == mine else -1
            scores = outcome.scores or (0, 0)
            return Found(value, 0, scores[mine] - scores[1 - mine])
        after = [self.solve(game.play(state, move)) for move in game.moves(state)]
        value = max(-each.value for each in after)
        plies = [each.plies + 1 for each in after if -each.value == value]
        return Found(value, min(plies) if value > 0 else max(plies), max(-each.lead for each in after))

    def winning(self, state: Any) -> list[Any]:
        game = self.game
        return [move for move in game.moves(state) if self.solve(game.play(state, move)).value < 0]
