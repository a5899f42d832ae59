"""Range War with the ending `misere`, where a stuck player wins: the parity of the free numbers decides.

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
from numberduels.games.range_war.rules import Line, RangeWar
from numberduels.solvers.oracle import LOSS, WIN, Worth


def evaluate(state: Line) -> Worth:
    """The worth of a position with the ending `misere`.

    >>> from random import Random
    >>> game = RangeWar(size=10_000, ending="misere")
    >>> evaluate(game.start(Random()))
    Worth(value=1, remoteness=10000, margin=None, nimber=None)
    """
    free, _, side = state
    if not free & side:
        return Worth(WIN, 0)
    count = free.bit_count()
    return Worth(LOSS if count % 2 else WIN, count)


def explain(game: RangeWar, state: Line, move: int) -> Message:
    """What a move does with the count of free numbers."""
    after = game.play(state, move)
    left, lost = after[0].bit_count(), evaluate(state).value == LOSS
    if not game.moves(after):
        if lost:
            return Message(
                "Every move loses here; this one leaves them stuck at once, and who is stuck wins."
            )
        return Message("It leaves them stuck, and who is stuck wins.")
    if lost:
        return Message(
            "Every move loses here: it leaves {count}, an even count. They can leave you an odd count each"
            " time, and the last number is yours: then they are stuck and win.",
            count=str(left),
        )
    return Message(
        "It leaves {count} free number, an odd count, and they have a move. Leave an odd count and a move"
        " each time: the last number is theirs, and then you are stuck and win.",
        "It leaves {count} free numbers, an odd count, and they have a move. Leave an odd count and a move"
        " each time: the last number is theirs, and then you are stuck and win.",
        count=left,
    )
