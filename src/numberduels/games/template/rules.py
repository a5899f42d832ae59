"""The rules of Last Counter."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from numberduels.game.contract import IllegalMove, Outcome, Seat
from numberduels.game.options import LARGEST, check_whole, option

Pile = tuple[int, Seat]
"""A position (counters, turn)."""


@dataclass(frozen=True, slots=True)
class LastCounter:
    """A pile of `size` counters.

    >>> game = LastCounter(size=3)
    >>> game.moves(game.start(Random()))
    (1, 2)
    """

    size: int = option(7, "counters in the pile")

    def __post_init__(self) -> None:
        check_whole("size", self.size, 1, LARGEST)

    def start(self, rng: Random) -> Pile:
        return self.size, 0

    def turn(self, state: Pile) -> Seat:
        return state[1]

    def moves(self, state: Pile) -> tuple[int, ...]:
        counters, _ = state
        return (1, 2)[:counters]

    def play(self, state: Pile, move: int) -> Pile:
        if move not in self.moves(state):
            raise IllegalMove(f"You cannot take {move}.")
        counters, turn = state
        return counters - move, 0 if turn else 1

    def outcome(self, state: Pile) -> Outcome | None:
        counters, turn = state
        return None if counters else Outcome(winner=0 if turn else 1, why="last")
