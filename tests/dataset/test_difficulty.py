"""Difficulty, against positions whose moves were worked out by hand."""

from __future__ import annotations

from random import Random
from typing import Any

from numberduels.game.table import replay
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.harness.dataset.positions import Difficulty, measure_difficulty
from numberduels.solvers import Retrograde
from numberduels.solvers.oracles import make_oracle
from tables import table


def measured(game: Any, *moves: Any) -> Difficulty | None:
    oracle, state = make_oracle(game), replay(game, moves).state
    return measure_difficulty(oracle, state, oracle.evaluate_moves(state))


def test_a_win_in_one_that_a_greedy_player_sees_is_easy() -> None:
    # 7 of 8 are used up: only 1 reaches the target, 2 and 3 overshoot.
    found = measured(SummationDuel(size=5, target=8), 3, 4)
    assert found == Difficulty(2 / 3, 1, False) and found.level == 1


@table(
    "found, level, cell",
    [
        (Difficulty(0.5, 2, False), 0, (False, "1-2", False)),
        (Difficulty(0.51, 2, False), 1, (True, "1-2", False)),
        (Difficulty(0.51, 3, False), 2, (True, "3-6", False)),
        (Difficulty(0.6, 7, True), 4, (True, "7+", True)),
        (Difficulty(0.5, 6, True), 2, (False, "3-6", True)),
        (Difficulty(0.5, 7, False), 2, (False, "7+", False)),
        (Difficulty(0.5, None, False), 2, (False, "no end", False)),
    ],
)
def test_the_level_counts_what_is_hard_and_the_cell_tells_it(
    found: Difficulty, level: int, cell: tuple[bool, str, bool]
) -> None:
    assert found.level == level and found.cell == cell


def test_where_no_move_is_wrong_there_is_no_difficulty() -> None:
    assert measured(RangeWar(size=10), 6) is not None  # five lower numbers, and only the nearest wins
    assert measured(RangeWar(size=3), 3, 2) is None  # stuck
    assert measured(SummationDuel()) is None  # every first move wins


def test_a_greedy_player_fails_where_the_wrong_moves_look_as_safe_as_the_right_one() -> None:
    # After 6, Player 2 must go lower: 5 leaves four for each side, every other number gives one away.
    found = measured(RangeWar(size=10), 6)
    assert found == Difficulty(0.8, 9, True) and found.level == 4


def test_a_position_that_nobody_can_win_has_no_end() -> None:
    # Two empty cells of ten: filling one of them hands over the win, a collision holds the draw.
    filled = [Place(number, cell) for cell, number in enumerate([1, 2, 1, 2, 1, 2, 1, 2], 1)]
    found = measured(NumberCollision(), *filled)
    assert found is not None and found.depth is None and found.depth_class == "no end"


def test_the_depth_of_a_game_of_points_is_the_number_of_moves_left() -> None:
    found = measured(NumberSnatch(numbers=(2, 5, 7)))
    assert found is not None and found.depth == 3


def test_a_game_whose_theory_counts_no_plies_has_a_depth_all_the_same() -> None:
    game = RestrictedRemoval(9)  # the first player wins, and the general solver counts the plies
    found = measured(game)
    assert found is not None and found.depth == Retrograde(game).evaluate(game.start(Random(0))).remoteness
