"""Summation Duel for all targets: the tables agree with the rules, and the laws with the tables."""

from __future__ import annotations

import sys
from random import Random

import pytest

from numberduels.analysis.sequences import Kind, Winners, check_statements
from numberduels.games.summation_duel import sum_tables, theory
from numberduels.games.summation_duel.claims import STATEMENTS, WINNER_TABLE, sum_to
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.solvers import LOSS, Retrograde, TooLarge
from tables import table


@pytest.fixture(scope="module")
def winners() -> Winners:
    """The table up to size 16."""
    return WINNER_TABLE.winners(range(1, 17))


@table("size", range(1, 8))
def test_every_target_agrees_with_retrograde_analysis(size: int) -> None:
    lost = []
    for target in range(1, sum_to(size) + 1):
        game = SummationDuel(size=size, target=target)
        if Retrograde(game).value(game.start(Random(0))) == LOSS:
            lost.append(target)
    assert theory.lost_targets(size)[size] == lost


def test_the_table_of_numpy_agrees_with_plain_python() -> None:
    plain = theory.lost_rests(14)
    assert [sum_tables.lost_rests(size) for size in range(15)] == [plain[: size + 1] for size in range(15)]


def test_the_table_of_numpy_agrees_where_rests_take_several_words() -> None:
    assert sum_tables.lost_rests(17) == theory.lost_rests(17)


def test_without_numpy_less_is_within_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numberduels.games.summation_duel.sum_tables", None)
    monkeypatch.delattr("numberduels.games.summation_duel.sum_tables", raising=False)
    assert theory.lost_targets(17)[17][:3] == [19, 23, 36]
    with pytest.raises(TooLarge, match="needs NumPy") as refused:
        theory.lost_targets(21)
    assert refused.value.reach == "without it, all targets are within reach up to size 20"


def test_a_table_that_is_too_large_is_refused_with_the_reach() -> None:
    with pytest.raises(TooLarge, match="would take about 2 GB") as refused:
        theory.lost_targets(28)
    assert refused.value.reach == "all targets are within reach up to size 27"


# The laws


def test_no_theorem_and_nothing_seen_has_an_exception(winners: Winners) -> None:
    for finding in check_statements(STATEMENTS, winners):
        if finding.statement.kind is not Kind.GUESS:
            assert finding.exception is None and finding.cells > 5, finding.statement.text


def test_every_guess_has_the_smallest_counterexample(winners: Winners) -> None:
    found = {each.statement.text: each.exception for each in check_statements(STATEMENTS, winners)}
    guesses = {each.text: found[each.text] for each in STATEMENTS if each.kind is Kind.GUESS}
    assert list(guesses.values()) == [(8, 16), (8, 16), (5, 6), (5, 7)]


def test_theorems_do_not_contradict_each_other(winners: Winners) -> None:
    for cell in winners:
        said = {each.predict(cell, winners) for each in STATEMENTS if each.kind is Kind.THEOREM}
        assert len(said - {None}) <= 1, cell
