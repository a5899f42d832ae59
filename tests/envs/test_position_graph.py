"""Positions that come again are looked up, and only as many as fit are kept."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

from numberduels.envs.encoding import Encoding
from numberduels.envs.episode import CAPACITY, PositionGraph
from numberduels.game.contract import IllegalMove
from numberduels.games.range_war.rules import RangeWar

from .variants import Cards


def graph_of(game: Any, dtype: str = "uint8") -> PositionGraph:
    return PositionGraph(Encoding(game), np.dtype(dtype))


def test_two_ways_lead_to_the_same_position() -> None:
    game = RangeWar(4)
    graph = graph_of(game)
    start = graph.position(game.start(Random()))
    once, again = graph.follow(start, 3), graph.follow(start, 3)
    assert once is again is start.after[3] is graph.position(once.state)
    assert graph.arrays(once) is graph.arrays(again)


def test_a_move_that_the_rules_refuse_is_not_kept() -> None:
    game = RangeWar(4)
    graph = graph_of(game)
    after = graph.follow(graph.position(game.start(Random())), 3)
    for _ in range(2):
        with pytest.raises(IllegalMove, match=r"^Number 4 is not lower than 3\.$"):
            graph.follow(after, 4)
    assert not after.after


def test_arrays_are_of_the_type_that_was_asked_for() -> None:
    game = RangeWar(3)
    observation, mask = (graph := graph_of(game, "float32")).arrays(graph.position(game.start(Random())))
    assert observation.dtype == np.float32 and observation.tolist() == [1, 1, 1, 0, 1, 1]
    assert mask.dtype == np.int8 and mask.tolist() == [1, 1, 1]


def test_positions_of_a_large_game_are_not_kept() -> None:
    game = RangeWar(size=2_000)
    graph = graph_of(game, "int32")
    most = CAPACITY // (2_003 + 2_000)
    start = graph.position(game.start(Random()))
    for number in range(1, most - 1):
        graph.follow(start, number)
    assert graph.position(start.state) is start
    graph.follow(start, most)
    assert graph.position(start.state) is not start
    assert most not in start.after


def test_after_a_random_start_nothing_is_kept() -> None:
    game = Cards()
    graph = graph_of(game)
    state = game.start(Random(1))
    start = graph.position(state)
    graph.follow(start, game.moves(state)[0])
    assert not start.after and graph.position(state) is not start


def test_a_copy_of_a_position_leaves_the_others_behind() -> None:
    game = RangeWar(4)
    graph = graph_of(game)
    start = graph.position(game.start(Random()))
    graph.follow(start, 1)
    twin = pickle.loads(pickle.dumps(start))
    assert (twin.state, twin.result, twin.after) == (start.state, start.result, {})
