"""Summation Duel: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from numberduels.games.summation_duel.rules import SummationDuel
from tables import table


class Naive:
    """The rule book read aloud."""

    def __init__(self, size: int, target: int) -> None:
        self.numbers = list(range(1, size + 1))
        self.target = target
        self.used: list[int] = []

    def moves(self) -> list[int]:
        over = sum(self.used) >= self.target
        return [] if over else [number for number in self.numbers if number not in self.used]

    def play(self, move: int) -> None:
        self.used.append(move)

    def winner(self) -> int | None:
        mover, waiter = (len(self.used) - 1) % 2, len(self.used) % 2
        if sum(self.used) < self.target:
            return None
        return mover if sum(self.used) == self.target else waiter


# Against the rule book read aloud


@table("size, target", [(1, 1), (2, 2), (3, 4), (4, 10), (5, 9), (6, 15), (6, 21), (7, 20), (10, 12)])
def test_every_line_of_a_small_game_goes_by_the_book(
    size: int, target: int, agree_everywhere: Callable[..., int]
) -> None:
    game = SummationDuel(size, target)
    agree_everywhere(game, game.start(Random()), Naive(size, target), size)


@given(size=st.integers(1, 150), data=st.data(), seed=st.integers(0, 10**9))
def test_a_large_game_goes_by_the_book(
    agree: Callable[..., None], size: int, data: st.DataObject, seed: int
) -> None:
    target = data.draw(st.integers(1, size * (size + 1) // 2))
    game = SummationDuel(size, target)
    agree(game, game.start(Random()), Naive(size, target), Random(seed))
