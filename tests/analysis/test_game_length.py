"""The length of Restricted Removal, against two methods that share nothing with the solver."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from tools import game_length_check

import numberduels
from numberduels.analysis.game_length import LengthSearch, NoConflictGraph, length_table, solve_length
from numberduels.solvers import TooLarge


def test_other_methods_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert game_length_check.main(["--every", "20", "--windows", "30"]) == 0
    assert capsys.readouterr().out.endswith("all agree\n")


def test_the_table_in_the_documents_is_that_of_the_solver() -> None:
    page = Path(__file__).parents[2] / "docs" / "erdos_872.md"
    cells = re.findall(r"(\d+) \| (\d+) \| (\d+) \| [\d,]+ \|", page.read_text(encoding="utf-8"))
    table = {int(size): (int(long), int(short)) for size, long, short in cells}
    assert sorted(table) == list(range(2, max(table) + 1)) and max(table) >= 110
    sizes = range(2, 61)
    for size, solution in zip(sizes, length_table("restricted-removal", sizes), strict=True):
        assert table[size] == (solution.long_begins.low, solution.short_begins.low)


def test_a_finished_search_is_known_and_an_unfinished_one_has_bounds() -> None:
    game = numberduels.make("restricted-removal", size=40)
    search = LengthSearch(game, max_positions=10)
    with pytest.raises(TooLarge):
        search.solve(game)
    known = search.known(game, game.start(Random(0)))
    assert not known.solved
    assert known.long_begins.low <= 16 <= known.long_begins.high == 20
    search.lengths.max_positions = 1000
    assert search.solve(game).solved
    assert search.known(game, game.start(Random(0))).long_begins[:2] == (16, 16)


def test_a_game_of_points_has_no_graph_of_conflicts() -> None:
    with pytest.raises(NoConflictGraph, match="Number Snatch"):
        solve_length(numberduels.make("number-snatch"))
