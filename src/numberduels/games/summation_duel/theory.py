"""Who wins Summation Duel: one bit a position.

The total follows from the set of numbers left, so there are at most 2 to the power N positions. And the
two ways to end are one: *whoever cannot add a number without passing the target loses*. Meeting the target
exactly needs no word of its own, for it leaves the opponent only numbers that pass it. So

    the player to move loses  =  no number that fits under the target leaves the opponent lost

With NumPy all sets are solved in one sweep, 64 to a word, `tables.py`; few numbers are solved by retrograde
analysis, which also tells the plies; and a low target, which leaves few sets to reach, by search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.bits import mask_of, members
from numberduels.games.summation_duel.rules import Sum, SummationDuel
from numberduels.messages import Message
from numberduels.solvers.oracle import LOSS, MAX_POSITIONS, MEMORY, TOO_DEEP, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.retrograde import Retrograde

if TYPE_CHECKING:
    from numberduels.games.summation_duel.sum_table import SumTable

REACH = "any target is within reach up to size 33"
FEW = 12
"""Numbers up to which retrograde analysis is done at once."""


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
        self._plain: Retrograde[Sum, int] = Retrograde(game, max_positions)
        self._table: SumTable | None = None
        self._total = 0
        self._known: dict[Sum, bool] = {}
        self._needed = 0
        self._reach = REACH

    def evaluate(self, state: Sum) -> Worth:
        unused, total = state
        short = self.game.target - total
        if short <= 0:
            return Worth(WIN if short else LOSS, 0)
        usable = members(unused & (2 << short) - 1)  # a larger number only loses at once
        if len(usable) <= FEW:
            found = self._plain.evaluate(state)
            self.positions = max(self.positions, self._plain.positions)
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
        """What a table would take, where one was thought of."""
        if not self._needed:
            return ""
        size = self._needed >> 30
        return f", and a table would take {f'about {size:,}' if size < 10**6 else 'more than a million'} GB"

    def _since_table(self, state: Sum) -> list[int] | None:
        """The numbers used since the position that the table was made for; None if it is not for this one."""
        if not self._table:
            return None
        unused, total = state
        usable = unused & (2 << self.game.target - total) - 1
        used = [number for number in self._table.numbers if not unused >> number & 1]
        descends = sum(used) == total - self._total and not usable & ~mask_of(self._table.numbers)
        return used if descends else None

    def _make_table(self, usable: tuple[int, ...], short: int, total: int) -> bool:
        """Make the table for a position, if there is NumPy and it fits; a low target is searched instead."""
        try:
            from numberduels.games.summation_duel.sum_table import SumTable, estimate_bytes
        except ImportError:
            self._reach = f"with NumPy, an extra called fast, {REACH}"
            return False
        self._needed = estimate_bytes(len(usable))
        if self._needed > MEMORY:
            return False
        # Where the numbers cannot even reach the target nobody ever passes it, as if they just met it.
        self._table = SumTable(usable, min(short, sum(usable)), self.progress)
        self._total = total
        self.method = "a table of all sets of the numbers"
        self.positions = self._table.positions
        return True

    def _loses(self, state: Sum) -> bool:
        """Whether the player to move loses, by plain search: right everywhere, quick for a low target."""
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
        after = self.game.play(state, move)
        total, target = after[1], self.game.target
        if total == target:
            return Message("It makes exactly {target}.", target=target)
        if self.evaluate_move(state, move).value == LOSS:
            return super().why(state, move)
        replies = [number for number in members(after[0]) if total + number <= target]
        if not replies:
            return Message(
                "It makes {total}, and every number left goes over {target}.", total=total, target=target
            )
        answers = tuple(
            Message("{reply} with {answer}", reply=reply, answer=self._answer(self.game.play(after, reply)))
            for reply in replies[:3]
        )
        if len(replies) > 3:
            return Message(
                "It makes {total}, where you can answer everything: for example {answers}.",
                total=total,
                answers=answers,
            )
        return Message(
            "It makes {total}, where you can answer everything: {answers}.", total=total, answers=answers
        )

    def _answer(self, state: Sum) -> int:
        """A move that wins from here, the end first."""
        return max(self.best_moves(state), key=lambda move: state[1] + move == self.game.target)
