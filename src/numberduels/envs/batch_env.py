"""Thousands of games stepped by one call, with nothing but NumPy arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numberduels.batch import ALL, REWARDS, GameBatch, Which
from numberduels.batch.lookup import LookupBatch
from numberduels.batch.plain import PlainBatch
from numberduels.envs.encoding import Encoding, Numbers
from numberduels.options import whole
from numberduels.spec import GameSpec

PAIRS = np.array(REWARDS, dtype=np.int8).view(np.int16).ravel()
"""The rewards of both seats as one piece, which is faster to look up."""


class Step(NamedTuple):
    """What came of a step, for each game."""

    rewards: NDArray[np.int8]
    """By game and seat: +1, -1, or 0 for a tie and for a game that goes on or is broken off."""
    terminated: NDArray[np.bool_]
    """Whether the game came to its end."""
    truncated: NDArray[np.bool_]
    """Whether it was broken off at the limit of moves."""


def batch_of(spec: GameSpec, game: Any, n: int) -> GameBatch:
    """The fastest rows that the game has: as tables if it is small, else its spec's own, else plain ones."""
    kinds: list[type[GameBatch]] = [LookupBatch, PlainBatch]
    if own := spec.load("batch"):
        kinds.insert(1, own)
    return next(kind(game, n) for kind in kinds if kind.fits(game))


class Batch:
    """`n` games of one kind. Each step makes one move in every game, by whoever is to move there.

    A game that ends is reported in what the step returns, and begins anew at once: `turn`, `legal` and
    `observe` then speak of the new game. The first player is seat 0.

    >>> from numberduels.registry import spec
    >>> batch = Batch(spec("summation-duel"), spec("summation-duel").rules(size=4, target=6), n=2)
    >>> batch.reset(seed=1)
    >>> _ = batch.step([3, 2])
    >>> batch.step([1, 3])
    Step(rewards=array([[-1,  1],
           [ 1, -1]], dtype=int8), terminated=array([ True,  True]), truncated=array([False, False]))
    """

    def __init__(self, spec: GameSpec, game: Any, n: int, *, limit: int | None = None) -> None:
        whole("n", n, 1, 10**9)
        self.game = game
        self.n = n
        self.encoding = Encoding(game, limit)
        self.actions = self.encoding.actions
        self._rows = batch_of(spec, game, n)
        self._ply = np.zeros(n, dtype=np.int32)
        self._story = np.zeros((n, self.encoding.story), dtype=self.encoding.dtype)
        self._rng: np.random.Generator | None = None

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew. The same seed gives the same deals and samples; none goes on as before."""
        self.seed(seed)
        self.begin(ALL)

    def seed(self, seed: int | None = None) -> None:
        """Take a generator by this seed; without one go on with the same, or take any."""
        if seed is not None or self._rng is None:
            self._rng = np.random.Generator(np.random.SFC64(seed))

    @property
    def rng(self) -> np.random.Generator:
        """The batch's own generator."""
        if self._rng is None:
            raise RuntimeError("there are no games yet: reset the batch first")
        return self._rng

    @property
    def rows(self) -> GameBatch:
        """The positions of all games."""
        self.rng  # noqa: B018  # before the first reset they stand nowhere
        return self._rows

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to move in each game."""
        return self.rows.turn()

    def legal(self) -> NDArray[np.bool_]:
        """Which actions are legal, a row for each game."""
        return self.rows.legal()

    def sample(self) -> NDArray[np.intp]:
        """A legal action for each game, each as likely as the others."""
        return self.rows.sample(self.rng)

    def observe(self) -> Numbers:
        """The observations, a row for each game, with the columns that `encoding.columns` names."""
        return self.seen(ALL)

    def state(self, row: int) -> Any:
        """The position of one game as its rules know it."""
        return self.rows.state(range(self.n)[row])

    def step(self, actions: ArrayLike) -> Step:
        """Make a move in every game; IllegalMove names the first that is refused, and then none has moved."""
        step, over = self.advance(self.checked(actions))
        if len(over):
            self.begin(over)
        return step

    def checked(self, actions: ArrayLike) -> NDArray[np.intp]:
        """The actions as an array of places in the alphabet; TypeError or ValueError if they are none."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            kind = TypeError if given.dtype.kind not in "iu" else ValueError
            raise kind(f"a step takes {self.n} whole numbers, not {given.dtype} of shape {given.shape}")
        places = given.astype(np.intp, copy=False)
        if places.view(np.uintp).max() >= self.actions:  # seen like this, a negative number is large
            raise ValueError(f"actions are the whole numbers from 0 to {self.actions - 1}")
        return places

    def advance(self, actions: NDArray[np.intp], rows: Which = ALL) -> tuple[Step, NDArray[np.intp]]:
        """Make a move in these games; what came of it, and which of them are over and wait to begin anew."""
        encoding = self.encoding
        which, how, terminated = self.rows.play(actions, rows)
        rewards = np.zeros(len(actions), dtype=PAIRS.dtype)
        rewards[which] = PAIRS.take(how, mode="clip")
        truncated = np.zeros(len(actions), dtype=np.bool_)
        if encoding.limit:
            self._ply[rows] += 1
            ply = self._ply[rows]
            late = (ply == encoding.limit).nonzero()[0]
            if len(late):
                truncated[late] = ~terminated[late]
                which = (terminated | truncated).nonzero()[0]
            if encoding.story:
                self._story[np.arange(self.n)[rows], encoding.chapter(ply - 1)] = actions + 1
        return Step(rewards.view(np.int8).reshape(-1, 2), terminated, truncated), which

    def begin(self, rows: Which, rng: np.random.Generator | None = None) -> None:
        """Begin these games anew, dealt by this generator if not by the batch's own."""
        self.rows.deal(rows, rng or self.rng)
        if self.encoding.limit:
            self._ply[rows] = 0
            self._story[rows] = 0
            if self.encoding.story and self.encoding.dealt:
                self._story[rows, : self.actions] = self.rows.legal(rows)

    def seen(self, rows: Which) -> Numbers:
        """The observations of these games."""
        view = self.rows.observe(rows).astype(self.encoding.dtype, copy=False)
        return np.concatenate((view, self._story[rows]), axis=1) if self.encoding.story else view
