"""Loops of random play, each through one interface. A loop makes about `moves` moves and returns how many."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

Loop = Callable[[], int]
Chance = Callable[[], float]


def play_by_rules(game: Any, moves: int) -> Loop:
    """Whole games through the Game interface, the same at each call."""

    def loop() -> int:
        rng = Random(1)
        chance = rng.random
        count = 0
        while count < moves:
            state = game.start(rng)
            while game.outcome(state) is None:
                legal = game.moves(state)
                state = game.play(state, legal[int(chance() * len(legal))])
                count += 1
        return count

    return loop


def play_in_turn(env: Any, chance: Chance, moves: int) -> Loop:
    """Through PettingZoo's interface: every step with its observation and its mask."""

    def loop() -> int:
        count = 0
        while count < moves:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(chance() * len(legal))])
                count += 1
        return count

    return loop


def play_one_seat(env: Any, chance: Chance, moves: int) -> Loop:
    """The first seat through Gymnasium's interface; only the agent's own moves are counted."""

    def loop() -> int:
        count = 0
        while count < moves:
            _, info = env.reset()
            over = False
            while not over:
                legal = info["action_mask"].nonzero()[0]
                _, _, terminated, truncated, info = env.step(legal[int(chance() * len(legal))])
                over = terminated or truncated
                count += 1
        return count

    return loop


def play_batch(games: Any, steps: int, *, bare: bool = False) -> Loop:
    """All games of a batch; `bare`: without masks and observations."""

    def loop() -> int:
        for _ in range(steps):
            if not bare:
                games.legal()
                games.observe()
            games.step(games.sample())
        return steps * int(games.n)

    return loop


def play_vector(envs: Any, steps: int) -> Loop:
    """One seat of all games of a vector. A step that only restarts a game is not counted."""
    rng = np.random.default_rng(1)
    mask = envs.reset(seed=1)[1]["action_mask"]

    def loop() -> int:
        nonlocal mask
        count = 0
        for _ in range(steps):
            count += int(mask.any(axis=1).sum())
            actions = (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1)
            mask = envs.step(actions)[-1]["action_mask"]
        return count

    return loop
