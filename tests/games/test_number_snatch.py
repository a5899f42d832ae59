"""Number Snatch: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.bits import members
from numberduels.game.contract import IllegalMove
from numberduels.game.table import Table
from numberduels.games.number_snatch.rules import NumberSnatch
from tables import table

LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
"""The book's list."""

WALK_THROUGH = (13, 5, 15, 2, 10, 18, 12, 20, 17, 7)


def after(*moves: int, numbers: tuple[int, ...] = LIST) -> Table[Any, Any]:
    return Table(NumberSnatch(numbers=numbers), moves=moves)


class Naive:
    """The rule book read aloud."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.list = sorted(numbers)
        self.score = [0, 0]
        self.selected: list[int] = []

    def moves(self) -> list[int]:
        return list(self.list)

    def play(self, move: int) -> None:
        player, opponent = len(self.selected) % 2, (len(self.selected) + 1) % 2
        self.list.remove(move)
        self.score[player] += move
        if self.selected and move % self.selected[-1] == 0:
            deducted = min(self.selected[-1], self.score[opponent])
            self.score[opponent] -= deducted
            self.score[player] += deducted
        self.selected.append(move)

    def winner(self) -> int | None:
        if self.list:
            return None
        return 0 if self.score[0] > self.score[1] else 1


# The rules, as tables


@table("played, move", [((), 1), ((), 0), ((), -2), ((), 21), ((13,), 13), (WALK_THROUGH, 7), ((), 10**9)])
def test_a_number_that_is_not_in_the_list_is_refused(played: tuple[int, ...], move: int) -> None:
    table = after(*played)
    before = table.state
    with pytest.raises(IllegalMove) as refusal:
        table.play(move)
    assert str(refusal.value) == f"Number {move} is not in the list."
    assert table.state == before


# Sizes and lists


@table(
    "options, sentence",
    [
        ({"size": 0}, "size must be a whole number from 1 to 10000, not 0"),
        ({"size": 21}, "21 different numbers cannot be dealt from 1 to 20: choose a size of at most 20"),
        ({"top": 0}, "top must be a whole number from 1 to 10000, not 0"),
        ({"top": 10_001}, "top must be a whole number from 1 to 10000, not 10001"),
        ({"size": 20}, "all the numbers 1 to 20 have an even sum.*choose a size below 20 or a higher top"),
        ({"size": 3, "top": 3}, "all the numbers 1 to 3 have an even sum"),
        ({"numbers": (1, 2, 2)}, "the numbers must differ, and 2 is there twice"),
        ({"numbers": (0, 1)}, "each of the numbers must be a whole number from 1 to 10000, not 0"),
        ({"numbers": (1, 10_001)}, "each of the numbers must be a whole number from 1 to 10000, not 10001"),
        ({"numbers": ("a",)}, "each of the numbers must be a whole number from 1 to 10000"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        NumberSnatch(**options)


def test_a_list_settles_the_size_and_lifts_the_top() -> None:
    game = NumberSnatch(numbers=(30, 4))
    assert (game.size, game.top, game.numbers) == (2, 30, (4, 30))
    assert NumberSnatch(numbers=(3, 4)).top == 20


# The deal


@given(top=st.integers(2, 300), data=st.data(), seed=st.integers(0, 10**9))
def test_a_dealt_list_has_its_size_and_an_odd_sum(top: int, data: st.DataObject, seed: int) -> None:
    size = data.draw(st.integers(1, top - 1))
    game = NumberSnatch(size=size, top=top)
    dealt = members(game.start(Random(seed))[0])
    assert len(dealt) == size and sum(dealt) % 2 == 1 and dealt[0] >= 1 and dealt[-1] <= top
    assert dealt == members(game.start(Random(seed))[0])
    assert game.with_start(game.start(Random(seed))).numbers == dealt


@table("size, top", [(3, 6), (2, 9), (1, 12), (11, 12)])
def test_every_odd_list_is_about_equally_likely(size: int, top: int) -> None:
    lists = [each for each in combinations(range(1, top + 1), size) if sum(each) % 2]
    game, rng, each = NumberSnatch(size=size, top=top), Random(0), 400
    seen = Counter(members(game.start(rng)[0]) for _ in range(each * len(lists)))
    assert sorted(seen) == lists
    # Five standard deviations on both sides.
    assert all(300 < count < 500 for count in seen.values())


# Against the rule book read aloud


@table("numbers", [(1,), (2, 4), (1, 2, 3), (2, 3, 4, 6), (1, 2, 4, 8, 16), (2, 3, 5, 6, 9)])
def test_every_line_of_a_small_game_goes_by_the_book(
    numbers: tuple[int, ...], agree_everywhere: Callable[..., int]
) -> None:
    game = NumberSnatch(numbers=numbers)
    agree_everywhere(game, game.start(Random()), Naive(numbers), len(numbers))


@given(numbers=st.sets(st.integers(1, 120), min_size=1, max_size=60), seed=st.integers(0, 10**9))
def test_a_large_game_goes_by_the_book(agree: Callable[..., None], numbers: set[int], seed: int) -> None:
    game = NumberSnatch(numbers=tuple(numbers))
    agree(game, game.start(Random()), Naive(tuple(numbers)), Random(seed))
