"""One seat against a given opponent in many games at once: the Gymnasium interface for vectors."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import DTypeLike, NDArray

from numberduels import registry
from numberduels.core import IllegalMove
from numberduels.envs.batch_env import Batch
from numberduels.envs.encoding import Numbers
from numberduels.envs.episode import RESET
from numberduels.envs.opponents import Opponent, opponent_of
from numberduels.envs.rendering import FPS, Renderer, View
from numberduels.envs.single_agent import ILLEGAL, PATIENCE, SEATS
from numberduels.envs.spaces import actions, observations
from numberduels.options import BadOption, among
from numberduels.players import Player
from numberduels.players.simple import RandomPlayer

Array = NDArray[Any]
Indices = NDArray[np.intp]
Bools = NDArray[np.bool_]

MODES = ("ansi", "rgb_array")
"""A window is for one game: Gymnasium's HumanRendering for vectors shows the pictures of many."""

AUTORESET = {mode.value: mode for mode in AutoresetMode}


class DuelVectorEnv(VectorEnv[Numbers, Indices, Array]):
    """`num_envs` games like those of `DuelEnv`, on a `Batch`: thousands of moves for the price of a few.

    By `autoreset_mode` a game that is over begins anew in the next step, whose action for it is ignored
    (NextStep, as Gymnasium has it by default), in the same step, with `infos["final_obs"]` and
    `infos["final_info"]` telling how it ended (SameStep), or not before `reset` is given a mask of those that
    shall: `options={"reset_mask": ...}` (Disabled).

    A game that the opponent's first move ends has no legal action: whichever is given, the next step reports
    the result. `infos["action_mask"]` tells what is legal. An illegal action does what `illegal` says, as in
    `DuelEnv`: `infos["illegal"]` tells where there was one, and where it raises no game has moved. A random
    opponent is as fast as the batch; any other thinks about one game after the other.

    A seed is for all games together; a list has one for each of them, and is slower.

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
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        among("seat", seat, SEATS)
        if not isinstance(autoreset_mode, AutoresetMode):
            among("autoreset_mode", autoreset_mode, AUTORESET)
            autoreset_mode = AUTORESET[autoreset_mode]
        self.metadata = {"render_modes": list(MODES), "render_fps": FPS, "autoreset_mode": autoreset_mode}
        self.autoreset_mode = autoreset_mode
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode, MODES)
        self.game_spec = spec = registry.spec(game)
        self.batch = Batch(spec, spec.build(options), num_envs, limit=limit)
        self.num_envs = num_envs
        self.single_action_space = actions(self.batch.encoding)
        self.single_observation_space = observations(self.batch.encoding, dtype)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._fixed = SEATS[seat]
        self.seat = np.zeros(num_envs, dtype=np.intp)
        """The agent's seat in each game."""
        self._rng: Random | None = None
        self._own: list[tuple[np.random.Generator, Random]] = []
        """Where every game has a seed of its own: its generators."""
        self._early = Results(num_envs)
        """What is still to be told of games that the opponent's first move has ended."""
        self._done = np.zeros(num_envs, dtype=np.bool_)
        """Games that are over, that was told, and they have not begun anew."""
        self._broken = np.zeros(num_envs, dtype=np.bool_)
        """Those of them that were broken off."""
        self._wrong = np.zeros(num_envs, dtype=np.intp)
        """How many illegal actions there were in each game."""
        self._mask = np.zeros((num_envs, self.batch.actions), dtype=np.bool_)
        """What is legal, as it was told last."""
        self._going = False
        self._played: list[list[Hashable]] = [[] for _ in range(num_envs)]
        """The moves of each game, where they are kept."""
        self.illegal = illegal
        self.opponent = opponent

    @property
    def _keeps(self) -> bool:
        """Whether anybody may ask for the moves: a picture, or an opponent that follows its one game."""
        return self.render_mode is not None or self.num_envs == 1

    @property
    def illegal(self) -> str:
        """What an illegal action does."""
        return self._illegal

    @illegal.setter
    def illegal(self, way: str) -> None:
        among("illegal", way, ILLEGAL)
        self._illegal = way

    @property
    def opponent(self) -> Player:
        """Who plays against the agent; another one may take over at any time."""
        return self._opponent

    @opponent.setter
    def opponent(self, given: Opponent) -> None:
        opponent = opponent_of(given)
        if opponent.follows and self.num_envs > 1:
            raise BadOption(
                "opponent",
                f"{opponent.name} follows one game at a time: make each game an environment of its own, with"
                " vectorization_mode='sync'",
            )
        if self._going:
            opponent.prepare(self.batch.game, self.batch.state(0))
        self._opponent = opponent

    # Resetting

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        rows = self._chosen(options)
        if isinstance(seed, Sequence | np.ndarray):
            self._seed_each(seed, rows)
        else:
            self._seed_all(seed)
        self._going = False
        self._deal(rows)
        self.opponent.prepare(self.batch.game, self.batch.state(0))
        self._open(rows)
        self._going = True
        return self._told({})

    def _chosen(self, options: dict[str, Any] | None) -> Indices:
        """The games to be reset: all, unless a mask says which."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.arange(self.num_envs)
        if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)):
            raise BadOption("reset_mask", f"reset_mask must be a NumPy array of {self.num_envs} booleans")
        if not mask.any():
            raise BadOption("reset_mask", "reset_mask must be true for one game at least")
        if not self._going:
            raise ResetNeeded("no games are going on: reset all of them first")
        return mask.nonzero()[0]

    def _seed_all(self, seed: int | None) -> None:
        super().reset(seed=seed)
        if seed is not None or self._rng is None:
            self._rng = Random(int(self.np_random.integers(1 << 62)))
            self.batch.seed(int(self.np_random.integers(1 << 62)))
            self._own = []

    def _seed_each(self, seeds: Sequence[int | None] | Array, rows: Indices) -> None:
        """Give these games generators of their own; a game without a seed goes on with what it has."""
        if len(seeds) != self.num_envs:
            raise BadOption("seed", f"a list of seeds must have {self.num_envs} of them, not {len(seeds)}")
        for seed in seeds:
            if seed is not None and (not isinstance(seed, int | np.integer) or seed < 0):
                raise BadOption("seed", "a seed is a whole number from 0 on, or None")
        if self._rng is None:
            self._seed_all(None)
        if not self._own:
            self._own = [self._generators(None) for _ in seeds]
        for row in rows:
            if seeds[row] is not None:
                self._own[row] = self._generators(seeds[row])

    def _generators(self, seed: Any) -> tuple[np.random.Generator, Random]:
        """Two generators by a seed, or by chance, which is the vector's own."""
        entropy = int(self.np_random.integers(1 << 62)) if seed is None else int(seed)
        rng = np.random.Generator(np.random.SFC64(entropy))
        return rng, Random(int(rng.integers(1 << 62)))

    def _chances(self, rows: Indices) -> Iterator[tuple[Indices, np.random.Generator, Random]]:
        """The games in groups, each with the generators that all chance in it comes from."""
        if self._own:
            yield from ((rows[place : place + 1], *self._own[row]) for place, row in enumerate(rows))
        elif len(rows):
            assert self._rng is not None, "games have begun"
            yield rows, self.batch.rng, self._rng

    def _deal(self, rows: Indices) -> None:
        """Begin games, and take seats in them."""
        self._early.clear(rows)
        self._done[rows] = self._broken[rows] = False
        self._wrong[rows] = 0
        for part, rng, _ in self._chances(rows):
            self.batch.begin(part, rng)
            self.seat[part] = rng.integers(2, size=len(part)) if self._fixed is None else self._fixed
        if self._keeps:
            for row in rows:
                self._played[row] = []

    def _open(self, rows: Indices) -> None:
        """Let the opponent move in games that have begun, where it is first."""
        second = rows[self.seat[rows] == 1]
        self._move(self._answers(second), second, self._early)

    # Stepping

    def step(
        self, actions: Indices
    ) -> tuple[Numbers, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        if not self._going:
            raise ResetNeeded(RESET)
        places = self.batch.checked(actions)
        waiting = self._done.nonzero()[0]
        if self.autoreset_mode is AutoresetMode.DISABLED and len(waiting):
            raise ResetNeeded(f"game {waiting[0]} is over: reset it first, with a reset_mask in the options")
        results = self._early
        rows = (~(self._done | results.over)).nonzero()[0]
        wrong = rows[:0]
        if self.illegal != "raise":
            right = self._mask[rows, places[rows]]
            rows, wrong = rows[right], rows[~right]
        going = self._move(places[rows], rows, results)  # may refuse, and must leave all as it was
        self._early = Results(self.num_envs)
        self._going = False  # until the opponent has moved everywhere, who may be interrupted
        self._move(self._answers(going), going, results)
        refused = self._refused(wrong, results)
        over = results.over
        self._done, self._broken = over, results.truncated.copy()
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            infos = self._final(over, refused & over)
            refused &= ~over
            waiting = over.nonzero()[0]
        if refused.any():
            infos |= {"illegal": refused, "_illegal": refused.copy()}
        if self.autoreset_mode is not AutoresetMode.DISABLED and len(waiting):
            self._deal(waiting)
            self._open(waiting)
        self._going = True
        observations, infos = self._told(infos)
        return observations, results.rewards, results.terminated, results.truncated, infos

    def _refused(self, wrong: Indices, results: Results) -> Bools:
        """Note what illegal actions cost, and return in which games there was one."""
        refused = np.zeros(self.num_envs, dtype=np.bool_)
        refused[wrong] = True
        self._wrong[wrong] += 1
        results.rewards[wrong] = -1.0
        if self.illegal == "lose":
            results.terminated[wrong] = True
        else:
            results.truncated[wrong] = self._wrong[wrong] == PATIENCE
        return refused

    def _final(self, over: Bools, refused: Bools) -> dict[str, Any]:
        """How games ended that begin anew in the same step, in the form that Gymnasium gives it."""
        seen = np.full(self.num_envs, None, dtype=object)
        rows = over.nonzero()[0]
        for row, each in zip(rows, self._observed(rows), strict=True):
            seen[row] = each
        about: dict[str, Any] = {
            "action_mask": np.zeros_like(self._mask, np.int8),
            "_action_mask": over.copy(),
        }
        if refused.any():
            about |= {"illegal": refused, "_illegal": refused.copy()}
        return {"final_obs": seen, "_final_obs": over.copy(), "final_info": about, "_final_info": over.copy()}

    def _told(self, infos: dict[str, Any]) -> tuple[Numbers, dict[str, Any]]:
        """The observations of all games, and what is legal: nothing where a game is over."""
        self._mask = self.batch.legal().copy()
        self._mask[self._done | self._early.over] = False
        infos["action_mask"] = self._mask.astype(np.int8)
        infos["_action_mask"] = np.ones(self.num_envs, dtype=np.bool_)
        return self._observed(slice(None)), infos

    def _observed(self, rows: slice | Indices) -> Numbers:
        return self.batch.seen(rows).astype(self.single_observation_space.dtype, copy=False)

    def _answers(self, rows: Indices) -> Indices:
        """The opponent's actions in these games."""
        batch, opponent = self.batch, self.opponent
        if isinstance(opponent, RandomPlayer):
            drawn = [batch.rows.sample(rng, part) for part, rng, _ in self._chances(rows)]
            return np.concatenate(drawn) if drawn else rows[:0]
        found = []
        for part, _, rng in self._chances(rows):
            for row in part:
                opponent.hear(self._played[row])
                move = opponent.choose(batch.game, batch.state(row), rng)
                try:
                    found.append(batch.encoding.index[move])
                except (KeyError, TypeError):
                    raise IllegalMove(f"Game {row}: {opponent.name} chose what is no move.") from None
        return np.array(found, dtype=np.intp)

    def _move(self, actions: Indices, rows: Indices, results: Results) -> Indices:
        """Make moves in these games, note what comes of them, and return those that go on."""
        step, over = self.batch.advance(actions, rows)
        results.rewards[rows] = step.rewards[np.arange(len(rows)), self.seat[rows]]
        results.terminated[rows] = step.terminated
        results.truncated[rows] = step.truncated
        if self._keeps:
            for row, action in zip(rows, actions, strict=True):
                self._played[row].append(self.batch.encoding.letters[action])
        return np.delete(rows, over)

    # What Gymnasium's vectors of single environments offer

    def render(self) -> Any:
        """All games, each as text or as a picture."""
        if self.render_mode is None:
            return None
        if not self._going:
            raise ResetNeeded(RESET)
        return tuple(self._renderer.render(self._shown(row)) for row in range(self.num_envs))

    def _shown(self, row: int) -> View:
        broken = bool(self._broken[row] | self._early.truncated[row])
        sides = ("agent", self.opponent.name)
        names = sides if self.seat[row] == 0 else sides[::-1]
        return View(self.game_spec, self.batch.game, self.batch.state(row), self._played[row], broken, names)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What `action_masks` or `render` return in each game, or what an attribute is there."""
        if name == "render":
            return self.render() or (None,) * self.num_envs
        if name == "action_masks":
            if not self._going:
                raise ResetNeeded(RESET)
            return tuple(self._mask.copy())
        if name == "seat":
            return tuple(self.seat.tolist())
        value = getattr(self, f"single_{name}" if name in ("action_space", "observation_space") else name)
        if callable(value) and not isinstance(value, Player):
            raise AttributeError(f"{name} cannot be called in each game: only action_masks and render can")
        return (value,) * self.num_envs

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute in each game."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set `opponent` or `illegal`, which all games share: one value, or a list of equal ones."""
        if name not in ("illegal", "opponent"):
            raise AttributeError(f"{name} cannot be set: only illegal and opponent can")
        each = values if isinstance(values, list | tuple) else [values] * self.num_envs
        if len(each) != self.num_envs or any(value != each[0] for value in each):
            raise ValueError(f"all games share one {name}: give one value, or {self.num_envs} equal ones")
        setattr(self, name, each[0])

    def close_extras(self, **kwargs: Any) -> None:
        """Let the opponent go."""
        self.opponent.close()


class Results:
    """For each game what it gave the agent, and whether it is over: at first nothing, and none."""

    def __init__(self, n: int) -> None:
        self.rewards = np.zeros(n, dtype=np.float64)
        self.terminated = np.zeros(n, dtype=np.bool_)
        self.truncated = np.zeros(n, dtype=np.bool_)

    @property
    def over(self) -> Bools:
        """Which games are over."""
        return self.terminated | self.truncated

    def clear(self, rows: Indices) -> None:
        """Forget these games."""
        self.rewards[rows] = 0
        self.terminated[rows] = self.truncated[rows] = False
