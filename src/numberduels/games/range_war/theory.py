"""Who wins Range War at any size: a count.

From the third number on (with the opening `lower` from the second) each player has a direction for
good: one only ever goes up, the other only down. Say that u free numbers lie on the side of the
player to move and d on the other. Claiming the k-th nearest of the u moves the k - 1 nearer ones
to the opponent's side: the opponent then has d + k - 1 and we have u - k. So the pair (u, d) is all
that matters.

Theorem. The player to move wins exactly when u > d. The end then comes after 2d + 1 plies; where
the player to move loses, after 2u.

Proof, by the number u + d of free numbers. If u > d, claim the nearest: the opponent has d, and we
have u - 1 >= d, so the opponent is the one who does not have more, and loses. If u <= d, every
claim leaves the opponent d + k - 1 > u - k, and the opponent wins; with u = 0 there is no claim at
all. As for the plies: a loser with u numbers makes at most u more claims, since every claim uses one
and the winner, who always claims the nearest, never gives one back: 2u plies, reached by always
claiming the nearest. A winner leaves the opponent d numbers or more, and so cannot end it before
1 + 2d. QED

Where the direction is still free (the second number of the opening `free`), the player to move
chooses the side with more numbers, and loses only when both sides are equal.

All this is for the ending `normal`. With the ending `misere` a stuck player wins, and the parity of the free
numbers decides.

Theorem. A player to move who is stuck has won. A player who has a move wins exactly when the count of free
numbers is even. With best play every number is taken, so the end comes after as many plies.

Proof, by the count n of free numbers. Let the player to move have a move.

If n is odd, every move leaves an even count. Then the opponent is stuck and has won, or has a move and wins
by induction. If n is even, it is enough to leave the opponent, who then faces an odd count, a move. Say that
the player to move has u numbers on the own side and d on the other. The k-th nearest of the u leaves
the opponent d + k - 1. That is above zero for k = 1 if d is, and for k = 2 if d is zero, since then u = n is
two or more. As for the plies: the loser, at an odd count, can leave the winner a move in the same way
unless n is one. So neither is stuck before all numbers are taken. QED

The proof holds where both sides are open, too. So the start is won for the first player exactly if the
size is even, and a player has one thing to watch: never leave the opponent stuck.
"""

from __future__ import annotations

from numberduels.game.messages import Message
from numberduels.games.range_war.rules import ANYWHERE, Line, RangeWar
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, WIN, Oracle, Worth


class RangeWarTheory(Oracle[Line, int]):
    """Who wins, by the free numbers on both sides of the last one.

    >>> from random import Random
    >>> from numberduels.games.range_war.rules import RangeWar
    >>> game = RangeWar(size=10_000)
    >>> RangeWarTheory(game).evaluate(game.start(Random()))
    Worth(value=1, remoteness=1, margin=None, nimber=None)
    """

    method = "the count of free numbers on each side"

    def __init__(self, game: RangeWar, max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        if game.ending == "misere":
            self.method = "the parity of the free numbers"

    def evaluate(self, state: Line) -> Worth:
        self.positions += 1
        if self.game.ending == "misere":
            return evaluate_misere(state)
        if not state[1]:
            return self._at_start()
        ours, theirs = self.sides(state)
        return Worth(WIN, 2 * theirs + 1) if ours > theirs else Worth(LOSS, 2 * ours)

    def _at_start(self) -> Worth:
        """The first number: leave the opponent as few as possible, and never more than the rest."""
        size = self.game.size
        if self.game.opening == "lower":
            return Worth(WIN, 1)  # nothing is lower than 1
        return Worth(WIN, size) if size % 2 else Worth(LOSS, size)

    def why(self, state: Line, move: int) -> Message:
        from numberduels.games.range_war.teaching import explain, explain_misere

        if self.game.ending == "misere":
            return explain_misere(self.game, state, move)
        return explain(self, self.sides, state, move)

    def sides(self, state: Line) -> tuple[int, int]:
        """How many free numbers lie where the player to move must go, and how many on the other side.

        Where both are open, the player to move goes to the side with more.
        """
        free, last, side = state
        above = (free >> last).bit_count()
        below = free.bit_count() - above
        if side == ANYWHERE:
            return max(above, below), min(above, below)
        return (below, above) if side >= 0 else (above, below)


def evaluate_misere(state: Line) -> Worth:
    """The worth of a position with the ending `misere`.

    >>> from random import Random
    >>> game = RangeWar(size=10_000, ending="misere")
    >>> evaluate_misere(game.start(Random()))
    Worth(value=1, remoteness=10000, margin=None, nimber=None)
    """
    free, _, side = state
    if not free & side:
        return Worth(WIN, 0)
    count = free.bit_count()
    return Worth(LOSS if count % 2 else WIN, count)
