"""The two ways in which an episode keeps its observation: changed in place, or looked up by position."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

from numberduels.envs.encoding import Encoding
from numberduels.envs.episode import CAPACITY, LiveObservation, PositionGraph
from numberduels.game.contract import IllegalMove
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.range_war.rules import RangeWar
from tables import table

from .variants import Cards


@table(
    "game, dtype, supported",
    [
        (NumberCollision(), "uint8", True),
        (NumberCollision(), "float16", False),
        (NumberCollision(repetition="forbidden"), "uint8", False),
        (RangeWar(), "uint8", False),
    ],
)
def test_memory_views_must_be_able_to_write_the_type(game: Any, dtype: str, supported: bool) -> None:
    assert LiveObservation.supports(Encoding(game), np.dtype(dtype)) is supported


def graph_of(game: Any) -> tuple[PositionGraph, Any]:
    """A graph and its start."""
    graph = PositionGraph(Encoding(game), np.dtype("int32"))
    return graph, graph.position(game.start(Random(1)))


def test_two_ways_lead_to_the_same_position_and_a_refused_move_to_none() -> None:
    graph, start = graph_of(RangeWar(4))
    once, again = graph.follow(start, 3), graph.follow(start, 3)
    assert once is again is start.after[3] is graph.position(once.state)
    assert graph.arrays(once) is graph.arrays(again)
    for _ in range(2):
        with pytest.raises(IllegalMove, match=r"^Number 4 is not lower than 3\.$"):
            graph.follow(once, 4)
    assert not once.after
    twin = pickle.loads(pickle.dumps(start))  # without the others
    assert (twin.state, twin.result, twin.after) == (start.state, start.result, {})


def test_positions_of_a_large_game_are_not_kept() -> None:
    graph, start = graph_of(RangeWar(size=2_000))
    most = CAPACITY // (2_003 + 2_000)
    for number in range(1, most - 1):
        graph.follow(start, number)
    assert graph.position(start.state) is start
    graph.follow(start, most)
    assert graph.position(start.state) is not start and most not in start.after


def test_after_a_random_start_nothing_is_kept() -> None:
    game = Cards()
    graph, start = graph_of(game)
    graph.follow(start, game.moves(start.state)[0])
    assert not start.after and graph.position(start.state) is not start
