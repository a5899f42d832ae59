"""The sequences of our games: terms from other sources, and the form of a b-file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from numberduels.analysis.sequences import (
    IntegerSequence,
    ProofStatus,
    UnknownSequence,
    b_file_lines,
    find_sequence,
    indices_with,
)
from numberduels.game.contract import ProgressCallback
from numberduels.solvers import TooLarge
from tables import table

NIMBERS = "1 0 0 1 1 0 0 3 3 2 2 3 3 0 0 1 1 0 0 3 3 2 2 4 4 4 7 6 1 0 0 7 7"
"""Of Restricted Removal from size 2 on, found by exhaustive search."""


def terms(name: str, first: int, last: int) -> list[int]:
    return list(find_sequence(name).terms(range(first, last + 1)))


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownSequence, match=r"did you mean restricted-removal-nimbers\?"):
        find_sequence("restricted-removal-nimber")


# Restricted Removal


@cache
def removal_nimber(left: frozenset[int]) -> int:
    """The definition: the least number that no move leads to."""
    reached = {
        removal_nimber(frozenset(k for k in left if k % n and n % k)) for n in left
    }  # n locks its factors and multiples, and goes itself
    return next(value for value in range(len(left) + 1) if value not in reached)


def test_the_nimbers_are_those_that_exhaustive_search_found() -> None:
    assert terms("restricted-removal-nimbers", 2, 34) == [int(each) for each in NIMBERS.split()]


def test_winners_and_winning_first_moves_agree_with_the_definition() -> None:
    sizes = range(2, 17)
    starts = {size: frozenset(range(2, size + 1)) for size in sizes}
    winning = [
        sum(removal_nimber(frozenset(k for k in start if k % n and n % k)) == 0 for n in start)
        for start in starts.values()
    ]
    assert terms("restricted-removal-winning-first-moves", 2, 16) == winning
    assert terms("restricted-removal-winner", 2, 16) == [1 if count else 2 for count in winning]


@cache
def removal_length(left: frozenset[int], long_begins: bool) -> int:
    """The definition: one player takes the longest, the other one the shortest continuation."""
    lengths = [
        1 + removal_length(frozenset(k for k in left if k % n and n % k), not long_begins) for n in left
    ]
    return (max if long_begins else min)(lengths, default=0)


@table("wish", ["long", "short"])
def test_the_lengths_agree_with_the_definition(wish: str) -> None:
    assert terms(f"restricted-removal-length-{wish}-first", 2, 16) == [
        removal_length(frozenset(range(2, size + 1)), wish == "long") for size in range(2, 17)
    ]


# Summation Duel


@cache
def adding_wins(left: frozenset[int], missing: int) -> bool:
    """The rules, word for word: exactly the target wins, beyond it loses."""
    return any(n == missing or (n < missing and not adding_wins(left - {n}, missing - n)) for n in left)


def test_the_targets_of_each_player_agree_with_the_rules() -> None:
    lost = {
        n: [
            target
            for target in range(1, n * (n + 1) // 2 + 1)
            if not adding_wins(frozenset(range(1, n + 1)), target)
        ]
        for n in range(1, 9)
    }
    assert terms("summation-duel-lost-targets", 1, 8) == [len(each) for each in lost.values()]
    assert terms("summation-duel-winning-targets", 1, 8) == [
        n * (n + 1) // 2 - len(each) for n, each in lost.items()
    ]
    assert terms("summation-duel-least-lost-target", 2, 8) == [lost[n][0] for n in range(2, 9)]


def test_the_least_lost_target_is_a_number_that_can_be_halved_an_even_number_of_times() -> None:
    ends = {n: len(f"{n:b}") - len(f"{n:b}".rstrip("0")) for n in range(1, 1200)}
    assert terms("summation-duel-least-lost-target", 2, 1000) == [
        next(n for n in range(size + 1, 1200) if ends[n] % 2 == 0) for size in range(2, 1001)
    ]


# The form


def squares(indices: range, _progress: ProgressCallback | None = None) -> Iterator[int]:
    for n in indices:
        if n > 4:
            raise TooLarge("too large")
        yield n * n


SQUARES = IntegerSequence(
    "squares", "n times n", range(1, 4), squares, "a product", ProofStatus.THEOREM, "obvious"
)


def test_a_b_file_has_comments_and_a_line_for_each_term() -> None:
    assert "".join(b_file_lines(SQUARES, range(2, 5))) == (
        "# squares: n times n.\n# method: a product\n# status: theorem: proven for every n (obvious)\n"
        "2 4\n3 9\n4 16\n"
    )


def test_a_list_of_indices_ends_where_the_search_ends() -> None:
    even = indices_with(lambda indices, _: (n % 2 for n in indices), 0, range(1, 8))
    assert list(even(range(1, 4), None)) == [2, 4, 6]
    assert list(even(range(2, 3), None)) == [4]
    with pytest.raises(TooLarge, match="only n up to 7 is searched"):
        list(even(range(1, 5), None))


# Number Collision


def lines_that_come_up(cells: int, values: int) -> set[tuple[int, ...]]:
    """All lines that placements lead to, by the rules word for word."""
    found = {(0,) * cells}
    new = list(found)
    for line in new:
        for cell in (cell for cell in range(cells) if not line[cell]):
            for number in range(1, values + 1):
                after = list(line)
                equal = [near for near in (cell - 1, cell + 1) if 0 <= near < cells and line[near] == number]
                for each in equal:
                    after[each] = 0
                after[cell] = 0 if equal else number
                if tuple(after) not in found:
                    found.add(tuple(after))
                    new.append(tuple(after))
    return found


def test_the_lines_are_those_that_come_up() -> None:
    assert terms("number-collision-lines", 1, 4) == [len(lines_that_come_up(n, 5)) for n in range(1, 5)]


def in_order(line: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers renamed in the order in which they come."""
    names = {0: 0}
    return tuple(names.setdefault(number, len(names)) for number in line)


def test_the_classes_are_the_lines_up_to_reflection_and_renaming() -> None:
    counted = [
        len({min(in_order(line), in_order(line[::-1])) for line in lines_that_come_up(n, 5)})
        for n in range(1, 5)
    ]
    assert terms("number-collision-line-classes", 1, 4) == counted
    assert terms("number-collision-line-classes", 8, 8) == [3431]  # found by exhaustive search elsewhere


def test_lines_and_classes_beyond_reach_are_refused_at_once() -> None:
    with pytest.raises(TooLarge, match="a line has at most 1000 cells"):
        terms("number-collision-lines", 1_001, 1_001)
    for n in (12, 5_000):
        with pytest.raises(TooLarge, match="more than 1,000,000 classes"):
            terms("number-collision-line-classes", n, n)
