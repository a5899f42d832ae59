"""Libraries that learn take the environments by their ids. Each test skips where its library is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.wrappers import RecordVideo

import numberduels.envs  # noqa: F401  # which registers the ids

pytestmark = pytest.mark.long

DOCUMENT = Path(__file__).parents[2] / "docs" / "environments.md"
GUIDE = DOCUMENT.parent / "guides" / "train_an_agent.md"
IDS = ["RangeWar", "NumberSnatch", "RestrictedRemoval", "SummationDuel", "NumberCollision"]


def needs(*modules: str) -> pytest.MarkDecorator:
    """Skip, and say how to change that, where one of these is not installed."""
    missing = [module for module in modules if not find_spec(module)]
    return pytest.mark.skipif(
        bool(missing), reason=f"no {' and no '.join(missing)}; to bring it: make .venv/integrations"
    )


def run(program: str) -> str:
    """Run a program in a process of its own, and return what it printed."""
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}  # networks as small as these are slower with more
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=600, env=one_thread
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


def documented(library: str) -> str:
    """The program in the document that imports this library."""
    blocks = re.findall(
        r"^```python\n(.*?)^```$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    (found,) = [block for block in blocks if library in block]
    return str(found)


@needs("moviepy")
@pytest.mark.filterwarnings("ignore")
def test_videos_are_recorded(tmp_path: Path) -> None:
    env: Any = RecordVideo(gymnasium.make("NumberDuels/RangeWar-v0", render_mode="rgb_array"), str(tmp_path))
    env.reset(seed=1)
    env.step(0)
    env.close()
    assert [path.suffix for path in tmp_path.iterdir()] == [".mp4"]


@needs("stable_baselines3", "sb3_contrib")
def test_stable_baselines_learns_as_documented() -> None:
    run(documented("stable_baselines3"))


@needs("stable_baselines3", "sb3_contrib")
def test_a_trained_model_is_saved_and_plays_as_the_guide_says(tmp_path: Path) -> None:
    train, player = re.findall(
        r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    game = "from random import Random\nimport numberduels\ngame = numberduels.make('range-war')\n"
    move = "state = game.start(Random(1))\nassert player.choose(game, state, Random(1)) in game.moves(state)"
    printed = run("\n".join([f"import os\nos.chdir({str(tmp_path)!r})", train, player, game, move]))
    assert re.search(r"^won \d+ of 100 games$", printed, re.MULTILINE)
    assert (tmp_path / "range_war_model.zip").exists()


@needs("stable_baselines3", "sb3_contrib")
def test_stable_baselines_finds_no_fault_in_any_game() -> None:
    program = f"""
import gymnasium, numberduels.envs
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
for name in {IDS}:
    name = f"NumberDuels/{{name}}-v0"
    check_env(gymnasium.make(name).unwrapped)
    games = make_vec_env(name, n_envs=2, env_kwargs={{"seat": "random"}})
    games.reset()
    assert games.render_mode == "rgb_array" and games.get_images()[0].shape == (360, 640, 3)
    model = MaskablePPO("MlpPolicy", games, n_steps=32, batch_size=32).learn(64)
    observation, info = gymnasium.make(name).reset(seed=1)
    action, _ = model.predict(observation, action_masks=info["action_mask"])
    assert info["action_mask"][action] == 1
"""
    run(program)


@needs("ray.rllib" if find_spec("ray") else "ray", "torch")
def test_rllib_learns_as_documented() -> None:
    told = run(documented("ray.rllib") + "\nprint('return', result['env_runners']['episode_return_mean'])")
    assert "return" in told
