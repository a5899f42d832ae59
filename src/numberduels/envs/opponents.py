"""The opponent of the agent: a player by name, a Player, a function or a policy.

A `Player` may offer `choose_in_batch`, as `BatchOpponent` describes it. Then the vector environment calls it
once for all games in which the opponent is to move. Other players are asked game by game.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable
from functools import cached_property
from itertools import repeat
from random import Random
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import DTypeLike, NDArray

from numberduels import players
from numberduels.envs.batch_env import BatchEnv
from numberduels.envs.encoding import Encoding, MaskArray, ObservationArray
from numberduels.game.contract import HUMAN, Game, IllegalMove, M, S
from numberduels.game.options import BadOption
from numberduels.players import Player
from numberduels.players.callables import CallablePlayer
from numberduels.players.ladder import PerfectPlayer
from numberduels.solvers.choose import PATIENCE, engaging_moves

Opponent = str | Player | type[Player] | Callable[[Any, Any, Random], Any]
"""What the environments accept as an opponent."""

Array = NDArray[Any]
Actions = NDArray[np.intp]
Masks = NDArray[np.bool_]
Policy = Callable[[ObservationArray, MaskArray], Any]

MAX_POSITIONS = 100_000
"""The most positions whose best moves are remembered."""

MAX_BYTES = 64 << 20
"""The most bytes of remembered masks: a game with many actions is remembered for fewer positions."""


def make_opponent(given: object) -> Player:
    """The player for this opponent; ValueError says what is accepted.

    A string is the name of a player, as in the `duel` command. A Player is used as it is; a subclass of
    Player is called without arguments. Any other callable is a function `choose(game, state, rng)`.

    >>> make_opponent("greedy").name
    'greedy'
    >>> make_opponent(lambda game, state, rng: max(game.moves(state))).name
    '<lambda>'
    """
    if isinstance(given, str) and given != HUMAN:
        return players.make_player(given)
    if isinstance(given, Player):
        return given
    if isinstance(given, type) and issubclass(given, Player):
        return given()
    if callable(given):
        return CallablePlayer(getattr(given, "__name__", type(given).__name__), given)
    raise BadOption(
        "opponent",
        f"opponent is the name of a computer player ({', '.join(players.KINDS)}), a Player, or a"
        " function that is called with game, state and rng",
    )


class HasOpponent:
    """The `opponent` attribute of an environment."""

    _opponent: Player

    @property
    def opponent(self) -> Player:
        """The player against the agent. You may set another one at any time."""
        return self._opponent

    @opponent.setter
    def opponent(self, given: Opponent) -> None:
        player = make_opponent(given)
        self._accept(player)
        self._opponent = player

    @abstractmethod
    def _accept(self, player: Player) -> None:
        """Prepare the player for a running game; BadOption if it cannot play here."""


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
    """An action for each row of weights, drawn by a number from 0 to 1 for each row."""
    sums = weights.cumsum(axis=1, dtype=np.float64)
    totals = sums[:, -1]
    reached = np.minimum(chances * totals, np.nextafter(totals, 0))  # rounding must not reach the total
    drawn: Actions = (sums > reached[:, None]).argmax(axis=1)
    return drawn


class BestMoves:
    """For many positions, the moves that a perfect player draws from: those of `engaging_moves`.

    A game may know them for whole arrays, by `GameBatch.perfect_moves`. Otherwise the player's exact solver
    is asked when a position is met for the first time, and the answer is remembered. When the memory is
    full, all is forgotten.
    """

    def __init__(self, player: PerfectPlayer, batch: BatchEnv) -> None:
        self._player, self._batch = player, batch
        self.capacity = max(1, min(MAX_POSITIONS, MAX_BYTES // batch.num_actions))
        """How many positions are remembered at most."""
        self._rows: dict[Hashable, int] = {}
        self._masks = np.zeros((1, batch.num_actions), dtype=np.bool_)

    def __reduce__(self) -> tuple[type[BestMoves], tuple[Any, ...]]:
        return BestMoves, (self._player, self._batch)  # a copy can compute the rest again

    @property
    def remembered(self) -> int:
        """How many positions are remembered."""
        return len(self._rows)

    def choose_in_batch(self, positions: Positions) -> Masks:
        """For each position, which actions the perfect player draws from: these have equal weights."""
        known = self._batch.games.perfect_moves(positions.indices, PATIENCE)
        if known is not None:
            return known
        keys = positions.keys()
        rows = np.fromiter(map(self._rows.get, keys, repeat(-1)), np.intp, len(keys))
        found = self._masks.take(rows, axis=0, mode="clip")
        for row in (rows < 0).nonzero()[0].tolist():
            place = self._place(keys[row], positions, row)
            found[row] = self._masks[place]
        return found

    def _place(self, key: Hashable, positions: Positions, row: int) -> int:
        """The place of a position in the memory, solved if it is new."""
        known = self._rows.get(key)
        if known is not None:  # an earlier row had the same position
            return known
        action_of = self._batch.encoding.action_of
        state = positions.state(row)
        best = [action_of[move] for move in self._player.consult(positions.game, state, engaging_moves)]
        if len(self._rows) == self.capacity:
            self._rows.clear()
        place = len(self._rows)
        if place == len(self._masks):
            rows = min(self.capacity, 2 * place)
            self._masks = np.concatenate((self._masks, np.zeros_like(self._masks[: rows - place])))
        self._masks[place] = False
        self._masks[place, best] = True
        self._rows[key] = place
        return place


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
