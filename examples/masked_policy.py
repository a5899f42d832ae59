"""A policy that never tries an illegal move: a linear softmax behind the mask, taught by its results.

The skeleton of a policy gradient: put a network in the place of `weights`, an advantage in that of `rewards`.
"""

import gymnasium as gym
import numpy as np

import numberduels.envs

ENVS, STEPS, RATE = 500, 600, 2.0

game = numberduels.envs.env_id("restricted-removal")
envs = gym.make_vec(game, num_envs=ENVS, seat="random", size=12, autoreset_mode="SameStep")
rng = np.random.default_rng(1)
observations, infos = envs.reset(seed=1)
actions_there_are = infos["action_mask"].shape[1]
weights = np.zeros((observations.shape[1] + 1, actions_there_are))
traces = np.zeros((ENVS, *weights.shape))  # for each game, where its moves so far would push the weights

for step in range(1, STEPS + 1):
    seen = np.c_[observations, np.ones(ENVS)]
    mask = infos["action_mask"] == infos["action_mask"].max(axis=1, keepdims=True)  # none: any will do
    odds = np.where(mask, np.exp(seen @ weights), 0.0)
    odds /= odds.sum(axis=1, keepdims=True)
    actions = (odds.cumsum(axis=1) > rng.random((ENVS, 1))).argmax(axis=1)
    traces += seen[:, :, None] * (np.eye(actions_there_are)[actions] - odds)[:, None, :]
    observations, rewards, terminated, truncated, infos = envs.step(actions)
    over = np.flatnonzero(terminated | truncated)
    weights += RATE / ENVS * np.tensordot(rewards[over], traces[over], axes=1)
    traces[over] = 0
    if step % 60 == 0:
        print(f"{step:>4} steps  won {np.mean(rewards[over] > 0):.0%} of {len(over)} games")
