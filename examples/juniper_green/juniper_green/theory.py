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

from collections import deque
from collections.abc import Sequence

from juniper_green.rules import JuniperGreen, Sheet
from numberduels.game.bits import members
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


Graph = Sequence[int]
"""For each vertex the set of its neighbours, as a bit mask."""


class Matching:
    """A maximum matching of the vertices in a set.

    >>> star = (0b1110, 0b1, 0b1, 0b1)  # 0 is a neighbour of 1, 2 and 3
    >>> matching = Matching(star, 0b1111)
    >>> matching.partner, members(matching.missable)
    ({0: 1, 1: 0}, (1, 2, 3))
    """

    def __init__(self, graph: Graph, vertices: int) -> None:
        self._graph, self._vertices = graph, vertices
        self.partner: dict[int, int] = {}
        """For each vertex in a pair, the other one of the pair."""
        self.missable = 0
        """The vertices that some maximum matching leaves out."""
        # A search that fails once fails for ever, so each vertex needs one search to complete the matching.
        by_degree = sorted(members(vertices), key=lambda vertex: (graph[vertex] & vertices).bit_count())
        failed = [root for root in by_degree if root not in self.partner and not self._augment(root)]
        for root in failed:
            self.missable |= self._search(root)[1]

    def _augment(self, root: int) -> bool:
        """Make one more pair by changing the pairs along a path from this vertex; False if there is none."""
        path, _ = self._search(root)
        for one, other in path:
            self.partner[one], self.partner[other] = other, one
        return bool(path)

    def _search(self, root: int) -> tuple[list[tuple[int, int]], int]:
        """The new pairs along a path from the root to another unpaired vertex; none if there is no path.

        Then the second value is the set of all vertices at an even distance from the root: each is left out
        by the matching that changes the pairs on the way to it. This is Edmonds' algorithm: a circle of odd
        length is shrunk to its base, because each of its vertices is at an even distance one way round.
        """
        partner = self.partner
        came_from: dict[int, int] = {}  # for each vertex at an odd distance, the one before it
        base = {root: root}  # for each vertex that was reached, the one that stands for its circle
        even = 1 << root
        waiting = deque([root])

        def bases(vertex: int) -> list[int]:
            """The bases on the way from a vertex to the root."""
            found = [base[vertex]]
            while found[-1] != base[root]:
                found.append(base[came_from[partner[found[-1]]]])
            return found

        while waiting:
            vertex = waiting.popleft()
            for other in members(self._graph[vertex] & self._vertices):
                if base.get(other) == base[vertex] or partner.get(vertex) == other:
                    continue
                if even >> other & 1:  # a circle of odd length
                    ours = bases(vertex)
                    top = next(each for each in bases(other) if each in ours)
                    circle: set[int] = set()
                    for end, child in ((vertex, other), (other, vertex)):
                        while base[end] != top:  # let the vertices lead around the circle
                            mate = partner[end]
                            circle |= {base[end], base[mate]}
                            came_from[end] = child
                            child, end = mate, came_from[mate]
                    for each in list(base):
                        if base[each] in circle:
                            base[each] = top
                            if not even >> each & 1:
                                even |= 1 << each
                                waiting.append(each)
                elif other not in came_from:
                    came_from[other] = vertex
                    if other not in partner:
                        return self._path(other, came_from), 0
                    mate = partner[other]
                    base[other], base[mate] = other, mate
                    even |= 1 << mate
                    waiting.append(mate)
        return [], even

    def _path(self, end: int, came_from: dict[int, int]) -> list[tuple[int, int]]:
        """The new pairs from an unpaired vertex back to the root."""
        pairs = []
        vertex: int | None = end
        while vertex is not None:
            before = came_from[vertex]
            pairs.append((vertex, before))
            vertex = self.partner.get(before)
        return pairs
