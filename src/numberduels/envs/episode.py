"""One game in numbers, from its start to its end: what the environments for one game share."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from numberduels.batch import REWARDS, RUNNING, standing
from numberduels.envs.encoding import Encoding, Flags, Numbers
from numberduels.envs.rendering import View
from numberduels.envs.spaces import observations
from numberduels.spec import GameSpec

RESET = "no game is going on: reset the environment first"


class Episode:
    """A game between a start and an end, dealt before anything else.

    >>> from numberduels.registry import spec
    >>> episode = Episode(spec("summation-duel"), spec("summation-duel").rules(size=4, target=6))
    >>> episode.deal(Random(1))
    >>> for action in (3, 1):
    ...     episode.play(action)
    >>> episode.rewards
    (-1, 1)
    """

    def __init__(self, spec: GameSpec, game: Any, limit: int | None = None, dtype: Any = None) -> None:
        self.spec = spec
        self.game = game
        self.encoding = Encoding(game, limit)
        self.observations = observations(self.encoding, dtype)
        """Where what `look` returns lies."""
        self._dtype = self.observations.dtype

    def deal(self, rng: Random) -> None:
        """Begin a game."""
        self.start = self.state = self.game.start(rng)
        self.played: list[Hashable] = []
        self.how = RUNNING
        self.over = False
        self._last: tuple[Numbers, Flags] | None = None
        if self.encoding.story:
            self._story = self.encoding.opening(self.state)

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.played)

    @property
    def terminated(self) -> bool:
        """Whether the game has come to its end."""
        return self.how != RUNNING

    @property
    def truncated(self) -> bool:
        """Whether the game was broken off at the limit of moves."""
        return self.over and self.how == RUNNING

    @property
    def rewards(self) -> tuple[int, int]:
        """What both seats get for how the game stands."""
        return REWARDS[self.how]

    def play(self, action: Any) -> None:
        """Make the move that an action means; IllegalMove leaves everything as it was."""
        self.make(self.encoding.letter(action))

    def make(self, move: Any) -> None:
        """Make a move; IllegalMove leaves everything as it was."""
        encoding = self.encoding
        self.state = state = self.game.play(self.state, move)
        played = self.played
        if encoding.story:
            self._story[encoding.chapter(len(played))] = encoding.index[move] + 1
        played.append(move)
        outcome = self.game.outcome(state)
        if outcome is not None:
            self.how = standing(outcome)
            self.over = True
        elif len(played) == encoding.limit:
            self.over = True

    def look(self) -> tuple[Numbers, Flags]:
        """The position as numbers, and 1 for every legal action; none when the game is over or broken off."""
        try:
            last = self._last
        except AttributeError:
            raise ResetNeeded(RESET) from None
        if last is not None:
            view, mask = last
            return view.copy(), mask.copy()
        encoding = self.encoding
        view, mask = encoding.look(self.state)
        if encoding.story:
            view = np.concatenate((view, self._story))
        if view.dtype != self._dtype:
            view = view.astype(self._dtype)
        if self.over:  # which every agent is going to look at
            if self.how == RUNNING:
                mask[:] = 0
            self._last = view.copy(), mask.copy()
        return view, mask

    def shown(self, names: tuple[str, str] = ("", "")) -> View:
        """The game as it is to be shown."""
        self.look()  # or be told that there is nothing to see
        return View(self.spec, self.game, self.state, self.played, self.truncated, names)
