"""The tables of Summation Duel agree with the rules on every position and target, and the laws with them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from random import Random

import pytest

from numberduels.analysis.sequences import Kind, Winners, check_statements
from numberduels.games.summation_duel import sum_tables, theory
from numberduels.games.summation_duel.claims import STATEMENTS, WINNER_TABLE, sum_to
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.summation_duel.sum_tables import SumTable
from numberduels.solvers import LOSS, Retrograde, TooLarge
from tables import table


def subsets(numbers: Iterable[int]) -> Iterator[frozenset[int]]:
    numbers = tuple(numbers)
    for size in range(len(numbers) + 1):
        yield from map(frozenset, combinations(numbers, size))


def plain_wins(numbers: tuple[int, ...], deficit: int) -> Callable[[frozenset[int]], bool]:
    """The rules word for word: meeting the target wins at once, passing it loses at once."""

    @cache
    def wins(used: frozenset[int]) -> bool:
        short = deficit - sum(used)
        if short <= 0:
            return short < 0
        return any(n == short or (n < short and not wins(used | {n})) for n in numbers if n not in used)

    return wins


def check_sums(numbers: tuple[int, ...], deficit: int) -> None:
    table, wins = SumTable(numbers, deficit), plain_wins(numbers, deficit)
    count = 0
    for used in subsets(numbers):
        assert table.wins(used) == wins(used), (numbers, deficit, used)
        count += sum(used) <= deficit
    assert table.positions == count


@table("size", range(1, 9))
def test_every_position_at_every_target(size: int) -> None:
    for target in range(1, size * (size + 1) // 2 + 1):
        check_sums(tuple(range(1, size + 1)), target)


@table("seed", range(15))
def test_every_position_of_any_numbers(seed: int) -> None:
    rng = Random(seed)
    numbers = tuple(sorted(rng.sample(range(1, rng.choice((13, 30, 10_000))), rng.randint(1, 11))))
    check_sums(numbers, rng.randint(1, sum(numbers)))


@table("column", [1, 2, 3])
@table("seed", range(3))
def test_many_rows_and_small_chunks_change_no_winner(
    monkeypatch: pytest.MonkeyPatch, column: int, seed: int
) -> None:
    monkeypatch.setattr(sum_tables, "COLUMN", column)
    monkeypatch.setattr(sum_tables, "CHUNK", 3)
    rng = Random(seed)
    numbers = tuple(rng.sample(range(1, 25), 11))
    check_sums(numbers, rng.randint(1, sum(numbers)))


def test_numbers_above_the_deficit_cost_nothing() -> None:
    assert SumTable(range(1, 101), 20).positions == SumTable(range(1, 21), 20).positions
    check_sums((5, 100), 50)
    check_sums((3, 4, 30, 31, 32), 29)


@table("numbers, deficit", [([], 1), ([2, 2], 2), ([0, 1], 1), ([1, 2], 4), ([1, 2], 0)])
def test_what_cannot_be_played_is_refused(numbers: list[int], deficit: int) -> None:
    with pytest.raises(ValueError, match=r"must differ|cannot meet"):
        SumTable(numbers, deficit)


# All targets


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
