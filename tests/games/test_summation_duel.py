"""Summation Duel: the rules of its book and the numbered readings of book.md."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberduels.game.contract import IllegalMove, Outcome
from numberduels.game.table import Table
from numberduels.games.summation_duel import spec
from numberduels.games.summation_duel.rules import SummationDuel
from tables import table

SCENARIO = (6, 9, 10, 8, 7, 5, 4, 1)
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
    "moves, size, target, winner, why",
    [
        ((1,), 1, 1, 0, "exact"),
        ((2,), 2, 1, 1, "over"),
        ((1,), 2, 1, 0, "exact"),
        ((1, 2), 2, 3, 1, "exact"),
        ((1, 3), 3, 3, 0, "over"),
        ((3, 1, 2), 3, 6, 0, "exact"),
        ((4, 2), 4, 6, 1, "exact"),
        ((4, 3), 4, 6, 0, "over"),
        ((6, 3, 5, 1), 6, 15, 1, "exact"),
        ((6, 3, 5, 2), 6, 15, 0, "over"),
    ],
)
def test_exactly_the_target_wins_and_beyond_it_loses_at_once(
    moves: tuple[int, ...], size: int, target: int, winner: int, why: str
) -> None:
    table = after(*moves, size=size, target=target)
    assert table.outcome == Outcome(winner=1 if winner else 0, why=why)
    assert not table.moves


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


def test_the_books_refusal_is_word_for_word() -> None:
    words = spec.text_for(SummationDuel())
    assert words.refusal(IllegalMove("Number 5 has already been used.")) == (
        "Invalid choice. Number 5 has already been used.\n"
    )


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


@table("size, target", [(1, 1), (10, 55), (9, 45), (10, 1)])
def test_any_target_up_to_the_sum_is_taken(size: int, target: int) -> None:
    assert SummationDuel(size, target).target == target


# The words


@table(
    "played, shown",
    [
        ((), "1-10"),
        ((7,), "1-6,8-10"),
        ((7, 8), "1-6,9,10"),
        ((7, 8, 10), "1-6,9"),
        (SESSION[:6], "1-4"),
        (SESSION[:7], "1,2,4"),
    ],
)
def test_the_prompt_draws_runs_of_three_together(played: tuple[int, ...], shown: str) -> None:
    table = after(*played)
    assert spec.text_for(table.game).question(table.state).endswith(f"Choose a number to add ({shown}): ")


def test_the_end_of_a_duel_does_not_list_the_used_numbers() -> None:
    table = after(*SESSION)
    *_, (before, move, now) = table.steps()
    words = spec.text_for(table.game)
    assert words.announce(before, move, now) == "You chose 2.\nTotal Sum is now 50.\n"
    assert words.closing(now) == "Congratulations, Player 2! You reached exactly 50 and won the game!\n"


def test_going_over_names_the_loser_the_overshoot_and_the_winner() -> None:
    table = after(*STRATEGY)
    closing = spec.text_for(table.game, ("Ada", "Bob")).closing(table.state)
    assert closing == "Player 2 (Bob) went over 50 by 5 and loses. Player 1 (Ada) wins!\n"


def test_the_rules_do_not_advise_multiples_of_11() -> None:
    book = spec.rulebook()
    before_the_readings = book[: book.index("## Readings")]
    assert "11" not in before_the_readings


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
