"""Ratings: right where they can be worked out by hand, and the same however the games are told."""

from __future__ import annotations

import math
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.arena.ratings import ANCHORED, PLAIN, Ratings, connected, rate, strengths
from numberduels.arena.results import GameResult, read_result
from tables import table

from .run_lines import abandoned, move
from .run_lines import line as empty

Z = 1.959964


def line(result: str = "1-0", **more: Any) -> dict[str, Any]:
    """A game in which both have moved."""
    return empty(result, **({"moves": [move(0), move(1)]} | more))


def games(*told: tuple[str, str, int, int], ties: int = 0) -> list[GameResult]:
    """So many wins of one and of the other for each pair, half of them in each seat, and ties for all."""
    lines = []
    for one, other, wins, losses in told:
        results = ["1-0"] * wins + ["0-1"] * losses + ["1/2-1/2"] * ties
        for number, result in enumerate(results):
            if number % 2:
                turned = {"1-0": "0-1", "0-1": "1-0"}.get(result, result)
                lines.append(line(turned, players=(other, one)))
            else:
                lines.append(line(result, players=(one, other)))
    return [read_result(number, each) for number, each in enumerate(lines, 1)]


def points(ratings: Ratings) -> dict[str, float]:
    return {row.player: row.rating for row in ratings.rows}


# By hand


@table("wins, losses, ties", [(1, 0, 0), (3, 1, 0), (10, 0, 0), (2, 5, 4), (7, 7, 0)])
def test_two_players_have_the_odds_of_their_points_and_half_a_win_each(
    wins: int, losses: int, ties: int
) -> None:
    found = rate(games(("a", "b", wins, losses), ties=ties))
    odds = (wins + ties / 2 + 0.5) / (losses + ties / 2 + 0.5)
    assert points(found)["a"] - points(found)["b"] == pytest.approx(100 * math.log10(odds))
    assert points(found)["a"] + points(found)["b"] == pytest.approx(0)
    assert found.scales == (PLAIN,)


def test_the_interval_of_two_players_is_that_of_a_logit() -> None:
    found = rate(games(("a", "b", 12, 4)))
    # 17 games with the prior, at a chance of 12.5 in 17; half of the difference is each one's distance
    # from the average.
    error = 1 / math.sqrt(17 * (12.5 / 17) * (4.5 / 17))
    row = found.of("a")
    assert row is not None and row.interval is not None
    assert row.interval[1] - row.rating == pytest.approx(Z * error / 2 * 100 / math.log(10), rel=1e-5)
    assert row.rating - row.interval[0] == pytest.approx(row.interval[1] - row.rating)


def test_random_is_0_and_perfect_is_100_and_the_others_are_linear_between() -> None:
    told = games(("perfect", "mid", 8, 1), ("mid", "random", 8, 1))
    found = rate(told)
    assert found.scales == (ANCHORED,)
    # Both steps are the same, so the one in the middle is in the middle.
    assert points(found) == pytest.approx({"perfect": 100, "mid": 50, "random": 0})
    assert [row.player for row in found.rows] == ["perfect", "mid", "random"]
    fixed = {row.player: row.interval is None for row in found.rows}
    assert fixed == {"perfect": True, "mid": False, "random": True}
    assert [row.games for row in found.rows] == [9, 18, 9]


def test_the_interval_on_the_fixed_scale_knows_that_its_ends_are_estimates_too() -> None:
    # r = 100 v / (u + v) with the independent steps u and v of a chain: by the first order of its change.
    found = rate(games(("perfect", "mid", 8, 1), ("mid", "random", 8, 1))).of("mid")
    assert found is not None and found.interval is not None
    step, variance = math.log(8.5 / 1.5), 10 / (8.5 * 1.5)
    error = 100 / (2 * step) * math.sqrt(variance * (0.5**2 + 0.5**2))
    assert found.interval[1] - found.rating == pytest.approx(Z * error, rel=1e-5)


# What counts


def test_what_says_nothing_about_strength_is_left_out_and_told() -> None:
    lines = [
        line("*"),
        line("*", end="error", forfeit={"seat": 0, "cause": "error"}),
        line("1-0", players=("a", "a")),
        line("*", players=("a",), kind="position"),
        line("1-0"),
    ]
    found = rate([read_result(1, each) for each in lines])
    assert found.left_out == {"abandoned": 1, "with itself": 1, "without a move": 0}
    assert [row.games for row in found.rows] == [2, 2]


