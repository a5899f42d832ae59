"""Vertex geography on any finite directed graph: who wins, by proof numbers and by replies chosen beforehand.

Two players move one token in turn, along the edges and never to a vertex where it was before. Who cannot
move loses. A position is the vertex of the token and the set of *open* vertices, those not visited yet. Only
the open vertices that can still be reached matter, and a symmetry of the graph does not change who wins.

Theorem. Let X and Y be disjoint sets of vertices with these properties: each move from Y to an open vertex
leads to X; each vertex of X has a reply, a move to an open vertex of Y; and no two vertices of X have the
same reply, unless no open vertex follows that reply. Then a player wins who is to move on X, and so does a
player whose opponent is to move on a vertex of Y that is nobody's reply.

Proof. The player always moves to the reply. Then the opponent is always on Y and moves to X. The opponent
visits no vertex twice, so the replies differ, too, or the game ends with one; and no reply was visited by the
opponent, because X and Y are disjoint. So the player always has a move, and the game ends. QED

On an undirected graph this is the known strategy of a maximum matching. On a directed graph it is enough, not
necessary: `ReplyFinder` looks for such sets in a way that may miss them, and where it finds none for either
player, a search by proof numbers goes on with the positions after each move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numberduels.game.bits import mask_of, members

UNKNOWN = 1 << 40
"""The proof number of what is disproven, and the disproof number of what is proven."""


class ReplyFinder:
    """Looks for replies where Y has vertices of one colour only, and no edge between its open vertices.

    So X and Y are disjoint: a vertex of Y has no reply in Y. `colours` has 0 or 1 for each vertex; replies
    are found most often if most edges join vertices of different colours. Sets of vertices are bit masks.

    >>> path = ReplyFinder([[1], [0, 2], [1, 3], [2]], colours=[0, 1, 0, 1])
    >>> path.replies_of_mover(0, 0b1110), path.replies_of_opponent(1, 0b1101)
    ({0: 1, 2: 3}, None)
    """

    def __init__(
        self,
        after: Sequence[Sequence[int]],
        colours: Sequence[int],
        work: Callable[[], None] = lambda: None,
    ) -> None:
        """`work` is called for each attempt, and may raise an error to stop."""
        self._work = work
        self.after = [mask_of(found) for found in after]
        self._before = [0] * len(after)
        for vertex, found in enumerate(after):
            for each in found:
                self._before[each] |= 1 << vertex
        self._colours = colours
        self._coloured = tuple(
            mask_of(vertex for vertex, found in enumerate(colours) if found == colour) for colour in (0, 1)
        )

    def replies_of_mover(self, vertex: int, open_: int) -> dict[int, int] | None:
        """Replies by which the player to move on this vertex wins; None if none are found."""
        return self._found(1 << vertex, 0, open_, self._colours[vertex])

    def replies_of_opponent(self, vertex: int, open_: int) -> dict[int, int] | None:
        """Replies by which the opponent of the player to move wins; None if none are found."""
        return self._found(0, 1 << vertex, open_, 1 - self._colours[vertex])

    def _found(self, met: int, left: int, open_: int, colour: int) -> dict[int, int] | None:
        """The replies if the player is to move on `met`, or the opponent on `left`."""
        y_open = open_ & self._coloured[1 - colour]
        usable = mask_of(each for each in members(y_open) if not self.after[each] & y_open)
        while True:
            self._work()
            x, y = self._reached(met, left, usable, open_)
            replies, crowded = self._matched(x, y, open_)
            if not crowded:
                return replies
            # One of these vertices must not be met: give up all replies that allow a move to it.
            dropped = min(
                (
                    (before.bit_count(), before)
                    for each in crowded
                    if not met >> each & 1 and not (before := self._before[each] & (y | left)) & left
                ),
                default=None,
            )
            if dropped is None:
                return None
            usable &= ~dropped[1]

    def _reached(self, met: int, left: int, usable: int, open_: int) -> tuple[int, int]:
        """The vertices that the player may meet, and the replies to them that are usable."""
        x, y, new_x, new_y = met, 0, met, left
        while new_x or new_y:
            for each in members(new_y):
                new_x |= self.after[each] & open_ & ~x
            x |= new_x
            new_y = 0
            for each in members(new_x):
                new_y |= self.after[each] & usable & ~y
            y |= new_y
            new_x = 0
        return x, y

    def _matched(self, x: int, y: int, open_: int) -> tuple[dict[int, int], list[int]]:
        """A reply for each vertex, or else vertices that have fewer replies together than they are."""
        ends = mask_of(each for each in members(y) if not self.after[each] & open_)
        reply_of: dict[int, int] = {}
        wishes: dict[int, int] = {}
        for each in members(x):
            if last := self.after[each] & ends:
                reply_of[each] = last.bit_length() - 1
            else:
                wishes[each] = self.after[each] & y
        owner_of: dict[int, int] = {}
        free = y
        for first in sorted(wishes, key=lambda each: wishes[each].bit_count()):
            asking, seen = [first], 0
            asked_by: dict[int, int] = {}
            for each in asking:  # grows while it is read
                new = wishes[each] & ~seen
                seen |= new
                if found := new & free:
                    taken = found & -found
                    reply = taken.bit_length() - 1
                    asked_by[reply] = each
                    break
                for reply in members(new):
                    asked_by[reply] = each
                    asking.append(owner_of[reply])
            else:
                return {}, asking
            free ^= taken
            while True:  # back along the questions, each takes the reply that it asked for
                owner = asked_by[reply]
                previous = reply_of.get(owner)
                reply_of[owner], owner_of[reply] = reply, owner
                if previous is None:
                    break
                reply = previous
        return reply_of, []


class VertexGeography:
    """Who wins, for the player to move. `visit` is called for each position and `work` for each attempt
    to find replies; both may raise an error to stop.

    `symmetries` are permutations of the vertices that keep edges and colours, the identity among them.

    >>> ring = [[1, 3], [0, 2], [1, 3], [0, 2]]
    >>> VertexGeography(ring, colours=[0, 1, 0, 1], symmetries=[[0, 1, 2, 3]]).wins(0, 0b1110)
    True
    """

    def __init__(
        self,
        after: Sequence[Sequence[int]],
        colours: Sequence[int],
        symmetries: Sequence[Sequence[int]],
        visit: Callable[[], None] = lambda: None,
        work: Callable[[], None] = lambda: None,
    ) -> None:
        self.finder = ReplyFinder(after, colours, work)
        self._after = self.finder.after
        self._symmetries = symmetries
        self._visit = visit
        self._numbers: dict[tuple[int, int], tuple[int, int]] = {}
        """For each position its proof number and its disproof number, for a win of the player to move."""
        self._next: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def wins(self, vertex: int, open_: int) -> bool:
        """Whether the player to move wins."""
        position = self._listed(vertex, open_)
        self._prove(position, UNKNOWN, UNKNOWN)
        return self._numbers[position][0] == 0

    def position(self, vertex: int, open_: int) -> tuple[int, int]:
        """The vertex and the open vertices within reach, the least pair among its images by symmetry."""
        reach = new = self._after[vertex] & open_
        while new:
            least = new & -new
            found = self._after[least.bit_length() - 1] & open_ & ~reach
            reach |= found
            new = new ^ least | found
        listed = members(reach)
        least_vertex = min(image[vertex] for image in self._symmetries)
        return min(
            (least_vertex, sum(1 << image[each] for each in listed))
            for image in self._symmetries
            if image[vertex] == least_vertex
        )

    def _listed(self, vertex: int, open_: int) -> tuple[int, int]:
        """The position, with its first numbers."""
        position = self.position(vertex, open_)
        if position not in self._numbers:
            self._visit()
            self._numbers[position] = self._first_numbers(*position)
        return position

    def _first_numbers(self, vertex: int, open_: int) -> tuple[int, int]:
        moves = self._after[vertex] & open_
        if not moves:
            return UNKNOWN, 0
        if any(not self._after[each] & open_ for each in members(moves)):
            return 0, UNKNOWN
        if self.finder.replies_of_mover(vertex, open_) is not None:
            return 0, UNKNOWN
        if self.finder.replies_of_opponent(vertex, open_) is not None:
            return UNKNOWN, 0
        return 1, moves.bit_count()

    def _prove(self, position: tuple[int, int], most_proof: int, most_disproof: int) -> None:
        """Search below a position until it is decided, or one of its numbers reaches its limit.

        A disproof number is the greatest among the moves plus the count of the others that are undecided:
        a sum would count the same positions again and again.
        """
        proof, disproof = self._numbers[position]
        while proof and disproof and proof < most_proof and disproof < most_disproof:
            if position not in self._next:
                vertex, open_ = position
                moves = members(self._after[vertex] & open_)
                self._next[position] = list(
                    dict.fromkeys(self._listed(each, open_ & ~(1 << each)) for each in moves)
                )
            best, second, chosen, greatest, undecided = UNKNOWN, UNKNOWN, position, 0, 0
            for each in self._next[position]:
                its_proof, its_disproof = self._numbers[each]
                if its_disproof < best:
                    best, second, chosen = its_disproof, best, each
                elif its_disproof < second:
                    second = its_disproof
                if 0 < its_proof < UNKNOWN:
                    greatest, undecided = max(greatest, its_proof), undecided + 1
            proof = best
            disproof = UNKNOWN if not best else 0 if best == UNKNOWN else greatest + undecided - 1
            self._numbers[position] = proof, disproof
            if proof and disproof and proof < most_proof and disproof < most_disproof:
                others = disproof - self._numbers[chosen][0]
                self._prove(chosen, most_disproof - others, min(most_proof, second + 1))
