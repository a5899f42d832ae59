"""Reply search agrees with the plain search, and its proof for five cells with two numbers is checked."""

from __future__ import annotations

from random import Random

import pytest

from numberduels.games.number_collision.line_search import ReplySearch, count_lines
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_collision.theory import NumberCollisionTheory
from numberduels.solvers import LOSS, WIN, DepthFirstSearch, TooLarge
from tables import table


def forbidden(size: int, values: int) -> NumberCollision:
    return NumberCollision(size, values, "forbidden")


@table("size, values", [(2, 2), (3, 2), (4, 2), (3, 3), (4, 3), (5, 1), (6, 1)])
def test_every_move_of_random_games_is_worth_what_the_plain_search_says(size: int, values: int) -> None:
    game = forbidden(size, values)
    plain, search = DepthFirstSearch(game), ReplySearch(game)
    for seed in range(6):
        rng = Random(seed)
        state = game.start(rng)
        while game.moves(state):
            assert {move: each.value for move, each in search.evaluate_moves(state).items()} == {
                move: each.value for move, each in plain.evaluate_moves(state).items()
            }
            state = game.play(state, rng.choice(game.moves(state)))
        assert search.evaluate(state).value == LOSS


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
