"""The environment in the form of gg-bench: it steps both players, and its rewards belong to the mover."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from numberduels import envs
from numberduels.game import options
from numberduels.game.notation import read_game
from numberduels.game.registry import spec_of
from tables import table

GAMES = ("range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision")
GOLDEN = json.loads((Path(__file__).parents[1] / "integrations" / "episode.json").read_text(encoding="utf-8"))


def actions(env: Any, *numbers: int) -> list[tuple[float, bool]]:
    """Take these numbers in a game whose first number is 1; the reward and the end of each step."""
    return [env.step(number - 1)[1:3] for number in numbers]


def test_the_winner_earns_one_by_its_own_move() -> None:
    assert actions(envs.gg_bench("summation-duel", size=4, target=6), 3, 2, 1) == [
        (0, False),
        (0, False),
        (1, True),
    ]


def test_who_goes_over_loses_by_its_own_move() -> None:
    assert actions(envs.gg_bench("summation-duel", size=4, target=6), 3, 4)[-1] == (-1, True)


@table("action", [2, 4, -1, 10**30])
def test_an_illegal_action_costs_ten_and_ends_the_game(action: int) -> None:
    env = envs.gg_bench("summation-duel", size=4, target=6)
    env.step(2)
    before = env.episode.state
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-10, True, False) and info["error"]
    assert env.episode.state == before and env.valid_moves() == []
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    assert env.valid_moves() == [0, 1, 2, 3]


def test_players_alternate_and_the_first_is_1() -> None:
    env = envs.gg_bench("range-war", size=5)
    assert env.current_player == 1
    env.step(3)
    assert env.current_player == -1


@table("name", GAMES)
def test_gymnasium_finds_no_fault(name: str) -> None:
    check_env(envs.gg_bench(name), skip_render_check=True)


def test_a_seed_decides_the_deal_and_touches_no_other_generator() -> None:
    state, numpy_state = random.getstate(), np.random.get_state(legacy=True)
    one, other = envs.gg_bench("number-snatch"), envs.gg_bench("number-snatch")
    assert (one.reset(seed=7)[0] == other.reset(seed=7)[0]).all()
    assert (one.reset()[0] == other.reset()[0]).all()
    assert any((one.reset(seed=each)[0] != other.reset(seed=7)[0]).any() for each in range(3))
    assert random.getstate() == state and str(np.random.get_state(legacy=True)) == str(numpy_state)


def test_the_text_shows_the_position() -> None:
    env = envs.gg_bench("summation-duel", size=4, target=6)
    env.step(2)
    assert "Total Sum: 3" in env.render() and "Player 2" in env.render()
    assert isinstance(env, gymnasium.Env)


@table("golden", GOLDEN)
def test_it_replays_the_golden_episodes(golden: dict[str, Any]) -> None:
    _, game = read_game(golden["settings"]["game"])
    values = {each.name: getattr(game, each.name) for each in options.declared(type(game))}
    env: Any = envs.gg_bench(spec_of(game).name, **values)
    env.reset(seed=golden["seed"])
    text = env.episode.spec.text_for(env.episode.game)
    shown = {step["position"].splitlines()[0] for step in golden["steps"]}
    seen, rewards = {text.position(env.episode.state).splitlines()[0]}, []
    for move in golden["moves"]:
        rewards.append(env.step(env.episode.encoding.action_of[text.parse_move(move)])[1])
        seen.add(text.position(env.episode.state).splitlines()[0])
    assert shown <= seen
    won = golden["steps"][-1]["outcome"] == "win"
    assert rewards[:-1] == [0] * (len(rewards) - 1) and (rewards[-1] == 1) == won
