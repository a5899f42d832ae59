"""Opponents that are asked once for all games: policies, and players with `choose_in_batch`."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from numberduels.envs import policy_opponent
from numberduels.envs.gymnasium_env import DuelEnv
from numberduels.envs.opponents import PolicyPlayer, Positions, actions_of, as_batch_opponent, draw_actions
from numberduels.envs.vector_env import DuelVectorEnv
from numberduels.game.contract import IllegalMove
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.players.simple import GreedyPlayer, RandomPlayer
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


# How often, and with what


@table("seed", [1, [1] * 50])
def test_a_policy_is_called_once_for_all_games_that_move(seed: Any) -> None:
    policy = Noted()
    envs = DuelVectorEnv("number-snatch", num_envs=50, opponent=policy_opponent(policy), illegal="raise")
    _, infos = envs.reset(seed=seed)
    assert not policy.calls  # the agent is first
    for step in range(1, 5):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert len(policy.calls) == step
        assert [len(each) for each in policy.calls[-1]] == [50, 50]
    envs.step(infos["action_mask"].argmax(axis=1))  # each takes its last number
    assert len(policy.calls) == 5


def test_games_that_begin_with_the_opponent_are_asked_about_together() -> None:
    policy = Noted()
    envs = DuelVectorEnv("summation-duel", num_envs=40, opponent=policy_opponent(policy), seat="random")
    envs.reset(seed=1)
    assert len(policy.calls) == 1 and len(policy.calls[0][0]) == envs.seat.sum()


@table("mode, most", [("NextStep", 1), ("SameStep", 2)])
def test_games_that_go_on_and_games_that_begin_are_asked_about_together(mode: str, most: int) -> None:
    policy = Noted(any_legal)
    envs = DuelVectorEnv(
        "range-war",
        num_envs=60,
        size=6,
        opponent=policy_opponent(policy),
        seat="random",
        autoreset_mode=mode,
    )
    _, infos = envs.reset(seed=1)
    calls = []
    for _ in range(12):
        before = len(policy.calls)
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
        calls.append(len(policy.calls) - before)
    assert max(calls) == most  # in the same step, a game begins only when the opponent has ended another
    if most == 1:  # some of the rows that it is asked about are the first moves of games
        assert any((masks.all(axis=1)).any() and not masks.all() for _, masks in policy.calls[1:])


def test_a_policy_is_not_called_where_no_game_waits_for_it() -> None:
    policy = Noted()
    envs = DuelVectorEnv("range-war", num_envs=3, size=3, opponent=policy_opponent(policy))
    envs.reset(seed=1)
    _, rewards, *_ = envs.step(np.array([0, 0, 0]))  # 1 wins at once
    assert rewards.tolist() == [1, 1, 1] and not policy.calls


@table("dtype", [None, "float32"])
@some_variants
def test_a_policy_sees_what_an_agent_would_see(variant: Variant, dtype: Any) -> None:
    policy = Noted(any_legal)
    envs = DuelVectorEnv(
        variant.name,
        num_envs=3,
        opponent=policy_opponent(policy),
        seat="second",
        dtype=dtype,
        limit=9,
        **variant.options,
    )
    seen: list[Any] = []

    class Watching(PolicyPlayer):
        def choose_in_batch(self, positions: Positions) -> Any:
            seen.extend(positions.state(row) for row in range(len(positions)))
            return super().choose_in_batch(positions)

    envs.opponent = Watching(policy)
    list(vector_steps(envs, 1, Random(1), 6))
    rows = [row for observations, _ in policy.calls for row in observations]
    masks = [row for _, flags in policy.calls for row in flags]
    assert len(rows) == len(seen) > 3
    for observation, flags, state in zip(rows, masks, seen, strict=True):
        assert envs.single_observation_space.contains(observation)
        told = list(variant.game.observe(state))
        assert observation[: len(told)].tolist() == told
        assert flags.tolist() == mask(variant.game, state) and flags.dtype == np.int8


def test_a_policy_sees_the_history_where_the_position_does_not_tell_all() -> None:
    options: dict[str, Any] = {"size": 3, "values": 2, "repetition": "forbidden", "limit": 8}
    policy = Noted()
    envs = DuelVectorEnv("number-collision", num_envs=2, opponent=policy_opponent(policy), **options)
    envs.reset(seed=1)
    envs.step(np.array([4, 5]))
    (observations, _), *_ = policy.calls
    assert observations[:, 4:].tolist() == [[5, *[0] * 7], [6, *[0] * 7]]  # the action plus 1


# One game


@table("policy", [lowest, any_legal])
@some_variants
def test_one_game_asks_the_same_policy(variant: Variant, policy: Any) -> None:
    noted = Noted(policy)
    env = DuelEnv(
        variant.name,
        opponent=policy_opponent(noted),
        seat="second",
        dtype="float32",
        limit=9,
        **variant.options,
    )
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

    envs = DuelVectorEnv(
        "summation-duel",
        num_envs=6_000,
        size=4,
        target=9,
        opponent=policy_opponent(one_two_three),
        seat="second",
    )
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


def test_a_game_with_its_own_seed_does_not_depend_on_the_others() -> None:
    def games(seeds: list[int]) -> list[Any]:
        envs = DuelVectorEnv("summation-duel", num_envs=len(seeds), opponent=policy_opponent(any_legal))
        envs.reset(seed=seeds)
        seen = []
        for _ in range(12):
            flags = envs._mask
            seen.append(envs.step(flags.argmax(axis=1))[0].tolist())
        return [list(row) for row in zip(*seen, strict=True)]

    five, eight, again = games([5, 8, 5])
    assert five == again != eight and games([8]) == [eight]


# What is refused


@table(
    "answer, said",
    [
        (
            np.array([0.0, 1.0]),
            "clumsy must return 2 actions, or weights of shape (2, 10), not float64 of shape (2,)",
        ),
        (np.array([0]), "clumsy must return 2 actions"),
        (np.zeros((2, 9)), "not float64 of shape (2, 9)"),
        ([["a"] * 10] * 2, "clumsy must return 2 actions"),
        (np.zeros((2, 10)), "clumsy must give each row finite weights from 0 on, and some to a legal action"),
        (np.full((2, 10), np.nan), "clumsy must give each row finite weights"),
        (np.full((2, 10), -1.0), "clumsy must give each row finite weights"),
        (None, "clumsy must return 2 actions"),
    ],
)
def test_an_answer_of_another_form_is_refused_by_a_sentence(answer: Any, said: str) -> None:
    opponent = policy_opponent(lambda *_: answer, "clumsy")
    envs = DuelVectorEnv("summation-duel", num_envs=2, opponent=opponent)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=re.escape(said)):
        envs.step(np.array([0, 1]))


@table("action", [-1, 10, 1 << 40])
def test_an_action_that_there_is_not_is_refused(action: int) -> None:
    opponent = policy_opponent(lambda _, masks: np.full(len(masks), action))
    envs = DuelVectorEnv("summation-duel", num_envs=2, opponent=opponent)
    envs.reset(seed=1)
    with pytest.raises(IllegalMove, match=f"policy chose {action}: actions are the numbers from 0 to 9"):
        envs.step(np.array([0, 1]))


def test_an_illegal_action_of_a_policy_names_the_game() -> None:
    opponent = policy_opponent(lambda _, masks: np.full(len(masks), 3))
    envs = DuelVectorEnv("summation-duel", num_envs=2, opponent=opponent)
    envs.reset(seed=1)
    with pytest.raises(IllegalMove, match="Game 1: "):
        envs.step(np.array([2, 3]))


# Players of your own


class Highest(GreedyPlayer):
    """Chooses the highest legal action in all games at once."""

    name = "highest"

    def __init__(self) -> None:
        self.asked: list[int] = []

    def choose_in_batch(self, positions: Positions) -> Any:
        self.asked.append(len(positions))
        assert positions.num_actions == len(positions.game.all_moves())
        return positions.num_actions - 1 - positions.masks[:, ::-1].argmax(axis=1)


def test_a_player_that_chooses_in_batches_is_asked_once() -> None:
    player = Highest()
    envs = DuelVectorEnv("summation-duel", num_envs=5, opponent=player, seat="second")
    observations, _ = envs.reset(seed=1)
    assert player.asked == [5] and observations[:, -2].tolist() == [10] * 5


def test_a_subclass_that_changes_only_choose_is_asked_one_by_one() -> None:
    class Lowest(Highest):
        def choose(self, game: Any, state: Any, rng: Random) -> Any:
            return min(game.moves(state))

    assert as_batch_opponent(Highest()) is not None
    assert as_batch_opponent(Lowest()) is None and as_batch_opponent(RandomPlayer()) is None
    envs = DuelVectorEnv("summation-duel", num_envs=2, opponent=Lowest(), seat="second")
    assert envs.reset(seed=1)[0][:, -2].tolist() == [1, 1]


def test_the_keys_of_positions_are_those_of_their_games() -> None:
    envs = DuelVectorEnv("summation-duel", num_envs=4)
    envs.reset(seed=1)
    envs.step(np.array([0, 1, 0, 1]))
    positions = Positions(envs.batch, np.array([3, 1]), np.uint8)
    assert len(positions) == 2 and positions.keys() == envs.batch.games.keys(np.array([3, 1]))
    assert [positions.state(row) for row in (0, 1)] == [envs.batch.state(3), envs.batch.state(1)]
    assert legal(positions.masks[0]) == legal(mask(envs.batch.game, envs.batch.state(3)))
