"""PolicyPlayer: a policy that chooses actions by observations and masks, as an opponent."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from numberduels.envs.batch_opponents import Array, Positions, actions_of
from numberduels.envs.encoding import Encoding, MaskArray, ObservationArray
from numberduels.game.contract import Game, M, S
from numberduels.players import Player

Policy = Callable[[ObservationArray, MaskArray], Any]


class PolicyPlayer(Player):
    """Asks a function of observations and masks, each with one row for each position.

    The function returns an action for each row, or an array of weights with a row for each position and a
    column for each action. From weights the environment draws.

    >>> player = PolicyPlayer(lambda observations, masks: masks.argmax(axis=1))
    >>> from numberduels.games.range_war.rules import RangeWar
    >>> game = RangeWar(size=5)
    >>> player.choose(game, game.start(Random(1)), Random(1))
    1
    """

    def __init__(self, policy: Policy, name: str = "policy") -> None:
        self.policy = policy
        self.name = name
        self._encoding: Encoding | None = None

    def choose_in_batch(self, positions: Positions) -> Array:
        answer: Array = np.asarray(self.policy(positions.observations, positions.masks))
        return answer

    def choose_action(self, observation: ObservationArray, mask: MaskArray, rng: Random) -> int:
        """The action for one position."""
        observations, masks = observation[None], mask[None]
        answer = self.policy(observations, masks)
        return int(actions_of(answer, masks, np.array([rng.random()]), self.name)[0])

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        if self._encoding is None or self._encoding.game != game:
            self._encoding = Encoding(game)
        encoding = self._encoding
        if encoding.history_length:
            raise ValueError(f"{self.name} needs the history of the game, which only an environment has")
        move: Any = encoding.moves[self.choose_action(*encoding.observe(state), rng)]
        return move  # type: ignore[no-any-return]
