"""What OpenSpiel is told of a state: as a string, and as a tensor."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numberduels.envs.openspiel import DuelGame, DuelState


class DuelObserver:
    """Tells a state as a string and as a tensor; both players are told the same.

    The observation is what `observe` tells of the position and, where that is not all, the `story` of the
    game, as `Encoding` has them. The information state is the view of the `start` and the `moves`:
    each action so far, counted from 1, and 0 for those yet to come. Before the deal all is 0.
    """

    def __init__(self, game: DuelGame, recall: bool, public: bool) -> None:
        # The game itself is not kept: it keeps its observer, and neither would ever be let go.
        self._recall = recall
        story = game.encoding.story
        width = len(game.encoding.columns) - story
        sizes = (
            {"start": width, "moves": game.max_game_length()} if recall else {"view": width, "story": story}
        )
        if not public:
            sizes = {}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        pieces = np.split(self.tensor, list(accumulate(sizes.values())))
        self.dict = {name: piece for name, piece in zip(sizes, pieces, strict=False) if piece.size}
        """The pieces of the tensor by name."""

    def set_from(self, state: DuelState, player: int) -> None:
        """Fill the tensor."""
        self.tensor.fill(0)
        if not self.dict or state.position is None:
            return
        game, encoding = state.game, state.game.encoding
        start = game.start(state.history()[0]) if game.deals else game.first
        told = np.add(state.actions, 1)
        if self._recall:
            self.dict["start"][:] = list(encoding.view(start.position))
            self.dict["moves"][: len(told)] = told
            return
        self.dict["view"][:] = list(encoding.view(state.position))
        if encoding.story:
            story = self.dict["story"]
            story[:] = encoding.opening(start.position)
            story[encoding.chapter(0) : encoding.chapter(len(told))] = told

    def string_from(self, state: DuelState, player: int) -> str:
        """The actions so far, the deal first, or the state itself."""
        if not self.dict:
            return ""
        return str(state.history_str()) if self._recall else str(state)
