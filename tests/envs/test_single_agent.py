"""One seat against an opponent: the Gymnasium environment keeps its contract, and the games their rules."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs import registration
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from numberduels import envs
from numberduels.envs import aec, env_id
from numberduels.envs.gymnasium_env import DuelEnv
from numberduels.envs.vector_env import DuelVectorEnv
from numberduels.game.contract import IllegalMove
from numberduels.game.options import BadOption
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.players import KINDS
from numberduels.players.player import Forfeit
from tables import table

from .variants import SAMPLE, Variant, install, legal, single_steps, some_variants

SEATS = ("first", "second", "random")
OPPONENTS = [kind for kind in KINDS if kind != "mcts"] + ["mcts:20"]


def make(variant: Variant, **more: Any) -> Any:
    return DuelEnv(variant.name, **variant.options, **more)


# Gymnasium's own tests


@some_variants
def test_it_passes_gymnasiums_check_env(variant: Variant) -> None:
    for seat, illegal in zip(SEATS, ("retry", "lose", "retry"), strict=True):
        env = gymnasium.make(env_id(variant.name), seat=seat, illegal=illegal, **variant.options)
        check_env(env.unwrapped)


# Opponents


@table("action", [0, 99])
def test_an_opponent_that_wins_by_its_first_move_is_reported_by_the_first_step(action: Any) -> None:
    def lowest(game: Any, state: Any, _: Any) -> Any:
        return min(game.moves(state))

    env = DuelEnv("range-war", opponent=lowest, seat="second", illegal="raise", render_mode="ansi")
    observation, info = env.reset(seed=1)
    assert observation.tolist() == [0, *[1] * 9, 1, 0, 2]  # it has taken 1
    assert not info["action_mask"].any() and not env.action_masks().any()
    with pytest.raises(TypeError, match="an action is a whole number"):
        env.step(None)  # type: ignore[arg-type]
    seen, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert seen.tolist() == observation.tolist()
    assert list(info) == ["action_mask"] and not info["action_mask"].any()
    assert str(env.render()).endswith("Player 1 wins!\n")
    with pytest.raises(ResetNeeded):
        env.step(action)


def test_a_game_that_the_perfect_opponent_cannot_know_is_refused() -> None:
    env = DuelEnv("restricted-removal", size=200, opponent="perfect")
    with pytest.raises(ValueError, match="perfect cannot finish this game"):
        env.reset(seed=1)
    with pytest.raises(ResetNeeded):
        env.step(0)


# Seats


def test_a_random_seat_is_drawn_for_each_episode() -> None:
    env = DuelEnv("range-war", seat="random")
    seats = []
    for seed in (1, *[None] * 99):
        observation, _ = env.reset(seed=seed)
        assert observation[-1] == env.seat + 1
        seats.append(int(env.seat))
    assert 30 < sum(seats) < 70  # of a hundred fair draws all but one in ten thousand lie there


@table(
    "choice, said",
    [
        ({"seat": "third"}, "seat must be first or second or random, not 'third'"),
        ({"illegal": "ignore"}, "illegal must be retry or lose or raise, not 'ignore'"),
    ],
)
def test_a_wrong_choice_is_refused_by_a_sentence(choice: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        DuelEnv("range-war", **choice)


# Illegal actions


@some_variants
def test_by_retry_a_game_goes_on_as_if_nothing_had_happened(variant: Variant) -> None:
    game = variant.game
    troubled, smooth = make(variant, limit=20), make(variant, limit=20)
    seen, info = troubled.reset(seed=3)
    smooth.reset(seed=3)
    policy, over = Random(3), False
    while not over:
        wrong = [action for action, flag in enumerate(info["action_mask"]) if not flag]
        for action in (-1, len(game.all_moves())):
            _, reward, terminated, truncated, said = troubled.step(action)
            assert (reward, terminated, truncated) == (-1, False, False)
            assert "is not an action: those are the numbers from 0 to" in said["illegal"]
        for action in policy.sample(wrong, min(2, len(wrong))):
            state = troubled.episode.state
            with pytest.raises(IllegalMove) as rule:
                game.play(state, game.all_moves()[action])
            again, reward, terminated, truncated, said = troubled.step(action)
            assert (reward, terminated, truncated, said["illegal"]) == (-1, False, False, str(rule.value))
            assert again.tolist() == seen.tolist() and troubled.episode.state == state
            assert said["action_mask"].tolist() == info["action_mask"].tolist()
        action = policy.choice(legal(info["action_mask"]))
        seen, *results, info = troubled.step(action)
        right, *expected, about = smooth.step(action)
        assert seen.tolist() == right.tolist() and results == expected
        assert {**info, "action_mask": 0} == {**about, "action_mask": 0}
        assert info["action_mask"].tolist() == about["action_mask"].tolist()
        over = expected[1] or expected[2]


@table("junk", [-1, 10, 8])
def test_by_lose_an_illegal_action_costs_the_episode(junk: Any) -> None:
    env = DuelEnv("range-war", opponent=lambda game, state, _: max(game.moves(state)), illegal="lose")
    env.reset(seed=1)
    observation, *_ = env.step(8)
    state = env.episode.state
    seen, reward, terminated, truncated, info = env.step(junk)  # 9 has been claimed
    assert (reward, terminated, truncated) == (-1, True, False)
    assert not info["action_mask"].any() and not env.action_masks().any()
    assert info["illegal"] and seen.tolist() == observation.tolist() and env.episode.state == state
    with pytest.raises(ResetNeeded, match="reset the environment first"):
        env.step(0)


def test_a_thousand_illegal_actions_truncate_the_episode_however_many_legal_ones_are_between() -> None:
    env = DuelEnv("summation-duel", seat="first")
    for _ in range(2):  # they are counted anew for each episode
        env.reset(seed=1)
        for _ in range(600):
            env.step(-1)
        assert env.step(0)[1:4] == (0, False, False)
        for _ in range(399):
            assert env.step(0)[1:4] == (-1, False, False)
        assert env.step(0)[1:4] == (-1, False, True)
        assert not env.action_masks().any()
        with pytest.raises(ResetNeeded):
            env.step(1)


# A sixth game


def test_an_installed_game_has_an_id_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    monkeypatch.setattr(registration, "registry", {})
    envs._register()
    assert {env_id(name) for name in ("range-war", "counters", "cards")} <= set(registration.registry)
    choices: dict[str, dict[str, Any]] = {
        "counters": {"size": 4},
        "cards": {"top": 6},
    }
    for name, options in choices.items():
        assert env_id(name) == f"NumberDuels/{name.capitalize()}-v0"
        env = gymnasium.make(env_id(name), seat="random", opponent="perfect", **options)
        check_env(env.unwrapped, skip_render_check=True)


def test_numbers_and_lists_of_numpy_are_taken() -> None:
    env = DuelEnv("number-snatch", numbers=np.array([2, 5, 7]), top=np.int64(9))
    assert env.episode.game == NumberSnatch(numbers=(2, 5, 7), top=9)
    with pytest.raises(ValueError, match="numbers must be a list of whole numbers"):
        DuelEnv("number-snatch", numbers=5)


# Opponents that are given


def highest(game: Any, state: Any, _: Random) -> Any:
    return game.moves(state)[-1]


def test_another_opponent_may_take_over() -> None:
    env = gymnasium.make("NumberDuels/SummationDuel-v0", opponent="random")
    env.reset(seed=1)
    env.set_wrapper_attr("opponent", highest)
    env.step(0)
    assert env.unwrapped.episode.played == [1, 10]  # type: ignore[attr-defined]
    env.set_wrapper_attr("opponent", "perfect")
    assert env.get_wrapper_attr("opponent").name == "perfect"


@table("answer", [None, 99, "3", 1.0])
def test_an_opponent_that_gives_no_legal_move_is_told_so(answer: Any) -> None:
    env = DuelEnv("range-war", opponent=lambda *_: answer)
    env.reset(seed=1)
    with pytest.raises(Forfeit, match=r"It returned .*, which is no legal move"):
        env.step(5)
    with pytest.raises(ResetNeeded):
        env.step(5)


@table("opponent", [None, 3, ["random"], "human"])
def test_what_is_no_opponent_is_refused_by_a_sentence(opponent: Any) -> None:
    with pytest.raises(
        BadOption, match=r"opponent is the name of a computer player .*, a Player, or a function"
    ):
        DuelEnv("range-war", opponent=opponent)


# Types of observations


@table("variant, dtype", zip(SAMPLE, ["float32", np.float64, np.int64, float] * 2, strict=False))
def test_observations_are_of_the_type_that_was_asked_for(variant: Variant, dtype: Any) -> None:
    env, exact = make(variant, limit=6, dtype=dtype), make(variant, limit=6)
    assert env.observation_space.dtype == np.dtype(dtype)
    assert list(single_steps(env, 1, Random(1))) == list(single_steps(exact, 1, Random(1)))
    seen, _ = env.reset()
    assert seen.dtype == np.dtype(dtype) and seen in env.observation_space
    envs = DuelVectorEnv(variant.name, num_envs=2, dtype=dtype, **variant.options)
    assert envs.reset(seed=1)[0] in envs.observation_space
    pair = aec(variant.name, dtype=dtype, **variant.options)
    pair.reset(seed=1)
    assert pair.observe("player_1") in pair.observation_space("player_1")


@table("dtype", ["text", "bool", "complex64", object, 3, ">f4"])
def test_what_is_no_type_of_numbers_is_refused(dtype: Any) -> None:
    with pytest.raises(BadOption, match="dtype must be a NumPy type of numbers, such as 'float32'"):
        DuelEnv("range-war", dtype=dtype)


@table("size, dtype", [(128, "int8"), (256, "uint8"), (2049, "float16")])
def test_a_type_that_would_mix_up_numbers_is_refused(size: int, dtype: str) -> None:
    DuelEnv("range-war", size=size - 1, dtype=dtype)
    with pytest.raises(
        BadOption, match=f"dtype {dtype} cannot tell all whole numbers from 0 to {size} apart"
    ):
        DuelEnv("range-war", size=size, dtype=dtype)
