"""Play tasks of a running server twice: perfectly, for the highest reward, and at random, for the floor.

    python oracle.py --url http://127.0.0.1:8000 --tasks 20

The server never tells a best move. So the oracle plays the same task beside it, and asks the solver there.
"""

import argparse
from random import Random

from numberduels.harness.episode_tasks import SPLITS, EpisodeTask, EpisodeTasks
from numberduels.harness.openenv_env import DuelAction, DuelClient


def play(env: DuelClient, task: EpisodeTask, perfect: bool) -> float:
    """The sum of the rewards of one episode."""
    result, twin, rng, total = (
        env.reset(split=task.split, index=task.index),
        task.episode(),
        Random(task.seed),
        0.0,
    )
    while not result.done:
        move = twin.oracle_moves()[0] if perfect else rng.choice(result.observation.legal_moves)
        twin.play(move)
        result = env.step(DuelAction(move=move))
        total += result.reward
    return total


parser = argparse.ArgumentParser()
parser.add_argument("--url", default="http://127.0.0.1:8000")
parser.add_argument("--tasks", type=int, default=20)
given = parser.parse_args()
with DuelClient(base_url=given.url).sync() as env:
    for split in SPLITS:
        for player, perfect in (("oracle", True), ("random", False)):
            totals = [play(env, task, perfect) for task in EpisodeTasks().tasks(split, given.tasks)]
            print(f"{split} {player} {sum(totals) / len(totals):.3f}")
