"""The OpenSpiel observer: states as strings and tensors."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numberduels.envs.openspiel import DuelGame, DuelState


class DuelObserver:
    """Observes a state as a string and as a tensor, the same for both players.

    The observation has the features of the position ("view") and, if the encoding has one, the "history". The
    information state has the features of the "start" and the "moves": each action so far plus 1, and 0 for
    each move still to come. Before the deal everything is 0.
    """

    def __init__(self, game: DuelGame, recall: bool, public: bool) -> None:
        # Do not keep the game: it keeps its observer, and the cycle would never be freed.
        self._recall = recall
        history = game.encoding.history_length
        width = len(game.encoding.features) - history
        sizes = (
            {"start": width, "moves": game.max_game_length()}
            if recall
            else {"view": width, "history": history}
        )
        if not public:
            sizes = {}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        pieces = np.split(self.tensor, list(accumulate(sizes.values())))
        self.dict = {name: piece for name, piece in zip(sizes, pieces, strict=False) if piece.size}
        """Named slices of the tensor."""

    def set_from(self, state: DuelState, player: int) -> None:
        """Fill the tensor."""
        self.tensor.fill(0)
        if not self.dict or state.position is None:
            return
        game, encoding = state.game, state.game.encoding
        start = game.start(state.history()[0]) if game.deals else game.initial
        actions = np.add(state.actions, 1)
        if self._recall:
            self.dict["start"][:] = list(encoding.observe_position(start.position))
            self.dict["moves"][: len(actions)] = actions
            return
        self.dict["view"][:] = list(encoding.observe_position(state.position))
        if encoding.history_length:
            history = self.dict["history"]
            history[:] = encoding.initial_history(start.position)
            history[encoding.history_index(0) : encoding.history_index(len(actions))] = actions

    def string_from(self, state: DuelState, player: int) -> str:
        """The actions so far, the deal first, or the state itself."""
        if not self.dict:
            return ""
        return str(state.history_str()) if self._recall else str(state)
