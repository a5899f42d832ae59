"""Environments as other people write them, for `python:` and for the audit. All play Nim with one heap."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv

HEAP, MOST = 7, 3


class CustomEnv(gymnasium.Env[Any, Any]):
    """Take one to three counters; whoever takes the last one wins. One env steps both players."""

    def __init__(self) -> None:
        self.action_space = spaces.Discrete(MOST)
        self.observation_space = spaces.Box(0, HEAP, (2,), np.int8)
        self.heap, self.current_player, self.done = HEAP, 1, False

    def _observation(self) -> Any:
        return np.array([self.heap, self.current_player == 1], dtype=np.int8)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.heap, self.current_player, self.done = HEAP, 1, False
        return self._observation(), {}

    def valid_moves(self) -> list[int]:
        return [] if self.done else list(range(min(MOST, self.heap)))

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if action not in self.valid_moves():
            return self._observation(), -10.0, True, False, {}
        self.heap -= action + 1
        if not self.heap:
            self.done = True
            return self._observation(), 1.0, True, False, {"winner": self.current_player}
        self.current_player = -self.current_player
        return self._observation(), 0.0, False, False, {}


class TwiceEnv(CustomEnv):
    """Whoever takes exactly two counters moves again."""

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        mover = self.current_player
        found = super().step(action)
        if action == 1 and not self.done:
            self.current_player = mover
        return found


class PlainEnv(gymnasium.Env[Any, Any]):
    """The same game without the attribute `current_player`, with `action_masks` and an exception."""

    def __init__(self) -> None:
        self.action_space = spaces.Discrete(MOST)
        self.observation_space = spaces.Discrete(HEAP + 1)
        self.heap = HEAP

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.heap = HEAP
        return self.heap, {}

    def action_masks(self) -> list[bool]:
        return [action < self.heap for action in range(MOST)]

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.action_masks()[action]:
            raise ValueError("illegal")
        self.heap -= action + 1
        return self.heap, float(not self.heap), not self.heap, False, {}


class NimAEC(AECEnv[str, Any, int]):  # type: ignore[misc]  # PettingZoo has no types
    """The same game for PettingZoo."""

    metadata = {"name": "one_heap_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = ["north", "south"]
        self.render_mode = None

    def observation_space(self, agent: str) -> Any:
        return spaces.Dict(
            observation=spaces.Box(0, HEAP, (1,), np.int8), action_mask=spaces.MultiBinary(MOST)
        )

    def action_space(self, agent: str) -> Any:
        return spaces.Discrete(MOST)

    def observe(self, agent: str) -> Any:
        mask = [agent == self.agent_selection and action < self.heap for action in range(MOST)]
        return {
            "observation": np.array([self.heap], dtype=np.int8),
            "action_mask": np.array(mask, dtype=np.int8),
        }

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.heap = HEAP
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not self.observe(agent)["action_mask"][action]:
            raise ValueError("illegal")
        self.heap -= action + 1
        other = next(each for each in self.agents if each != agent)
        self._cumulative_rewards[agent] = 0
        if not self.heap:
            self.rewards = {agent: 1, other: -1}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = other
        self._accumulate_rewards()


class PickledByArguments(NimAEC, EzPickle):
    """As many environments of PettingZoo: a pickle of it is a new environment, not a copy."""

    def __init__(self) -> None:
        EzPickle.__init__(self)
        super().__init__()


class KeepsAFunction(CustomEnv):
    """It cannot be pickled, so only its history is known to be the position."""

    def __init__(self) -> None:
        super().__init__()
        self.score = lambda heap: -heap


class FailsInStep(CustomEnv):
    """Its steps end with what `fault` says."""

    fault: BaseException = ZeroDivisionError("first line\nsecond line \x1b[2J")

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        raise self.fault


class ExitsInStep(FailsInStep):
    """A step ends the program."""

    fault = SystemExit("bye")


class Nameless(Exception):
    """An exception that cannot be printed."""

    def __str__(self) -> str:
        raise ValueError("no text")


class SaysNothing(FailsInStep):
    """A step fails, and so does what would say why."""

    fault = Nameless()


class FailsInMoves(CustomEnv):
    """It does not tell its moves."""

    def valid_moves(self) -> list[int]:
        raise KeyError("moves")


class Colourful(CustomEnv):
    """Its observation is a text with colours, and it rings the bell."""

    def _observation(self) -> Any:
        return "\x1b[31mred\x1b[0m board\x07\n\x1b]0;title\x07"


def three_agents() -> Any:
    """An environment for too many."""
    env = NimAEC()
    env.possible_agents = ["one", "two", "three"]
    return env


def no_environment() -> int:
    """A function that makes something else."""
    return 7
