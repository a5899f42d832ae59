"""Restricted Removal: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.contract import IllegalMove
from numberduels.game.table import Table
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from tables import table


def after(*moves: int, size: int = 10) -> Table[Any, Any]:
    return Table(RestrictedRemoval(size), moves=moves)


class Naive:
    """The rule book read aloud."""

    def __init__(self, size: int) -> None:
        self.list = list(range(2, size + 1))
        self.removed: list[int] = []

    def moves(self) -> list[int]:
        return [each for each in self.list if not any(self.locks(gone, each) for gone in self.removed)]

    @staticmethod
    def locks(gone: int, each: int) -> bool:
        """A removed number bars itself, its multiples and its factors."""
        return each % gone == 0 or gone % each == 0

    def play(self, move: int) -> None:
        self.removed.append(move)

    def winner(self) -> int | None:
        return None if self.moves() else (len(self.removed) - 1) % 2


# The rules, as tables


@table(
    "played, move, sentence",
    [
        ((), 1, "Number 1 was never in the list: it runs from 2 to 10."),
        ((), 0, "Number 0 was never in the list: it runs from 2 to 10."),
        ((), -4, "Number -4 was never in the list: it runs from 2 to 10."),
        ((), 11, "Number 11 was never in the list: it runs from 2 to 10."),
        ((5,), 10, "Number 10 is locked."),
        ((5,), 5, "Number 5 has already been removed."),
        ((5, 2, 9), 3, "Number 3 is locked."),
        # Reading 2: a removed number is removed, not locked, whatever the book's lists say.
        ((5, 2, 9), 9, "Number 9 has already been removed."),
        ((5, 2, 9, 7), 7, "Number 7 has already been removed."),
    ],
)
def test_a_refusal_says_what_is_wrong(played: tuple[int, ...], move: int, sentence: str) -> None:
    table = after(*played)
    before = table.state
    with pytest.raises(IllegalMove) as refusal:
        table.play(move)
    assert str(refusal.value) == sentence
    assert table.state == before


@table("size", [1, 0, -1, 10_001, True, 2.5, "10"])
def test_a_size_outside_2_to_10000_is_refused(size: Any) -> None:
    with pytest.raises(ValueError, match="size must be a whole number from 2 to 10000"):
        RestrictedRemoval(size=size)


# Against the rule book read aloud


@table("size", range(2, 11))
def test_every_line_of_a_small_game_goes_by_the_book(size: int, agree_everywhere: Callable[..., int]) -> None:
    game = RestrictedRemoval(size)
    agree_everywhere(game, game.start(Random()), Naive(size), size)


@given(size=st.integers(11, 130), seed=st.integers(0, 10**9))
def test_a_large_game_goes_by_the_book(agree: Callable[..., None], size: int, seed: int) -> None:
    game = RestrictedRemoval(size)
    agree(game, game.start(Random()), Naive(size), Random(seed))
