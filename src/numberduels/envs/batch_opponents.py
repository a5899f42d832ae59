"""Opponents that choose for many positions with one call.

A `Player` may offer `choose_in_batch`, as `BatchOpponent` describes it. Then the vector environment calls it
once for all games in which the opponent is to move. Other players are asked game by game.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import DTypeLike, NDArray

from numberduels.envs.batch_env import BatchEnv
from numberduels.envs.encoding import MaskArray, ObservationArray
from numberduels.game.contract import IllegalMove
from numberduels.players import Player

Array = NDArray[Any]
Actions = NDArray[np.intp]


class Positions:
    """The positions of some games of a batch, one row for each game."""

    def __init__(self, batch: BatchEnv, indices: Actions, dtype: DTypeLike | None) -> None:
        self._batch = batch
        self._dtype = dtype
        self.indices = indices
        """The numbers of the games."""
        self.game = batch.game
        self.num_actions = batch.num_actions

    def __len__(self) -> int:
        return len(self.indices)

    @cached_property
    def observations(self) -> ObservationArray:
        """The observations, as the agent of such an environment gets them."""
        return self._batch.observe_games(self.indices).astype(self._dtype, copy=False)

    @cached_property
    def masks(self) -> MaskArray:
        """The action masks."""
        return self._batch.games.legal(self.indices).astype(np.int8)

    def state(self, row: int) -> Any:
        """The position in a row as the rules of the game define it."""
        return self._batch.state(int(self.indices[row]))

    def keys(self) -> list[Any]:
        """A hashable key for each row, equal where the positions are equal."""
        return self._batch.games.keys(self.indices)


@runtime_checkable
class BatchOpponent(Protocol):
    """A player that chooses for many positions with one call."""

    def choose_in_batch(self, positions: Positions) -> Array:
        """An action for each row, or a weight for each row and action.

        From weights the environment draws a legal action with its own generator, so that the seed decides.
        """


def as_batch_opponent(player: Player) -> BatchOpponent | None:
    """The player, if it chooses in batches; None if a subclass has changed only how it chooses one move."""
    for kind in type(player).__mro__:
        if "choose_in_batch" in vars(kind):
            return player if isinstance(player, BatchOpponent) else None
        if "choose" in vars(kind):
            return None
    return None


def actions_of(answer: Any, masks: MaskArray, chances: NDArray[np.float64], who: str) -> Actions:
    """The actions of an answer of `choose_in_batch`; `chances` are numbers from 0 to 1, one for each row.

    ValueError if the answer has another form. Whether an action is legal is left to the rules.

    >>> masks = np.array([[1, 1, 1], [0, 1, 0]], dtype=np.int8)
    >>> actions_of(np.array([[0.5, 0.0, 0.5], [0.8, 0.2, 0.0]]), masks, np.array([0.6, 0.6]), "policy")
    array([2, 1])
    """
    given = np.asarray(answer)
    rows, count = masks.shape
    if given.shape == (rows,) and given.dtype.kind in "iu":
        actions = given.astype(np.intp)
        wrong = ((actions < 0) | (actions >= count)).nonzero()[0]
        if len(wrong):
            raise IllegalMove(
                f"{who} chose {given[wrong[0]]}: actions are the numbers from 0 to {count - 1}."
            )
        return actions
    if given.shape != masks.shape or given.dtype.kind not in "biuf":
        raise ValueError(
            f"{who} must return {rows} actions, or weights of shape {masks.shape},"
            f" not {given.dtype} of shape {given.shape}"
        )
    weights = given * masks.astype(np.float64)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any(axis=1).all()):
        raise ValueError(f"{who} must give each row finite weights from 0 on, and some to a legal action")
    return draw_actions(weights, chances)


def draw_actions(weights: Array, chances: NDArray[np.float64]) -> Actions:
    """An action for each row of weights, drawn by a number from 0 to 1 for each row.

    >>> draw_actions(np.array([[True, False, True]] * 2), np.array([0.4, 0.6]))
    array([0, 2])
    """
    sums = weights.cumsum(axis=1, dtype=np.float64)
    totals = sums[:, -1]
    reached = np.minimum(chances * totals, np.nextafter(totals, 0))  # rounding must not reach the total
    drawn: Actions = (sums > reached[:, None]).argmax(axis=1)
    return drawn
