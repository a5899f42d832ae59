"""Node Kayles on large graphs: proof-number search over the questions "has part P nimber g?".

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

from collections.abc import Callable, Sequence

from numberduels.solvers.node_kayles import Mask, NodeKayles, Option, Part
from numberduels.solvers.oracle import MAX_POSITIONS

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
