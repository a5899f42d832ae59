"""What the searches of Restricted Removal are said to take beforehand is what they take."""

from __future__ import annotations

from random import Random

from numberduels.analysis.game_length import LengthSearch
from numberduels.analysis.solution import solve
from numberduels.game.work_estimate import Bound
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.restricted_removal.theory import RestrictedRemovalTheory
from numberduels.games.restricted_removal.work_counts import ALL_WINNERS, LENGTH, WINNER
from tables import table


@table("size", [65, 70, 88, 101, 107, 125, 144])
def test_who_wins_takes_as_many_positions_as_estimated(size: int) -> None:
    game = RestrictedRemoval(size)
    theory = RestrictedRemovalTheory(game)
    estimate = theory.estimate_work(game.start(Random(0)), moves=False)
    assert estimate.bound is Bound.ABOUT
    assert solve(game, oracle=theory, moves=False).positions == estimate.positions


@table("size", [60, 72])
def test_lengths_take_as_many_positions_as_estimated(size: int) -> None:
    game = RestrictedRemoval(size)
    search = LengthSearch(game)
    estimate = search.estimate([game.start(Random(0))])
    assert estimate.bound is Bound.ABOUT
    assert search.solve(game, moves=False).positions == estimate.positions


def test_every_size_in_reach_was_counted() -> None:
    assert list(WINNER) == list(range(61, 151)) and all(WINNER.values())
    assert list(LENGTH) == list(range(60, 111)) and all(LENGTH.values())


def test_what_was_not_counted_is_only_limited() -> None:
    game = RestrictedRemoval(120)
    theory, start = RestrictedRemovalTheory(game, 5_000), game.start(Random(0))
    for estimate in (
        theory.estimate_work(start),  # every first move
        theory.estimate_work(game.play(start, 7), moves=False),
        theory.estimate_work(start, moves=False, nimbers=True),
        theory.estimate_sweep(range(2, 121)),
        theory.estimate_sweep(range(2, 170), moves=False),
        LengthSearch(game, 5_000).estimate([start]),
        LengthSearch(game, 5_000).estimate([start], moves=True),
    ):
        assert (estimate.positions, estimate.bound) == (5_000, Bound.LIMIT)


def test_a_sweep_takes_at_most_what_its_sizes_take() -> None:
    theory = RestrictedRemovalTheory(RestrictedRemoval(110))
    family = theory.estimate_sweep(range(61, 67), moves=False)
    assert (family.positions, family.bound) == (105 + 105 + 127 + 127 + 53 + 53, Bound.AT_MOST)
    assert theory.estimate_sweep(range(2, 151), moves=False).positions == ALL_WINNERS
