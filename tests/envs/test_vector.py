"""One seat in many games at once: each game of the vector goes as a single one does."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from numberduels.envs import env_id, gymnasium_env, policy_opponent, vector_env
from numberduels.envs.gymnasium_env import DuelEnv
from numberduels.envs.vector_env import DuelVectorEnv
from numberduels.game.contract import IllegalMove
from numberduels.game.options import BadOption
from numberduels.players.search import GreedyPlayer
from tables import table

from .variants import (
    legal,
)

# Gymnasium's part


@table(
    "choice, said",
    [
        ({"illegal": "ignore"}, "illegal must be retry or lose or raise, not 'ignore'"),
        ({"num_envs": 0}, "must be a whole number from 1 to "),
        ({"autoreset_mode": "samestep"}, "autoreset_mode must be NextStep or SameStep or Disabled, not "),
    ],
)
def test_a_wrong_choice_is_refused_by_a_sentence(choice: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        DuelVectorEnv("range-war", **choice)


# What is refused


def test_a_refusal_keeps_what_is_to_be_reported_of_the_other_games() -> None:
    # Where the opponent takes 1 first, the agent's game is over before its first action.
    envs = DuelVectorEnv("range-war", num_envs=40, size=3, seat="second", illegal="raise")
    _, infos = envs.reset(seed=1)
    over = ~infos["action_mask"].any(axis=1)
    assert 0 < over.sum() < 40
    right = infos["action_mask"].argmax(axis=1)
    for _ in range(2):
        with pytest.raises(IllegalMove, match=r"is not lower than|has already been claimed"):
            envs.step(np.full(40, 2))
    _, rewards, terminations, _, _ = envs.step(right)
    assert (rewards[over] == -1).all() and terminations[over].all()


# As Gymnasium's own vectors do it


PLANS: list[tuple[str, dict[str, Any]]] = [
    ("range-war", {"size": 3}),  # in which the opponent can win by its first move
    ("range-war", {"size": 5, "opening": "free"}),
    ("number-snatch", {"numbers": (2, 3, 4, 6, 9)}),
    ("restricted-removal", {"size": 7}),
    ("summation-duel", {"size": 5, "target": 9, "limit": 3}),
    ("number-collision", {"size": 3, "values": 2, "limit": 6, "repetition": "forbidden"}),
]


def lowest(game: Any, state: Any, _: Random) -> Any:
    """An opponent that leaves nothing to chance."""
    return game.moves(state)[0]


def plain(infos: dict[str, Any]) -> dict[str, Any]:
    """Infos to be compared: of a refusal only that there was one."""
    told: dict[str, Any] = {}
    for key, value in infos.items():
        if isinstance(value, dict):
            told[key] = plain(value)
        elif key != "illegal":
            told[key] = [None if each is None else each.tolist() for each in value]
    return told


@table("illegal", ["retry", "lose"])
@table("mode", list(AutoresetMode))
def test_a_vector_is_told_as_gymnasiums_own_tells_it(
    mode: AutoresetMode, illegal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (gymnasium_env, vector_env):
        monkeypatch.setattr(module, "MAX_ILLEGAL", 3)
    for name, options in PLANS:
        for seat in ("first", "second"):
            choices: Any = {"seat": seat, "opponent": lowest, "illegal": illegal, **options}
            ours = gymnasium.make_vec(env_id(name), num_envs=4, autoreset_mode=mode, **choices)
            theirs = gymnasium.make_vec(
                env_id(name),
                num_envs=4,
                vectorization_mode="sync",
                vector_kwargs={"autoreset_mode": mode},
                **choices,
            )
            assert isinstance(ours, DuelVectorEnv)
            assert ours.observation_space == theirs.observation_space
            assert ours.action_space == theirs.action_space
            assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == mode
            policy = Random(f"{name} {seat}")
            (seen, told), (right, expected) = ours.reset(seed=1), theirs.reset(seed=1)
            for _ in range(14):
                assert seen.tolist() == right.tolist() and seen.dtype == right.dtype
                assert plain(told) == plain(expected)
                actions = np.array(
                    [
                        policy.choice(legal(flags) or [0])
                        if policy.random() < 0.8
                        else policy.randrange(len(flags))
                        for flags in told["action_mask"]
                    ]
                )
                seen, *results, told = ours.step(actions)
                right, *due, expected = theirs.step(actions)
                for each, other in zip(results, due, strict=True):
                    assert each.tolist() == other.tolist() and each.dtype == other.dtype
                over = results[1] | results[2]
                if mode is AutoresetMode.DISABLED and over.any():
                    assert plain(told) == plain(expected) and seen.tolist() == right.tolist()
                    (seen, told), (right, _) = (
                        envs.reset(options={"reset_mask": over.copy()}) for envs in (ours, theirs)
                    )
                    expected = told  # for theirs tells only of the games that were reset


def test_where_games_do_not_begin_by_themselves_a_wrong_mask_is_refused() -> None:
    envs = DuelVectorEnv("range-war", num_envs=3, size=3, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ResetNeeded, match="reset all of them first"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    envs.reset(seed=1)
    assert envs.step(np.array([0, 1, 0]))[2].tolist() == [True, False, True]
    with pytest.raises(ResetNeeded, match="game 0 is over: reset it first"):
        envs.step(np.array([0, 2, 0]))
    for junk in ([True, False, False], np.array([1, 0, 0]), np.array([True]), np.zeros(3, dtype=np.bool_)):
        with pytest.raises(BadOption, match="reset_mask must be"):
            envs.reset(options={"reset_mask": junk})


def test_a_reset_forgets_games_that_were_lost_before_they_began() -> None:
    envs = DuelVectorEnv("range-war", num_envs=20, seat="random", opponent=lowest)  # which takes 1, and wins
    for seed in range(3):
        _, infos = envs.reset(seed=seed)
        assert infos["action_mask"].any(axis=1).tolist() == (envs.seat == 0).tolist()


# Seeds for each game


@table("opponent", ["random", "greedy", policy_opponent(lambda _, masks: masks)])
@table("mode", ["NextStep", "SameStep"])
def test_with_a_list_of_seeds_each_game_goes_by_its_own(opponent: Any, mode: str) -> None:
    def games(*seeds: int) -> list[Any]:
        """What is told of each game."""
        choices: Any = {"size": 3, "top": 9, "seat": "random", "autoreset_mode": mode, "opponent": opponent}
        envs = DuelVectorEnv("number-snatch", num_envs=len(seeds), **choices)
        observations, infos = envs.reset(seed=list(seeds))
        told = [observations.tolist()]
        for _ in range(12):
            observations, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            told += [observations.tolist(), rewards.tolist()]
        return list(zip(*told, strict=True))

    first, second, again = games(5, 8, 5)
    assert first == again != second
    assert [first] == games(5) and [second] == games(8)


def test_a_list_of_seeds_has_one_for_each_game() -> None:
    envs = DuelVectorEnv("number-snatch", num_envs=2)
    for seeds in ([1], [1, 2, 3], [1, -2], [1, 2.0], ["1", 2]):
        with pytest.raises(BadOption, match="seed"):
            envs.reset(seed=seeds)  # type: ignore[arg-type]
    first, _ = envs.reset(seed=[1, None])
    again, _ = envs.reset(seed=[1, None])
    assert first[0].tolist() == again[0].tolist() and first[1].tolist() != again[1].tolist()
    by_array, _ = envs.reset(seed=np.array([1, 1]))  # type: ignore[arg-type]
    assert by_array[0].tolist() == by_array[1].tolist() == first[0].tolist()
    without, _ = envs.reset()  # which goes on, each by itself
    assert without[0].tolist() == without[1].tolist() != first[0].tolist()


# Opponents that are given


def test_an_opponent_that_follows_one_game_plays_single_games() -> None:
    class Follower(GreedyPlayer):
        name = "follower"

        def set_history(self, played: Any) -> None:
            self.heard = list(played)

    follower: Any = Follower()
    with pytest.raises(BadOption, match="follower follows one game at a time"):
        DuelVectorEnv("range-war", opponent=follower)
    env: Any = DuelEnv("summation-duel", opponent=lowest)
    env.reset(seed=1)
    env.step(3)  # 4, and 1
    env.opponent = follower
    env.step(1)
    assert follower.heard == [4, 1, 2]


def test_an_opponent_that_takes_over_is_prepared_and_in_the_end_let_go() -> None:
    class Counting(GreedyPlayer):
        calls: ClassVar[list[str]] = []

        def prepare(self, game: Any, start: Any) -> None:
            self.calls.append("prepare")

        def close(self) -> None:
            self.calls.append("close")

    for kind in (DuelEnv, DuelVectorEnv):
        env: Any = kind("range-war")
        env.opponent = Counting
        assert Counting.calls == []
        env.reset(seed=1)
        env.opponent = Counting()
        assert Counting.calls == ["prepare", "prepare"]
        env.close()
        assert Counting.calls.pop() == "close"
        Counting.calls.clear()


def test_an_opponent_who_is_interrupted_leaves_no_game_out_of_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    for kind, action in ((DuelEnv, 0), (DuelVectorEnv, np.array([0]))):
        env: Any = kind("summation-duel", opponent="greedy")
        env.reset(seed=1)
        monkeypatch.setattr(env.opponent, "choose", interrupted)
        with pytest.raises(KeyboardInterrupt):
            env.step(action)
        with pytest.raises(ResetNeeded):
            env.step(action + 1)


def test_an_opponent_that_gives_no_move_is_named() -> None:
    class Wrong(GreedyPlayer):
        name = "wrong"

        def choose(self, game: Any, state: Any, rng: Random) -> Any:
            return "nonsense"

    envs = DuelVectorEnv("range-war", num_envs=2, opponent=Wrong)
    envs.reset(seed=1)
    with pytest.raises(IllegalMove, match="Game 0: wrong chose what is no move"):
        envs.step(np.array([3, 3]))
