"""Number Snatch: take numbers for points, and steal their last one with a multiple of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import comb
from random import Random

from numberduels.game.bits import CHUNK, HIGH_MEMBERS, LOW, LOW_MEMBERS, flags, mask_of, members
from numberduels.game.contract import Feature, IllegalMove, Outcome, Seat
from numberduels.game.messages import MessageError
from numberduels.game.options import LARGEST, check_whole, option

Pool = tuple[int, int, int, int]
"""A position (left, last, mine, theirs): the set of numbers left, the one taken last (0: none yet),
the points of the player to move, and the points of the one who took the last number."""


@dataclass(frozen=True, slots=True)
class NumberSnatch:
    """`size` numbers out of 1..top, dealt with an odd sum (reading 3 in rules.md), or an explicit list.

    A list settles the size, and raises `top` if it must.

    >>> game = NumberSnatch(numbers=(5, 2, 15))
    >>> pool = game.play(game.start(Random()), 5)
    >>> game.play(pool, 15)
    (4, 15, 0, 20)
    """

    size: int = option(10, "how many numbers are dealt", label="How many numbers")
    top: int = option(20, "the highest number that can be dealt", label="Highest number")
    numbers: tuple[int, ...] = option(
        (),
        "the numbers themselves, such as 2,5,7; nothing is dealt",
        label="Your own numbers, such as 2,5,7",
    )
    _odd: int = field(init=False, repr=False, compare=False)
    _guess: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.numbers:
            self._take(self.numbers)
        check_whole("top", self.top, 1, LARGEST)
        check_whole("size", self.size, 1, LARGEST)
        if self.size > self.top:
            raise MessageError(
                "{size} different numbers cannot be dealt from 1 to {top}:"
                " choose a size of at most {top} or a higher top",
                size=self.size,
                top=self.top,
            )
        if self.size == self.top and self.top * (self.top + 1) // 2 % 2 == 0 and not self.numbers:
            raise MessageError(
                "all the numbers 1 to {top} have an even sum, and a dealt list must have an odd one:"
                " choose a size below {top} or a higher top",
                top=self.top,
            )
        object.__setattr__(self, "_odd", mask_of(range(1, self.top + 1, 2)))
        object.__setattr__(self, "_guess", comb(self.top, self.size) << 5 > 1 << self.top)

    def _take(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            check_whole("each of the numbers", number, 1, LARGEST)
        for one, next_one in pairwise(sorted(numbers)):
            if one == next_one:
                raise MessageError("the numbers must differ, and {number} is there twice", number=one)
        object.__setattr__(self, "numbers", tuple(sorted(numbers)))
        object.__setattr__(self, "size", len(numbers))
        object.__setattr__(self, "top", max(self.top, *numbers))

    @property
    def max_plies(self) -> int:
        return self.size

    def all_moves(self) -> range:
        return range(1, self.top + 1)

    def features(self) -> list[Feature]:
        most = sum(self.numbers or range(self.top - self.size + 1, self.top + 1))
        return [
            *(Feature(f"left {number}", 0, 1) for number in self.all_moves()),
            Feature("last", 0, self.top),
            Feature("points of player 1", 0, most),
            Feature("points of player 2", 0, most),
            Feature("turn", 1, 2),
        ]

    def observe(self, state: Pool) -> Sequence[int]:
        left, last, mine, theirs = state
        turn = self.turn(state)
        return flags(left, 1, self.top, (last, theirs, mine, 2) if turn else (last, mine, theirs, 1))

    def update_observation(
        self, observation: memoryview, mask: memoryview, before: Pool, move: int, after: Pool
    ) -> None:
        _, _, mine, theirs = after
        top = self.top
        observation[move - 1] = mask[move - 1] = 0
        observation[top] = move
        if observation[-1] == 1:
            observation[top + 1] = theirs
            observation[top + 2] = mine
            observation[-1] = 2
        else:
            observation[top + 1] = mine
            observation[top + 2] = theirs
            observation[-1] = 1

    def with_start(self, start: Pool) -> NumberSnatch:
        return replace(self, numbers=members(start[0]))

    def start(self, rng: Random) -> Pool:
        left = mask_of(self.numbers) if self.numbers else self._deal(rng)
        return left, 0, 0, 0

    def _deal(self, rng: Random) -> int:
        """A list with an odd sum, each as likely as any other."""
        size, top, odd = self.size, self.top, self._odd
        if not self._guess:
            while True:
                left = mask_of(rng.sample(range(1, top + 1), size))
                if (left & odd).bit_count() & 1:
                    return left
        # Near half of the numbers, as in the book, guessing whole lists is right soonest.
        bits, odd = rng.getrandbits, odd >> 1
        while True:
            left = bits(top)
            if left.bit_count() == size and (left & odd).bit_count() & 1:
                return left << 1

    def turn(self, state: Pool) -> Seat:
        return 1 if self.size - state[0].bit_count() & 1 else 0

    def moves(self, state: Pool) -> tuple[int, ...]:
        left = state[0]
        try:
            return LOW_MEMBERS[left & LOW] + HIGH_MEMBERS[left >> CHUNK]
        except IndexError:  # larger numbers, or the table is not filled yet
            return members(left)

    def play(self, state: Pool, move: int) -> Pool:
        left, last, mine, theirs = state
        if move < 1 or not left >> move & 1:
            raise IllegalMove("Number {number} is not in the list.", number=move)
        if last and not move % last:
            stolen = last if last < theirs else theirs  # never below zero (reading 4)
            return left ^ 1 << move, move, theirs - stolen, mine + move + stolen
        return left ^ 1 << move, move, theirs, mine + move

    def outcome(self, state: Pool) -> Outcome | None:
        if state[0]:
            return None
        first, second = scores = self.scores(state)
        if first == second:
            return Outcome(self.tie_winner(), "level", scores)
        return Outcome(0 if first > second else 1, "points", scores)

    def tie_winner(self) -> Seat:
        return 1  # possible on a list with an even sum only (reading 3)

    def scores(self, state: Pool) -> tuple[int, int]:
        _, _, mine, theirs = state
        return (theirs, mine) if self.turn(state) else (mine, theirs)

    def points_left(self, state: Pool) -> int:
        # Points of the player to move can be stolen no more: only their later numbers can, and those are
        # among the numbers left.
        return sum(members(state[0]))

    def without_scores(self, state: Pool) -> Pool:
        # The last number stays on their account: it may still be stolen.
        left, last, _, _ = state
        return left, last, 0, last
