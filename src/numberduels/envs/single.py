"""One seat against a given opponent: the Gymnasium interface."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from numberduels import players, registry
from numberduels.core import IllegalMove, Seat
from numberduels.envs.encoding import Numbers
from numberduels.envs.episode import RESET, Episode
from numberduels.envs.spaces import actions, observations
from numberduels.options import BadOption, among
from numberduels.players import Player

SEATS: dict[str, Seat | None] = {"first": 0, "second": 1, "random": None}

ILLEGAL = ("retry", "lose", "raise")
"""What an illegal action does: costs a point and nothing else, costs the game, or raises IllegalMove."""

PATIENCE = 1_000
"""Illegal actions after which an episode is truncated."""


def facing(name: object) -> Player:
    """The opponent of this name; ValueError if there is none."""
    if not isinstance(name, str) or name == "human":
        raise BadOption("opponent", f"opponent is the name of a computer player: {', '.join(players.KINDS)}")
    return players.find(name)


class DuelEnv(gymnasium.Env[Numbers, Any]):
    """A game from one seat. `opponent` is any player by name, as the `duel` command knows them.

    `seat` is first, second, or random: drawn anew for each episode. The reward comes at the end: +1, -1, or 0
    for a tie; a game that reaches the limit of moves is truncated at 0. An illegal action never changes the
    position. By `illegal` it costs 1 and the agent is asked again (retry), costs 1 and the episode (lose),
    or raises IllegalMove (raise). `info["action_mask"]` and `action_masks()` tell what is legal.

    An opponent who moves first may win by that very move. Then nothing is legal, and the first step, whatever
    its action, only reports the loss.

    >>> env = DuelEnv("range-war", size=3, opponent="perfect")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> reward, terminated  # nothing is lower than 1
    (1.0, True)
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(
        self,
        game: str,
        *,
        opponent: str = "random",
        seat: str = "first",
        illegal: str = "retry",
        limit: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        among("seat", seat, SEATS)
        among("illegal", illegal, ILLEGAL)
        if render_mode is not None:
            among("render_mode", render_mode, self.metadata["render_modes"])
        room = registry.room(game)
        self.episode = Episode(room, room.build(options), limit)
        self.opponent = facing(opponent)
        self.illegal = illegal
        self.render_mode = render_mode
        self.action_space = actions(self.episode.encoding)
        self.observation_space = observations(self.episode.encoding)
        self._fixed = SEATS[seat]
        self._rng: Random | None = None
        self._going = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None or self._rng is None:
            self._rng = Random(int(self.np_random.integers(1 << 62)))
        rng, episode = self._rng, self.episode
        episode.deal(rng)
        self.opponent.prepare(episode.game, episode.state)
        self.seat: Seat = self._fixed if self._fixed is not None else 1 if rng.random() < 0.5 else 0
        self._wrong = 0
        self._going = False  # until the opponent has moved, who may be interrupted
        if self.seat:
            self._answer()
        self._going = True
        observation, mask = episode.look()
        return observation, {"action_mask": mask}

    def step(self, action: int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        if not self._going:
            raise ResetNeeded(RESET)
        episode = self.episode
        if not episode.over:
            try:
                episode.play(action)
            except IllegalMove as fault:
                return self._refused(fault)
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
        if lost:
            mask[:] = 0
        return observation, -1.0, lost, truncated, {"action_mask": mask, "illegal": str(fault)}

    def _answer(self) -> None:
        """Let the opponent move."""
        assert self._rng is not None, "a game is going on"
        episode = self.episode
        episode.make(self.opponent.choose(episode.game, episode.state, self._rng))

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, in the form that masked policies ask for."""
        legal = self.episode.look()[1].astype(np.bool_)
        return legal if self._going else np.zeros_like(legal)

    def render(self) -> str | None:
        return self.episode.text() if self.render_mode else None
