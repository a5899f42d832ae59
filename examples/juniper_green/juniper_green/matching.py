"""Maximum matchings of a graph: as many pairs of neighbours as possible, no vertex in two pairs.

Edmonds' algorithm: a search from an unpaired vertex follows edges outside and inside the matching by turns.
If it meets another unpaired vertex, the pairs along the path change and one more is made. Circles of odd
length ("blossoms") are drawn together to one vertex.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from numberduels.game.bits import members

Graph = Sequence[int]
"""For each vertex the set of its neighbours, as a bit mask."""


class Matching:
    """A maximum matching of the vertices in a set.

    >>> star = (0b1110, 0b1, 0b1, 0b1)  # 0 is a neighbour of 1, 2 and 3
    >>> matching = Matching(star, 0b1111)
    >>> matching.partner, members(matching.missable)
    ({1: 0, 0: 1}, (1, 2, 3))
    """

    def __init__(self, graph: Graph, vertices: int) -> None:
        self._graph = graph
        self._vertices = vertices
        self.partner: dict[int, int] = {}
        """For each vertex in a pair, the other one of the pair."""
        self._pair_greedily()
        self.missable = 0
        """The vertices that some maximum matching leaves out."""
        exposed = [vertex for vertex in members(vertices) if vertex not in self.partner]
        # A search that fails once fails for ever, so each vertex needs one search to complete the matching.
        failed = [root for root in exposed if root not in self.partner and not self._augment(root)]
        for root in failed:
            self.missable |= self._search(root)[1]

    def _pair_greedily(self) -> None:
        """Pair vertices with few neighbours first: they have the least choice."""
        free = self._vertices
        order = sorted(members(free), key=lambda vertex: (self._graph[vertex] & free).bit_count())
        for vertex in order:
            if free >> vertex & 1:
                choice = min(
                    members(self._graph[vertex] & free & ~(1 << vertex)),
                    key=lambda each: (self._graph[each] & self._vertices).bit_count(),
                    default=None,
                )
                if choice is not None:
                    self._pair(vertex, choice)
                    free &= ~(1 << vertex | 1 << choice)

    def _pair(self, one: int, other: int) -> None:
        self.partner[one], self.partner[other] = other, one

    def _augment(self, root: int) -> bool:
        """Make one more pair by changing the pairs along a path from this vertex; False if there is none."""
        path, _ = self._search(root)
        for one, other in path:
            self._pair(one, other)
        return bool(path)

    def _search(self, root: int) -> tuple[list[tuple[int, int]], int]:
        """The new pairs along a path from the root to another unpaired vertex; none if there is no path.

        Then the second value is the set of all vertices at an even distance from the root: each is left out
        by the matching that changes the pairs on the way to it.
        """
        partner = self.partner
        came_from: dict[int, int] = {}  # for each vertex at an odd distance, the one before it
        base = {root: root}  # for each vertex that was reached, the one that stands for its blossom
        even = 1 << root
        waiting = deque([root])
        while waiting:
            vertex = waiting.popleft()
            for other in members(self._graph[vertex] & self._vertices):
                if base.get(other) == base[vertex] or partner.get(vertex) == other:
                    continue
                if even >> other & 1:  # a circle of odd length
                    top = self._common_base(vertex, other, base, came_from, root)
                    circle: set[int] = set()
                    self._mark(vertex, other, top, base, came_from, circle)
                    self._mark(other, vertex, top, base, came_from, circle)
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

    def _common_base(
        self, one: int, other: int, base: dict[int, int], came_from: dict[int, int], root: int
    ) -> int:
        """The base at which the ways from two vertices to the root meet."""
        seen = set()
        while True:
            one = base[one]
            seen.add(one)
            if one == base[root]:
                break
            one = came_from[self.partner[one]]
        while base[other] not in seen:
            other = came_from[self.partner[base[other]]]
        return base[other]

    def _mark(
        self,
        vertex: int,
        child: int,
        top: int,
        base: dict[int, int],
        came_from: dict[int, int],
        circle: set[int],
    ) -> None:
        """Collect the bases on one half of a circle, and let its vertices lead around the circle."""
        while base[vertex] != top:
            mate = self.partner[vertex]
            circle |= {base[vertex], base[mate]}
            came_from[vertex] = child
            child, vertex = mate, came_from[mate]

    def _path(self, end: int, came_from: dict[int, int]) -> list[tuple[int, int]]:
        """The new pairs from an unpaired vertex back to the root."""
        pairs = []
        vertex: int | None = end
        while vertex is not None:
            before = came_from[vertex]
            pairs.append((vertex, before))
            vertex = self.partner.get(before)
        return pairs
