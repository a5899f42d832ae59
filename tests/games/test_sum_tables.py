"""The table of Summation Duel agrees with the rules, on every position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from random import Random

import pytest

from numberduels.games.summation_duel import sum_tables as summation
from numberduels.games.summation_duel.sum_tables import SumTable
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
    monkeypatch.setattr(summation, "COLUMN", column)
    monkeypatch.setattr(summation, "CHUNK", 3)
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
