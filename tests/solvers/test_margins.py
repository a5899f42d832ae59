"""Best margins in games of points, against hand-made values and plain minimax."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.game.contract import Outcome, Seat
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.solvers import DRAW, LOSS, WIN, Margins, Retrograde, TooLarge
from tables import table

LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)

Row = tuple[tuple[int, ...], int, int, Seat]


class Ends:
    """Take a coin from either end of a row; level purses are a tie."""

    def __init__(self, *coins: int) -> None:
        self.coins = coins

    def start(self, rng: Random) -> Row:
        return self.coins, 0, 0, 0

    def turn(self, state: Row) -> Seat:
        return state[3]

    def moves(self, state: Row) -> tuple[int, ...]:
        return (0, -1)[: len(state[0])]

    def play(self, state: Row, move: int) -> Row:
        coins, mine, theirs, turn = state
        rest = coins[:-1] if move else coins[1:]
        return rest, theirs, mine + coins[move], 0 if turn else 1

    def outcome(self, state: Row) -> Outcome | None:
        if state[0]:
            return None
        first, second = self.scores(state)
        winner: Seat | None = None if first == second else 0 if first > second else 1
        return Outcome(winner, "coins", (first, second))

    def scores(self, state: Row) -> tuple[int, int]:
        _, mine, theirs, turn = state
        return (theirs, mine) if turn else (mine, theirs)

    def without_scores(self, state: Row) -> Row:
        return state[0], 0, 0, state[3]

    def tie_winner(self) -> None:
        return None

    def points_left(self, state: Row) -> int:
        return sum(state[0])


@table(
    "coins, margin, value",
    [
        ((), 0, DRAW),
        ((3,), 3, WIN),
        ((1, 1), 0, DRAW),
        ((1, 2, 1), 0, DRAW),  # whoever waits gets the 2
        ((1, 5, 1), -3, LOSS),
        ((5, 3, 7, 10), 5, WIN),
        ((8, 15, 3, 7), 11, WIN),
    ],
)
def test_a_margin_found_by_hand(coins: tuple[int, ...], margin: int, value: int) -> None:
    game = Ends(*coins)
    start = game.start(Random())
    assert Margins(game).evaluate(start) == (value, None, margin, None)


@cache
def best_margin(left: frozenset[int], last: int) -> int:
    """Plain minimax on Number Snatch: how much the player to move gains on the other from here."""
    if not left:
        return 0
    # A snatch takes the last number from them and adds it to us.
    return max(
        number + (2 * last if last and number % last == 0 else 0) - best_margin(left - {number}, number)
        for number in left
    )


@settings(max_examples=60)
@given(st.sets(st.integers(1, 24), min_size=1, max_size=7))
def test_margins_agree_with_plain_minimax(numbers: set[int]) -> None:
    game = NumberSnatch(numbers=tuple(numbers))
    start = game.start(Random())
    margins: Margins[Any, Any] = Margins(game)
    assert margins.evaluate(start).margin == best_margin(frozenset(numbers), 0)
    for move in game.moves(start):
        assert margins.evaluate_move(start, move).margin == move - best_margin(
            frozenset(numbers - {move}), move
        )


@settings(max_examples=40)
@given(st.sets(st.integers(1, 12), min_size=1, max_size=5))
def test_values_agree_with_retrograde_analysis_in_every_position(numbers: set[int]) -> None:
    # Even lists are among these: there a level end is a win for the second player.
    game: Any = NumberSnatch(numbers=tuple(numbers))
    plain: Retrograde[Any, Any] = Retrograde(game)
    plain.evaluate(game.start(Random()))
    margins: Margins[Any, Any] = Margins(game)
    for state in plain:
        assert margins.value(state) == plain.value(state)


def test_the_books_list_is_worth_11_and_only_with_20() -> None:
    game = NumberSnatch(numbers=LIST)
    start = game.start(Random())
    margins: Margins[Any, Any] = Margins(game)
    assert margins.evaluate(start) == (WIN, None, 11, None)
    assert margins.best_moves(start) == [20]
    assert [move for move in LIST if margins.evaluate_move(start, move).margin == 11] == [20]


def test_points_already_made_are_counted_in() -> None:
    game = NumberSnatch(numbers=LIST)
    state = game.start(Random())
    margins: Margins[Any, Any] = Margins(game)
    for move in (13, 5, 15, 2, 10, 18):
        state = game.play(state, move)
    # 45 to 18, and 7, 12, 17, 20 are left after an 18.
    assert margins.evaluate(state).margin == 45 - 18 + best_margin(frozenset([7, 12, 17, 20]), 18)


def test_more_positions_than_allowed_are_refused() -> None:
    game = NumberSnatch(numbers=LIST)
    with pytest.raises(TooLarge, match="more than 50 positions"):
        Margins(game, max_positions=50).evaluate(game.start(Random()))


def test_a_game_too_deep_for_the_search_is_refused_and_not_a_crash() -> None:
    game = NumberSnatch(size=3_000, top=4_000)
    with pytest.raises(TooLarge):
        Margins(game, max_positions=10**9).evaluate(game.start(Random(0)))


def test_only_what_was_asked_for_is_looked_at() -> None:
    game = NumberSnatch(numbers=(2, 3, 6))
    margins: Margins[Any, Any] = Margins(game)
    assert margins.positions == 0
    margins.evaluate(game.play(game.start(Random()), 6))
    assert margins.positions == 5  # {2, 3} after 6, {3} after 2, {2} after 3, nothing after 2 or 3
