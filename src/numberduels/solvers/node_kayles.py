"""Node Kayles, solved exactly: who wins, and with which nimber, on any graph.

A move takes a vertex and everything next to it; who cannot move loses. The engine asks for no more than it
needs (Lemoine and Viennot, "Nimbers are inevitable"): a position falls apart into connected parts, and of
the largest part it only asks "is your nimber exactly g?". Most such questions end at the first option of
nimber g.

Why it is right. Write G for a graph, which is a position.

1. Splitting. A move touches only the part of its vertex, so the nimber of the whole is the nim-sum of the
   nimbers of the parts (Sprague and Grundy). Two equal parts cancel, even while their nimber is unknown.
2. True twins: adjacent vertices with the same other neighbours. Taking one leaves what taking the other
   leaves, and every other move takes both or neither. So without one of them G has the same options.
3. False twins: k vertices, not adjacent, with the same neighbours S. A move in S takes them all. A move among
   them takes S and leaves k - 1 loose vertices, of which only the parity counts. So k + 2 do what k do.
4. G has nimber g exactly when no option has g, and every smaller number is the nimber of some option. So one
   option of nimber g says no; and once no option has g, the nimber is the first smaller number that no
   option has, or else g itself.
5. A nimber is at most the number of moves, so a larger g is never there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from numberduels.core import ProgressCallback
from numberduels.solvers.oracle import MAX_POSITIONS, TooLarge

Mask = int
"""A set of vertices: bit v is one when vertex v is in it."""

TINY = (0, 1, 1, 2, 0)
"""Nimbers by size of connected parts without superfluous twins, as far as the size alone decides."""


class Part:
    """A connected part and what is known of it: its nimber, or else nimbers that its options have."""

    __slots__ = ("mask", "nimber", "options", "reached", "size", "untried")

    def __init__(self, mask: Mask) -> None:
        self.mask, self.size = mask, mask.bit_count()
        self.nimber = TINY[self.size] if self.size < len(TINY) else -1  # -1: not known yet
        self.reached = 0  # bit g is one when some option is known to have nimber g
        self.options: list[Option] = []
        self.untried: list[Mask] | None = None  # what the other moves leave, best last; None until visited


Option = tuple[int, tuple[Part, ...]]
"""What a move leaves: the nim-sum of the parts already understood, and the others from small to large."""


class NodeKayles:
    """Node Kayles on one graph: right for every subset of its vertices, and all of them share one table.

    kin[v] is the set of neighbours of v. canon may map a connected set to another that induces an isomorphic
    graph, so that symmetric parts are understood once. visited counts the parts whose moves were laid out.

    >>> path = NodeKayles([0b00010, 0b00101, 0b01010, 0b10100, 0b01000])
    >>> path.nimber(0b11111), path.wins(0b01111), path.visited
    (3, False, 1)
    """

    def __init__(
        self,
        neighbours: Sequence[Mask],
        canon: Callable[[Mask], Mask] | None = None,
        max_positions: int = MAX_POSITIONS,
    ) -> None:
        """The graph; TooLarge is raised when more than `max_positions` parts would be visited."""
        self.visited = 0
        self.progress: ProgressCallback | None = None
        self._max_positions = max_positions
        self._neighbours = tuple(neighbours)
        self._left_after = tuple(~(near | 1 << v) for v, near in enumerate(neighbours))
        self._canon = canon
        self._met: dict[Mask, Part] = {}  # components as they occurred
        self._parts: dict[Mask, Part] = {}  # the same, simplified

    def wins(self, available: Mask) -> bool:
        """Whether the player to move wins."""
        return not self.has_nimber(available, 0)

    def has_nimber(self, available: Mask, g: int) -> bool:
        """Whether the nimber is exactly g: mostly far cheaper than the nimber itself."""
        return self._sums_to(self._split(available), g)

    def nimber(self, available: Mask) -> int:
        """The size of the nim heap that the position is worth."""
        total, unknown = self._split(available)
        for part in unknown:
            total ^= self._nimber(part)
        return total

    def components(self, available: Mask) -> list[Mask]:
        """The connected components, by their lowest vertex."""
        neighbours, components = self._neighbours, []
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

    def _split(self, available: Mask) -> Option:
        """The position as a sum of parts."""
        met = self._met
        total, unknown = 0, list[Part]()
        for component in (available,) if available in met else self.components(available):
            part = met.get(component) or self._meet(component)
            if part.nimber >= 0:
                total ^= part.nimber
            elif part in unknown:
                unknown.remove(part)  # two equal parts cancel, whatever their nimber
            else:
                unknown.append(part)
        if len(unknown) > 1:
            unknown.sort(key=lambda part: (part.size, part.mask))
        return total, tuple(unknown)

    def _meet(self, component: Mask) -> Part:
        """Find or open the entry of a component: one entry for many components of the same nimber."""
        mask = self._without_twins(component)
        if self._canon is not None:
            mask = self._canon(mask)
        part = self._met[component] = self._parts.get(mask) or self._parts.setdefault(mask, Part(mask))
        return part

    def _without_twins(self, component: Mask) -> Mask:
        """A connected subset of the same nimber.

        Adjacent vertices with the same other neighbours are one and the same move: one is enough. Of vertices
        that are not adjacent and have the same neighbours, any three do what one does.
        """
        extra = -1
        while extra:
            extra, rest = 0, component
            groups: dict[Mask, Mask] = {}  # by open and by closed neighbourhood, which never coincide
            while rest:
                low = rest & -rest
                rest ^= low
                near = self._neighbours[low.bit_length() - 1] & component
                group = groups.get(near, 0)
                if group & (group - 1):
                    groups[near] = group & -group
                    extra |= group & (group - 1) | low
                elif group:
                    groups[near] = group | low
                elif near | low in groups:
                    extra |= low
                else:
                    groups[near] = groups[near | low] = low
            component ^= extra
        return component

    def _sums_to(self, option: Option, g: int) -> bool:
        """Whether the parts sum to nimber g: all their nimbers are inevitable, but not the largest part's."""
        total, unknown = option
        if not unknown:
            return total == g
        g ^= total
        for part in unknown[:-1]:
            g ^= self._nimber(part)
        return self._equals(unknown[-1], g)

    def _nimber(self, part: Part) -> int:
        for g in range(part.size + 1):
            if part.nimber >= 0 or self._equals(part, g):
                break
        return part.nimber

    def _equals(self, part: Part, g: int) -> bool:
        """Whether the part has nimber g: no option has it, and each smaller nimber is some option's."""
        if part.nimber >= 0:
            return part.nimber == g
        if g > part.size or self._reaches(part, g):
            return False
        smaller = 0
        while smaller < g and self._reaches(part, smaller):
            smaller += 1
        part.nimber, part.options, part.untried = smaller, [], []  # its moves are never asked for again
        return smaller == g

    def _reaches(self, part: Part, g: int) -> bool:
        """Whether some option of the part has nimber g."""
        if part.reached >> g & 1:
            return True
        for option in self._options(part):
            if self._sums_to(option, g):
                part.reached |= 1 << g
                return True
        return False

    def _visit(self) -> None:
        self.visited += 1
        if self.visited > self._max_positions:
            raise TooLarge(f"there are more than {self._max_positions:,} positions")
        if self.progress:
            self.progress(self.visited, self._max_positions)

    def _options(self, part: Part) -> Iterator[Option]:
        """The options, worked out one at a time: most are never needed."""
        if part.untried is None:
            self._visit()
            vertices = [v for v in range(part.mask.bit_length()) if part.mask >> v & 1]
            part.untried = [part.mask & self._left_after[v] for v in vertices]
            # The more a move takes, the cheaper the rest is to judge; the second key only fixes the order.
            part.untried.sort(key=lambda rest: (-rest.bit_count(), rest))
        yield from part.options
        while part.untried:
            option = self._split(part.untried.pop())
            part.options.append(option)
            yield option
