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
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from tables import table

from .variants import Cards, Counters, Seesaw

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
            Encoding(NumberSnatch(size=2, top=4)),  # 3 and 4 are the most that can be dealt
            [
                *flags("left", 1, 2, 3, 4),
                *[("last", 0, 4), ("points of player 1", 0, 7), ("points of player 2", 0, 7), TURN],
            ],
        ),
        (
            Encoding(NumberSnatch(numbers=(2, 3), top=2)),  # a list settles how many points there are
            [
                *flags("left", 1, 2, 3),
                *[("last", 0, 3), ("points of player 1", 0, 5), ("points of player 2", 0, 5), TURN],
            ],
        ),
        (Encoding(RestrictedRemoval(4)), [*flags("available", 2, 3, 4), *flags("removed", 2, 3, 4), TURN]),
        # 5 is the most that does not end the game, and 4 the most to add
        (Encoding(SummationDuel(4, 6)), [*flags("unused", 1, 2, 3, 4), ("total", 0, 9), TURN]),
        (Encoding(NumberCollision(2, 4)), LINE),
        (Encoding(NumberCollision(2, 4, "forbidden"), limit=3), [*LINE, *moves(3, 8)]),
        (Encoding(NumberCollision(2, 4, "forbidden")), [*LINE, *moves(1_000, 8)]),
        (Encoding(Counters(3)), [TURN, *moves(3, 2)]),
        (Encoding(Counters(3), limit=2), [TURN, *moves(2, 2)]),
        (Encoding(Seesaw()), [TURN, *moves(1_000, 2)]),
        (Encoding(Cards(2, 3)), [TURN, *flags("at the start", 1, 2, 3), *moves(2, 3)]),
        (Encoding(Cards(2, 3, (1, 3))), [TURN, *moves(2, 3)]),
    ],
)
def test_a_game_is_told_by_these_features_with_these_bounds(
    encoding: Encoding, features: list[tuple[str, int, int]]
) -> None:
    assert encoding.features == features


# Positions by hand


NONE = (0,) * 20
BOOK_LIST = (0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1)


@table(
    "game, moves, seen, allowed",
    [
        (RangeWar(4), [], [1, 1, 1, 1, 0, 1, 1], [1, 1, 1, 1]),
        (RangeWar(4), [3], [1, 1, 0, 1, 3, 0, 2], [1, 1, 0, 0]),
        (RangeWar(4), [3, 2], [1, 0, 0, 1, 2, 2, 1], [0, 0, 0, 1]),
        (RangeWar(4), [3, 2, 4], [1, 0, 0, 0, 4, 0, 2], [1, 0, 0, 0]),
        (RangeWar(4), [3, 2, 4, 1], [0, 0, 0, 0, 1, 2, 1], [0, 0, 0, 0]),
        (RangeWar(4), [1], [0, 1, 1, 1, 1, 0, 2], [0, 0, 0, 0]),
        (RangeWar(4, "free"), [3], [1, 1, 0, 1, 3, 1, 2], [1, 1, 0, 1]),
        (RangeWar(4, "free"), [3, 4], [1, 1, 0, 0, 4, 0, 1], [1, 1, 0, 0]),
        (NumberSnatch(numbers=(2, 3, 4)), [], [0, 1, 1, 1, *NONE[4:], 0, 0, 0, 1], [0, 1, 1, 1, *NONE[4:]]),
        (NumberSnatch(numbers=(2, 3, 4)), [2], [0, 0, 1, 1, *NONE[4:], 2, 2, 0, 2], [0, 0, 1, 1, *NONE[4:]]),
        (NumberSnatch(numbers=(2, 3, 4)), [2, 4], [0, 0, 1, *NONE[3:], 4, 0, 6, 1], [0, 0, 1, *NONE[3:]]),
        (NumberSnatch(numbers=(2, 3, 4)), [2, 4, 3], [*NONE, 3, 3, 6, 2], NONE),
        (
            NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20)),  # the book's walk-through
            [13, 5, 15],
            [*BOOK_LIST[:4], 0, *BOOK_LIST[5:12], 0, 0, 0, *BOOK_LIST[15:], 15, 33, 0, 2],
            [*BOOK_LIST[:4], 0, *BOOK_LIST[5:12], 0, 0, 0, *BOOK_LIST[15:]],
        ),
        (RestrictedRemoval(6), [], [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1], [1, 1, 1, 1, 1]),
        (RestrictedRemoval(6), [6], [0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 2], [0, 0, 1, 1, 0]),
        (RestrictedRemoval(6), [6, 5], [0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 0, 0]),
        (RestrictedRemoval(6), [6, 5, 4], [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2], [0, 0, 0, 0, 0]),
        (SummationDuel(4, 6), [], [1, 1, 1, 1, 0, 1], [1, 1, 1, 1]),
        (SummationDuel(4, 6), [2], [1, 0, 1, 1, 2, 2], [1, 0, 1, 1]),
        (SummationDuel(4, 6), [2, 3, 4], [1, 0, 0, 0, 9, 2], [0, 0, 0, 0]),
        (NumberCollision(3, 2), [], [0, 0, 0, 1], [1, 1, 1, 1, 1, 1]),
        (NumberCollision(3, 2), [Place(2, 3)], [0, 0, 2, 2], [1, 1, 1, 1, 0, 0]),
        (NumberCollision(3, 2), [Place(2, 3), Place(1, 2)], [0, 1, 2, 1], [1, 1, 0, 0, 0, 0]),
        (NumberCollision(3, 2), [Place(2, 3), Place(2, 2)], [0, 0, 0, 1], [1, 1, 1, 1, 1, 1]),
        (NumberCollision(3, 2), [Place(2, 3), Place(1, 2), Place(1, 1)], [0, 0, 2, 2], [1, 1, 1, 1, 0, 0]),
        # The line "_ _" stood, so neither of two equal neighbours may be made.
        (NumberCollision(2, 2, "forbidden"), [Place(1, 1)], [1, 0, 2], [0, 0, 0, 1]),
    ],
)
def test_a_position_and_its_mask(game: Any, moves: list[Any], seen: list[int], allowed: list[int]) -> None:
    state = game.start(Random(1))
    for move in moves:
        state = game.play(state, move)
    encoding = Encoding(game)
    view, mask = encoding.observe(state)
    assert view.tolist() == seen
    assert mask.tolist() == list(allowed)


