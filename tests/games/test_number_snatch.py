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
from numberduels.game.contract import IllegalMove, Outcome
from numberduels.game.table import Table
from numberduels.games.number_snatch import spec
from numberduels.games.number_snatch.rules import NumberSnatch
from tables import table

LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
"""The book's list."""

WALK_THROUGH = (13, 5, 15, 2, 10, 18, 12, 20, 17, 7)
LEVEL = (14, 16, 7, 20, 1, 4, 11, 3, 18, 12)


def after(*moves: int, numbers: tuple[int, ...] = LIST) -> Table[Any, Any]:
    return Table(NumberSnatch(numbers=numbers), moves=moves)


def scores(*moves: int, numbers: tuple[int, ...] = LIST) -> tuple[int, int]:
    table = after(*moves, numbers=numbers)
    first, second = table.game.scores(table.state)  # type: ignore[attr-defined]  # it is a Scored game
    return first, second


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


def test_the_example_of_our_book_ends_23_to_12() -> None:
    assert scores(4, 8, 11, 3, 9, numbers=(3, 4, 8, 9, 11)) == (23, 12)


@table(
    "numbers, moves, score",
    [
        ((3, 6, 12), (3, 6), (0, 9)),
        ((3, 6, 12), (3, 6, 12), (18, 3)),
        ((3, 6, 12), (6, 3), (6, 3)),  # a factor snatches nothing
        ((1, 4, 9), (1, 9), (0, 10)),  # everything is a multiple of 1
        ((2, 3, 8), (2, 3, 8), (10, 3)),  # only the opponent's last number counts, not one's own
        ((5, 7), (5,), (5, 0)),  # the first turn cannot snatch
    ],
)
def test_a_multiple_of_their_last_number_moves_it_over(
    numbers: tuple[int, ...], moves: tuple[int, ...], score: tuple[int, int]
) -> None:
    assert scores(*moves, numbers=numbers) == score


def test_level_scores_on_an_even_list_go_to_who_moved_second() -> None:
    table = after(*LEVEL, numbers=LEVEL)
    assert table.outcome == Outcome(winner=1, why="level", scores=(53, 53))
    assert "The scores are level: the player who moved second wins.\nWinner: Player 2\n" in spec.text_for(
        table.game
    ).closing(table.state)


def test_our_book_quotes_what_is_said_of_level_scores() -> None:
    table = after(*LEVEL, numbers=LEVEL)
    said = spec.text_for(table.game).closing(table.state).splitlines()[5]
    assert said.startswith("The scores are level") and f"`{said}`" in spec.rulebook()


@table("played, move", [((), 1), ((), 0), ((), -2), ((), 21), ((13,), 13), (WALK_THROUGH, 7), ((), 10**9)])
def test_a_number_that_is_not_in_the_list_is_refused(played: tuple[int, ...], move: int) -> None:
    table = after(*played)
    before = table.state
    with pytest.raises(IllegalMove) as refusal:
        table.play(move)
    assert str(refusal.value) == f"Number {move} is not in the list."
    assert table.state == before


@table(
    "moves, told",
    [
        ((13,), "You selected 13.\nPlayer 1's score: 13\n"),
        ((13, 5), "You selected 5.\nPlayer 2's score: 5\n"),
        (
            (13, 5, 15),
            "You selected 15.\nSnatch! 15 is a multiple of Player 2's last number (5).\n"
            "Player 2 loses 5 points. Player 1 gains 5 points.\n"
            "Player 1's score: 33\nPlayer 2's score: 0\n",
        ),
    ],
)
def test_one_score_is_told_without_a_snatch_and_both_with_one(moves: tuple[int, ...], told: str) -> None:
    table = after(*moves)
    *_, (before, move, now) = table.steps()
    assert spec.text_for(table.game).announce(before, move, now) == told


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


@table("size, top", [(1, 1), (2, 2), (5, 5), (6, 6), (1, 2), (2, 3)])
def test_all_numbers_may_be_dealt_when_their_sum_is_odd(size: int, top: int) -> None:
    dealt = members(NumberSnatch(size=size, top=top).start(Random(0))[0])
    assert len(dealt) == size and sum(dealt) % 2 == 1


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


def test_the_books_deal_uses_all_numbers_alike() -> None:
    rng = Random(0)
    seen = Counter(number for _ in range(4_000) for number in members(NumberSnatch().start(rng)[0]))
    assert sorted(seen) == list(range(1, 21))
    assert all(1_840 < count < 2_160 for count in seen.values())


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
