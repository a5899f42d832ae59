"""Summation Duel: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.contract import IllegalMove
from numberduels.game.table import Table
from numberduels.games.summation_duel import spec
from numberduels.games.summation_duel.rules import SummationDuel
from tables import table

SESSION = (7, 8, 10, 9, 6, 5, 3, 2)
STRATEGY = (1, 10, 2, 9, 3, 8, 4, 7, 5, 6)


def after(*moves: int, size: int = 10, target: int = 50) -> Table[Any, Any]:
    return Table(SummationDuel(size, target), moves=moves)


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


# The rules, as tables


@table(
    "played, move, sentence",
    [
        ((), 0, "Number 0 is not one of the numbers 1 to 10."),
        ((), 11, "Number 11 is not one of the numbers 1 to 10."),
        ((), -1, "Number -1 is not one of the numbers 1 to 10."),
        (SESSION[:6], 5, "Number 5 has already been used."),
        ((7,), 7, "Number 7 has already been used."),
        (SESSION, 1, "The game is over."),
    ],
)
def test_a_refusal_says_what_is_wrong(played: tuple[int, ...], move: int, sentence: str) -> None:
    table = after(*played)
    before = table.state
    with pytest.raises(IllegalMove) as refusal:
        table.play(move)
    assert str(refusal.value) == sentence
    assert table.state == before


@table(
    "options, sentence",
    [
        ({"size": 0}, "size must be a whole number from 1 to 10000, not 0"),
        ({"size": 10_001}, "size must be a whole number from 1 to 10000, not 10001"),
        ({"target": 0}, "target must be a whole number from 1 to 55, not 0"),
        ({"target": -5}, "target must be a whole number from 1 to 55, not -5"),
        ({"target": "50"}, "target must be a whole number from 1 to 55, not '50'|.*from 1 to 55"),
        ({"target": 56}, "the numbers 1 to 10 add up to 55 .* choose a target from 1 to 55"),
        ({"size": 9}, "the numbers 1 to 9 add up to 45 .* choose a target from 1 to 45"),
    ],
)
def test_a_target_that_cannot_be_reached_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        SummationDuel(**options)


# The words


def test_going_over_names_the_loser_the_overshoot_and_the_winner() -> None:
    table = after(*STRATEGY)
    closing = spec.text_for(table.game, ("Ada", "Bob")).closing(table.state)
    assert closing == "Player 2 (Bob) went over 50 by 5 and loses. Player 1 (Ada) wins!\n"


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
