"""The Gymnasium vector environment: one seat against an opponent in many games at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import DTypeLike, NDArray

from numberduels.envs.batch_env import BatchEnv
from numberduels.envs.encoding import ObservationArray
from numberduels.envs.episode import RESET, make_observation_space
from numberduels.envs.gymnasium_env import ILLEGAL, MAX_ILLEGAL, SEATS
from numberduels.envs.opponents import (
    BatchOpponent,
    BestMoves,
    HasOpponent,
    Opponent,
    Positions,
    actions_of,
    as_batch_opponent,
)
from numberduels.game import registry
from numberduels.game.contract import IllegalMove
from numberduels.game.options import BadOption, check_among
from numberduels.players import Player
from numberduels.players.ladder import PerfectPlayer
from numberduels.players.search import RandomPlayer

Array = NDArray[Any]
Indices = NDArray[np.intp]
Bools = NDArray[np.bool_]

AUTORESET = {mode.value: mode for mode in AutoresetMode}


class Results:
    """For each game the reward of the agent, and whether the game ended."""

    def __init__(self, n: int) -> None:
        self.rewards = np.zeros(n, dtype=np.float64)
        self.terminated = np.zeros(n, dtype=np.bool_)
        self.truncated = np.zeros(n, dtype=np.bool_)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over."""
        return self.terminated | self.truncated

    def clear(self, indices: NDArray[np.intp]) -> None:
        """Reset the results of these games."""
        self.rewards[indices] = 0
        self.terminated[indices] = self.truncated[indices] = False


