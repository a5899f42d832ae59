"""How many lines of play and how many positions there are.

Where no arithmetic is given, the numbers were counted once by the naive games in the neighbouring
files, which keep lists and histories and share nothing with the rules under test.
"""

from __future__ import annotations

from math import comb, perm
from random import Random
from typing import Any

from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from numberduels.solvers import Retrograde
from tables import table

LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)

ZIGZAG = (1, 1, 1, 2, 5, 16, 61, 272, 1_385, 7_936, 50_521)
"""In how many orders k numbers go down, up, down and so on: the Euler zigzag numbers."""


def perft(game: Any, depth: int) -> list[int]:
    """The number of lines of 0, 1, ... moves, down to a depth or to the end of all games."""
    counts: list[int] = []

    def descend(state: Any, ply: int) -> None:
        if ply == len(counts):
            counts.append(0)
        counts[ply] += 1
        if ply < depth:
            for move in game.moves(state):
                descend(game.play(state, move), ply + 1)

    descend(game.start(Random(0)), 0)
    return counts


@table("size", [1, 2, 3, 4, 5, 6, 7, 8, 10])
def test_range_war_has_a_zigzag_for_every_set_of_numbers(size: int) -> None:
    # A line of k moves is a set of k numbers in an order that goes down first: C(size, k) * zigzag(k).
    lower = [comb(size, k) * ZIGZAG[k] for k in range(size + 1)]
    assert perft(RangeWar(size), size) == lower
    # With a free opening every such line also has its mirror image.
    assert perft(RangeWar(size, "free"), size if size < 9 else 6) == [
        count * (2 if k > 1 else 1) for k, count in enumerate(lower) if size < 9 or k <= 6
    ]


@table(
    "game, depth",
    [(NumberSnatch(numbers=LIST), 5), (NumberSnatch(), 5), (NumberSnatch(numbers=(3, 4, 8, 9, 11)), 5)],
)
def test_number_snatch_takes_the_numbers_in_any_order(game: NumberSnatch, depth: int) -> None:
    assert perft(game, depth) == [perm(game.size, k) for k in range(depth + 1)]


@table(
    "size, lines",
    [
        (2, [1, 1]),
        (3, [1, 2, 2]),
        (4, [1, 3, 4]),
        (5, [1, 4, 10, 12]),
        (6, [1, 5, 14, 18]),
        (7, [1, 6, 24, 60, 72]),
        (8, [1, 7, 32, 90, 120]),
        (9, [1, 8, 44, 156, 312, 240]),
        (10, [1, 9, 56, 228, 528, 480]),
        (12, [1, 11, 86, 480, 1_824, 4_200, 4_320]),
    ],
)
def test_restricted_removal_has_these_lines(size: int, lines: list[int]) -> None:
    assert perft(RestrictedRemoval(size), size) == lines


@table(
    "size, target, depth, lines",
    [
        (4, 6, 4, [1, 4, 12, 16]),
        (5, 9, 5, [1, 5, 20, 54, 48]),
        (6, 15, 6, [1, 6, 30, 120, 342, 432]),
        (6, 21, 6, [1, 6, 30, 120, 360, 720, 720]),
        (7, 14, 7, [1, 7, 42, 210, 576, 504]),
        (8, 20, 8, [1, 8, 56, 336, 1_620, 4_416, 3_960]),
        (10, 12, 10, [1, 10, 90, 400, 672, 288]),
        # Five numbers up to 10 add up to 40 at most: until then any order will do.
        (10, 50, 5, [1, 10, 90, 720, 5_040, 30_240]),
    ],
)
def test_summation_duel_has_these_lines(size: int, target: int, depth: int, lines: list[int]) -> None:
    assert perft(SummationDuel(size, target), depth) == lines


@table(
    "game, depth, lines",
    [
        # 90 of the 50 * 45 second lines are collisions, which leave 50 moves instead of 40:
        # 90 * 50 + 2160 * 40 = 90900.
        (NumberCollision(), 3, [1, 50, 2_250, 90_900]),
        (NumberCollision(repetition="forbidden"), 2, [1, 50, 2_250 - 90]),
        (NumberCollision(repetition="forbidden"), 3, [1, 50, 2_160, 82_880]),
        (NumberCollision(1, 3), 3, [1, 3]),
        (NumberCollision(2, 2), 6, [1, 4, 8, 16, 32, 64, 128]),
        (NumberCollision(3, 2), 6, [1, 6, 24, 80, 280, 928, 3_232]),
        (NumberCollision(4, 3), 4, [1, 12, 108, 756, 4_680]),
        (NumberCollision(2, 1, "forbidden"), 9, [1, 2]),
        (NumberCollision(2, 2, "forbidden"), 9, [1, 4, 4]),
        (NumberCollision(2, 3, "forbidden"), 9, [1, 6, 12]),
        (NumberCollision(3, 1, "forbidden"), 9, [1, 3, 2]),
        (NumberCollision(3, 2, "forbidden"), 7, [1, 6, 16, 20, 16, 16, 8, 8]),
    ],
)
def test_number_collision_has_these_lines(game: NumberCollision, depth: int, lines: list[int]) -> None:
    assert perft(game, depth) == lines


def test_the_template_has_a_line_for_every_sum_of_ones_and_twos() -> None:
    # Taking k times leaves a pile of 7 - s: ways to write s as k ones and twos, while s <= 7.
    expected = [sum(comb(k, twos) for twos in range(k + 1) if k + twos <= 7) for k in range(8)]
    assert perft(LastCounter(7), 9) == expected


@table(
    "game, positions",
    [
        (RangeWar(3), 9),
        (RangeWar(3, "free"), 14),
        (RangeWar(5), 55),
        (RangeWar(5, "free"), 104),
        (RangeWar(7), 329),
        (RangeWar(7, "free"), 650),
        (RestrictedRemoval(4), 6),
        (RestrictedRemoval(8), 44),
        (RestrictedRemoval(10), 102),
        (RestrictedRemoval(12), 252),
        (SummationDuel(4, 6), 15),
        (SummationDuel(8, 20), 230),
        (SummationDuel(10, 50), 2**10),  # the total follows from the set of numbers left
        (NumberCollision(2, 2), 7),
        (NumberCollision(3, 2), 34),
        (NumberCollision(4, 2), 82),
        (NumberCollision(4, 3), 284),
        (NumberCollision(5, 3), 938),
    ],
)
def test_a_game_has_this_many_positions(game: Any, positions: int) -> None:
    values: Retrograde[Any, Any] = Retrograde(game, use_symmetry=False)
    values.evaluate(game.start(Random(0)))
    assert values.positions == positions
