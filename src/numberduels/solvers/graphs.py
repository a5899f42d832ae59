"""Graphs: components, the sizes of maximal independent sets, and transport problems.

An independent set has no two adjacent vertices; it is maximal if no vertex can be added. In a graph of
moves that exclude each other, a finished game is a maximal independent set.

The bounds, for a connected graph C with m vertices:

1. Small graphs are exact. Every maximal independent set holds a vertex of the closed neighbourhood N[v] of
   any vertex v, else v could be added. So the least size is the minimum over u in N[v] of one more than the
   least size of C without N[u]; likewise the greatest.
2. At most, in an order. If the edges are the pairs of a partial order (here: if u < v < w, and uv and vw are
   edges, then uw is one), an independent set is an antichain, and by Dilworth's theorem the largest one has
   as many vertices as the fewest chains that cover C. That is m less a maximum matching of each vertex to
   one above it.
3. At most, in any graph: a set of cliques that covers C, found greedily. An independent set has at most one
   vertex in each.
4. At least: the closed neighbourhoods of a maximal independent set cover C. So their sizes add up to m or
   more, and the largest closed neighbourhoods say how few can do that.

Transport: with all supplies and capacities equal to one, `can_ship` asks whether every source can be matched
to a place of its own, as in Hall's theorem. A maximum flow answers it: first greedily, then along shortest
augmenting paths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

Mask = int
"""A set of vertices: bit v is one when vertex v is in it."""

SMALL = 10
"""The most vertices of a component whose bounds are exact."""


class IndependentSets:
    """Bounds on the sizes of the maximal independent sets of every part of one graph.

    >>> path = IndependentSets([0b0010, 0b0101, 0b1010, 0b0100])
    >>> path.sizes(0b0111), path.sizes(0b1111)
    ((1, 2), (2, 2))
    """

    def __init__(self, neighbours: Sequence[Mask]) -> None:
        self.neighbours = tuple(neighbours)
        self.left_after = tuple(~(near | 1 << v) for v, near in enumerate(neighbours))
        """For each vertex the mask of what is left after it and its neighbours are removed."""
        self._above = tuple(near >> v + 1 << v + 1 for v, near in enumerate(neighbours))
        self._ordered = all(
            not self._above[w] & ~near for v, near in enumerate(self._above) for w in vertices(near)
        )
        self._sizes: dict[Mask, tuple[int, int]] = {}

    def sizes(self, component: Mask) -> tuple[int, int]:
        """The least and the greatest number of vertices: bounds of a large component, else exact."""
        found = self._sizes.get(component)
        if found is None:
            exact = component.bit_count() <= SMALL
            found = self._exact(component) if exact else (self._least(component), self.greatest(component))
            self._sizes[component] = found
        return found

    def _exact(self, component: Mask) -> tuple[int, int]:
        neighbours = self.neighbours
        fewest = min(((neighbours[v] & component).bit_count(), v) for v in vertices(component))[1]
        found = []
        for v in vertices(component & (neighbours[fewest] | 1 << fewest)):
            rest = connected_components(neighbours, component & self.left_after[v])
            sizes = [self.sizes(part) for part in rest]
            found.append((1 + sum(low for low, _ in sizes), 1 + sum(high for _, high in sizes)))
        return min(low for low, _ in found), max(high for _, high in found)

    def _least(self, component: Mask) -> int:
        closed = sorted(1 + (self.neighbours[v] & component).bit_count() for v in vertices(component))
        missing, count = component.bit_count(), 0
        while missing > 0:
            missing -= closed.pop()
            count += 1
        return count

    def greatest(self, component: Mask) -> int:
        """A bound on the largest independent set; the exact size if the graph is that of an order."""
        return self._width(component) if self._ordered else self._clique_cover(component)

    def _width(self, component: Mask) -> int:
        """The size of the largest antichain, by Dilworth's theorem."""
        below: dict[int, int] = {}  # for each vertex that is matched from below, by which
        return component.bit_count() - sum(
            self._augment(v, component, below, [component]) for v in vertices(component)
        )

    def _augment(self, v: int, component: Mask, below: dict[int, int], unseen: list[Mask]) -> bool:
        """Match v to a vertex above it, moving other matches where necessary."""
        while near := self._above[v] & unseen[0]:
            lowest = near & -near
            unseen[0] ^= lowest
            upper = lowest.bit_length() - 1
            if upper not in below or self._augment(below[upper], component, below, unseen):
                below[upper] = v
                return True
        return False

    def _clique_cover(self, component: Mask) -> int:
        count = 0
        while component:
            clique = component
            while clique:
                v = (clique & -clique).bit_length() - 1
                component ^= 1 << v
                clique &= self.neighbours[v]
            count += 1
        return count


