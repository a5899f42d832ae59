"""Who wins Juniper Green, at any size: a maximum matching.

Join two numbers when one divides the other. A game is then a walk through this graph that visits no number
twice, known as undirected vertex geography, and whoever cannot go on loses (A. S. Fraenkel, E. R. Scheinerman
and D. Ullman, Undirected edge geography, Theoretical Computer Science 112, 1993). Let G be the graph of the
numbers that are left. A matching is a set of pairs of neighbours without a common number.

Theorem. A legal move to w wins exactly when some maximum matching of G leaves w out.

Proof. Let a maximum matching M leave w out. The opponent goes from w to some x. M pairs x with some y, or
else the pair of w and x could be added to M. Answer y, and go on in this way. The opponent can never reach a
number that M leaves out: the walk from w to it would alternate between steps outside M and steps inside M,
begin and end outside, and exchanging these steps would give a larger matching. So every move has an answer,
and the opponent is the first who cannot move.

Now let every maximum matching of G contain w, and let M be one, with the pair of w and y. The opponent
answers y. Without w, a maximum matching of the numbers that are left has one pair less than M, so that M
without the pair of w and y is one, and it leaves y out. By the first part, y wins. QED

The walk may begin at any number that the opening allows, so the same holds for the first move.
"""

from __future__ import annotations

from juniper_green.matching import Matching
from juniper_green.rules import JuniperGreen, Sheet
from numberduels.game.messages import Message
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, WIN, Oracle, Worth

FEW = 5
"""So many pairs are listed; more of them are counted."""


class JuniperGreenTheory(Oracle[Sheet, int]):
    """Who wins, by one maximum matching for each position. TooLarge after `max_positions` matchings.

    >>> from random import Random
    >>> game = JuniperGreen(size=40)
    >>> JuniperGreenTheory(game).best_moves(game.start(Random()))
    [22, 26]
    """

    method = "a maximum matching of the numbers that are left"

    def __init__(self, game: JuniperGreen, max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._known: dict[int, Matching] = {}

    def matching(self, left: int) -> Matching:
        """A maximum matching of these numbers."""
        if left not in self._known:
            self.count_position()
            self._known[left] = Matching(self.game.related, left)
        return self._known[left]

    def evaluate(self, state: Sheet) -> Worth:
        left, last = state
        legal = left & self.game.related[last]
        return Worth(WIN if legal and legal & self.matching(left).missable else LOSS)

    def evaluate_move(self, state: Sheet, move: int) -> Worth:
        self.game.play(state, move)  # refuses what is not legal
        return Worth(WIN if self.matching(state[0]).missable >> move & 1 else LOSS)

    def why(self, state: Sheet, move: int) -> Message:
        after = left, _ = self.game.play(state, move)
        answers = self.game.moves(after)
        if not answers:
            return Message(
                "No factor or multiple of {number} is left for them, so they are stuck and you win.",
                number=move,
            )
        if self.evaluate_move(state, move).value == LOSS:
            return self.why_it_loses(state, move)
        partner = self.matching(left).partner
        if len(answers) <= FEW:
            pairs = tuple(
                Message("after {number} strike out {partner}", number=each, partner=partner[each])
                for each in answers
            )
            return Message("You have an answer to everything: {pairs}.", pairs=pairs)
        return Message(
            "Put the numbers that are left into {pairs} pairs, each a number and its multiple: whatever they"
            " strike out, you strike out its partner.",
            pairs=str(len(partner) // 2),
        )
