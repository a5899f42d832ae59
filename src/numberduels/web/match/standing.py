"""The score of two players over a match and its rematches, and when a best-of series is decided.

A player wins a best-of series when the other can no longer catch up. Games without a winner count as played.
"""

from __future__ import annotations

from numberduels.game.contract import Seat
from numberduels.play.series import Standing


def after_game(standing: Standing, winner: Seat | None) -> Standing:
    """The score after one more game; no winner means that nobody won it.

    >>> after_game(Standing(1, (1, 0), None), 1)
    Standing(games=2, wins=(1, 1), margin=None)
    """
    one, other = standing.wins
    return Standing(standing.games + 1, (one + (winner == 0), other + (winner == 1)), None)


def swapped(standing: Standing) -> Standing:
    """The score with the seats swapped, as a rematch has them.

    >>> swapped(Standing(3, (2, 1), None)).wins
    (1, 2)
    """
    one, other = standing.wins
    return standing._replace(wins=(other, one))


def is_decided(standing: Standing, best_of: int) -> bool:
    """Whether a best-of series is decided: all games are played, or nobody can catch up.

    >>> is_decided(Standing(2, (2, 0), None), 3), is_decided(Standing(2, (1, 1), None), 3)
    (True, False)
    """
    left = best_of - standing.games
    return left <= 0 or abs(standing.ahead) > left
