"""The PettingZoo environment (AEC): two agents in turn, one class for all games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from random import Random
from sys import maxsize
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from numberduels.envs.episode import FPS, MODES, RESET, NumericEpisode, check_render_mode
from numberduels.game.batch import REWARDS, RUNNING
from numberduels.game.spec import GameSpec

AGENTS = ("player_1", "player_2")
"""By seat: player_1 moves first."""

OTHER_AGENT = dict(zip(AGENTS, AGENTS[::-1], strict=True))

NO, YES = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, True)
AGENT_REWARDS: list[dict[str, float]] = [dict(zip(AGENTS, rewards, strict=True)) for rewards in REWARDS]
"""The rewards of both agents by result code."""

Observation = dict[str, NDArray[Any]]


class AgentIterable(AECIterable[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """PettingZoo's iterable of the agents to move, with a generator, which is faster than its iterator."""

    def __iter__(self) -> Iterator[str]:
        env = self.env
        for _ in repeat(None, min(self.max_iter, maxsize)):
            if not env.agents:
                return
            yield env.agent_selection


class DuelAEC(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """One game between `player_1` and `player_2`.

    An illegal action raises IllegalMove and changes nothing, so the same agent may try again. At the end both
    agents get +1, -1 or, for a tie, 0. A game that reaches the limit of moves is truncated, without a reward.

    >>> from numberduels.game.registry import spec
    >>> env = DuelAEC(spec("range-war"), spec("range-war").rules(size=3))
    >>> env.reset(seed=1)
    >>> env.step(1)
    >>> observation, reward, termination, truncation, info = env.last()
    >>> env.agent_selection, observation["action_mask"].tolist()
    ('player_2', [1, 0, 0])
    """

    def __init__(
        self,
        spec: GameSpec,
        game: Any,
        *,
        limit: int | None = None,
        dtype: Any = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": spec.name,
            "render_modes": list(MODES),
            "render_fps": FPS,
            "is_parallelizable": False,
        }
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.episode = NumericEpisode(spec, game, limit, dtype)
        self._rng = Random()
        encoding = self.episode.encoding
        self.state_space = self.episode.observation_space
        parts: dict[str, spaces.Space[Any]] = {
            "observation": self.state_space,
            "action_mask": spaces.Box(0, 1, (encoding.num_actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(parts) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(encoding.num_actions) for agent in AGENTS}
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.agent_selection = AGENTS[0]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def agent_iter(self, max_iter: int = 2**63) -> AgentIterable:
        return AgentIterable(self, max_iter)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._rng = Random(seed)
        self.episode.reset(self._rng)
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        self.rewards = AGENT_REWARDS[RUNNING].copy()
        self._cumulative_rewards = AGENT_REWARDS[RUNNING].copy()
        self.terminations = NO.copy()
        self.truncations = NO.copy()
        self.infos: dict[str, dict[str, Any]] = {AGENTS[0]: {}, AGENTS[1]: {}}

    def step(self, action: int | None) -> None:
        episode = self.episode
        if episode.over:
            self._leave(action)
            return
        episode.play(action)
        if episode.over:
            self._end()
        self.agent_selection = OTHER_AGENT[self.agent_selection]

    def _leave(self, action: int | None) -> None:
        """Remove the agent after the end of the game, as PettingZoo's `_was_dead_step` does, but faster."""
        if not self.agents:
            raise ResetNeeded(RESET)
        if action is not None:
            raise ValueError("the game is over: the only valid action is None")
        agent = self.agent_selection
        self.agents.remove(agent)
        del (
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )
        self.rewards = {}
        if self.agents:
            self.agent_selection = other = self.agents[0]
            self.rewards[other] = 0

    def _end(self) -> None:
        if self.episode.truncated:
            self.truncations = YES.copy()
            return
        self.terminations = YES.copy()
        self.rewards = AGENT_REWARDS[self.episode.result].copy()
        self._cumulative_rewards = self.rewards.copy()

    def observe(self, agent: str) -> Observation:
        observation, mask = self.episode.observe()
        if agent != self.agent_selection:
            self.action_spaces[agent]  # KeyError if there is no such agent
            mask[:] = 0
        return {"observation": observation, "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        agent = self.agent_selection
        seen = None
        if observe:  # what `observe` returns, without calls
            observation, mask = self.episode.arrays or self.episode.encode()
            seen = {"observation": observation.copy(), "action_mask": mask.copy()}
        return (
            seen,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def state(self) -> NDArray[Any]:
        """The observation without the mask; it is the same for both agents."""
        return self.episode.observe()[0]

    def render(self) -> Any:
        """The game as text or as an image."""
        return self.episode.view().render(self.render_mode) if self.render_mode else None

    def close(self) -> None:
        """Nothing is open."""
