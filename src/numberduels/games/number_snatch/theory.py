"""Number Snatch to the last point: the margin of best play from every position.

Three facts carry it.

1. Points already made change nothing that can still be won. A snatch moves the last number, which its
   owner has just been given, so it is always there to be taken, and the scores never come near zero
   (reading 4). So the margin still to come depends only on the numbers left and the last one taken.
2. What a number is worth, namely itself minus the best that the opponent can then do, does not depend
   on the number taken before it. It is computed once for each set of numbers left; the last number only
   adds its bonus, twice its value, to those of its multiples that are left.
3. Whoever takes the largest number left, on every turn of theirs, cannot be snatched: no number left is a
   multiple of it. Each of Player 1's numbers is then larger than Player 2's next, so Player 1 wins every
   list in this way, though not always by the most.

With NumPy all sets are solved in one sweep, `tables.py`; without it each position is solved when it is met.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.bits import members
from numberduels.games.number_snatch.rules import NumberSnatch, Pool
from numberduels.solve.margins import Margins, lead, worth
from numberduels.solve.oracle import MOST, Oracle, Worth, check_memory
from numberduels.text import series

if TYPE_CHECKING:
    from numberduels.games.number_snatch.tables import SnatchTable

FEW = 12
"""Numbers up to which plain Python is done before NumPy is loaded."""


class NumberSnatchTheory(Oracle[Pool, int]):
    """The margin of best play, by a table of all sets of the numbers left.

    >>> from random import Random
    >>> game = NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20))
    >>> theory = NumberSnatchTheory(game)
    >>> theory.keeping(game.start(Random())), theory.at(game.start(Random())).margin
    ([20], 11)
    """

    method = Margins.method

    def __init__(self, game: NumberSnatch, most: int = MOST) -> None:
        super().__init__(game, most)
        self._plain: Margins[Pool, int] = Margins(game, most)
        self._table: SnatchTable | None = None
        self._covered = 0

    def at(self, state: Pool) -> Worth:
        left, last, _, _ = state
        table = self._table_for(left)
        if not table:
            found = self._plain.at(state)
            self.positions = self._plain.positions
            return found
        return worth(self.game, state, lead(self.game, state) + table.value(members(left), last))

    def choices(self, state: Pool) -> dict[int, Worth]:
        left, last, _, _ = state
        table = self._table_for(left)
        if not table:
            return super().choices(state)
        ahead = lead(self.game, state)
        margins = table.moves(members(left), last)
        return {move: worth(self.game, state, ahead + margin) for move, margin in margins.items()}

    def _table_for(self, left: int) -> SnatchTable | None:
        """The table that holds these numbers; None where they are few, or there is no NumPy."""
        if self._table and not left & ~self._covered:
            return self._table
        if left.bit_count() <= FEW:
            return None
        try:
            from numberduels.games.number_snatch.tables import SnatchTable, estimate_bytes
        except ImportError:
            return None
        numbers = members(left)
        check_memory(estimate_bytes(numbers), "26 numbers fit, and sometimes more")
        self._table = SnatchTable(numbers, self.progress)
        self._covered = left
        self.method = "a table of all sets of the numbers"
        self.positions = self._table.positions
        return self._table

    def why(self, state: Pool, move: int) -> str:
        left, last, _, _ = state
        multiples = [number for number in members(left) if number != move and number % move == 0]
        gain = f"snatches {last} and " if last and move % last == 0 else ""
        if multiples:
            risk = f"can be snatched with {series(multiples) if len(multiples) > 1 else multiples[0]}"
        else:
            risk = "cannot be snatched, since no multiple of it is left"
        margin = self.after(state, move).margin
        assert margin is not None
        end = f"{abs(margin)} points {'ahead' if margin > 0 else 'behind'}" if margin else "level"
        return f"It {gain}{risk}; with best play you end {end}."
