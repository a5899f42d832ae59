"""The Gymnasium environment: one seat against an opponent."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from numpy.typing import DTypeLike, NDArray

from numberduels.envs.encoding import ObservationArray
from numberduels.envs.episode import FPS, MODES, RESET, NumericEpisode, check_render_mode
from numberduels.envs.opponents import HasOpponent, Opponent, PolicyPlayer
from numberduels.game import registry
from numberduels.game.contract import IllegalMove, Seat
from numberduels.game.options import check_among
from numberduels.players import Player

SEATS: dict[str, Seat | None] = {"first": 0, "second": 1, "random": None}

ILLEGAL = ("retry", "lose", "raise")
"""What an illegal action does: reward -1 and try again, reward -1 and the end, or raise IllegalMove."""

MAX_ILLEGAL = 1_000
"""Illegal actions after which an episode is truncated."""


class DuelEnv(HasOpponent, gymnasium.Env[ObservationArray, Any]):
    """One game, played from one seat.

    `opponent` is the name of a player as in the `duel` command, a `Player`, or a function that takes game,
    state and rng and returns a move. `seat` is first, second, or random, which draws a seat for each episode.
    The reward comes at the end: +1, -1, or 0 for a tie. A game that reaches the limit of moves is truncated
    with reward 0. `dtype` is the NumPy dtype of observations; by default the smallest that fits.

    An action is a whole number; anything else raises TypeError. An illegal action does not change the
    position. With illegal="retry" the reward is -1 and the agent tries again, with "lose" the reward is -1
    and the episode ends, and "raise" raises IllegalMove. `info["action_mask"]` and `action_masks()` show what
    is legal.

    An opponent who moves first may win with that move. Then no action is legal, and the first step reports
    the loss, whatever its action.

    >>> env = DuelEnv("range-war", size=3, opponent="perfect")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> reward, terminated  # nothing is lower than 1
    (1.0, True)
    """

    metadata = {"render_modes": list(MODES), "render_fps": FPS}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(
        self,
        game: str,
        *,
        opponent: Opponent = "random",
        seat: str = "first",
        illegal: str = "retry",
        limit: int | None = None,
        dtype: DTypeLike | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_among("seat", seat, SEATS)
        check_among("illegal", illegal, ILLEGAL)
        check_render_mode(render_mode)
        spec = registry.adopted_spec(game)
        self.episode = NumericEpisode(spec, spec.build(options), limit, dtype)
        self._running = False
        self.opponent = opponent
        self.illegal = illegal
        self.render_mode = render_mode
        self.action_space = Discrete(self.episode.encoding.num_actions)
        self.observation_space = self.episode.observation_space
        self._fixed = SEATS[seat]
        self.seat: Seat = self._fixed or 0
        self._rng: Random | None = None

    def _accept(self, player: Player) -> None:
        if self._running:
            player.prepare(self.episode.game, self.episode.start)
        self._policy = player if isinstance(player, PolicyPlayer) else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationArray, dict[str, Any]]:
        if seed is not None or self._rng is None:
            super().reset(seed=seed)
            self._rng = Random(int(self.np_random.integers(1 << 62)))
        rng, episode = self._rng, self.episode
        episode.reset(rng)
        self._opponent.prepare(episode.game, episode.state)
        self.seat = self._fixed if self._fixed is not None else 1 if rng.random() < 0.5 else 0
        self._illegal_count = 0
        self._running = False  # until the opponent has moved: it may be interrupted
        if self.seat:
            self._play_opponent()
        self._running = True
        observation, mask = episode.observe()
        return observation, {"action_mask": mask}

    def step(self, action: int) -> tuple[ObservationArray, float, bool, bool, dict[str, Any]]:
        if not self._running:
            raise ResetNeeded(RESET)
        episode = self.episode
        if episode.over:  # by the opponent's first move: only check the type of the action
            episode.encoding.to_int(action)
        else:
            try:
                episode.play(action)
            except IllegalMove as fault:
                return self._refused(fault)
            if not episode.over:
                self._running = False  # until the opponent has moved: it may be interrupted
                self._play_opponent()
                self._running = True
        observation, mask = episode.arrays or episode.encode()
        info = {"action_mask": mask.copy()}
        if not episode.over:
            return observation.copy(), 0.0, False, False, info
        self._running = False
        return (
            observation.copy(),
            float(episode.rewards[self.seat]),
            episode.terminated,
            episode.truncated,
            info,
        )

    def _refused(self, fault: IllegalMove) -> tuple[ObservationArray, float, bool, bool, dict[str, Any]]:
        """The result of a step with an illegal action."""
        if self.illegal == "raise":
            raise fault
        self._illegal_count += 1
        lost = self.illegal == "lose"
        truncated = not lost and self._illegal_count == MAX_ILLEGAL
        self._running = not (lost or truncated)
        observation, mask = self.episode.observe()
        if not self._running:
            mask[:] = 0
        return observation, -1.0, lost, truncated, {"action_mask": mask, "illegal": str(fault)}

    def _play_opponent(self) -> None:
        """Let the opponent move."""
        assert self._rng is not None, "a game is running"
        episode, opponent = self.episode, self._opponent
        if self._policy is not None:
            episode.play(self._policy.choose_action(*episode.observe(), self._rng))
        else:
            opponent.set_history(episode.played)
            episode.play(None, opponent.choose(episode.game, episode.state, self._rng))

    def action_masks(self) -> NDArray[np.bool_]:
        """The action mask as booleans, as masked policies ask for it."""
        legal = self.episode.observe()[1].astype(np.bool_)
        return legal if self._running else np.zeros_like(legal)

    def render(self) -> Any:
        """The game as text or as an image."""
        if self.render_mode is None:
            return None
        names = ("agent", self.opponent.name)
        return self.episode.view(names if self.seat == 0 else names[::-1]).render(self.render_mode)

    def close(self) -> None:
        """Close the opponent."""
        self.opponent.close()
