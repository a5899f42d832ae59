"""Restricted Removal: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.bits import members
from numberduels.game.contract import IllegalMove
from numberduels.game.table import Table
from numberduels.games.restricted_removal import spec
from numberduels.games.restricted_removal.rules import RestrictedRemoval, neighbours
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
    "number, locked",
    [
        (2, (4, 6, 8, 10)),
        (3, (6, 9)),
        (4, (2, 8)),
        (5, (10,)),
        (6, (2, 3)),
        (7, ()),
        (8, (2, 4)),
        (9, (3,)),
        (10, (2, 5)),
    ],
)
def test_a_removed_number_locks_its_multiples_and_factors(number: int, locked: tuple[int, ...]) -> None:
    game = RestrictedRemoval()
    assert members(game.locks(game.start(Random()), number)) == locked
    left = tuple(each for each in range(2, 11) if each != number and each not in locked)
    assert tuple(after(number).moves) == left


@table(
    "played, size, winner",
    [((5, 2, 9, 7), 10, 1), ((3, 5, 2, 7), 10, 1), ((2,), 2, 0), ((2, 3), 3, 1), ((4, 6, 5, 7), 8, 1)],
)
def test_who_removes_the_last_available_number_wins(played: tuple[int, ...], size: int, winner: int) -> None:
    table = after(*played, size=size)
    assert table.outcome is not None and (table.outcome.winner, table.outcome.why) == (winner, "last")


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


# The words


@table(
    "played, locked",
    [
        ((5,), "Locked Numbers due to 5: [10]\n"),
        ((5, 2), "Locked Numbers due to 2: [4, 6, 8]\n"),  # 10 was locked before
        ((5, 2, 9), "Locked Numbers due to 9: [3]\n"),
        ((5, 2, 9, 7), "Locked Numbers due to 7: []\n"),
        ((4, 6), "Locked Numbers due to 6: [3]\n"),
    ],
)
def test_only_newly_locked_numbers_are_told(played: tuple[int, ...], locked: str) -> None:
    table = after(*played)
    *_, (before, move, now) = table.steps()
    assert locked in spec.text_for(table.game).announce(before, move, now)


def test_the_board_tells_removed_from_locked() -> None:
    assert spec.text_for(RestrictedRemoval()).position(after(5, 2, 9).state) == (
        "Available Numbers: [7]\nRemoved Numbers: [2, 5, 9]\nLocked Numbers: [3, 4, 6, 8, 10]\n"
    )


# Against the rule book read aloud


@table("size", range(2, 11))
def test_every_line_of_a_small_game_goes_by_the_book(size: int, agree_everywhere: Callable[..., int]) -> None:
    game = RestrictedRemoval(size)
    agree_everywhere(game, game.start(Random()), Naive(size), size)


@given(size=st.integers(11, 130), seed=st.integers(0, 10**9))
def test_a_large_game_goes_by_the_book(agree: Callable[..., None], size: int, seed: int) -> None:
    game = RestrictedRemoval(size)
    agree(game, game.start(Random()), Naive(size), Random(seed))


@table("size", [2, 10, 97, 200])
def test_kin_are_those_that_divide_one_another(size: int) -> None:
    for number in range(2, size + 1):
        expected = [n for n in range(2, size + 1) if n != number and (n % number == 0 or number % n == 0)]
        assert list(members(neighbours(size)[number])) == expected
