"""Number Collision without repetition: two searches beside the plain one, and the parity strategy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

import numberduels
from numberduels.games.number_collision import theory as strategy
from numberduels.games.number_collision.line_search import LineSearch, ReplySearch, count_lines
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_collision.theory import NumberCollisionTheory
from numberduels.players.ladder import PerfectPlayer
from numberduels.solvers import LOSS, WIN, DepthFirstSearch, Oracle, TooLarge
from tables import table

LINES = [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (3, 2), (4, 2)]
REPLIES = [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3), (5, 1), (6, 1)]


def forbidden(size: int, values: int) -> NumberCollision:
    return NumberCollision(size, values, "forbidden")


@table(
    "search_of, sizes, games",
    [(partial(LineSearch, max_positions=10_000), LINES, 20), (ReplySearch, REPLIES, 6)],
)
def test_every_move_of_random_games_is_worth_what_the_plain_search_says(
    search_of: Callable[[Any], Oracle[Any, Any]], sizes: list[tuple[int, int]], games: int
) -> None:
    for size, values in sizes:
        game = forbidden(size, values)
        plain, search = DepthFirstSearch(game), search_of(game)
        for seed in range(games):
            rng = Random(seed)
            state = game.start(rng)
            while game.moves(state):
                assert {move: each.value for move, each in search.evaluate_moves(state).items()} == {
                    move: each.value for move, each in plain.evaluate_moves(state).items()
                }
                state = game.play(state, rng.choice(game.moves(state)))
            assert search.evaluate(state).value == LOSS


def test_with_one_number_the_second_player_wins_on_four_and_on_seven_cells() -> None:
    values = {}
    for size in range(1, 8):
        game = forbidden(size, 1)
        values[size] = NumberCollisionTheory(game).evaluate(game.start(Random())).value
    assert [size for size, value in values.items() if value != WIN] == [4, 7]


@table("size, values", [(1, 1), (4, 1), (7, 1), (2, 3), (4, 2), (3, 5)])
def test_lines_are_counted_as_they_can_be_listed(size: int, values: int) -> None:
    lines = product(range(values + 1), repeat=size)
    allowed = [line for line in lines if all(one != two or not one for one, two in pairwise(line))]
    assert count_lines(size, values) == len(allowed)


def test_eight_cells_are_refused_with_the_largest_size_that_is_not() -> None:
    game = forbidden(8, 1)
    with pytest.raises(TooLarge) as fault:
        NumberCollisionTheory(game, 5_000).evaluate(game.start(Random()))
    assert str(fault.value) == "there are more than 5,000 positions"
    assert fault.value.reach == "sizes up to 7 are within reach"


@table("size, values, seed", [(5, 2, 1), (5, 3, 1), (5, 3, 2)])
def test_the_middle_of_a_game_is_judged_and_best_play_keeps_its_word(
    size: int, values: int, seed: int
) -> None:
    game, rng = forbidden(size, values), Random(seed)
    theory = NumberCollisionTheory(game)
    state = game.play(game.start(rng), Place(1, 1))
    value = theory.evaluate(state).value
    assert value == (LOSS if size % 2 else WIN)  # the keeper wins, whatever the first move is
    winner = game.turn(state) if value == WIN else 1 - game.turn(state)
    while moves := game.moves(state):
        if game.turn(state) == winner:
            move = next(each for each in moves if theory.evaluate_move(state, each).value == WIN)
        else:
            move = rng.choice(moves)
        state = game.play(state, move)
    assert game.turn(state) != winner


def test_a_hard_position_is_refused_with_the_sizes_within_reach() -> None:
    game = forbidden(6, 2)
    with pytest.raises(TooLarge) as fault:
        NumberCollisionTheory(game, 2).evaluate(game.start(Random()))
    assert str(fault.value) == "it takes more work than 2 positions"
    assert fault.value.reach == "sizes up to 5 are within reach"


def test_the_work_of_all_questions_together_is_limited() -> None:
    game = forbidden(5, 5)
    search, start = ReplySearch(game, max_positions=1_000), game.start(Random())
    assert search.evaluate(start).value == WIN
    with pytest.raises(TooLarge, match="more work than 1,000 positions"):
        search.evaluate_moves(start)
    lines = count_lines(5, 5)
    assert 100_000 < search.work <= 100_000 + lines  # each attempt looks at all lines


# The parity strategy


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
