"""One seat against a given opponent in many games at once: the Gymnasium interface for vectors."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from numberduels import registry
from numberduels.envs.batches import Batch
from numberduels.envs.encoding import Numbers
from numberduels.envs.episode import RESET
from numberduels.envs.single import SEATS, facing
from numberduels.envs.spaces import actions, observations
from numberduels.options import BadOption, among
from numberduels.players.simple import RandomPlayer

Array = NDArray[Any]
Indices = NDArray[np.intp]


class DuelVectorEnv(VectorEnv[Numbers, Indices, Array]):
    """`num_envs` games like those of `DuelEnv`, on a `Batch`: thousands of moves for the price of a few.

    A game that ends begins anew in the same step (AutoresetMode.SAME_STEP): `infos["final_obs"]` has its last
    observation. A game that the opponent's first move ends has no legal action: whichever is given, the
    next step reports the result. `infos["action_mask"]` tells what is legal. An illegal action raises
    IllegalMove, and then no game has moved. A random opponent is as fast as the batch; any other thinks about
    one game after the other.

    >>> envs = DuelVectorEnv("range-war", num_envs=2, size=3)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(np.array([0, 2]))
    >>> rewards[0], terminations[0]  # nothing is lower than 1
    (np.float64(1.0), np.True_)
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # as declared

    def __init__(
        self,
        game: str,
        *,
        num_envs: int = 1,
        opponent: str = "random",
        seat: str = "first",
        limit: int | None = None,
        **options: Any,
    ) -> None:
        among("seat", seat, SEATS)
        room = registry.room(game)
        self.batch = Batch(room, room.build(options), num_envs, limit=limit)
        self.opponent = facing(opponent)
        self.num_envs = num_envs
        self.single_action_space = actions(self.batch.encoding)
        self.single_observation_space = observations(self.batch.encoding)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._fixed = SEATS[seat]
        self._rng: Random | None = None
        self.seat = np.zeros(num_envs, dtype=np.intp)
        """The agent's seat in each game."""
        self._early = Results(num_envs)
        self._going = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        if options and "reset_mask" in options:
            raise BadOption("options", "games begin anew by themselves; reset() begins all of them")
        super().reset(seed=seed)
        self._going = False
        if seed is not None or self._rng is None:
            self._rng = Random(int(self.np_random.integers(1 << 62)))
            self.batch.reset(int(self.np_random.integers(1 << 62)))
        else:
            self.batch.reset()
        self.opponent.prepare(self.batch.game, self.batch.state(0))
        self._early = Results(self.num_envs)
        self._sit(np.arange(self.num_envs))
        self._going = True
        return self.batch.observe(), {"action_mask": self._legal()}

    def step(
        self, actions: Indices
    ) -> tuple[Numbers, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        if not self._going:
            raise ResetNeeded(RESET)
        places = self.batch.checked(actions)
        results = self._early
        going = results.going()
        going = self._move(places[going], going, results)  # may refuse, and must leave all as it was
        self._early = Results(self.num_envs)
        self._going = False  # until the opponent has moved everywhere, who may be interrupted
        self._move(self._answers(going), going, results)
        over = results.over()
        infos: dict[str, Any] = {}
        if len(over):
            infos["final_obs"] = np.full(self.num_envs, None, dtype=object)
            for row, seen in zip(over, self.batch.seen(over), strict=True):
                infos["final_obs"][row] = seen
            infos["_final_obs"] = results.terminated | results.truncated
            self.batch.begin(over)
            self._sit(over)
        self._going = True
        infos["action_mask"] = self._legal()
        return self.batch.observe(), results.rewards, results.terminated, results.truncated, infos

    def _legal(self) -> NDArray[np.int8]:
        """1 for every legal action: none where the opponent's first move was the last."""
        legal = self.batch.legal().astype(np.int8)
        legal[self._early.over()] = 0
        return legal

    def _sit(self, rows: Indices) -> None:
        """Take seats in games that begin; where it is the second, the opponent moves at once."""
        drawn = self.np_random.integers(2, size=len(rows)) if self._fixed is None else self._fixed
        self.seat[rows] = drawn
        second = rows[self.seat[rows] == 1]
        self._move(self._answers(second), second, self._early)

    def _answers(self, rows: Indices) -> Indices:
        """The opponent's actions in these games."""
        batch, rng = self.batch, self._rng
        if isinstance(self.opponent, RandomPlayer):
            return batch.rows.sample(batch.rng, rows)
        assert rng is not None, "games are going on"
        index, choose = batch.encoding.index, self.opponent.choose
        return np.array([index[choose(batch.game, batch.state(row), rng)] for row in rows], dtype=np.intp)

    def _move(self, actions: Indices, rows: Indices, results: Results) -> Indices:
        """Make moves in these games, note what comes of them, and return those that go on."""
        step, over = self.batch.advance(actions, rows)
        results.rewards[rows] = step.rewards[np.arange(len(rows)), self.seat[rows]]
        results.terminated[rows] = step.terminated
        results.truncated[rows] = step.truncated
        return np.delete(rows, over)


class Results:
    """For each game what it gave the agent, and whether it is over: at first nothing, and none."""

    def __init__(self, n: int) -> None:
        self.rewards = np.zeros(n, dtype=np.float64)
        self.terminated = np.zeros(n, dtype=np.bool_)
        self.truncated = np.zeros(n, dtype=np.bool_)

    def over(self) -> Indices:
        """The games that are over."""
        return (self.terminated | self.truncated).nonzero()[0]

    def going(self) -> Indices:
        """The games that go on."""
        return (~(self.terminated | self.truncated)).nonzero()[0]
