"""One game with numeric actions and observations, shared by the environments for single games."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from numberduels.batch import REWARDS, RUNNING, result_code
from numberduels.envs.encoding import Encoding, MaskArray, ObservationArray
from numberduels.envs.rendering import View
from numberduels.envs.spaces import make_observation_space
from numberduels.spec import GameSpec

RESET = "no game is going on: reset the environment first"


class Episode:
    """One game. Call `reset` before anything else.

    >>> from numberduels.registry import spec
    >>> episode = Episode(spec("summation-duel"), spec("summation-duel").rules(size=4, target=6))
    >>> episode.reset(Random(1))
    >>> for action in (3, 1):
    ...     episode.play(action)
    >>> episode.rewards
    (-1, 1)
    """

    def __init__(self, spec: GameSpec, game: Any, limit: int | None = None, dtype: Any = None) -> None:
        self.spec = spec
        self.game = game
        self.encoding = Encoding(game, limit)
        self.observation_space = make_observation_space(self.encoding, dtype)
        self._dtype = self.observation_space.dtype

    def reset(self, rng: Random) -> None:
        """Start a game."""
        self.start = self.state = self.game.start(rng)
        self.played: list[Hashable] = []
        self.result = RUNNING
        self.over = False
        self._last: tuple[ObservationArray, MaskArray] | None = None
        if self.encoding.history_length:
            self._history = self.encoding.initial_history(self.state)

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.played)

    @property
    def terminated(self) -> bool:
        """Whether the game has ended."""
        return self.result != RUNNING

    @property
    def truncated(self) -> bool:
        """Whether the game reached the limit of moves."""
        return self.over and self.result == RUNNING

    @property
    def rewards(self) -> tuple[int, int]:
        """The rewards of both seats so far."""
        return REWARDS[self.result]

    def play(self, action: Any) -> None:
        """Play an action; IllegalMove leaves everything unchanged."""
        self.play_move(self.encoding.move(action))

    def play_move(self, move: Any) -> None:
        """Play a move; IllegalMove leaves everything unchanged."""
        encoding = self.encoding
        self.state = state = self.game.play(self.state, move)
        played = self.played
        if encoding.history_length:
            self._history[encoding.history_index(len(played))] = encoding.action_of[move] + 1
        played.append(move)
        outcome = self.game.outcome(state)
        if outcome is not None:
            self.result = result_code(outcome)
            self.over = True
        elif len(played) == encoding.limit:
            self.over = True

    def observe(self) -> tuple[ObservationArray, MaskArray]:
        """The observation and the action mask, which is all 0 if the game is over or truncated."""
        try:
            last = self._last
        except AttributeError:
            raise ResetNeeded(RESET) from None
        if last is not None:
            observation, mask = last
            return observation.copy(), mask.copy()
        encoding = self.encoding
        observation, mask = encoding.observe(self.state)
        if encoding.history_length:
            observation = np.concatenate((observation, self._history))
        if observation.dtype != self._dtype:
            observation = observation.astype(self._dtype)
        if self.over:  # every agent asks for the last observation
            if self.result == RUNNING:
                mask[:] = 0
            self._last = observation.copy(), mask.copy()
        return observation, mask

    def view(self, names: tuple[str, str] = ("", "")) -> View:
        """The game as a renderer needs it."""
        self.observe()  # raises before the first reset
        return View(self.spec, self.game, self.state, self.played, self.truncated, names)
