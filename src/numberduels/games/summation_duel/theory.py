"""Who wins Summation Duel: one bit for each position.

The set of numbers left determines the total, so there are at most 2**N positions. The two ways to end are one
rule: *a player who cannot add a number without passing the target loses*. Meeting the target exactly is no
special case, because it leaves the opponent only numbers that pass it. So

    the player to move loses  =  no number that fits under the target leaves the opponent in a lost position

Few numbers are solved by retrograde analysis, which also computes the remoteness. With NumPy, `sum_tables.py`
solves all sets at once. A low target leaves few reachable sets, which a search visits.

All sizes and all targets are solved from one table. Let the *rest* of a game be the sum of all its numbers
less the target. The target is not passed exactly while the numbers left add up to at least the rest. So a
position is a set of numbers left and a rest, whatever the size was:

    loses(left, rest) = sum(left) >= rest, and there is no n in left with loses(left without n, rest)

For a set of numbers left, all rests are solved together, as the bits of one whole number. The games of all
sizes n are the sets 1..n of the same table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from numberduels.game.bits import mask_of, members
from numberduels.game.contract import ProgressCallback
from numberduels.game.messages import Message
from numberduels.games.summation_duel.rules import Sum, SummationDuel
from numberduels.solvers.general import Retrograde
from numberduels.solvers.oracle import (
    LOSS,
    MAX_POSITIONS,
    MAX_TABLE_BYTES,
    TOO_DEEP,
    WIN,
    Oracle,
    TooLarge,
    Worth,
)

if TYPE_CHECKING:
    from numberduels.games.summation_duel.sum_tables import SumTable

REACH = "any target is within reach up to size 33"
MAX_RETROGRADE = 12
"""Up to this many usable numbers, retrograde analysis is used."""


class SummationDuelTheory(Oracle[Sum, int]):
    """Who wins, by a table of all sets of the numbers left.

    >>> from random import Random
    >>> game = SummationDuel(size=10, target=42)
    >>> SummationDuelTheory(game).best_moves(game.start(Random()))
    [6]
    """

    method = Retrograde.method

    def __init__(self, game: SummationDuel, max_positions: int = MAX_POSITIONS) -> None:
        super().__init__(game, max_positions)
        self._retrograde: Retrograde[Sum, int] = Retrograde(game, max_positions)
        self._table: SumTable | None = None
        self._table_total = 0
        self._known: dict[Sum, bool] = {}
        self._table_bytes = 0
        self._reach = REACH

    def evaluate(self, state: Sum) -> Worth:
        unused, total = state
        short = self.game.target - total
        if short <= 0:
            return Worth(WIN if short else LOSS, 0)
        usable = members(unused & (2 << short) - 1)  # a larger number loses at once
        if len(usable) <= MAX_RETROGRADE:
            found = self._retrograde.evaluate(state)
            self.positions = max(self.positions, self._retrograde.positions)
            return found
        used = self._since_table(state)
        if used is None and self._make_table(usable, short, total):
            used = []
        if used is not None and self._table:
            return Worth(WIN if self._table.wins(used) else LOSS)
        try:
            return Worth(LOSS if self._loses(state) else WIN)
        except TooLarge as fault:
            raise TooLarge(f"{fault}{self._estimate()}", self._reach) from None
        except RecursionError:
            raise TooLarge(f"{TOO_DEEP}{self._estimate()}", self._reach) from None

    def _estimate(self) -> str:
        """The memory that a table would need, if one was considered."""
        if not self._table_bytes:
            return ""
        size = self._table_bytes >> 30
        return f", and a table would take {f'about {size:,}' if size < 10**6 else 'more than a million'} GB"

    def _since_table(self, state: Sum) -> list[int] | None:
        """The numbers used since the root of the table; None if the table does not contain this position."""
        if not self._table:
            return None
        unused, total = state
        usable = unused & (2 << self.game.target - total) - 1
        used = [number for number in self._table.numbers if not unused >> number & 1]
        descends = sum(used) == total - self._table_total and not usable & ~mask_of(self._table.numbers)
        return used if descends else None

    def _make_table(self, usable: tuple[int, ...], short: int, total: int) -> bool:
        """Build the table for a position. False if NumPy is missing or the table would be too large."""
        try:
            from numberduels.games.summation_duel.sum_tables import SumTable, estimate_bytes
        except ImportError:
            self._reach = f"with NumPy, an extra called fast, {REACH}"
            return False
        self._table_bytes = estimate_bytes(len(usable))
        if self._table_bytes > MAX_TABLE_BYTES:
            return False
        # If the numbers cannot reach the target, nobody passes it: the same as a target that they just meet.
        self._table = SumTable(usable, min(short, sum(usable)), self.progress)
        self._table_total = total
        self.method = "a table of all sets of the numbers"
        self.positions = self._table.positions
        return True

    def _loses(self, state: Sum) -> bool:
        """Whether the player to move loses, by search: correct for all positions, fast for a low target."""
        found = self._known.get(state)
        if found is None:
            self.count_position()
            unused, total = state
            found = not any(
                self._loses((unused ^ 1 << number, total + number))
                for number in reversed(members(unused & (2 << self.game.target - total) - 1))
            )
            self._known[state] = found
            self.method = "search of the sets within the target"
        return found

    def why(self, state: Sum, move: int) -> Message:
        from numberduels.games.summation_duel.teaching import explain

        return explain(self, state, move)


PLAIN_SIZE = 16
"""Up to this size plain Python is fast enough."""

MAX_PLAIN_SIZE = 20
"""The largest size that is solved without NumPy."""

OFTEN = 1 << 12
"""Sets between two reports of the progress."""


def lost_targets(size: int, progress: ProgressCallback | None = None) -> list[list[int]]:
    """For each n from 0 to size, the targets with which Player 2 wins the numbers 1..n, in order.

    >>> lost_targets(6)
    [[], [], [3], [4, 5], [5, 10], [7, 11, 12, 13, 14], [7, 14, 21]]
    """
    return [lost for _, lost in iterate_lost_targets(size, progress)]


def iterate_lost_targets(
    size: int, progress: ProgressCallback | None = None
) -> Iterator[tuple[int, list[int]]]:
    """The same one by one with n, each as soon as all its targets are solved."""
    for n, lost in _lost_rests(size, progress):
        most = n * (n + 1) // 2
        yield n, [target for target in range(1, most + 1) if lost >> most - target & 1]


def _lost_rests(size: int, progress: ProgressCallback | None) -> Iterable[tuple[int, int]]:
    if size <= PLAIN_SIZE:
        return enumerate(lost_rests(size, progress))
    try:
        from numberduels.games.summation_duel import sum_tables
    except ImportError:
        if size <= MAX_PLAIN_SIZE:
            return enumerate(lost_rests(size, progress))
        raise TooLarge(
            f"a table of 2**{size} sets needs NumPy, an extra called fast",
            f"without it, all targets are within reach up to size {MAX_PLAIN_SIZE}",
        ) from None
    needed = sum_tables.estimate_rest_bytes(size)
    if needed > MAX_TABLE_BYTES:
        raise TooLarge(
            f"a table of all targets would take about {needed >> 30:,} GB",
            f"all targets are within reach up to size {max_size()}",
        )
    return sum_tables.iterate_lost_rests(size, progress)


def max_size() -> int:
    """The largest size whose targets are all within reach, with NumPy."""
    from numberduels.games.summation_duel.sum_tables import estimate_rest_bytes

    return max(size for size in range(MAX_PLAIN_SIZE, 64) if estimate_rest_bytes(size) <= MAX_TABLE_BYTES)


def lost_rests(size: int, progress: ProgressCallback | None = None) -> list[int]:
    """For each n from 0 to size, the rests with which the player to move loses the numbers 1..n, as bits.

    >>> [bin(lost) for lost in lost_rests(4)]
    ['0b1', '0b10', '0b1001', '0b1000110', '0b10000100001']
    """
    loses = [0] * (1 << size)
    for left in range(1 << size):
        wins = total = 0
        for i in range(left.bit_length()):
            if left >> i & 1:
                wins |= loses[left ^ 1 << i]
                total += i + 1
        loses[left] = (2 << total) - 1 & ~wins
        if progress and left % OFTEN == 0:
            progress(left, 1 << size)
    return [loses[(1 << n) - 1] for n in range(size + 1)]
