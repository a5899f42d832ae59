"""The parity strategy of Number Collision without repetition: its lemmas, its replies, who wins."""

from __future__ import annotations

from random import Random

import pytest

import numberduels
from numberduels.games.number_collision import theory as strategy
from numberduels.games.number_collision.line_search import count_lines
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_collision.theory import NumberCollisionTheory
from numberduels.players.ladder import PerfectPlayer
from numberduels.solvers import DepthFirstSearch, TooLarge
from tables import table

Cells = tuple[int, ...]


def forbidden(size: int, values: int) -> NumberCollision:
    return NumberCollision(size, values, "forbidden")


@table("size, values", [(4, 3), (5, 4), (6, 2)])
def test_every_line_is_in_one_class_and_the_sizes_add_up(size: int, values: int) -> None:
    classes = list(strategy.line_classes(size, values))
    assert sum(strategy.class_size(each, values) for each in classes) == count_lines(size, values)
    assert len(classes) == len(
        {min(strategy.renamed(each), strategy.renamed(each[::-1])) for each in classes}
    )


@table("size, values", [(3, 3), (4, 3)])
def test_the_exhaustive_search_says_the_same(size: int, values: int) -> None:
    game = forbidden(size, values)
    assert strategy.keeper_has_replies(size, values)
    value = DepthFirstSearch(game).evaluate(game.start(Random(0))).value
    assert value == (1 if strategy.keeper(size) == 0 else -1)


@table("size", range(3, 8))
def test_where_the_theorem_promises_replies_the_matching_finds_them(size: int) -> None:
    assert strategy.covered_by_theorem(size, max(3, size - 1))
    assert strategy.keeper_has_replies(size, max(3, size - 1))


def test_the_theorem_is_silent_with_few_numbers_and_long_lines() -> None:
    assert not strategy.covered_by_theorem(3, 2)
    assert not strategy.covered_by_theorem(10, 5) and strategy.covered_by_theorem(10, 9)
    assert strategy.keeper_has_replies(7, 3) and not strategy.keeper_has_replies(8, 3)
    with pytest.raises(ValueError, match="three numbers"):
        strategy.keeper_has_replies(5, 2)


@table("size, values, winner", [(5, 3, 0), (6, 5, 1), (7, 3, 0), (20, 20, 1)])
def test_solve_answers_for_the_start_and_every_first_move(size: int, values: int, winner: int) -> None:
    solution = numberduels.solve(forbidden(size, values))
    assert solution.winner == winner
    assert len(solution.moves) == size * values
    assert {worth.value for worth in solution.moves.values()} == {1 if winner == 0 else -1}


@pytest.mark.long
def test_the_second_player_wins_the_line_of_the_book_without_repetition() -> None:
    assert numberduels.solve(forbidden(10, 5)).winner == 1


def test_a_player_who_needs_every_position_is_refused_as_before() -> None:
    game = forbidden(6, 5)
    with pytest.raises(ValueError, match="sizes up to 5 are within reach, and from the start sizes up to 10"):
        PerfectPlayer(2_000).prepare(game, game.start(Random(0)))


def test_a_position_after_the_start_is_not_answered_by_the_start() -> None:
    game = forbidden(6, 5)
    later = game.play(game.start(Random(0)), Place(1, 1))
    assert NumberCollisionTheory(game).evaluate_start(later) is None


def test_too_many_lines_are_refused_at_once() -> None:
    game = forbidden(40, 5)
    assert NumberCollisionTheory(game, 1_000).evaluate_start(game.start(Random(0))) is None
    with pytest.raises(TooLarge):
        numberduels.solve(game, max_positions=200)
