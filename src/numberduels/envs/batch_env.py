"""The batch environment: many games stepped by one call, with NumPy arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numberduels.envs.encoding import Encoding, ObservationArray
from numberduels.game.batch import ALL, REWARDS, GameBatch, Indices, PlainBatch
from numberduels.game.batch.lookup import LookupBatch
from numberduels.game.options import check_whole
from numberduels.game.spec import GameSpec

PAIRS = np.array(REWARDS, dtype=np.int8).view(np.int16).ravel()
"""The rewards of both seats by result code, as one int16, which is faster to look up."""


class Step(NamedTuple):
    """The result of a step, for each game."""

    rewards: NDArray[np.int8]
    """By game and seat: +1, -1, or 0 for a tie and for a running or truncated game."""
    terminated: NDArray[np.bool_]
    """Whether the game ended."""
    truncated: NDArray[np.bool_]
    """Whether the game reached the limit of moves."""


def make_batch(spec: GameSpec, game: Any, n: int) -> GameBatch:
    """The fastest batch for the game: a lookup table if it is small, else its own, else the plain one."""
    candidates: list[type[GameBatch]] = [LookupBatch, PlainBatch]
    if own := spec.load("batch"):
        candidates.insert(1, own)
    return next(each(game, n) for each in candidates if each.supports(game))


class BatchEnv:
    """`n` games of one kind. Each step plays one action in every game, for the seat to move.

    A game that ends is reported by the step and restarts at once: `turn`, `legal` and `observe` then describe
    the new game. The first player is seat 0.

    >>> from numberduels.game.registry import spec
    >>> batch = BatchEnv(spec("summation-duel"), spec("summation-duel").rules(size=4, target=6), n=2)
    >>> batch.reset(seed=1)
    >>> _ = batch.step([3, 2])
    >>> batch.step([1, 3])
    Step(rewards=array([[-1,  1],
           [ 1, -1]], dtype=int8), terminated=array([ True,  True]), truncated=array([False, False]))
    """

    def __init__(self, spec: GameSpec, game: Any, n: int, *, limit: int | None = None) -> None:
        check_whole("n", n, 1, 10**9)
        self.game = game
        self.n = n
        self.encoding = Encoding(game, limit)
        self.num_actions = self.encoding.num_actions
        self._games = make_batch(spec, game, n)
        self._ply = np.zeros(n, dtype=np.int32)
        self._history = np.zeros((n, self.encoding.history_length), dtype=self.encoding.dtype)
        self._rng: np.random.Generator | None = None

    def reset(self, seed: int | None = None) -> None:
        """Start all games. The same seed gives the same deals and samples; None keeps the generator."""
        self.seed(seed)
        self.restart(ALL)

    def seed(self, seed: int | None = None) -> None:
        """Make a generator from this seed; None keeps the generator, if there is one."""
        if seed is not None or self._rng is None:
            self._rng = np.random.Generator(np.random.SFC64(seed))

    @property
    def rng(self) -> np.random.Generator:
        """The random generator."""
        if self._rng is None:
            raise RuntimeError("there are no games yet: reset the batch first")
        return self._rng

    @property
    def games(self) -> GameBatch:
        """The arrays of all games."""
        self.rng  # noqa: B018  # raises before the first reset
        return self._games

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to move in each game."""
        return self.games.turn()

    def legal(self) -> NDArray[np.bool_]:
        """The action mask of each game."""
        return self.games.legal()

    def sample(self) -> NDArray[np.intp]:
        """A uniformly random legal action for each game."""
        return self.games.sample(self.rng)

    def observe(self) -> ObservationArray:
        """The observation of each game; `encoding.features` names its columns."""
        return self.observe_games(ALL)

    def state(self, index: int) -> Any:
        """The position of one game as its rules define it."""
        return self.games.state(range(self.n)[index])

    def step(self, actions: ArrayLike) -> Step:
        """Play one action in every game. If one is illegal, IllegalMove names it and no game has moved."""
        step, over = self.advance(self.validate_actions(actions))
        if len(over):
            self.restart(over)
        return step

    def validate_actions(self, actions: ArrayLike) -> NDArray[np.intp]:
        """The actions as an index array; TypeError or ValueError if they are not actions."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            kind = TypeError if given.dtype.kind not in "iu" else ValueError
            raise kind(f"a step takes {self.n} whole numbers, not {given.dtype} of shape {given.shape}")
        checked = given.astype(np.intp, copy=False)
        if checked.view(np.uintp).max() >= self.num_actions:  # as unsigned, negative numbers are large
            raise ValueError(f"actions are the whole numbers from 0 to {self.num_actions - 1}")
        return checked

    def advance(self, actions: NDArray[np.intp], indices: Indices = ALL) -> tuple[Step, NDArray[np.intp]]:
        """Play actions in these games; returns the step, and the finished games, which are not restarted."""
        encoding = self.encoding
        finished, results, terminated = self.games.play(actions, indices)
        rewards = np.zeros(len(actions), dtype=PAIRS.dtype)
        rewards[finished] = PAIRS.take(results, mode="clip")
        truncated = np.zeros(len(actions), dtype=np.bool_)
        if encoding.limit:
            self._ply[indices] += 1
            ply = self._ply[indices]
            late = (ply == encoding.limit).nonzero()[0]
            if len(late):
                truncated[late] = ~terminated[late]
                finished = (terminated | truncated).nonzero()[0]
            if encoding.history_length:
                self._history[np.arange(self.n)[indices], encoding.history_index(ply - 1)] = actions + 1
        return Step(rewards.view(np.int8).reshape(-1, 2), terminated, truncated), finished

    def restart(self, indices: Indices, rng: np.random.Generator | None = None) -> None:
        """Restart these games, with this generator or else the batch's own."""
        self.games.reset(indices, rng or self.rng)
        if self.encoding.limit:
            self._ply[indices] = 0
            self._history[indices] = 0
            if self.encoding.history_length and self.encoding.dealt:
                self._history[indices, : self.num_actions] = self.games.legal(indices)

    def observe_games(self, indices: Indices) -> ObservationArray:
        """The observations of these games."""
        observed = self.games.observe(indices).astype(self.encoding.dtype, copy=False)
        return (
            np.concatenate((observed, self._history[indices]), axis=1)
            if self.encoding.history_length
            else observed
        )
