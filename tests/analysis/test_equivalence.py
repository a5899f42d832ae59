"""Equivalent positions have one class, others have their own."""

from __future__ import annotations

from random import Random
from typing import Any

from numberduels.analysis.openings import equivalence_class
from numberduels.game.table import Table, replay
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval


def mirrored(game: NumberCollision, moves: list[Place], names: dict[int, int]) -> list[Place]:
    return [Place(names[move.number], game.size + 1 - move.position) for move in moves]


def test_a_mirrored_line_with_other_numbers_is_equivalent() -> None:
    game, rng = NumberCollision(), Random(4)
    for _ in range(50):
        table: Table[Any, Any] = replay(game)
        for _ in range(rng.randrange(1, 9)):
            table.play(rng.choice(table.moves))
        names = dict(zip(range(1, 6), rng.sample(range(1, 6), 5), strict=True))
        twin = replay(game, mirrored(game, list(table.played), names))
        assert equivalence_class(game, table.state) == equivalence_class(game, twin.state)


def test_how_a_number_was_locked_does_not_matter() -> None:
    game = RestrictedRemoval()  # 4 locks 2 and 8, and 8 locks 2 and 4
    one, other = replay(game, (4,)), replay(game, (8,))
    assert one.state != other.state
    assert equivalence_class(game, one.state) == equivalence_class(game, other.state)
    assert equivalence_class(game, one.state) != equivalence_class(game, replay(game, (7,)).state)


def test_the_same_numbers_left_of_two_deals_are_the_same_position() -> None:
    one, other = NumberSnatch(numbers=(2, 5, 7, 9)), NumberSnatch(numbers=(3, 5, 7, 9))
    last = replay(one, (2, 9)).state, replay(other, (3, 9)).state
    assert last[0] != last[1]  # the scores differ
    assert equivalence_class(one, last[0]) == equivalence_class(other, last[1])


def test_what_stood_earlier_does_not_part_equal_lines() -> None:
    game = NumberCollision(size=4, repetition="forbidden")
    one = replay(game, (Place(1, 1), Place(2, 3)))
    other = replay(game, (Place(2, 3), Place(1, 1)))
    assert one.state != other.state
    assert equivalence_class(game, one.state) == equivalence_class(game, other.state)


def test_different_positions_and_games_are_in_different_classes() -> None:
    game, other = RangeWar(10), NumberSnatch(numbers=(2, 5, 7))
    classes = {equivalence_class(game, replay(game, (first,)).state) for first in range(1, 11)}
    assert len(classes) == 10
    assert equivalence_class(other, replay(other).state) not in classes
