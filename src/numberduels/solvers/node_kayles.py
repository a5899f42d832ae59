"""Node Kayles on any graph: who wins, and the nimber.

A move removes a vertex and its neighbours; a player who cannot move loses. The solver computes no more than
it needs (Lemoine and Viennot, "Nimbers are inevitable"): it splits a position into connected parts, and of
the largest part it asks only whether its nimber is exactly g. Most such questions are answered by the first
option with nimber g.

Proof of correctness. Let G be a graph, that is, a position.

1. Splitting. A move affects only the part of its vertex, so the nimber of G is the xor of the nimbers of the
   parts (Sprague and Grundy). Two equal parts cancel, even if their nimber is unknown.
2. True twins are adjacent vertices with the same other neighbours. Removing one leaves the same graph as
   removing the other, and every other move removes both or neither. So G without one of them has the same
   options.
3. False twins are k vertices, not adjacent, with the same neighbours S. A move in S removes them all. A move
   on one of them removes S and leaves k - 1 isolated vertices, of which only the parity matters. So k + 2
   false twins are equivalent to k.
4. G has nimber g if and only if no option has nimber g and every smaller number is the nimber of some option.
   So one option with nimber g is a counterexample. If no option has nimber g, the nimber is the first smaller
   number that no option has, or else g itself.
5. A nimber is at most the number of moves, so larger g need no search.

`KaylesProofSearch` is for large graphs: proof-number search over the questions "has part P nimber g?".

The answer to the question (P, g) is no as soon as one option of P has nimber g. It is yes if no option has it
and, for each h < g, the answer to (P, h) is no: then every smaller number is the nimber of some option. So a
question is answered with yes from answers that are all no, and one yes among them refutes it.

Depth-first proof-number search (Nagai 2002) follows the question that looks cheapest to answer with yes. Each
open question has two estimates: the effort to prove yes, and the effort to prove no.

- An option with one unknown part asks one question about that part. Of an option with several, the nimber of
  the smallest is found first, when the option is chosen.
- The effort for yes is the largest effort among the questions below plus their number less one (weak proof
  numbers, Ueda et al. 2008). A sum would count positions that are reached in several ways again and again.
- The first estimates grow with the size of a part, and yes is taken to be harder than no: most numbers are
  not the nimber of a given part.
- What is known of a part, its nimber or nimbers of its options, is kept whatever question found it. Small
  parts are left to the plain search, which lists their options one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from numberduels.game.contract import ProgressCallback
from numberduels.solvers.graphs import Mask, connected_components
from numberduels.solvers.oracle import MAX_POSITIONS, TooLarge

SMALL_NIMBERS = (0, 1, 1, 2, 0)
"""The nimbers of connected parts without superfluous twins, by size, where the size alone decides."""


class Part:
    """A connected part and what is known about it: its nimber, or else some nimbers of its options."""

    __slots__ = ("listed", "mask", "nimber", "options", "reached", "size", "untried")

    def __init__(self, mask: Mask) -> None:
        self.mask, self.size = mask, mask.bit_count()
        self.nimber = SMALL_NIMBERS[self.size] if self.size < len(SMALL_NIMBERS) else -1  # -1: unknown
        self.reached = 0  # bit g is set if some option is known to have nimber g
        self.listed = False  # whether its moves were listed
        self.options: list[Option] = []
        self.untried: list[Mask] = []  # results of the other moves, best last


Option = tuple[int, tuple[Part, ...]]
"""The result of a move: the xor of the known nimbers, and the unknown parts from small to large."""


class NodeKayles:
    """Node Kayles on one graph. All subsets of its vertices share one table.

    `neighbours[v]` is the set of neighbours of v. `canon` may map a connected set to one that induces an
    isomorphic graph, so that symmetric parts are solved once. `visited` counts the parts whose moves were
    listed.

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
        """TooLarge is raised beyond `max_positions` visited parts."""
        self.visited = 0
        self.progress: ProgressCallback | None = None
        self._max_positions = max_positions
        self._neighbours = tuple(neighbours)
        self._left_after = tuple(~(near | 1 << v) for v, near in enumerate(neighbours))
        self._canon = canon
        self._part_of: dict[Mask, Part] = {}  # by component
        self._parts: dict[Mask, Part] = {}  # by simplified component

    def wins(self, available: Mask) -> bool:
        """Whether the player to move wins."""
        return not self.has_nimber(available, 0)

    def has_nimber(self, available: Mask, g: int) -> bool:
        """Whether the nimber is exactly g, which is usually much cheaper than the nimber itself."""
        return self._sums_to(self._split(available), g)

    def nimber(self, available: Mask) -> int:
        """The nimber of the position."""
        total, unknown = self._split(available)
        for part in unknown:
            total ^= self._nimber(part)
        return total

    def components(self, available: Mask) -> list[Mask]:
        """The connected components, ordered by their lowest vertex."""
        return connected_components(self._neighbours, available)

    def _split(self, available: Mask) -> Option:
        """The position as a sum of parts."""
        part_of = self._part_of
        total, unknown = 0, list[Part]()
        for component in (available,) if available in part_of else self.components(available):
            part = part_of.get(component) or self._find_part(component)
            if part.nimber >= 0:
                total ^= part.nimber
            elif part in unknown:
                unknown.remove(part)  # two equal parts cancel
            else:
                unknown.append(part)
        if len(unknown) > 1:
            unknown.sort(key=lambda part: (part.size, part.mask))
        return total, tuple(unknown)

    def _find_part(self, component: Mask) -> Part:
        """Find or create the entry of a component; many components of equal nimber share one."""
        mask = self._without_twins(component)
        if self._canon is not None:
            mask = self._canon(mask)
        part = self._part_of[component] = self._parts.get(mask) or self._parts.setdefault(mask, Part(mask))
        return part

    def _without_twins(self, component: Mask) -> Mask:
        """A connected subset with the same nimber: one of all true twins, and one or two false twins."""
        extra = -1
        while extra:
            extra, rest = 0, component
            groups: dict[Mask, Mask] = {}  # by open and by closed neighbourhood, which are never equal
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
        """Whether the parts sum to nimber g. This needs the nimbers of all parts but the largest."""
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
        """Whether the part has nimber g: no option has it, and some option has each smaller one."""
        if part.nimber >= 0:
            return part.nimber == g
        if g > part.size or self._reaches(part, g):
            return False
        smaller = 0
        while smaller < g and self._reaches(part, smaller):
            smaller += 1
        part.nimber, part.options, part.untried = smaller, [], []  # its moves are not needed any more
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
            self.progress(self.visited, 0)

    def _options(self, part: Part) -> Iterator[Option]:
        """The options, computed one at a time: most are never needed."""
        if not part.listed:
            self._visit()
            part.listed = True
            vertices = [v for v in range(part.mask.bit_length()) if part.mask >> v & 1]
            part.untried = [part.mask & self._left_after[v] for v in vertices]
            # The more a move removes, the cheaper the result. The second key only makes the order
            # deterministic.
            part.untried.sort(key=lambda rest: (-rest.bit_count(), rest))
        yield from part.options
        while part.untried:
            option = self._split(part.untried.pop())
            part.options.append(option)
            yield option