def test_a_player_who_never_made_a_move_has_no_rating_and_changes_nobody_elses() -> None:
    crash = {"seat": 1, "cause": "crash"}
    silent: dict[str, Any] = {"seat": 1, "move": None, "attempts": []}
    idle = [
        line("1-0", players=("a", "z"), moves=[move(0), silent], end="forfeit", forfeit=crash),
        line("1-0", players=("b", "z"), moves=[{"seat": 0, "move": "1"}]),  # drawn, and z was stuck at once
        line("*", players=("z", "b"), moves=[move(1)]),
        abandoned(0, [move(1)], players=("z", "a")),
    ]
    fair = games(("a", "b", 4, 2), ("b", "c", 4, 2))
    found = rate([*fair, *(read_result(1, each) for each in idle)])
    assert (found.rows, found.scales) == (rate(fair).rows, rate(fair).scales)
    assert found.left_out == {"abandoned": 1, "with itself": 0, "without a move": 3}


def test_a_move_in_a_game_that_does_not_count_earns_no_rating() -> None:
    # b moved against z only, who never did; without that game b has never moved either.
    told = [
        line("1-0", players=("b", "z"), moves=[move(0)]),
        line("1-0", players=("a", "b"), moves=[move(0)]),
    ]
    told += [abandoned(0, [move(0), move(1)], players=("b", "c")), line("1-0", players=("c", "d"))]
    found = rate([read_result(1, each) for each in told])
    assert found.groups == [["c", "d"]] and found.left_out["without a move"] == 2


def test_groups_without_a_game_between_them_are_fitted_apart() -> None:
    told = games(("a", "b", 3, 1), ("c", "d", 5, 0), ("random", "perfect", 0, 9), ("random", "e", 1, 1))
    found = rate(told)
    assert sorted(map(sorted, found.groups)) == [["a", "b"], ["c", "d"], ["e", "perfect", "random"]]
    assert found.scales == (ANCHORED, PLAIN, PLAIN)
    alone = points(rate(games(("c", "d", 5, 0))))
    assert {name: points(found)[name] for name in "cd"} == pytest.approx(alone)


def test_who_holds_a_game_open_to_the_limit_has_half_of_it() -> None:
    assert connected([]) == []
    held, tied = (rate([read_result(1, line(result))]) for result in ("*", "1/2-1/2"))
    assert held == tied and len(held.rows) == 2


@table("wins, losses", [(3, 2), (7, 3), (9, 2), (12, 2), (30, 12)])
def test_random_and_perfect_carry_the_scale_only_if_they_differ_significantly(wins: int, losses: int) -> None:
    """The gap of two players is the logarithm of their odds, its variance the sum of the inverse points."""
    gap = math.log((wins + 0.5) / (losses + 0.5))
    significant = gap > Z * math.sqrt(1 / (wins + 0.5) + 1 / (losses + 0.5))
    assert significant == (wins > 9)  # the table has both
    found = rate(games(("perfect", "random", wins, losses)))
    assert found.scales == (ANCHORED if significant else PLAIN,)


# However they are told

RESULTS = st.lists(
    st.tuples(
        st.permutations("abcd").map(lambda names: tuple(names[:2])),
        st.sampled_from(["1-0", "0-1", "1/2-1/2"]),
    ),
    min_size=1,
    max_size=40,
)
Told = list[tuple[tuple[str, str], str]]


def rated(told: Told) -> Ratings:
    return rate([read_result(1, line(result, players=pair)) for pair, result in told])


@settings(deadline=None)
@given(RESULTS, st.randoms())
def test_neither_the_order_nor_the_names_nor_the_seats_matter(told: Told, rng: Random) -> None:
    truth = rated(told)
    mixed = told[:]
    rng.shuffle(mixed)
    assert points(rated(mixed)) == pytest.approx(points(truth), abs=1e-6)
    names = dict(zip("abcd", rng.choice(list(permutations("abcd"))), strict=True))
    renamed = rated([((names[one], names[two]), result) for (one, two), result in told])
    assert points(renamed) == pytest.approx(
        {names[name]: value for name, value in points(truth).items()}, abs=1e-6
    )
    turned = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}
    swapped = rated([((two, one), turned[result]) for (one, two), result in told])
    assert points(swapped) == pytest.approx(points(truth), abs=1e-6)


@settings(deadline=None)
@given(RESULTS)
def test_the_fit_expects_just_the_points_that_were_made(told: Told) -> None:
    # The mark of the most likely strengths: for every player the expected points are those that it has.
    made: dict[tuple[str, str], float] = {}
    for (one, two), result in told:
        first = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[result]
        made[one, two] = made.get((one, two), 0) + first
        made[two, one] = made.get((two, one), 0) + 1 - first
    for group in connected(made):
        logs = dict(zip(group, strengths(group, made)[0], strict=True))
        for one in group:
            others = [two for two in group if (one, two) in made]
            has = sum(made[one, two] + 0.5 for two in others)
            expected = sum(
                (made[one, two] + made[two, one] + 1) / (1 + math.exp(logs[two] - logs[one]))
                for two in others
            )
            assert expected == pytest.approx(has, abs=1e-6)
