"""Check the lengths of Restricted Removal by two other methods that share nothing with the solver.

    python -m tools.game_length_check                       sizes to 32 by both methods, to 50 by the second
    python -m tools.game_length_check --every 26 --windows 34

Every position: minimax over all reachable sets of numbers, each once for either player to move.

Windows: the question "at least k moves?" for one k after another, over sets of numbers, with a table of
bounds. Moves are tried in an order fixed by the number of divisors. It does not split positions, does not
count free moves, knows no symmetry and no bound but that an empty set lasts no move.

Both test divisibility by division. A line for each size says what they found, what the solver finds, and
the positions in their tables; the exit status is 1 if something differs.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence

from numberduels.analysis.game_length import length_table


class EveryPosition:
    """Minimax over every reachable set of numbers."""

    def __init__(self, size: int) -> None:
        self.numbers = frozenset(range(2, size + 1))
        self.kept = {a: mask_of(b for b in self.numbers if a % b and b % a) for a in self.numbers}
        self.table: dict[tuple[int, bool], int] = {}

    def length(self, left: int, long_moves: bool) -> int:
        """The number of moves from here on."""
        if not left:
            return 0
        found = self.table.get((left, long_moves))
        if found is None:
            lengths = [
                self.length(left & kept, not long_moves) for a, kept in self.kept.items() if left >> a & 1
            ]
            found = self.table[left, long_moves] = 1 + (max(lengths) if long_moves else min(lengths))
        return found

    def both(self) -> tuple[int, int]:
        """The lengths from the start if the long, and if the short player begins."""
        start = mask_of(self.numbers)
        return self.length(start, True), self.length(start, False)


class Windows(EveryPosition):
    """One question after another: at least k moves?"""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        divisors = {a: sum(a % b == 0 for b in range(1, a + 1)) for a in self.numbers}
        by_divisors = sorted(self.numbers, key=lambda a: (-divisors[a], a))
        self.orders = {
            True: [(1 << a, self.kept[a]) for a in by_divisors],  # many divisors: it locks small numbers
            False: [(1 << a, self.kept[a]) for a in sorted(self.numbers)],
        }
        self.bounds: dict[bool, dict[int, tuple[int, int]]] = {True: {}, False: {}}

    def length(self, left: int, long_moves: bool) -> int:
        """The number of moves from here on."""
        moves = 0
        while self.lasts(left, long_moves, moves + 1):
            moves += 1
        return moves

    def lasts(self, left: int, long_moves: bool, moves: int) -> bool:
        """Whether there are at least this many moves from here on."""
        if moves <= 0 or not left:
            return moves <= 0
        low, high = self.bounds[long_moves].get(left, (1, len(self.numbers)))
        if not low < moves <= high:
            return moves <= low
        lasts = not long_moves
        for bit, kept in self.orders[long_moves]:
            if left & bit and self.lasts(left & kept, not long_moves, moves - 1) == long_moves:
                lasts = long_moves
                break
        self.bounds[long_moves][left] = (moves, high) if lasts else (low, moves - 1)
        return lasts

    @property
    def positions(self) -> int:
        """The positions in the table."""
        return sum(map(len, self.bounds.values()))


def mask_of(numbers: Iterable[int]) -> int:
    """The set of these numbers as bits."""
    return sum(1 << number for number in numbers)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each size; 1 if a method disagrees."""
    parser = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--every", type=int, default=32, help="the largest size for every position")
    parser.add_argument("--windows", type=int, default=50, help="the largest size for windows")
    parsed = parser.parse_args(arguments)
    sizes = range(2, max(parsed.every, parsed.windows) + 1)
    different = 0
    print("size  solver (long, short begins)  every position                windows")
    for size, solution in zip(sizes, length_table("restricted-removal", sizes), strict=True):
        lengths = solution.long_begins.low, solution.short_begins.low
        line = f"{size:>4}  {lengths!s:<27}"
        for method, largest in ((EveryPosition, parsed.every), (Windows, parsed.windows)):
            if size <= largest:
                began, search = time.process_time(), method(size)
                found = search.both()
                positions = search.positions if isinstance(search, Windows) else len(search.table)
                seconds = time.process_time() - began
                line += f"  {found!s:<9} {positions:>10,} {seconds:>7.2f} s"
                different += found != lengths
            else:
                line += " " * 31
        print(line.rstrip(), flush=True)
    print("all agree" if not different else f"{different} DIFFERENT")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
