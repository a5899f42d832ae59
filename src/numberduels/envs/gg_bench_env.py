"""The environment in the form of gg-bench: one environment that steps both players."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete

from numberduels.analysis.openings import start_generator
from numberduels.envs.encoding import ObservationArray
from numberduels.envs.episode import RESET, NumericEpisode
from numberduels.game.contract import IllegalMove
from numberduels.game.spec import GameSpec

ILLEGAL_REWARD = -10.0


class GGBenchEnv(gymnasium.Env[ObservationArray, Any]):
    """One game; every step is a move of the player whose turn it is.

    The reward belongs to the player who moved: 1 if the move wins, -1 if it loses, 0 otherwise. An illegal
    action earns -10 and ends the game, as in gg-bench; the position stays as it is, and `info["error"]` says
    why. `current_player` is 1 for the first player and -1 for the second. A game that reaches the limit of
    moves is truncated.

    The seed decides the deal, the same as in the harnesses, and the generator of the process is never used.

    >>> from numberduels.game.registry import spec
    >>> env = GGBenchEnv(spec("summation-duel"), spec("summation-duel").rules(size=4, target=6))
    >>> env.step(2)[1], env.valid_moves(), env.current_player
    (0.0, [0, 1, 3], -1)
    >>> env.step(2)[1:4]  # 3 is taken
    (-10.0, True, False)
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(self, spec: GameSpec, game: Any, *, limit: int | None = None, dtype: Any = None) -> None:
        self.episode = NumericEpisode(spec, game, limit, dtype)
        self.action_space = Discrete(self.episode.encoding.num_actions)
        self.observation_space = self.episode.observation_space
        self.render_mode = "ansi"
        self.done = True
        self._rng = Random()
        self.reset()  # as in gg-bench, a new environment can be played at once

    @property
    def current_player(self) -> int:
        """1 if the first player is to move, -1 if the second is."""
        return -1 if self.episode.ply & 1 else 1

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationArray, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._rng = start_generator(seed)
        self.episode.reset(self._rng)
        self.done = False
        return self.episode.observe()[0], {}

    def step(self, action: int) -> tuple[ObservationArray, float, bool, bool, dict[str, Any]]:
        if self.done:
            raise ResetNeeded(RESET)
        episode = self.episode
        mover = episode.ply & 1
        try:
            episode.play(action)
        except IllegalMove as fault:
            self.done = True
            return episode.observe()[0], ILLEGAL_REWARD, True, False, {"error": str(fault)}
        self.done = episode.over
        reward = float(episode.rewards[mover])
        return episode.observe()[0], reward, episode.terminated, episode.truncated, {}

    def valid_moves(self) -> list[int]:
        """The legal actions; none after the end."""
        return [] if self.done else self.episode.observe()[1].nonzero()[0].tolist()

    def render(self) -> str:
        """The position as text."""
        return self.episode.view().text()
