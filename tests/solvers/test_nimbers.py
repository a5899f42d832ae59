"""Nimbers by splitting: the facts about Restricted Removal, and any other divided game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from numberduels.game.contract import Outcome, Seat
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.solvers import LOSS, WIN, Nimbers, Retrograde, TooLarge, Worth, general_oracle
from numberduels.solvers.general import mex
from tables import table

Heaps = tuple[tuple[int, ...], Seat]


class Subtraction:
    """Heaps of counters: take one, two or three from one of them; the last one wins."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def start(self, rng: Random) -> Heaps:
        return tuple(sorted(heap for heap in self.heaps if heap)), 0

    def turn(self, state: Heaps) -> Seat:
        return state[1]

    def moves(self, state: Heaps) -> list[tuple[int, int]]:
        return [(i, n) for i, heap in enumerate(state[0]) for n in (1, 2, 3) if n <= heap]

    def play(self, state: Heaps, move: tuple[int, int]) -> Heaps:
        left = list(state[0])
        left[move[0]] -= move[1]
        return tuple(sorted(heap for heap in left if heap)), 0 if state[1] else 1

    def outcome(self, state: Heaps) -> Outcome | None:
        return None if state[0] else Outcome(0 if state[1] else 1, "last")

    def components(self, state: Heaps) -> Sequence[Heaps]:
        return [((heap,), 0) for heap in state[0]]


def nimber(game: Any) -> int | None:
    return Nimbers[Any, Any](game).evaluate(game.start(Random(0))).nimber


def test_heaps_of_the_subtraction_game_count_modulo_four() -> None:
    for heaps in ((), (1,), (4,), (7,), (3, 5), (5, 6, 7), (2, 2), (9, 10, 11, 12)):
        expected = 0
        for heap in heaps:
            expected ^= heap % 4
        assert nimber(Subtraction(*heaps)) == expected


@table("heaps", [(3, 4, 5), (1, 2, 3), (4, 4), (2, 5, 6)])
def test_nimbers_and_retrograde_analysis_agree_everywhere(heaps: tuple[int, ...]) -> None:
    game = Subtraction(*heaps)
    plain, known = Retrograde[Any, Any](game), Nimbers[Any, Any](game)
    plain.evaluate(game.start(Random(0)))
    for state in plain:
        assert known.value(state) == plain.value(state)


def test_restricted_removal_two_to_thirty() -> None:
    known = [*map(int, "10011003322330011003322444761")]
    assert [nimber(RestrictedRemoval(size)) for size in range(2, 31)] == known


def test_a_nimber_of_zero_is_lost_and_any_other_won() -> None:
    assert Nimbers[Any, Any](Subtraction(4)).evaluate(((4,), 0)) == Worth(LOSS, nimber=0)
    assert Nimbers[Any, Any](Subtraction(5)).evaluate(((5,), 0)) == Worth(WIN, nimber=1)


def test_a_divided_game_is_solved_in_this_way() -> None:
    assert isinstance(general_oracle(Subtraction(3)), Nimbers)


def test_too_many_positions_are_refused() -> None:
    game = RestrictedRemoval(40)
    with pytest.raises(TooLarge, match="more than 100 positions"):
        Nimbers[Any, Any](game, max_positions=100).evaluate(game.start(Random(0)))


def test_too_long_a_game_is_refused() -> None:
    with pytest.raises(TooLarge, match="longer than the search is deep"):
        Nimbers[Any, Any](Subtraction(5_000)).evaluate(((5_000,), 0))


@table("nimbers, least", [([], 0), ([0], 1), ([1], 0), ([0, 0, 2], 1), ([2, 1, 0], 3)])
def test_mex(nimbers: list[int], least: int) -> None:
    assert mex(nimbers) == least