PLAIN_SIZE = 50
"""Parts up to this size are left to the plain search."""

UNIT = 8
"""The effort of one question. Efforts are whole numbers, so that limits are met exactly."""
DOUBLING = 20
"""So many more vertices double the first estimate of a part."""
YES_IS_HARDER = 5
"""The first estimate for yes, as a multiple of that for no."""

NEVER = 1 << 60
"""The effort to prove what is false; as a limit: none."""

Efforts = tuple[int, int]
"""The estimated efforts to prove yes, and to prove no."""
YES: Efforts = (0, NEVER)
NO: Efforts = (NEVER, 0)


class KaylesProofSearch(NodeKayles):
    """Node Kayles with proof-number search for parts of more than `plain_size` vertices.

    >>> path = KaylesProofSearch([0b00010, 0b00101, 0b01010, 0b10100, 0b01000], plain_size=0)
    >>> path.nimber(0b11111), path.wins(0b01111)
    (3, False)
    """

    def __init__(
        self,
        neighbours: Sequence[Mask],
        canon: Callable[[Mask], Mask] | None = None,
        max_positions: int = MAX_POSITIONS,
        plain_size: int = PLAIN_SIZE,
    ) -> None:
        super().__init__(neighbours, canon, max_positions)
        self._plain_size = plain_size
        self._efforts: dict[Part, dict[int, Efforts]] = {}  # of the open questions about listed parts
        self._estimates = [int(UNIT * 2.0 ** (size / DOUBLING)) for size in range(len(neighbours) + 1)]

    def _equals(self, part: Part, g: int) -> bool:
        if part.size <= self._plain_size:
            return super()._equals(part, g)
        return g <= part.size and self._search(part, g, NEVER, NEVER) == YES

    def _search(self, part: Part, g: int, yes_limit: int, no_limit: int) -> Efforts:
        """Work on the question until it is answered, or until an effort reaches its limit."""
        if part.nimber < 0 and not part.listed:
            self._list_options(part)
        efforts = self._efforts.get(part)
        while part.nimber < 0:
            self._fold_known(part)
            if part.reached >> g & 1:
                return NO
            count, hardest, cheapest, second, chosen = self._compare(part, g)
            if chosen is None:
                part.nimber, part.options = g, []
                self._efforts.pop(part)
                return YES
            yes = hardest + UNIT * (count - 1)
            if yes >= yes_limit or cheapest >= no_limit:
                assert efforts is not None
                efforts[g] = yes, cheapest
                return yes, cheapest
            total, unknown = chosen
            if len(unknown) > 1:
                self._nimber(unknown[0])
            elif unknown[0].size <= self._plain_size:
                super()._equals(unknown[0], g ^ total)
            else:
                limit = min(no_limit, second + UNIT)
                self._search(unknown[0], g ^ total, limit, yes_limit - UNIT * (count - 1))
        return YES if part.nimber == g else NO

    def _list_options(self, part: Part) -> None:
        """List all options of a part, each once."""
        self._visit()
        part.listed = True
        self._efforts.setdefault(part, {})
        results = [part.mask & left for v, left in enumerate(self._left_after) if part.mask >> v & 1]
        results.sort(key=lambda rest: (rest.bit_count(), rest))
        part.options = list(dict.fromkeys(map(self._split, results)))

    def _fold_known(self, part: Part) -> None:
        """Replace the parts of options that are known by now by their nimbers."""
        folded: dict[Option, None] = {}
        changed = False
        for option in part.options:
            total, unknown = option
            for each in unknown:
                if each.nimber >= 0:
                    break
            else:
                if unknown:
                    folded[option] = None
                    continue
            changed = True
            for each in unknown:
                if each.nimber >= 0:
                    total ^= each.nimber
            left = tuple([each for each in unknown if each.nimber < 0])
            if left:
                folded[total, left] = None
            else:
                part.reached |= 1 << total
        if changed:
            part.options = list(folded)

    def _compare(self, part: Part, g: int) -> tuple[int, int, int, int, Option | None]:
        """The open questions below (part, g): how many, the largest effort for no, and the two smallest for
        yes with the option that asks the cheapest.
        """
        estimates, efforts = self._estimates, self._efforts
        count, hardest, cheapest, second = 0, 0, NEVER, NEVER
        chosen: Option | None = None
        # A smaller nimber of the part itself is asked like an option that consists of the part alone.
        smaller = [(g ^ h, (part,)) for h in range(g)]
        for option in (*part.options, *smaller):
            total, unknown = option
            last = unknown[-1]
            no = estimates[last.size]
            yes = YES_IS_HARDER * no
            if len(unknown) > 1:
                more = YES_IS_HARDER * sum([estimates[each.size] for each in unknown[:-1]])
                yes += more
                no += more
            else:
                h = g ^ total
                if last.reached >> h & 1 or h > last.size:
                    continue  # it is answered with no
                known = efforts.get(last)
                if known is not None:
                    yes, no = known.get(h, (yes, no))
            count += 1
            if no > hardest:
                hardest = no
            if yes < cheapest:
                cheapest, second, chosen = yes, cheapest, option
            elif yes < second:
                second = yes
        return count, hardest, cheapest, second, chosen