def vertices(mask: Mask) -> list[int]:
    """The vertices in the set, ascending.

    >>> vertices(0b10110)
    [1, 2, 4]
    """
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def connected_components(neighbours: Sequence[Mask], available: Mask) -> list[Mask]:
    """The connected components of the graph on the available vertices, ordered by their lowest vertex.

    >>> connected_components([0b0010, 0b0001, 0b1000, 0b0100], 0b1111)
    [3, 12]
    """
    components = []
    while available:
        component = edge = available & -available
        while edge and component != available:
            low = edge & -edge
            near = neighbours[low.bit_length() - 1] & available
            edge = (edge | near & ~component) ^ low
            component |= near
        components.append(component)
        available ^= component
    return components


def can_ship(supplies: Sequence[int], capacities: Sequence[int], ways: Sequence[Sequence[int]]) -> bool:
    """Whether a plan ships all supplies; `ways[i]` lists the places that source `i` reaches.

    >>> can_ship([1, 1], [1, 1], [[0, 1], [0]]), can_ship([2, 2], [3], [[0], [0]])
    (True, False)
    """
    if sum(supplies) > sum(capacities):
        return False
    left, room = list(supplies), list(capacities)
    shipped: list[dict[int, int]] = [{} for _ in capacities]
    """For each place, how much each source ships to it."""
    order = sorted(range(len(left)), key=lambda source: len(ways[source]))
    for source in order:
        for place in sorted(ways[source], key=room.__getitem__, reverse=True):
            amount = min(left[source], room[place])
            _ship(shipped, source, place, amount)
            left[source] -= amount
            room[place] -= amount
    for source in order:
        while left[source]:
            path = _augmenting_path(source, ways, room, shipped)
            if not path:
                return False
            end = path[-1][1]
            rerouted = [(place, later) for (_, place), (later, _) in pairwise(path)]
            amount = min(left[source], room[end], *(shipped[place][later] for place, later in rerouted))
            left[source] -= amount
            room[end] -= amount
            for by, place in path:
                _ship(shipped, by, place, amount)
            for place, later in rerouted:
                _ship(shipped, later, place, -amount)
    return True


def _ship(shipped: list[dict[int, int]], source: int, place: int, amount: int) -> None:
    if amount:
        total = shipped[place].get(source, 0) + amount
        shipped[place][source] = total
        if not total:
            del shipped[place][source]


def _augmenting_path(
    start: int, ways: Sequence[Sequence[int]], room: list[int], shipped: list[dict[int, int]]
) -> list[tuple[int, int]]:
    """A shortest way to free room: pairs (source, place); each next source leaves the place before it."""
    came_from: dict[int, int] = {start: -1}
    reached_by: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        source = waiting.popleft()
        for place in ways[source]:
            if place in reached_by:
                continue
            reached_by[place] = source
            if room[place]:
                return _trace(place, came_from, reached_by)
            for other in shipped[place]:
                if other not in came_from:
                    came_from[other] = place
                    waiting.append(other)
    return []


def _trace(place: int, came_from: dict[int, int], reached_by: dict[int, int]) -> list[tuple[int, int]]:
    path = []
    while place >= 0:
        source = reached_by[place]
        path.append((source, place))
        place = came_from[source]
    return path[::-1]
