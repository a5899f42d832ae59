"""Check who wins Restricted Removal by methods that have little in common.

    python -m tools.check_restricted_removal             sizes 2..100 by three methods, in about a minute
    python -m tools.check_restricted_removal --to 60     fewer sizes

- proof: proof-number search, as used above size 100, here for all parts of more than 20 numbers
- plain: the plain nimber search, as used up to size 100; both share the reductions: twins, interchange
- bare: to size 70, a search written for this check, in another order of moves and without any reduction

Each size starts with empty tables. The exit status is 1 if two methods disagree.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable

from numberduels.games.restricted_removal.rules import neighbours
from numberduels.games.restricted_removal.theory import interchange
from numberduels.solvers.node_kayles import KaylesProofSearch, NodeKayles

LARGEST, LARGEST_BARE = 100, 70
SMALL_PART = 20
MAX_POSITIONS = 1_000_000


class BareSearch:
    """Who wins with the numbers 2 to `size`: nothing but connected components and a memo.

    Moves that leave the smallest largest component come first; those that lock the most come first
    elsewhere.

    >>> BareSearch(10).wins(), BareSearch(20).wins()
    (True, False)
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.visited = 0
        numbers = range(2, size + 1)
        self._locked_by = {
            n: sum(1 << other for other in numbers if n % other == 0 or other % n == 0) for n in numbers
        }
        self._nimbers: dict[int, int] = {}
        self._reached: dict[int, set[int]] = {}  # nimbers of options, by component
        self._options: dict[int, list[tuple[int, ...]]] = {}

    def wins(self) -> bool:
        """Whether the first player wins."""
        return not self._sums_to(self._components((2 << self.size) - 4), 0)

    def _components(self, available: int) -> tuple[int, ...]:
        """The connected components, from small to large."""
        components = []
        while available:
            component, grown = 0, available & -available
            while grown != component:
                fresh, component = grown & ~component, grown
                while fresh:
                    number = fresh.bit_length() - 1
                    fresh ^= 1 << number
                    grown |= self._locked_by[number] & available
            components.append(component)
            available ^= component
        return tuple(sorted(components, key=int.bit_count))

    def _sums_to(self, components: tuple[int, ...], g: int) -> bool:
        if not components:
            return g == 0
        for component in components[:-1]:
            g ^= next(h for h in range(self.size) if self._equals(component, h))
        return self._equals(components[-1], g)

    def _equals(self, component: int, g: int) -> bool:
        """Whether the component has nimber g: the smallest number that no option has."""
        if component not in self._nimbers:
            if self._reaches(component, g):
                return False
            h = 0
            while h < g and self._reaches(component, h):
                h += 1
            self._nimbers[component] = h
            del self._options[component]
        return self._nimbers[component] == g

    def _reaches(self, component: int, g: int) -> bool:
        reached = self._reached.setdefault(component, set())
        if component not in self._options:
            self.visited += 1
            moves = [n for n in range(self.size, 1, -1) if component >> n & 1]
            options = [self._components(component & ~self._locked_by[n]) for n in moves]
            self._options[component] = sorted(options, key=lambda parts: [p.bit_count() for p in parts[-1:]])
        if g not in reached and any(self._sums_to(option, g) for option in self._options[component]):
            reached.add(g)
        return g in reached


def check(sizes: Iterable[int]) -> bool:
    """Print a line for each size; whether all methods agree."""
    agree = True
    print("size  winner    proof: positions, s    plain: positions, s     bare: positions, s")
    for size in sizes:
        whole, winners, columns = (2 << size) - 4, set(), []
        for solver in solvers(size):
            began = time.process_time()
            wins = solver.wins() if isinstance(solver, BareSearch) else solver.wins(whole)
            winners.add("Player 1" if wins else "Player 2")
            columns.append(f"{solver.visited:>12,} {time.process_time() - began:>9.2f}")
        agree &= len(winners) == 1
        print(f"{size:>4}  {' or '.join(sorted(winners))} {' '.join(columns)}", flush=True)
    return agree


def solvers(size: int) -> list[NodeKayles | BareSearch]:
    """The methods for a size, with empty tables."""
    related, canon = neighbours(size), interchange(size)
    found: list[NodeKayles | BareSearch] = [
        KaylesProofSearch(related, canon, MAX_POSITIONS, SMALL_PART),
        NodeKayles(related, canon, MAX_POSITIONS),
    ]
    return [*found, BareSearch(size)] if size <= LARGEST_BARE else found


def main() -> int:
    """Check the sizes; 1 if two methods disagree."""
    parser = ArgumentParser(prog="python -m tools.check_restricted_removal", description=__doc__)
    parser.add_argument("--to", type=int, default=LARGEST, metavar="N", help="the largest size")
    sizes = range(2, parser.parse_args().to + 1)
    if check(sizes):
        print(f"All methods agree at {len(sizes)} sizes.")
        return 0
    print("The methods DISAGREE.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
