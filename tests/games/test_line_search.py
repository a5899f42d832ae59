"""Line search agrees with the plain search of whole histories, and solves seven cells with one number."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest

from numberduels.games.number_collision.line_search import LineSearch, count_lines
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_collision.theory import NumberCollisionTheory
from numberduels.solvers import LOSS, WIN, DepthFirstSearch, TooLarge
from tables import table


def forbidden(size: int, values: int) -> NumberCollision:
    return NumberCollision(size, values, "forbidden")


@table("size, values", [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (3, 2), (4, 2)])
def test_every_move_of_random_games_is_worth_what_the_plain_search_says(size: int, values: int) -> None:
    game = forbidden(size, values)
    plain, search = DepthFirstSearch(game), LineSearch(game, 10_000)
    for seed in range(20):
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
