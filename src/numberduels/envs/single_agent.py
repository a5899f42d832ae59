"""One seat against a given opponent: the Gymnasium interface."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import DTypeLike, NDArray

from numberduels import registry
from numberduels.core import IllegalMove, Seat
from numberduels.envs.encoding import Numbers
from numberduels.envs.episode import RESET, Episode
from numberduels.envs.opponents import Opponent, opponent_of
from numberduels.envs.rendering import FPS, MODES, Renderer
from numberduels.envs.spaces import actions
from numberduels.options import among
from numberduels.players import Player

SEATS: dict[str, Seat | None] = {"first": 0, "second": 1, "random": None}

ILLEGAL = ("retry", "lose", "raise")
"""What an illegal action does: costs a point and nothing else, costs the game, or raises IllegalMove."""

PATIENCE = 1_000
"""Illegal actions after which an episode is truncated."""


class DuelEnv(gymnasium.Env[Numbers, Any]):
    """A game from one seat.

    `opponent` is a player by name, as the `duel` command knows them, a `Player`, or a function that is called
    with game, state and rng and returns a move. `seat` is first, second, or random: drawn for each episode.
    The reward comes at the end: +1, -1, or 0 for a tie; a game that reaches the limit of moves is truncated
    at 0. Observations are of NumPy's type `dtype`, or else of the smallest whole numbers that fit.

    An action is a whole number: anything else is a TypeError. An illegal action never changes the position.
    By `illegal` it costs 1 and the agent is asked again (retry), costs 1 and the episode (lose), or raises
    IllegalMove (raise). `info["action_mask"]` and `action_masks()` tell what is legal.

    An opponent who moves first may win by that very move. Then nothing is legal, and the first step, whatever
    its action, only reports the loss.

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
        among("seat", seat, SEATS)
        among("illegal", illegal, ILLEGAL)
        self._renderer = Renderer(render_mode)
        spec = registry.spec(game)
        self.episode = Episode(spec, spec.build(options), limit, dtype)
        self._going = False
        self.opponent = opponent
        self.illegal = illegal
        self.render_mode = render_mode
        self.action_space = actions(self.episode.encoding)
        self.observation_space = self.episode.observations
        self._fixed = SEATS[seat]
        self.seat: Seat = self._fixed or 0
        self._rng: Random | None = None

    @property
    def opponent(self) -> Player:
        """Who plays against the agent; another one may take over at any time."""
        return self._opponent

    @opponent.setter
    def opponent(self, given: Opponent) -> None:
        opponent = opponent_of(given)
        if self._going:
            opponent.prepare(self.episode.game, self.episode.start)
        self._opponent = opponent

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None or self._rng is None:
            self._rng = Random(int(self.np_random.integers(1 << 62)))
        rng, episode = self._rng, self.episode
        episode.deal(rng)
        self.opponent.prepare(episode.game, episode.state)
        self.seat = self._fixed if self._fixed is not None else 1 if rng.random() < 0.5 else 0
        self._wrong = 0
        self._going = False  # until the opponent has moved, who may be interrupted
        self._show()
        if self.seat:
            self._answer()
        self._going = True
        observation, mask = episode.look()
        return observation, {"action_mask": mask}

    def step(self, action: int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        if not self._going:
            raise ResetNeeded(RESET)
        episode = self.episode
        if episode.over:  # by the opponent's first move: nothing is left to do, but a slip is still told
            episode.encoding.place(action)
        else:
            try:
                episode.play(action)
            except IllegalMove as fault:
                return self._refused(fault)
            self._show()
            if not episode.over:
                self._going = False  # until the opponent has moved, who may be interrupted
                self._answer()
                self._going = True
        observation, mask = episode.look()
        info = {"action_mask": mask}
        if not episode.over:
            return observation, 0.0, False, False, info
        self._going = False
        return observation, float(episode.rewards[self.seat]), episode.terminated, episode.truncated, info

    def _refused(self, fault: IllegalMove) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """What an illegal action costs."""
        if self.illegal == "raise":
            raise fault
        self._wrong += 1
        lost = self.illegal == "lose"
        truncated = not lost and self._wrong == PATIENCE
        self._going = not (lost or truncated)
        observation, mask = self.episode.look()
        if not self._going:
            mask[:] = 0
        return observation, -1.0, lost, truncated, {"action_mask": mask, "illegal": str(fault)}

    def _answer(self) -> None:
        """Let the opponent move."""
        assert self._rng is not None, "a game is going on"
        episode = self.episode
        self.opponent.hear(episode.played)
        episode.make(self.opponent.choose(episode.game, episode.state, self._rng))
        self._show()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, in the form that masked policies ask for."""
        legal = self.episode.look()[1].astype(np.bool_)
        return legal if self._going else np.zeros_like(legal)

    def render(self) -> Any:
        """The game as text or as a picture, or nothing where a window shows it."""
        if self.render_mode is None:
            return None
        sides = ("agent", self.opponent.name)
        return self._renderer.render(self.episode.shown(sides if self.seat == 0 else sides[::-1]))

    def _show(self) -> None:
        """In a window every move is shown as soon as it is made."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the window, if there is one, and let the opponent go."""
        self._renderer.close()
        self.opponent.close()
