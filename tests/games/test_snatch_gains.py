"""Number Snatch: every first number in one pass, and the fair one of the pie rule."""

from __future__ import annotations

from random import Random

from numberduels.analysis.solution import fairest
from numberduels.game.bits import mask_of
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.number_snatch.theory import gains
from numberduels.solvers import Margins
from tables import table


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
