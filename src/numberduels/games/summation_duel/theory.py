"""Who wins Summation Duel: one bit for each position.

The set of numbers left determines the total, so there are at most 2**N positions. The two ways to end are one
rule: *a player who cannot add a number without passing the target loses*. Meeting the target exactly is no
special case, because it leaves the opponent only numbers that pass it. So

    the player to move loses  =  no number that fits under the target leaves the opponent in a lost position

Few numbers are solved by retrograde analysis, which also computes the remoteness. With NumPy, `sum_table.py`
solves all sets at once. A low target leaves few reachable sets, which a search visits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.game.bits import mask_of, members
from numberduels.game.messages import Message
from numberduels.games.summation_duel.reasons import explain
from numberduels.games.summation_duel.rules import Sum, SummationDuel
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
from numberduels.solvers.retrograde import Retrograde

if TYPE_CHECKING:
    from numberduels.games.summation_duel.sum_table import SumTable

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
            from numberduels.games.summation_duel.sum_table import SumTable, estimate_bytes
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
        return explain(self, state, move)
