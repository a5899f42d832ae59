"""Number Snatch: every first number in one pass, and the fair one of the pie rule."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numberduels
from numberduels.analysis.solution import fairest
from numberduels.game.bits import mask_of
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.number_snatch.theory import NumberSnatchTheory, gains
from numberduels.solvers import Margins
from tables import table


def first_margins(*numbers: int) -> dict[int, int | None]:
    solution = numberduels.solve(NumberSnatch(numbers=numbers))
    return {move: worth.margin for move, worth in solution.moves.items()}


def test_all_moves_of_a_position_have_the_margins_that_the_search_finds() -> None:
    for numbers in combinations(range(1, 9), 5):
        game = NumberSnatch(numbers=numbers)
        search, theory = Margins(game), NumberSnatchTheory(game)
        state = game.start(Random(0))
        assert theory.evaluate_moves(state) == search.evaluate_moves(state), numbers
        for move in numbers:
            after = game.play(state, move)
            assert theory.evaluate_moves(after) == search.evaluate_moves(after), (numbers, move)


@table("top", range(1, 10))
def test_on_a_full_list_the_number_above_the_middle_is_fair_by_search(top: int) -> None:
    game = NumberSnatch(numbers=tuple(range(1, top + 1)))
    worths = Margins(game).evaluate_moves(game.start(Random(0)))
    middle = top // 2 + 1 if top > 1 else 1
    assert middle in fairest(worths)
    assert abs(worths[middle].margin or 0) == top * (top + 1) // 2 % 2


def test_on_a_full_list_of_any_size_the_number_above_the_middle_is_fair() -> None:
    for top in (*range(2, 80), 999, 1000, 1001, 1002):
        margin = gains(mask_of(range(1, top + 1)), 0)[top // 2 + 1]
        assert margin == top * (top + 1) // 2 % 2, top


def test_a_larger_first_number_may_be_worse_and_a_list_may_have_no_fair_one() -> None:
    assert first_margins(1, 2, 4) == {1: -3, 2: -5, 4: 3}
    assert first_margins(1, 100) == {1: -101, 100: 99}
