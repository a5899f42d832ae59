"""The chains of Number Snatch and the table of Summation Duel agree with the rules, on every position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations
from random import Random

import pytest

from numberduels.game.bits import mask_of
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.number_snatch.theory import NumberSnatchTheory, remaining_gain
from numberduels.games.summation_duel import sum_tables as summation
from numberduels.games.summation_duel.sum_tables import SumTable
from tables import table

POWERS = tuple(1 << i for i in range(10))
FAMOUS = (
    (2, 5, 7, 10, 12, 13, 15, 17, 18, 20),
    (14, 16, 7, 20, 1, 4, 11, 3, 18, 12),
    POWERS,
    (1, 2, 3, 4, 6, 8, 9, 12, 18, 36),
    (7,),
    (1, 2),
    (9973, 9967, 9949, 1, 4999, 9998),
    (5000, 10000, 2500, 1250, 625, 125, 25, 5, 1),
)


def subsets(numbers: Iterable[int]) -> Iterator[frozenset[int]]:
    numbers = tuple(numbers)
    for size in range(len(numbers) + 1):
        yield from map(frozenset, combinations(numbers, size))


# Number Snatch


def deal(seed: int) -> tuple[int, ...]:
    rng = Random(seed)
    top = rng.choice((10, 14, 20, 30, 60, 200, 10_000))
    numbers = rng.sample(range(1, top + 1), rng.randint(1, 9))
    if rng.random() < 0.3 and 1 not in numbers:
        numbers[0] = 1
    return tuple(numbers)


@lru_cache(maxsize=1 << 20)
def margin(left: frozenset[int], last: int) -> int:
    """The definition, word for word: nothing is known of what a number is worth."""
    return max(
        (n + (2 * last if last and n % last == 0 else 0) - margin(left - {n}, n) for n in left), default=0
    )


def final_margin(left: frozenset[int], last: int, mine: int, theirs: int) -> int:
    """The rules with real scores, never below zero: what the mover is ahead by when all is taken."""
    margins = []
    for n in left:
        stolen = min(last, theirs) if last and n % last == 0 else 0
        margins.append(-final_margin(left - {n}, n, theirs - stolen, mine + n + stolen))
    return max(margins, default=mine - theirs)


def check_snatch(numbers: tuple[int, ...]) -> None:
    outside = [last for last in (0, 1, 2, 3, 9999) if last not in numbers]
    for left in subsets(numbers):
        for last in [*outside, *(n for n in numbers if n not in left)]:
            assert remaining_gain(mask_of(left), last) == margin(left, last), (numbers, left, last)


@table("numbers", FAMOUS)
def test_every_position_of_a_famous_list(numbers: tuple[int, ...]) -> None:
    check_snatch(numbers)


@table("seed", range(40))
def test_every_position_of_a_random_list(seed: int) -> None:
    check_snatch(deal(seed))


@table("seed", range(10))
def test_margins_to_come_are_final_margins(seed: int) -> None:
    numbers = frozenset(Random(seed).sample(range(1, 13), 6))
    game = NumberSnatch(numbers=tuple(numbers))
    found = NumberSnatchTheory(game).evaluate(game.start(Random()))
    assert found.margin == final_margin(numbers, 0, 0, 0)


# Summation Duel


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


def first_moves(size: int, target: int) -> list[int]:
    table = SumTable(range(1, size + 1), target)
    return [n for n in table.numbers if n <= target and not table.wins([n])]


@table("size", range(1, 9))
def test_every_position_at_every_target(size: int) -> None:
    for target in range(1, size * (size + 1) // 2 + 1):
        check_sums(tuple(range(1, size + 1)), target)


def test_known_first_moves_of_ten_numbers() -> None:
    assert first_moves(10, 50) == list(range(1, 11))
    assert first_moves(10, 44) == first_moves(10, 55) == []
    assert first_moves(10, 42) == [6]
    assert first_moves(10, 20) == [3]


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


@table("part", [0.2, 0.5, 0.95, 1])
def test_a_row_of_its_own(part: float) -> None:
    numbers = tuple(range(1, 14))
    check_sums(numbers, int(part * sum(numbers)))


def test_numbers_above_the_deficit_cost_nothing() -> None:
    assert SumTable(range(1, 101), 20).positions == SumTable(range(1, 21), 20).positions
    check_sums((5, 100), 50)
    check_sums((3, 4, 30, 31, 32), 29)


def test_only_numbers_of_the_list_can_have_been_used() -> None:
    with pytest.raises(ValueError, match="can have been used"):
        SumTable([1, 2], 3).wins([4])


@table("numbers, deficit", [([], 1), ([2, 2], 2), ([0, 1], 1), ([1, 2], 4), ([1, 2], 0)])
def test_what_cannot_be_played_is_refused(numbers: list[int], deficit: int) -> None:
    with pytest.raises(ValueError, match=r"must differ|cannot meet"):
        SumTable(numbers, deficit)


def test_the_estimate_of_a_sum_doubles_with_each_number() -> None:
    assert 1.9 < summation.estimate_bytes(31) / summation.estimate_bytes(30) < 2.1


def test_progress_grows_to_the_total() -> None:
    seen: list[tuple[int, int]] = []
    SumTable(range(1, 17), 70, lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]
    assert seen == sorted(seen)


def test_an_interrupt_passes_through() -> None:
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SumTable(range(1, 17), 70, stop)