# Actions


@table(
    "game, every_move",
    [
        (RangeWar(3), [1, 2, 3]),
        (NumberSnatch(size=2, top=4), [1, 2, 3, 4]),
        (NumberSnatch(size=2, top=3, numbers=(2, 5)), [1, 2, 3, 4, 5]),
        (RestrictedRemoval(4), [2, 3, 4]),
        (SummationDuel(3, 4), [1, 2, 3]),
        (NumberCollision(2, 3), [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)]),
        (Seesaw(), ["left", "right"]),
    ],
)
def test_an_action_is_an_index_into_all_moves(game: Any, every_move: list[Any]) -> None:
    encoding = Encoding(game)
    assert encoding.num_actions == len(every_move)
    for action, each_move in enumerate(every_move):
        for kind in (int, np.int8, np.int32, np.int64, np.uint8, np.uint64, np.array):
            assert encoding.move(kind(action)) == each_move


@table("junk", [-1, 3, 2**31, 2**63, 2**70, -(2**70), np.int64(-1), np.array(-1), 10**5_000])
def test_a_number_that_is_no_action_is_refused_by_a_sentence(junk: Any) -> None:
    with pytest.raises(IllegalMove, match=r"is not an action: those are the numbers from 0 to 2\.$"):
        Encoding(RangeWar(3)).move(junk)


@table(
    "junk, told",
    [
        (None, "a value of type NoneType"),
        (0.0, "a value of type float"),
        (float("nan"), "a value of type float"),
        (True, "a value of type bool"),
        ("1", "a value of type str"),
        ([1], "a value of type list"),
        (np.bool_(True), "a value of type bool"),
        (np.float64(1), "a value of type float64"),
        (np.array(1.0), "a value of type ndarray"),
        (np.array([1]), r"an array of shape \(1,\)"),
        (np.array([[1]]), r"an array of shape \(1, 1\)"),
        (np.array([]), r"an array of shape \(0,\)"),
    ],
)
def test_what_is_no_whole_number_is_a_type_error(junk: Any, told: str) -> None:
    with pytest.raises(TypeError, match=f"^an action is a whole number from 0 to 2, not {told}$"):
        Encoding(RangeWar(3)).move(junk)


# Bounds


@table(
    "game, kind",
    [
        (RangeWar(255), np.uint8),
        (RangeWar(256), np.int32),
        (SummationDuel(23, 233), np.uint8),  # up to 255
        (SummationDuel(23, 234), np.int32),
        (NumberSnatch(), np.uint8),  # 11 + ... + 20 = 155
        (NumberSnatch(numbers=(100, 155)), np.uint8),
        (NumberSnatch(numbers=(100, 156)), np.int32),
        (NumberCollision(12, 20), np.uint8),
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


# The limit of moves


@table(
    "game, limit",
    [(RangeWar(3), None), (NumberSnatch(), None), (NumberCollision(), 1_000), (Seesaw(), 1_000)],
)
def test_only_a_game_that_need_not_end_has_a_limit_of_its_own(game: Any, limit: int | None) -> None:
    assert Encoding(game).limit == limit
    assert Encoding(game, 7).limit == 7
