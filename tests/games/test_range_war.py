"""Range War: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.contract import IllegalMove
from numberduels.game.table import Table
from numberduels.games.range_war import spec
from numberduels.games.range_war.rules import RangeWar
from tables import table

BOOK = (6, 4, 9, 5, 7, 3, 8, 2, 10, 1)
"""The game that the book plays, move by move."""


def after(*moves: int, size: int = 10, opening: str = "lower") -> Table[Any, Any]:
    return Table(RangeWar(size, opening), moves=moves)


class Naive:
    """The rule book read aloud."""

    def __init__(self, size: int, opening: str) -> None:
        self.numbers = list(range(1, size + 1))
        self.opening = opening
        self.claimed: list[int] = []

    def moves(self) -> list[int]:
        unclaimed = [number for number in self.numbers if number not in self.claimed]
        if not self.claimed:
            return unclaimed
        last = self.claimed[-1]
        if len(self.claimed) == 1:
            return [number for number in unclaimed if number < last or self.opening == "free"]
        upward = last > self.claimed[-2]
        return [number for number in unclaimed if (number < last) == upward]

    def play(self, move: int) -> None:
        self.claimed.append(move)

    def winner(self) -> int | None:
        return None if self.moves() else (len(self.claimed) - 1) % 2


# The rules, as tables


@table(
    "played, move, sentence",
    [
        ((), 0, "Number 0 is not on the line: it runs from 1 to 10."),
        ((), 11, "Number 11 is not on the line: it runs from 1 to 10."),
        ((), -3, "Number -3 is not on the line: it runs from 1 to 10."),
        ((), 10**9, "Number 1000000000 is not on the line: it runs from 1 to 10."),
        ((6,), 6, "Number 6 has already been claimed."),
        ((6,), 7, "Number 7 is not lower than 6."),
        ((6, 4), 3, "Number 3 is not higher than 4."),
        ((6, 4), 6, "Number 6 has already been claimed."),
        ((6, 4, 9), 10, "Number 10 is not lower than 9."),
        ((1,), 2, "Number 2 is not lower than 1."),
        (BOOK, 1, "Number 1 has already been claimed."),
    ],
)
def test_a_refusal_says_what_is_wrong(played: tuple[int, ...], move: int, sentence: str) -> None:
    table = after(*played)
    before = table.state
    with pytest.raises(IllegalMove) as refusal:
        table.play(move)
    assert str(refusal.value) == sentence
    assert table.state == before and table.played == played


@table("size", [0, -1, 10_001, True, 2.0, "10", None])
def test_a_size_outside_1_to_10000_is_refused(size: Any) -> None:
    with pytest.raises(ValueError, match="size must be a whole number from 1 to 10000"):
        RangeWar(size=size)


def test_the_opening_is_lower_or_free() -> None:
    with pytest.raises(ValueError, match="opening must be lower or free, not 'higher'"):
        RangeWar(opening="higher")


# The words


@table(
    "played, opening, demand",
    [
        ((6,), "lower", "You must select a number lower than 6.\n"),
        ((6, 4), "lower", "You must select a number higher than 4.\n"),
        ((6,), "free", "You may select a number lower or higher than 6.\n"),
        ((6, 7), "free", "You must select a number lower than 7.\n"),
    ],
)
def test_the_prompt_says_which_way_to_go(played: tuple[int, ...], opening: str, demand: str) -> None:
    table = after(*played, opening=opening)
    assert demand in spec.text_for(table.game).question(table.state)


# Against the rule book read aloud


@table("opening", ["lower", "free"])
@table("size", [1, 2, 3, 4, 5, 6, 7])
def test_every_line_of_a_small_game_goes_by_the_book(
    size: int, opening: str, agree_everywhere: Callable[..., int]
) -> None:
    game = RangeWar(size, opening)
    agree_everywhere(game, game.start(Random()), Naive(size, opening), size)


@given(
    size=st.sampled_from([8, 10, 11, 12, 21, 22, 23, 60, 120]),
    opening=st.sampled_from(["lower", "free"]),
    seed=st.integers(0, 10**9),
)
def test_a_large_game_goes_by_the_book(
    agree: Callable[..., None], size: int, opening: str, seed: int
) -> None:
    game = RangeWar(size, opening)
    agree(game, game.start(Random()), Naive(size, opening), Random(seed))
