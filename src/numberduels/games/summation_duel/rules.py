"""Summation Duel: add unused numbers to one total; exactly the target wins, beyond it loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from numberduels.game.bits import flags, members, span
from numberduels.game.contract import Feature, IllegalMove, Outcome, Seat
from numberduels.game.messages import MessageError
from numberduels.game.options import LARGEST, check_whole, option

EXACT = (Outcome(winner=1, why="exact"), Outcome(winner=0, why="exact"))
OVER = (Outcome(winner=0, why="over"), Outcome(winner=1, why="over"))
"""The outcome when the target is met, or passed, and seat 0, or seat 1, would be next."""


Sum = tuple[int, int]
"""A position (unused, total): the set of numbers not yet used, and the sum of those that are."""


@dataclass(frozen=True, slots=True)
class SummationDuel:
    """Numbers 1..size, each used once, towards the target.

    >>> game = SummationDuel(size=4, target=6)
    >>> total = game.play(game.start(Random()), 4)
    >>> game.outcome(game.play(total, 2))
    Outcome(winner=1, why='exact', scores=None)
    """

    size: int = option(10, "numbers 1 to SIZE", label="Highest number")
    target: int = option(50, "the total that wins", label="Target")

    def __post_init__(self) -> None:
        check_whole("size", self.size, 1, LARGEST)
        most = self.size * (self.size + 1) // 2
        if type(self.target) is int and self.target > most:
            raise MessageError(
                "the numbers 1 to {size} add up to {most} and can never reach a target above that:"
                " choose a target from 1 to {most}",
                size=self.size,
                most=most,
            )
        check_whole("target", self.target, 1, most)

    @property
    def max_plies(self) -> int:
        return self.size

    def all_moves(self) -> range:
        return range(1, self.size + 1)

    def features(self) -> list[Feature]:
        return [
            *(Feature(f"unused {number}", 0, 1) for number in self.all_moves()),
            Feature("total", 0, self.target - 1 + self.size),
            Feature("turn", 1, 2),
        ]

    def observe(self, state: Sum) -> Sequence[int]:
        unused, total = state
        return flags(unused, 1, self.size, (total, self.turn(state) + 1))

    def start(self, rng: Random) -> Sum:
        return span(1, self.size), 0

    def turn(self, state: Sum) -> Seat:
        return 1 if self.size - state[0].bit_count() & 1 else 0

    def moves(self, state: Sum) -> tuple[int, ...]:
        unused, total = state
        return members(unused) if total < self.target else ()

    def play(self, state: Sum, move: int) -> Sum:
        unused, total = state
        if move < 1 or not unused >> move & 1 or total >= self.target:
            raise self._refused(state, move)
        return unused ^ 1 << move, total + move

    def outcome(self, state: Sum) -> Outcome | None:
        total = state[1]
        if total < self.target:
            return None
        return (EXACT if total == self.target else OVER)[self.turn(state)]

    def _refused(self, state: Sum, move: int) -> IllegalMove:
        if state[1] >= self.target:
            return IllegalMove("The game is over.")
        if not 1 <= move <= self.size:
            return IllegalMove(
                "Number {number} is not one of the numbers {first} to {last}.",
                number=move,
                first=1,
                last=self.size,
            )
        return IllegalMove("Number {number} has already been used.", number=move)
