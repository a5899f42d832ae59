"""The perfect opponent of a vector: asked once for all games, with the moves that it finds one by one."""

from __future__ import annotations

import pickle
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from numberduels.envs import opponents
from numberduels.envs.opponents import BestMoves, Positions
from numberduels.envs.vector_env import DuelVectorEnv
from numberduels.players.perfect import PerfectPlayer
from numberduels.solvers import TooLarge
from numberduels.solvers.oracles import engaging_moves, make_oracle
from tables import table

from .variants import legal, vector_steps

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("range-war", {}),
    ("range-war", {"size": 30, "opening": "free"}),  # not in a table
    ("number-snatch", {}),
    ("number-snatch", {"size": 5, "top": 80}),  # one game after the other
    ("restricted-removal", {"size": 24}),
    ("summation-duel", {}),
    ("summation-duel", {"size": 16, "target": 30}),
    ("number-collision", {}),
    ("number-collision", {"size": 2, "values": 2, "repetition": "forbidden"}),
]

every_game = table("name, options", GAMES)


def against_perfect(name: str, n: int = 8, **options: Any) -> DuelVectorEnv:
    return DuelVectorEnv(name, num_envs=n, opponent="perfect", seat="random", **options)


@every_game
def test_in_every_position_met_the_moves_are_those_found_one_by_one(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    envs = against_perfect(name, **options)
    oracle, compared = make_oracle(envs.batch.game), 0
    choose = BestMoves.choose_in_batch

    def checked(self: BestMoves, positions: Positions) -> Any:
        nonlocal compared
        masks = choose(self, positions)
        for row in range(len(positions)):
            best = engaging_moves(oracle, positions.state(row))
            assert {envs.batch.encoding.moves[action] for action in legal(masks[row])} == set(best)
            compared += 1
        return masks

    monkeypatch.setattr(BestMoves, "choose_in_batch", checked)
    list(vector_steps(envs, 1, Random(1), 8))
    assert compared > 20


def test_among_the_best_moves_each_is_as_likely() -> None:
    envs = DuelVectorEnv("summation-duel", num_envs=9_000, opponent="perfect", seat="second")
    envs.reset(seed=1)
    game = envs.batch.game
    best = engaging_moves(make_oracle(game), game.start(Random(0)))
    first = Counter(envs.batch.observe()[:, -2].tolist())  # the total after its first number
    assert set(first) == set(best) and len(best) > 1
    expected = 9_000 / len(best)
    assert sum((count - expected) ** 2 / expected for count in first.values()) < 30


def test_the_solver_is_asked_once_for_each_position(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def noted(oracle: Any, state: Any) -> Any:
        asked.append(state)
        return engaging_moves(oracle, state)

    monkeypatch.setattr(opponents, "engaging_moves", noted)
    envs = against_perfect("restricted-removal", 50, size=8)
    for seed in range(4):
        list(vector_steps(envs, seed, Random(seed), 8))
    assert len(asked) == len(set(asked)) == envs._batch_opponent.remembered  # type: ignore[union-attr]
    assert len(asked) < 200


def test_no_more_positions_are_remembered_than_the_bound_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "MAX_POSITIONS", 7)
    bounded, free = (against_perfect("summation-duel", 30, size=7, target=19) for _ in range(2))
    free._batch_opponent.capacity = 10_000  # type: ignore[union-attr]
    ways = [list(vector_steps(envs, 3, Random(3), 30)) for envs in (bounded, free)]
    assert ways[0] == ways[1]  # forgetting changes no game
    assert bounded._batch_opponent.remembered <= 7 < free._batch_opponent.remembered  # type: ignore[union-attr]
    assert len(bounded._batch_opponent._masks) <= 7  # type: ignore[union-attr]


def test_a_game_with_many_actions_is_remembered_for_fewer_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "MAX_BYTES", 1_000)
    assert against_perfect("summation-duel", size=50, target=60)._batch_opponent.capacity == 20  # type: ignore[union-attr]


def by_pickle(envs: Any) -> Any:
    return pickle.loads(pickle.dumps(envs))


@table("copy", [deepcopy, by_pickle])
@table("name", ["number-snatch", "summation-duel"])
def test_a_copy_plays_on_alike_with_a_memory_of_its_own(name: str, copy: Any) -> None:
    envs = against_perfect(name, 3)
    list(vector_steps(envs, 1, Random(1), 3))
    twin = copy(envs)
    assert twin._batch_opponent is not envs._batch_opponent
    assert twin._batch_opponent.remembered == 0
    assert list(vector_steps(envs, None, Random(2))) == list(vector_steps(twin, None, Random(2)))


def test_a_perfect_player_that_chooses_otherwise_is_asked_one_by_one() -> None:
    class Timid(PerfectPlayer):
        def choose(self, game: Any, state: Any, rng: Random) -> Any:
            return max(game.moves(state))

    envs = DuelVectorEnv("summation-duel", num_envs=2, opponent=Timid, seat="second")
    assert envs.reset(seed=1)[0][:, -2].tolist() == [10, 10]


def test_a_position_that_cannot_be_solved_is_told_and_the_games_must_be_reset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    envs = against_perfect("summation-duel", 2)
    _, infos = envs.reset(seed=1)

    def refused(*_: object) -> None:
        raise TooLarge("there are more than 3 positions")

    monkeypatch.setattr(envs.opponent, "consult", refused)
    envs._batch_opponent._rows.clear()  # type: ignore[union-attr]
    with pytest.raises(TooLarge, match="more than 3 positions"):
        envs.step(infos["action_mask"].argmax(axis=1))
    with pytest.raises(ResetNeeded):
        envs.step(np.array([0, 0]))