class DuelVectorEnv(HasOpponent, VectorEnv[ObservationArray, Indices, Array]):
    """`num_envs` games as in `DuelEnv`, played on a `BatchEnv`.

    `autoreset_mode` says when a finished game restarts. NextStep, the default: in the next step, which
    ignores the action for it. SameStep: in the same step, with `infos["final_obs"]` and `infos["final_info"]`
    for the finished game. Disabled: when you call `reset` with `options={"reset_mask": ...}`.

    If the opponent's first move ends a game, no action is legal there, and the next step reports the result,
    whatever its action. `infos["action_mask"]` shows what is legal. `illegal` works as in `DuelEnv`:
    `infos["illegal"]` shows where an action was illegal, and if it raises, no game has moved.

    The random and the perfect opponent, a `PolicyPlayer`, and every player with `choose_in_batch` are asked
    once for all games; other opponents choose for one game after the other.

    One seed serves all games; a list gives each game its own seed, and is slower.

    >>> envs = DuelVectorEnv("range-war", num_envs=2, size=3)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(np.array([0, 2]))
    >>> rewards[0], terminations[0]  # nothing is lower than 1
    (np.float64(1.0), np.True_)
    """

    def __init__(
        self,
        game: str,
        *,
        num_envs: int = 1,
        opponent: Opponent = "random",
        seat: str = "first",
        illegal: str = "retry",
        limit: int | None = None,
        dtype: DTypeLike | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        check_among("seat", seat, SEATS)
        check_among("illegal", illegal, ILLEGAL)
        if not isinstance(autoreset_mode, AutoresetMode):
            check_among("autoreset_mode", autoreset_mode, AUTORESET)
            autoreset_mode = AUTORESET[autoreset_mode]
        self.metadata = {"render_modes": [], "autoreset_mode": autoreset_mode}
        self.autoreset_mode = autoreset_mode
        spec = registry.adopted_spec(game)
        self.batch = BatchEnv(spec, spec.build(options), num_envs, limit=limit)
        self.num_envs = num_envs
        self.single_action_space = Discrete(self.batch.num_actions)
        self.single_observation_space = make_observation_space(self.batch.encoding, dtype)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._fixed = SEATS[seat]
        self.seat = np.zeros(num_envs, dtype=np.intp)
        """The seat of the agent in each game."""
        self._rng: Random | None = None
        self._generators_of: list[tuple[np.random.Generator, Random]] = []
        """The generators of each game, if each has its own seed."""
        self._pending = Results(num_envs)
        """Results of games that the opponent's first move ended, not yet reported."""
        self._done = np.zeros(num_envs, dtype=np.bool_)
        """Games that are over and reported, and have not restarted."""
        self._illegal_counts = np.zeros(num_envs, dtype=np.intp)
        """Illegal actions in each game."""
        self._mask = np.zeros((num_envs, self.batch.num_actions), dtype=np.bool_)
        """The action mask that was reported last."""
        self._running = False
        self.illegal = illegal
        self.opponent = opponent

    def _accept(self, player: Player) -> None:
        if player.uses_history:
            raise BadOption(
                "opponent",
                f"{player.name} follows one game at a time: make each game an environment of its own, with"
                " vectorization_mode='sync'",
            )
        if self._running:
            player.prepare(self.batch.game, self.batch.state(0))
        self._batch_opponent = (
            BestMoves(player, self.batch)
            if isinstance(player, PerfectPlayer) and type(player).choose is PerfectPlayer.choose
            else as_batch_opponent(player)
        )

    # Resetting

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationArray, dict[str, Any]]:
        indices = self._to_reset(options)
        if isinstance(seed, Sequence | np.ndarray):
            self._seed_each(seed, indices)
        else:
            self._seed_all(seed)
        self._running = False
        opened = self._restart(indices)
        self.opponent.prepare(self.batch.game, self.batch.state(0))
        self._open_games(opened)
        self._running = True
        return self._report({})

    def _to_reset(self, options: dict[str, Any] | None) -> Indices:
        """The games to reset: all, or those of the reset mask."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)):
            raise BadOption("reset_mask", f"reset_mask must be a NumPy array of {self.num_envs} booleans")
        if not mask.any():
            raise BadOption("reset_mask", "reset_mask must be true for one game at least")
        if not self._running:
            raise ResetNeeded("no games are going on: reset all of them first")
        return mask.nonzero()[0]

    def _seed_all(self, seed: int | None) -> None:
        super().reset(seed=seed)
        if seed is not None or self._rng is None:
            self._rng = Random(int(self.np_random.integers(1 << 62)))
            self.batch.seed(int(self.np_random.integers(1 << 62)))
            self._generators_of = []

    def _seed_each(self, seeds: Sequence[int | None] | Array, indices: Indices) -> None:
        """Give these games their own generators; a game without a seed keeps the one it has."""
        if len(seeds) != self.num_envs:
            raise BadOption("seed", f"a list of seeds must have {self.num_envs} of them, not {len(seeds)}")
        for seed in seeds:
            if seed is not None and (not isinstance(seed, int | np.integer) or seed < 0):
                raise BadOption("seed", "a seed is a whole number from 0 on, or None")
        if self._rng is None:
            self._seed_all(None)
        if not self._generators_of:
            self._generators_of = [self._generators(None) for _ in seeds]
        for index in indices:
            if seeds[index] is not None:
                self._generators_of[index] = self._generators(seeds[index])

    def _generators(self, seed: Any) -> tuple[np.random.Generator, Random]:
        """Two generators from a seed, or from the vector's own generator."""
        entropy = int(self.np_random.integers(1 << 62)) if seed is None else int(seed)
        rng = np.random.Generator(np.random.SFC64(entropy))
        return rng, Random(int(rng.integers(1 << 62)))

    def _with_generators(self, indices: Indices) -> Iterator[tuple[Indices, np.random.Generator, Random]]:
        """The games in groups, each with its generators."""
        if self._generators_of:
            yield from (
                (indices[place : place + 1], *self._generators_of[index])
                for place, index in enumerate(indices)
            )
        elif len(indices):
            assert self._rng is not None, "the environment was reset"
            yield indices, self.batch.rng, self._rng

    def _restart(self, indices: Indices) -> Indices:
        """Restart games, draw the seats of the agent, and return the games in which the opponent is first."""
        self._pending.clear(indices)
        self._done[indices] = False
        self._illegal_counts[indices] = 0
        for part, rng, _ in self._with_generators(indices):
            self.batch.restart(part, rng)
            self.seat[part] = rng.integers(2, size=len(part)) if self._fixed is None else self._fixed
        second: Indices = indices[self.seat[indices] == 1]
        return second

    def _open_games(self, indices: Indices) -> None:
        """Let the opponent make the first move in these games."""
        self._move(self._opponent_actions(indices), indices, self._pending)

    # Stepping

    def step(
        self, actions: Indices
    ) -> tuple[ObservationArray, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        if not self._running:
            raise ResetNeeded(RESET)
        checked = self.batch.validate_actions(actions)
        waiting = self._done.nonzero()[0]
        if self.autoreset_mode is AutoresetMode.DISABLED and len(waiting):
            raise ResetNeeded(f"game {waiting[0]} is over: reset it first, with a reset_mask in the options")
        results = self._pending
        indices = (~(self._done | results.over)).nonzero()[0]
        wrong = indices[:0]
        if self.illegal != "raise":
            right = self._mask[indices, checked[indices]]
            indices, wrong = indices[right], indices[~right]
        going = self._move(
            checked[indices], indices, results
        )  # may raise, and must leave everything unchanged then
        self._pending = Results(self.num_envs)
        self._running = False  # until the opponent has moved: it may be interrupted
        opened = indices[:0]
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and len(waiting):
            opened = self._restart(waiting)
        answers = self._opponent_actions(np.concatenate((going, opened)))  # one call for all of them
        self._move(answers[: len(going)], going, results)
        self._move(answers[len(going) :], opened, self._pending)
        refused = self._refused(wrong, results)
        over = results.over
        self._done = over
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            infos = self._final(over, refused & over)
            refused &= ~over
            self._open_games(self._restart(over.nonzero()[0]))
        if refused.any():
            infos |= {"illegal": refused, "_illegal": refused.copy()}
        self._running = True
        observations, infos = self._report(infos)
        return observations, results.rewards, results.terminated, results.truncated, infos

    def _refused(self, wrong: Indices, results: Results) -> Bools:
        """Set the results of illegal actions, and return which games had one."""
        refused = np.zeros(self.num_envs, dtype=np.bool_)
        refused[wrong] = True
        self._illegal_counts[wrong] += 1
        results.rewards[wrong] = -1.0
        if self.illegal == "lose":
            results.terminated[wrong] = True
        else:
            results.truncated[wrong] = self._illegal_counts[wrong] == MAX_ILLEGAL
        return refused

    def _final(self, over: Bools, refused: Bools) -> dict[str, Any]:
        """The infos of games that ended and restart in the same step, as Gymnasium defines them."""
        final = np.full(self.num_envs, None, dtype=object)
        indices = over.nonzero()[0]
        for index, each in zip(indices, self._observed(indices), strict=True):
            final[index] = each
        info: dict[str, Any] = {
            "action_mask": np.zeros_like(self._mask, np.int8),
            "_action_mask": over.copy(),
        }
        if refused.any():
            info |= {"illegal": refused, "_illegal": refused.copy()}
        return {"final_obs": final, "_final_obs": over.copy(), "final_info": info, "_final_info": over.copy()}

    def _report(self, infos: dict[str, Any]) -> tuple[ObservationArray, dict[str, Any]]:
        """The observations and action masks of all games; a mask is empty if the game is over."""
        self._mask = self.batch.legal().copy()
        self._mask[self._done | self._pending.over] = False
        infos["action_mask"] = self._mask.astype(np.int8)
        infos["_action_mask"] = np.ones(self.num_envs, dtype=np.bool_)
        return self._observed(slice(None)), infos

    def _observed(self, indices: slice | Indices) -> ObservationArray:
        return self.batch.observe_games(indices).astype(self.single_observation_space.dtype, copy=False)

    def _opponent_actions(self, indices: Indices) -> Indices:
        """The opponent's actions in these games."""
        batch, opponent = self.batch, self.opponent
        if isinstance(opponent, RandomPlayer):
            drawn = [batch.games.sample(rng, part) for part, rng, _ in self._with_generators(indices)]
            return np.concatenate(drawn) if drawn else indices[:0]
        if self._batch_opponent is not None:
            return self._batch_actions(self._batch_opponent, indices) if len(indices) else indices
        found = []
        for part, _, rng in self._with_generators(indices):
            for index in part:
                move = opponent.choose(batch.game, batch.state(index), rng)
                try:
                    found.append(batch.encoding.action_of[move])
                except (KeyError, TypeError):
                    raise IllegalMove(f"Game {index}: {opponent.name} chose what is no move.") from None
        return np.array(found, dtype=np.intp)

    def _batch_actions(self, opponent: BatchOpponent, indices: Indices) -> Indices:
        """The actions of an opponent that is asked once for all of these games."""
        chances = np.concatenate([rng.random(len(part)) for part, rng, _ in self._with_generators(indices)])
        positions = Positions(self.batch, indices, self.single_observation_space.dtype)
        return actions_of(opponent.choose_in_batch(positions), positions.masks, chances, self.opponent.name)

    def _move(self, actions: Indices, indices: Indices, results: Results) -> Indices:
        """Play actions in these games, store the results, and return the games still running."""
        step, over = self.batch.advance(actions, indices)
        results.rewards[indices] = step.rewards[np.arange(len(indices)), self.seat[indices]]
        results.terminated[indices] = step.terminated
        results.truncated[indices] = step.truncated
        return np.delete(indices, over)

    def close_extras(self, **kwargs: Any) -> None:
        """Close the opponent, if there is one: Gymnasium below 1.3 also closes what was never made."""
        if hasattr(self, "_opponent"):
            self.opponent.close()
