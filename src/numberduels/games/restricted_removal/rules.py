"""Restricted Removal: remove a number, and its multiples and factors are locked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from numberduels.game.bits import flags, members, span
from numberduels.game.contract import Feature, IllegalMove, Outcome, Seat
from numberduels.game.options import LARGEST, check_whole, option

LAST = (Outcome(winner=1, why="last"), Outcome(winner=0, why="last"))
"""The outcome when nothing is left for seat 0, or for seat 1."""


Shelf = tuple[int, int]
"""A position (available, removed): two sets of numbers; those in neither are locked."""


@dataclass(frozen=True, slots=True)
class RestrictedRemoval:
    """Numbers 2..size. Who removes the last available number wins.

    >>> game = RestrictedRemoval(size=10)
    >>> shelf = game.play(game.start(Random()), 6)
    >>> game.moves(shelf)
    (4, 5, 7, 8, 9, 10)
    """

    size: int = option(10, "numbers 2 to SIZE", label="Highest number")
    _neighbours: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _keeps: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_whole("size", self.size, 2, LARGEST)
        object.__setattr__(self, "_neighbours", neighbours(self.size))
        keeps = (~(locked | 1 << number) for number, locked in enumerate(self._neighbours))
        object.__setattr__(self, "_keeps", tuple(keeps))

    @property
    def max_plies(self) -> int:
        return self.size - 1

    def all_moves(self) -> range:
        return range(2, self.size + 1)

    def features(self) -> list[Feature]:
        return [
            *(Feature(f"available {number}", 0, 1) for number in self.all_moves()),
            *(Feature(f"removed {number}", 0, 1) for number in self.all_moves()),
            Feature("turn", 1, 2),
        ]

    def observe(self, state: Shelf) -> Sequence[int]:
        available, removed = state
        count = self.size - 1
        return flags(available | removed << count, 2, 2 * count, (self.turn(state) + 1,))

    def start(self, rng: Random) -> Shelf:
        return span(2, self.size), 0

    def turn(self, state: Shelf) -> Seat:
        return 1 if state[1].bit_count() & 1 else 0

    def moves(self, state: Shelf) -> tuple[int, ...]:
        return members(state[0])

    def locks(self, state: Shelf, move: int) -> int:
        """The set of numbers that this removal would lock now."""
        return state[0] & self._neighbours[move]

    def play(self, state: Shelf, move: int) -> Shelf:
        available, removed = state
        if move < 2 or not available >> move & 1:
            raise self._refused(state, move)
        return available & self._keeps[move], removed | 1 << move

    def outcome(self, state: Shelf) -> Outcome | None:
        return None if state[0] else LAST[self.turn(state)]

    def components(self, state: Shelf) -> list[Shelf]:
        """The sets of available numbers that are linked by factors and multiples."""
        available, _ = state
        found = []
        while available:
            part = grown = available & -available
            while grown:
                linked = 0
                for number in members(grown):
                    linked |= self._neighbours[number]
                grown = linked & available & ~part
                part |= grown
            found.append((part, 0))
            available ^= part
        return found

    def canonical(self, state: Shelf) -> Shelf:
        return state[0], 0

    def _refused(self, state: Shelf, move: int) -> IllegalMove:
        if not 2 <= move <= self.size:
            return IllegalMove(
                "Number {number} was never in the list: it runs from {first} to {last}.",
                number=move,
                first=2,
                last=self.size,
            )
        if state[1] >> move & 1:
            return IllegalMove("Number {number} has already been removed.", number=move)
        return IllegalMove("Number {number} is locked.", number=move)


def neighbours(size: int) -> tuple[int, ...]:
    """For each number up to size, the set of its multiples and its factors from 2 on, itself left out.

    >>> members(neighbours(10)[4])
    (2, 8)
    """
    related = [0] * (size + 1)
    for factor in range(2, size + 1):
        for multiple in range(2 * factor, size + 1, factor):
            related[factor] |= 1 << multiple
            related[multiple] |= 1 << factor
    return tuple(related)
