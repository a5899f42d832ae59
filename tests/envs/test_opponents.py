"""Opponents that are asked once for all games: policies, players with `choose_in_batch`, perfect players."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from numberduels.envs import opponents, policy_opponent
from numberduels.envs.gymnasium_env import DuelEnv
from numberduels.envs.opponents import (
    BestMoves,
    PolicyPlayer,
    Positions,
    actions_of,
    as_batch_opponent,
    draw_actions,
)
from numberduels.envs.vector_env import DuelVectorEnv
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.players.ladder import PerfectPlayer
from numberduels.players.search import RandomPlayer
from numberduels.solvers import TooLarge, make_oracle
from numberduels.solvers.choose import engaging_moves
from tables import table

from .variants import Variant, legal, mask, single_steps, some_variants, vector_steps


def lowest(_: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def any_legal(_: Any, masks: Any) -> Any:
    return masks


class Noted:
    """A policy that notes what it is asked."""

    def __init__(self, policy: Any = lowest) -> None:
        self.policy = policy
        self.calls: list[tuple[Any, Any]] = []

    def __call__(self, observations: Any, masks: Any) -> Any:
        self.calls.append((observations.copy(), masks.copy()))
        return self.policy(observations, masks)


# How often a policy is asked, and with what


@table("seed", [1, [1] * 50])
def test_a_policy_is_called_once_for_all_games_that_move(seed: Any) -> None:
    policy = Noted()
    envs = DuelVectorEnv("number-snatch", num_envs=50, opponent=policy_opponent(policy), illegal="raise")
    _, infos = envs.reset(seed=seed)
    assert not policy.calls  # the agent is first
    for step in range(1, 6):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert len(policy.calls) == step
        assert [len(each) for each in policy.calls[-1]] == [50, 50]


@table("dtype", [None, "float32"])
@some_variants
def test_a_policy_sees_what_an_agent_would_see(variant: Variant, dtype: Any) -> None:
    policy = Noted(any_legal)
    seen: list[Any] = []

    class Watching(PolicyPlayer):
        def choose_in_batch(self, positions: Positions) -> Any:
            assert positions.keys() == envs.batch.games.keys(positions.indices)
            seen.extend(positions.state(row) for row in range(len(positions)))
            return super().choose_in_batch(positions)

    choices: Any = {"seat": "second", "dtype": dtype, "limit": 9, **variant.options}
    envs = DuelVectorEnv(variant.name, num_envs=3, opponent=Watching(policy), **choices)
    list(vector_steps(envs, 1, Random(1), 6))
    rows = [row for observations, _ in policy.calls for row in observations]
    masks = [row for _, flags in policy.calls for row in flags]
    assert len(rows) == len(seen) > 3
    for observation, flags, state in zip(rows, masks, seen, strict=True):
        assert envs.single_observation_space.contains(observation)
        told = list(variant.game.observe(state))
        assert observation[: len(told)].tolist() == told
        assert flags.tolist() == mask(variant.game, state) and flags.dtype == np.int8


@table("policy", [lowest, any_legal])
@some_variants
def test_one_game_asks_the_same_policy(variant: Variant, policy: Any) -> None:
    noted = Noted(policy)
    choices: Any = {"seat": "second", "dtype": "float32", "limit": 9, **variant.options}
    env = DuelEnv(variant.name, opponent=policy_opponent(noted), **choices)
    steps = list(single_steps(env, 1, Random(1)))
    assert len(steps) - 1 <= len(noted.calls) <= len(steps)
    for observations, masks in noted.calls:
        assert observations.shape == (1, *(env.observation_space.shape or ()))
        assert env.observation_space.contains(observations[0])
        assert masks.shape == (1, env.episode.encoding.num_actions)
    assert list(single_steps(env, 1, Random(1))) == steps


def test_outside_an_environment_a_policy_plays_what_the_position_tells() -> None:
    game = NumberCollision(size=3, values=2)
    assert policy_opponent(lowest).choose(game, game.start(Random(1)), Random(1)) == (1, 1)
    game = NumberCollision(size=3, values=2, repetition="forbidden")
    with pytest.raises(ValueError, match="policy needs the history of the game"):
        policy_opponent(lowest).choose(game, game.start(Random(1)), Random(1))


# Weights


def test_from_weights_the_environment_draws_in_proportion() -> None:
    def one_two_three(_: Any, masks: Any) -> Any:
        return np.tile([1.0, 2.0, 3.0, 0.0], (len(masks), 1))

    choices: Any = {"size": 4, "target": 9, "seat": "second"}
    opponent = policy_opponent(one_two_three)
    envs = DuelVectorEnv("summation-duel", num_envs=6_000, opponent=opponent, **choices)
    observations, _ = envs.reset(seed=1)
    drawn = Counter(observations[:, -2].tolist())  # the total after its first number
    assert set(drawn) == {1, 2, 3}
    for number, count in drawn.items():
        assert abs(count - 1_000 * number) < 200  # more than five deviations


def test_weights_of_illegal_actions_are_ignored() -> None:
    masks = np.array([[0, 1, 1], [1, 0, 0]], dtype=np.int8)
    weights = np.array([[9.0, 0.0, 1.0], [0.1, 5.0, 5.0]])
    for chance in (0.0, 0.5, 1 - 2**-53):
        assert actions_of(weights, masks, np.full(2, chance), "it").tolist() == [2, 0]


def test_the_greatest_chance_draws_an_action_that_has_weight() -> None:
    for actions in range(1, 70):
        weights = np.zeros((1, 100))
        weights[:, :actions] = 0.1
        assert draw_actions(weights, np.array([1 - 2**-53])).tolist() == [actions - 1]
        assert draw_actions(weights > 0, np.array([0.0])).tolist() == [0]


# What is refused


@table(
    "answer, said",
    [
        (np.array([0.0, 1.0]), "clumsy must return 2 actions, or weights of shape (2, 10), not float64 of"),
        (np.zeros((2, 10)), "clumsy must give each row finite weights from 0 on, and some to a legal action"),
        (np.full((2, 10), np.nan), "clumsy must give each row finite weights"),
        (np.array([-1, 0]), "clumsy chose -1: actions are the numbers from 0 to 9"),
        (np.array([0, 10]), "clumsy chose 10: actions are the numbers from 0 to 9"),
        (np.array([3, 3]), "Game 1: "),  # which the agent has taken there
    ],
)
def test_a_wrong_answer_of_a_policy_is_refused_by_a_sentence(answer: Any, said: str) -> None:
    opponent = policy_opponent(lambda *_: answer, "clumsy")
    envs = DuelVectorEnv("summation-duel", num_envs=2, opponent=opponent)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=re.escape(said)):
        envs.step(np.array([2, 3]))


# Players of your own


def test_a_subclass_that_changes_only_choose_is_asked_one_by_one() -> None:
    class Lowest(PerfectPlayer):
        def choose(self, game: Any, state: Any, rng: Random) -> Any:
            return min(game.moves(state))

    assert as_batch_opponent(Lowest()) is None and as_batch_opponent(RandomPlayer()) is None
    envs = DuelVectorEnv("summation-duel", num_envs=2, opponent=Lowest(), seat="second")
    assert envs.reset(seed=1)[0][:, -2].tolist() == [1, 1]


# The perfect player


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


def against_perfect(name: str, n: int = 8, **options: Any) -> Any:
    return DuelVectorEnv(name, num_envs=n, opponent="perfect", seat="random", **options)


@table("name, options", GAMES)
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
    list(vector_steps(envs, 1, Random(1), 5))
    assert compared > 20


def test_no_more_positions_are_remembered_than_the_bounds_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "MAX_POSITIONS", 7)
    bounded, free = (against_perfect("summation-duel", 30, size=7, target=19) for _ in range(2))
    free._batch_opponent.capacity = 10_000
    ways = [list(vector_steps(envs, 3, Random(3), 30)) for envs in (bounded, free)]
    assert ways[0] == ways[1]  # forgetting changes no game
    assert bounded._batch_opponent.remembered <= 7 < free._batch_opponent.remembered
    assert len(bounded._batch_opponent._masks) <= 7
    monkeypatch.setattr(opponents, "MAX_POSITIONS", 1_000)
    monkeypatch.setattr(opponents, "MAX_BYTES", 1_000)
    assert against_perfect("summation-duel", size=50, target=60)._batch_opponent.capacity == 20


@table("copy", [deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
@table("name", ["number-snatch", "summation-duel"])
def test_a_copy_plays_on_alike_with_a_memory_of_its_own(name: str, copy: Any) -> None:
    envs = against_perfect(name, 3)
    list(vector_steps(envs, 1, Random(1), 3))
    twin = copy(envs)
    assert twin._batch_opponent is not envs._batch_opponent
    assert twin._batch_opponent.remembered == 0
    assert list(vector_steps(envs, None, Random(2))) == list(vector_steps(twin, None, Random(2)))


def test_a_position_that_cannot_be_solved_is_told_and_the_games_must_be_reset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    envs = against_perfect("summation-duel", 2)
    _, infos = envs.reset(seed=1)

    def refused(*_: object) -> None:
        raise TooLarge("there are more than 3 positions")

    monkeypatch.setattr(envs.opponent, "consult", refused)
    envs._batch_opponent._rows.clear()
    with pytest.raises(TooLarge, match="more than 3 positions"):
        envs.step(infos["action_mask"].argmax(axis=1))
    with pytest.raises(ResetNeeded):
        envs.step(np.array([0, 0]))
