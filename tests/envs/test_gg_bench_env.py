"""The environment in the form of gg-bench: it steps both players, and its rewards belong to the mover."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from numberduels import envs
from numberduels.game import options
from numberduels.game.notation import read_game
from numberduels.game.registry import spec_of
from ours import OURS
from tables import table

GOLDEN = json.loads((Path(__file__).parents[1] / "integrations" / "episode.json").read_text(encoding="utf-8"))


@table("numbers, last", [((3, 2, 1), (1, True)), ((3, 4), (-1, True)), ((3, 2), (0, False))])
def test_the_mover_wins_by_reaching_the_target_and_loses_by_going_over(numbers: Any, last: Any) -> None:
    env = envs.gg_bench("summation-duel", size=4, target=6)
    steps = [env.step(number - 1)[1:3] for number in numbers]
    assert steps == [(0, False)] * (len(numbers) - 1) + [last]


@table("action", [2, 4, -1, 10**30])
def test_an_illegal_action_costs_ten_and_ends_the_game(action: int) -> None:
    env = envs.gg_bench("summation-duel", size=4, target=6)
    env.step(2)
    before = env.episode.state
    assert "Total Sum: 3" in env.render() and "Player 2" in env.render()
    _, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-10, True, False) and info["error"]
    assert env.episode.state == before and env.valid_moves() == []
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    assert env.valid_moves() == [0, 1, 2, 3]


@table("name", OURS)
def test_gymnasium_finds_no_fault(name: str) -> None:
    check_env(envs.gg_bench(name), skip_render_check=True)


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
