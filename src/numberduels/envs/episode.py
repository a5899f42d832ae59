"""One game with numeric actions and observations, shared by the environments for single games."""

from __future__ import annotations

from collections.abc import Hashable
from operator import index
from random import Random
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from numberduels.envs.encoding import WHOLE_NUMBERS, Encoding, MaskArray, ObservationArray
from numberduels.envs.live_observation import LiveObservation
from numberduels.envs.position_graph import PositionGraph
from numberduels.envs.rendering import View
from numberduels.envs.spaces import make_observation_space
from numberduels.game.batch import REWARDS, RUNNING, result_code
from numberduels.game.spec import GameSpec

NOT_GIVEN = object()

RESET = "no game is going on: reset the environment first"


class Episode:
    """One game. Call `reset` before anything else.

    >>> from numberduels.game.registry import spec
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
        self.encoding = encoding = Encoding(game, limit)
        self.over = True
        """Whether no move can be made: the game has ended or was truncated, or none was started."""
        self.observation_space = make_observation_space(encoding, dtype)
        kind = self.observation_space.dtype
        assert kind is not None, "a Box has a dtype"
        self.arrays: tuple[ObservationArray, MaskArray] | None = None
        """The observation and the mask, or None until `encode` is called. Give only copies of them away."""
        # A game that can write what a move changed is followed so; of any other the positions are kept.
        self._live = LiveObservation(encoding, kind) if LiveObservation.supports(encoding, kind) else None
        self._graph = PositionGraph(encoding, kind)

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        if self._live is not None and self.arrays is not None:
            self.arrays = self._live.observation, self._live.mask  # and not copies of their own

    def reset(self, rng: Random) -> None:
        """Start a game."""
        self.start = self.state = state = self.game.start(rng)
        self.played: list[Hashable] = []
        self.result = RUNNING
        self.over = False
        if self._live is not None:
            self._live.set_start(state)
            self.arrays = self._live.observation, self._live.mask
        else:
            self._position = self._graph.position(state)
            self.arrays = None
            if self.encoding.history_length:
                self._history = self.encoding.initial_history(state)

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

    def play(self, action: Any, move: Any = NOT_GIVEN) -> None:
        """Play an action, or the move if one is given; IllegalMove leaves everything unchanged."""
        encoding = self.encoding
        if move is NOT_GIVEN:
            number = index(action) if type(action) in WHOLE_NUMBERS else -1
            moves = encoding.moves
            # Without a call in the usual case; the encoding says what is wrong in the others.
            move = moves[number] if 0 <= number < len(moves) else encoding.move(action)
        live = self._live
        if live is not None:
            game, before = self.game, self.state
            self.state = state = game.play(before, move)
            game.update_observation(live.numbers, live.flags, before, move, state)
            outcome = game.outcome(state)
            result = RUNNING if outcome is None else result_code(outcome)
        else:
            position = self._position.after.get(move) or self._graph.follow(self._position, move)
            self._position = position
            self.state = position.state
            self.arrays = position.arrays
            result = position.result
            if encoding.history_length:
                self._add_to_history(move)
        self.played.append(move)
        if result != RUNNING:
            self.result = result
            self.over = True
        elif encoding.limit is not None and len(self.played) == encoding.limit:
            self._truncate()

    def _add_to_history(self, move: Any) -> None:
        encoding = self.encoding
        self._history[encoding.history_index(len(self.played))] = encoding.action_of[move] + 1
        self.arrays = None

    def _truncate(self) -> None:
        self.over = True
        if self._live is not None:
            self._live.mask[:] = 0
        else:
            self.arrays = None

    def observe(self) -> tuple[ObservationArray, MaskArray]:
        """The observation and the action mask, which is all 0 if the game is over or truncated."""
        observation, mask = self.arrays or self.encode()
        return observation.copy(), mask.copy()

    def encode(self) -> tuple[ObservationArray, MaskArray]:
        """Make and return `arrays`."""
        try:
            observation, mask = self._graph.arrays(self._position)
        except AttributeError:
            raise ResetNeeded(RESET) from None
        if self.encoding.history_length:
            observation = np.concatenate((observation, self._history), dtype=observation.dtype)
        self.arrays = observation, np.zeros_like(mask) if self.truncated else mask
        return self.arrays

    def view(self, names: tuple[str, str] = ("", "")) -> View:
        """The game as a renderer needs it."""
        self.observe()  # raises before the first reset
        return View(self.spec, self.game, self.state, self.played, self.truncated, names)
