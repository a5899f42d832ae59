"""Games in numbers: what each number tells, its bounds, and positions told by hand."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from numberduels.envs.encoding import Encoding
from numberduels.envs.episode import make_observation_space
from numberduels.game.contract import Feature, IllegalMove
from numberduels.game.options import BadOption
from numberduels.game.table import replay
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from tables import table

from .variants import Cards, Counters

# What the numbers tell


def flags(name: str, *numbers: object) -> list[tuple[str, int, int]]:
    return [(f"{name} {number}", 0, 1) for number in numbers]


def moves(count: int, highest: int) -> list[tuple[str, int, int]]:
    return [(f"move {ply}", 0, highest) for ply in range(1, count + 1)]


TURN = ("turn", 1, 2)
LINE = [("cell 1", 0, 4), ("cell 2", 0, 4), TURN]


@table(
    "encoding, features",
    [
        (Encoding(RangeWar(3)), [*flags("free", 1, 2, 3), ("last", 0, 3), ("side", 0, 2), TURN]),
        (
            Encoding(NumberSnatch(numbers=(2, 3), top=2)),  # a list settles how many points there are
            [
                *flags("left", 1, 2, 3),
                *[("last", 0, 3), ("points of player 1", 0, 5), ("points of player 2", 0, 5), TURN],
            ],
        ),
        (Encoding(NumberCollision(2, 4, "forbidden"), limit=3), [*LINE, *moves(3, 8)]),
        (Encoding(Counters(3)), [TURN, *moves(3, 2)]),
        (Encoding(Counters(3), limit=2), [TURN, *moves(2, 2)]),
        (Encoding(NumberCollision(2, 4, "forbidden")), [*LINE, *moves(1_000, 8)]),
        (Encoding(Cards(2, 3)), [TURN, *flags("at the start", 1, 2, 3), *moves(2, 3)]),
        (Encoding(Cards(2, 3, (1, 3))), [TURN, *moves(2, 3)]),
    ],
)
def test_a_game_is_told_by_these_features_with_these_bounds(
    encoding: Encoding, features: list[tuple[str, int, int]]
) -> None:
    assert encoding.features == features


# Positions by hand


@table(
    "game, moves, seen, allowed",
    [
        (RangeWar(4), [], [1, 1, 1, 1, 0, 1, 1], [1, 1, 1, 1]),
        (RangeWar(4), [3, 2, 4], [1, 0, 0, 0, 4, 0, 2], [1, 0, 0, 0]),
        (RangeWar(4), [1], [0, 1, 1, 1, 1, 0, 2], [0, 0, 0, 0]),
        (RangeWar(4, "free"), [3], [1, 1, 0, 1, 3, 1, 2], [1, 1, 0, 1]),
        (NumberSnatch(numbers=(2, 3, 4), top=4), [2, 4], [0, 0, 1, 0, 4, 0, 6, 1], [0, 0, 1, 0]),
        (RestrictedRemoval(6), [6, 5], [0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 0, 0]),
        (SummationDuel(4, 6), [2], [1, 0, 1, 1, 2, 2], [1, 0, 1, 1]),
        (SummationDuel(4, 6), [2, 3, 4], [1, 0, 0, 0, 9, 2], [0, 0, 0, 0]),
        (NumberCollision(3, 2), [Place(2, 3), Place(1, 2)], [0, 1, 2, 1], [1, 1, 0, 0, 0, 0]),
        (NumberCollision(3, 2), [Place(2, 3), Place(1, 2), Place(1, 1)], [0, 0, 2, 2], [1, 1, 1, 1, 0, 0]),
        # The line "_ _" stood, so neither of two equal neighbours may be made.
        (NumberCollision(2, 2, "forbidden"), [Place(1, 1)], [1, 0, 2], [0, 0, 0, 1]),
    ],
)
def test_a_position_and_its_mask(game: Any, moves: list[Any], seen: list[int], allowed: list[int]) -> None:
    view, mask = Encoding(game).observe(replay(game, moves).state)
    assert (view.tolist(), mask.tolist()) == (seen, allowed)


# Actions


@table("kind", [int, np.int8, np.int64, np.uint64, np.array])
def test_an_action_is_an_index_into_all_moves(kind: Any) -> None:
    encoding = Encoding(NumberCollision(2, 3))
    moves = [encoding.move(kind(action)) for action in range(encoding.num_actions)]
    assert moves == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)]


def test_a_number_that_cannot_be_written_is_no_action() -> None:
    with pytest.raises(IllegalMove, match=r"That is not an action: those are the numbers from 0 to 2\.$"):
        Encoding(RangeWar(3)).move(10**5_000)


@table("junk", [0.0, True, np.bool_(True), np.float64(1), np.array(1.0), np.array([1]), np.array([])])
def test_what_is_no_whole_number_is_a_type_error(junk: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^an action is a whole number from 0 to 2, not an? (array|value) of"
    ):
        Encoding(RangeWar(3)).move(junk)


# Bounds


@table(
    "game, kind",
    [
        (RangeWar(255), np.uint8),
        (RangeWar(256), np.int32),
        (NumberCollision(51, 5, "forbidden"), np.uint8),  # 255 actions, counted from 1
        (NumberCollision(64, 4, "forbidden"), np.int32),
    ],
)
def test_numbers_are_bytes_where_all_of_them_fit(game: Any, kind: type[Any]) -> None:
    encoding = Encoding(game)
    space = make_observation_space(encoding)
    assert encoding.dtype == space.dtype == kind
    assert [*zip(space.low.tolist(), space.high.tolist(), strict=True)] == [
        (low, high) for _, low, high in encoding.features
    ]
    assert encoding.observe(game.start(Random(1)))[0].dtype == kind


def test_a_type_without_negative_numbers_is_refused_where_there_are_some() -> None:
    encoding: Any = SimpleNamespace(features=[Feature("depth", -3, 5)], dtype=np.dtype(np.int32))
    assert make_observation_space(encoding, "int8").low.tolist() == [-3]
    with pytest.raises(BadOption, match="dtype uint8 cannot tell all whole numbers from -3 to 5 apart"):
        make_observation_space(encoding, "uint8")


def positions(game: Any) -> list[Any]:
    """Every position that can be reached."""
    found = [game.start(Random(0))]
    known = set(found)
    for state in found:
        for move in game.moves(state):
            after = game.play(state, move)
            if after not in known:
                known.add(after)
                found.append(after)
    return found


REACHED = [RangeWar(4), RangeWar(4, "free"), RestrictedRemoval(6), SummationDuel(4, 6), NumberCollision(3, 2)]


@table("game", REACHED)
def test_every_bound_is_reached(game: Any) -> None:
    encoding = Encoding(game)
    seen = np.array([encoding.observe(state)[0] for state in positions(game)])
    assert seen.min(axis=0).tolist() == [low for _, low, _ in encoding.features]
    assert seen.max(axis=0).tolist() == [high for _, _, high in encoding.features]


@table("game", [*REACHED, NumberSnatch(numbers=(1, 2, 3, 4, 6)), NumberSnatch(numbers=(2, 4, 8, 16))])
def test_no_two_positions_look_alike(game: Any) -> None:
    encoding = Encoding(game)
    states = positions(game)
    assert len({encoding.observe(state)[0].tobytes() for state in states}) == len(states)
