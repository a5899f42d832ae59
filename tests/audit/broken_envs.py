"""Environments with one fault each. All play Nim with one heap, which `adopted.sample_envs` plays well."""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np
from gymnasium import spaces

from adopted.sample_envs import HEAP, MOST, CustomEnv, NimAEC

Stepped = tuple[Any, float, bool, bool, dict[str, Any]]


class WrongSign(CustomEnv):
    """The winner is punished."""

    def step(self, action: int) -> Stepped:
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, -reward if reward == 1 else reward, terminated, truncated, info


class GlobalRandom(CustomEnv):
    """The start is drawn with the global generator, seeded by the seed."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        random.seed(seed)
        self.heap = random.randrange(4, HEAP + 1)
        return self._observation(), {}


class IgnoredSeed(CustomEnv):
    """The start is drawn from a generator that nobody seeded."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.heap = int(np.random.default_rng().integers(4, HEAP + 1))
        return self._observation(), {}


class Dice(CustomEnv):
    """Sometimes one counter more disappears."""

    def step(self, action: int) -> Stepped:
        if self.heap > 4 and action in self.valid_moves():
            self.heap -= int(np.random.default_rng().integers(0, 2))
        return super().step(action)


class LeakingReset(CustomEnv):
    """Every game on the same object begins with one counter less."""

    games = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.games += 1
        self.heap = HEAP + 1 - self.games
        return self._observation(), {}


class SmallSpace(CustomEnv):
    """Observations go beyond their space."""

    def __init__(self) -> None:
        super().__init__()
        self.observation_space = spaces.Box(0, HEAP - 1, (2,), np.int8)


class HiddenHeap(CustomEnv):
    """Nobody sees how many counters there are above three."""

    def _observation(self) -> Any:
        return np.array([min(self.heap, MOST), self.current_player == 1], dtype=np.int8)


class Endless(CustomEnv):
    """The last counter grows back."""

    def step(self, action: int) -> Stepped:
        if action in self.valid_moves() and action + 1 == self.heap:
            self.heap = HEAP + action + 1
        return super().step(action)

    def __init__(self) -> None:
        super().__init__()
        self.observation_space = spaces.Box(0, 2 * HEAP, (2,), np.int8)


class IllegalAccepted(CustomEnv):
    """Taking more than there is takes all."""

    def step(self, action: int) -> Stepped:
        return super().step(action if self.done else min(action, self.heap - 1))


class GoesOn(CustomEnv):
    """After the end the game begins again."""

    def step(self, action: int) -> Stepped:
        if self.done:
            observation, info = self.reset()
            return observation, 0.0, False, False, info
        return super().step(action)


class NoMoves(CustomEnv):
    """With one counter left there is no legal action, and the game goes on."""

    def valid_moves(self) -> list[int]:
        return [] if self.heap == 1 else super().valid_moves()

    def step(self, action: int) -> Stepped:
        if not self.valid_moves() and not self.done:
            return self._observation(), -10.0, True, False, {}
        return super().step(action)


class OnlyWinnerIsPaid(NimAEC):
    """At the end the winner is rewarded, and the loser gets nothing."""

    def step(self, action: int | None) -> None:
        super().step(action)
        self.rewards = {agent: max(reward, 0) for agent, reward in self.rewards.items()}


class NotAccumulated(NimAEC):
    """`last()` never tells a reward."""

    def _accumulate_rewards(self) -> None:
        pass


class Exiting(CustomEnv):
    """A step ends the program."""

    def step(self, action: int) -> Stepped:
        sys.exit(3)


class Truncating(CustomEnv):
    """Well done: a limit of moves stops the game as truncated."""

    plies = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        self.plies = 0
        return super().reset(seed=seed)

    def step(self, action: int) -> Stepped:
        self.plies += 1
        observation, reward, terminated, _, info = super().step(action)
        self.done = self.done or self.plies >= 3
        return observation, reward, terminated, self.plies >= 3 and not terminated, info
