"""Juniper Green: strike out a factor or a multiple of the number that was struck out last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from numberduels.game.bits import flags, mask_of, members, span
from numberduels.game.contract import Feature, IllegalMove, Outcome, Seat
from numberduels.game.options import check_choice, check_whole, option

MAX_SIZE = 1_000

STUCK = (Outcome(winner=1, why="stuck"), Outcome(winner=0, why="stuck"))
"""The outcome when seat 0, or seat 1, is stuck."""

Sheet = tuple[int, int]
"""A position (left, last): the set of numbers that are left, and the number struck out last (0: none yet)."""


@dataclass(frozen=True, slots=True)
class JuniperGreen:
    """Numbers 1..size. Who cannot strike out a factor or a multiple of the last number loses.

    >>> game = JuniperGreen(size=10)
    >>> sheet = game.play(game.start(Random()), 4)
    >>> game.moves(sheet)
    (1, 2, 8)
    """

    size: int = option(20, "numbers 1 to SIZE", label="Highest number")
    opening: str = option(
        "even",
        "what the first number must be: even, or any",
        label="First number",
        choices={"even": "must be even", "any": "any number"},
    )
    related: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """For each number the set of numbers that may follow it; at 0 those that may begin."""

    def __post_init__(self) -> None:
        check_whole("size", self.size, 2, MAX_SIZE)
        check_choice(self, "opening")
        first = self.all_moves() if self.opening == "any" else range(2, self.size + 1, 2)
        object.__setattr__(self, "related", (mask_of(first), *factors_and_multiples(self.size)[1:]))

    @property
    def max_plies(self) -> int:
        return self.size

    def all_moves(self) -> range:
        return range(1, self.size + 1)

    def features(self) -> list[Feature]:
        return [
            *(Feature(f"left {number}", 0, 1) for number in self.all_moves()),
            Feature("last", 0, self.size),
            Feature("turn", 1, 2),
        ]

    def observe(self, state: Sheet) -> Sequence[int]:
        left, last = state
        return flags(left, 1, self.size, (last, self.turn(state) + 1))

    def start(self, rng: Random) -> Sheet:
        return span(1, self.size), 0

    def turn(self, state: Sheet) -> Seat:
        return 1 if self.size - state[0].bit_count() & 1 else 0

    def moves(self, state: Sheet) -> tuple[int, ...]:
        left, last = state
        return members(left & self.related[last])

    def play(self, state: Sheet, move: int) -> Sheet:
        left, last = state
        if move < 1 or not (left & self.related[last]) >> move & 1:
            raise self._refused(state, move)
        return left ^ 1 << move, move

    def outcome(self, state: Sheet) -> Outcome | None:
        left, last = state
        return None if left & self.related[last] else STUCK[self.turn(state)]

    def _refused(self, state: Sheet, move: int) -> IllegalMove:
        left, last = state
        if not 1 <= move <= self.size:
            return IllegalMove(
                "Number {number} is not on the sheet: it runs from {first} to {last}.",
                number=move,
                first=1,
                last=self.size,
            )
        if not left >> move & 1:
            return IllegalMove("Number {number} has already been struck out.", number=move)
        if not last:
            return IllegalMove("The first number must be even, and {number} is odd.", number=move)
        return IllegalMove("Number {number} is no factor or multiple of {last}.", number=move, last=last)


def factors_and_multiples(size: int) -> tuple[int, ...]:
    """For each number up to size, the set of its factors and multiples, itself left out.

    >>> members(factors_and_multiples(12)[4])
    (1, 2, 8, 12)
    """
    related = [0] * (size + 1)
    for factor in range(1, size + 1):
        for multiple in range(2 * factor, size + 1, factor):
            related[factor] |= 1 << multiple
            related[multiple] |= 1 << factor
    return tuple(related)
