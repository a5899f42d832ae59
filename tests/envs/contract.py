"""Every interface to the games, driven alike: rows of games, stepped together, begun anew when over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from numberduels.envs import aec, batch, openspiel
from numberduels.envs.gymnasium_env import DuelEnv
from numberduels.envs.vector_env import DuelVectorEnv

from .variants import AGENTS, Variant, legal, mask


class Shown(NamedTuple):
    """What an interface tells of a game in which an action is awaited."""

    observation: Any
    mask: Any
    state: Any
    seat: int


class Result(NamedTuple):
    """What an interface tells of a step in one game."""

    rewards: dict[int, float]
    """By seat, for the seats that are told."""
    terminated: bool
    truncated: bool
    state: Any
    """The position reached; None if the next game has begun."""


def reply(game: Any, state: Any, _: Random | None = None) -> Any:
    """An opponent that looks random, and whose move can be told beforehand."""
    return Random(str(game.moves(state))).choice(game.moves(state))


class Interface:
    """One way to the games. The others differ only in what is written below."""

    rows = 1
    replies = False
    """Whether an opponent moves within a step."""
    refuses = ""
    """How the refusal of an illegal action begins."""
    env: Any

    def __init__(self, variant: Variant, **more: Any) -> None:
        raise NotImplementedError

    def reset(self, seed: int | None) -> None:
        self.env.reset(seed=seed)

    def shown(self) -> list[Shown]:
        raise NotImplementedError

    def step(self, actions: Any) -> list[Result]:
        raise NotImplementedError

    def restart(self, rows: list[int]) -> None:
        """Begin games anew that are over."""
        self.env.reset()

    def spaces(self) -> tuple[Any, int]:
        """What contains an observation, and how many actions there are."""
        return self.env.observation_space, int(self.env.action_space.n)


class Aec(Interface):
    """PettingZoo."""

    def __init__(self, variant: Variant, **more: Any) -> None:
        self.env = aec(variant.name, **variant.options, **more)

    def shown(self) -> list[Shown]:
        agent = self.env.agent_selection
        seen, *_ = self.env.last()
        parts = seen["observation"], seen["action_mask"]
        return [Shown(*parts, self.env.episode.state, AGENTS.index(agent))]

    def step(self, actions: Any) -> list[Result]:
        self.env.step(actions[0])
        ends = self.env.terminations["player_1"], self.env.truncations["player_1"]
        assert len(set(self.env.terminations.values())) == len(set(self.env.truncations.values())) == 1
        return [Result(dict(enumerate(self.env.rewards.values())), *ends, self.env.episode.state)]

    def spaces(self) -> tuple[Any, int]:
        return self.env.observation_space("player_1")["observation"], int(self.env.action_space("player_2").n)


class Single(Interface):
    """Gymnasium, one game."""

    replies = True

    def __init__(self, variant: Variant, seat: str = "first", **more: Any) -> None:
        choices: Any = {"opponent": reply, "illegal": "raise", "seat": seat, **variant.options, **more}
        self.env = DuelEnv(variant.name, **choices)

    def reset(self, seed: int | None) -> None:
        observation, info = self.env.reset(seed=seed)
        self.told = observation, info["action_mask"]

    def restart(self, rows: list[int]) -> None:
        self.reset(None)

    def shown(self) -> list[Shown]:
        assert self.env.action_masks().tolist() == [bool(flag) for flag in self.env.episode.observe()[1]]
        return [Shown(*self.told, self.env.episode.state, self.env.seat)]

    def step(self, actions: Any) -> list[Result]:
        observation, reward, terminated, truncated, info = self.env.step(actions[0])
        self.told = observation, info["action_mask"]
        return [Result({self.env.seat: reward}, terminated, truncated, self.env.episode.state)]


class Vector(Interface):
    """Gymnasium, many games at once."""

    rows, replies, refuses = 3, True, "Game {}: "

    def __init__(self, variant: Variant, seat: str = "random", **more: Any) -> None:
        choices: Any = {"opponent": reply, "illegal": "raise", "seat": seat, **variant.options, **more}
        self.env = DuelVectorEnv(variant.name, num_envs=self.rows, autoreset_mode="Disabled", **choices)

    def reset(self, seed: int | None, **more: Any) -> None:
        observations, infos = self.env.reset(seed=seed, **more)
        self.told = observations, infos["action_mask"]

    def restart(self, rows: list[int]) -> None:
        self.reset(None, options={"reset_mask": np.isin(range(self.rows), rows)})

    def _states(self) -> list[Any]:
        return [self.env.batch.state(row) for row in range(self.rows)]

    def shown(self) -> list[Shown]:
        return list(map(Shown, *self.told, self._states(), self.env.seat.tolist()))

    def step(self, actions: Any) -> list[Result]:
        observations, rewards, *ends, infos = self.env.step(np.array(actions))
        self.told = observations, infos["action_mask"]
        told = [{seat: reward} for seat, reward in zip(self.env.seat.tolist(), rewards.tolist(), strict=True)]
        return list(map(Result, told, *(each.tolist() for each in ends), self._states()))

    def spaces(self) -> tuple[Any, int]:
        return self.env.single_observation_space, int(self.env.single_action_space.n)


class Batch(Interface):
    """Many games at once, without an opponent. They begin anew by themselves."""

    rows, refuses = 3, "Game {}: "

    def __init__(self, variant: Variant, **more: Any) -> None:
        self.env = batch(variant.name, self.rows, **variant.options, **more)

    def restart(self, rows: list[int]) -> None:
        pass

    def shown(self) -> list[Shown]:
        states = [self.env.state(row) for row in range(self.rows)]
        return list(map(Shown, self.env.observe(), self.env.legal(), states, self.env.turn.tolist()))

    def step(self, actions: Any) -> list[Result]:
        rewards, *ends = self.env.step(actions)
        assert rewards.dtype == np.int8
        told = [dict(enumerate(pair)) for pair in rewards.tolist()]
        return list(map(Result, told, *(each.tolist() for each in ends), [None] * self.rows))

    def spaces(self) -> tuple[Any, int]:
        return Bounds(self.env.encoding.features), self.env.num_actions


class Bounds(list[Any]):
    """The bounds of features as a space."""

    def contains(self, observation: Any) -> bool:
        return all(low <= value <= high for value, (_, low, high) in zip(observation, self, strict=True))


class OpenSpiel(Interface):
    """OpenSpiel: a state at a time. A deal is drawn by a generator of ours."""

    def __init__(self, variant: Variant, **more: Any) -> None:
        options = {**variant.options, **more}
        for name, value in variant.options.items():
            if isinstance(value, tuple):
                options |= {name: ";".join(map(str, value)), "size": len(value)}
        assert openspiel.NAMES
        self.game = pyspiel.load_game(f"numberduels_{variant.name.replace('-', '_')}", options)

    def reset(self, seed: int | None) -> None:
        if seed is not None:
            self.rng = Random(seed)
        self.env = self.game.new_initial_state()
        if self.env.is_chance_node():
            self.env.apply_action(self.rng.choice(self.env.legal_actions()))

    def restart(self, rows: list[int]) -> None:
        self.reset(None)

    def shown(self) -> list[Shown]:
        seat, flags = self.env.current_player(), self.env.legal_actions_mask()
        assert self.env.observation_tensor(0) == self.env.observation_tensor(1)
        assert self.env.legal_actions() == legal(flags)  # in ascending order
        return [Shown(np.array(self.env.observation_tensor(0)), flags, self.env.position, seat)]

    def step(self, actions: Any) -> list[Result]:
        self.env.apply_action(actions[0])
        over, truncated = self.env.is_terminal(), self.env.truncated
        rewards = dict(enumerate(self.env.returns()))
        return [Result(rewards, over and not truncated, truncated, self.env.position)]

    def spaces(self) -> tuple[Any, int]:
        return Bounds(self.game.encoding.features), self.game.num_distinct_actions()


INTERFACES: tuple[type[Interface], ...] = (Aec, Single, Vector, Batch, OpenSpiel)


class Game:
    """One game beside a row, by the rules alone."""

    def __init__(self, game: Any, limit: int | None, shown: Shown, replies: bool) -> None:
        self.game, self.limit, self.replies = (
            game,
            limit or (None if hasattr(game, "max_plies") else 1_000),
            replies,
        )
        self.every_move = list(game.all_moves())
        self.state, self.history, self.deal = game.start(Random(0)), [], []  # type: ignore[var-annotated]
        self.ply = 0
        if hasattr(game, "with_start") and not getattr(game, "numbers", ()) and not getattr(game, "hand", ()):
            self.state, self.ply, self.deal = shown.state, shown.seat, mask(game, shown.state)
            assert len(game.moves(shown.state)) == game.size - self.ply
        elif replies and shown.seat:
            self.play(reply(game, self.state))

    @property
    def over(self) -> bool:
        return self.game.outcome(self.state) is not None or self.ply == self.limit

    def play(self, move: Any) -> None:
        self.state, self.ply = self.game.play(self.state, move), self.ply + 1
        self.history.append(self.every_move.index(move) + 1)

    def answer(self, action: int) -> None:
        """The step: the move, and the opponent's, where the game was not over before."""
        if not self.over:
            self.play(self.every_move[action])
            if self.replies and not self.over:
                self.play(reply(self.game, self.state))

    def compare(self, shown: Shown, space: Any) -> None:
        """What is shown is what the rules say."""
        assert shown.state == self.state
        assert shown.seat == self.game.turn(self.state)
        flags = [0] * len(self.every_move) if self.over else mask(self.game, self.state)
        assert [int(flag) for flag in shown.mask] == flags
        seen = list(self.game.observe(self.state)) if hasattr(self.game, "observe") else [shown.seat + 1]
        told = [*seen, *self.deal, *self.history]
        whole = [int(value) for value in shown.observation]
        if len(whole) > len(seen):
            assert whole == told + [0] * (len(whole) - len(told))
        else:
            assert whole == seen
        assert space.contains(shown.observation)

    def check(self, result: Result) -> None:
        """What the step told is what the rules say: terminated is not truncated, rewards sum to zero."""
        outcome = self.game.outcome(self.state)
        assert result.terminated == (outcome is not None)
        assert result.truncated == (outcome is None and self.ply == self.limit)
        worth = {None: (0, 0), 0: (1, -1), 1: (-1, 1)}[outcome.winner if outcome else None]
        assert result.rewards == {seat: worth[seat] for seat in result.rewards}
        assert result.state is None or result.state == self.state


def follow(face: Interface, game: Any, limit: int | None, seed: int, steps: int) -> Counter[str]:
    """Step games at random beside the rules, and count how they ended."""
    policy, ends, rows = Random(seed), Counter[str](), range(face.rows)
    face.reset(seed)
    space, actions = face.spaces()
    assert actions == len(game.all_moves())
    games = [Game(game, limit, shown, face.replies) for shown in face.shown()]
    for _ in range(steps):
        shown = face.shown()
        for each, row in zip(games, rows, strict=True):
            each.compare(shown[row], space)
        chosen = [policy.choice(legal(shown[row].mask) or [0]) for row in rows]
        results = face.step(chosen)
        over = []
        for row in rows:
            games[row].answer(chosen[row])
            games[row].check(results[row])
            if results[row].terminated or results[row].truncated:
                ends["truncated" if results[row].truncated else "terminated"] += 1
                over.append(row)
        if over:
            face.restart(over)
            shown = face.shown()
            for row in over:
                games[row] = Game(game, limit, shown[row], face.replies)
    return ends


def course(face: Interface, seeds: Iterable[int | None], steps: int = 12) -> Iterator[Any]:
    """All that is told in random games, step by step."""
    policy = Random(5)
    for seed in seeds:
        face.reset(seed)
        yield from walk(face, policy, steps)


def walk(face: Interface, policy: Random, steps: int = 12) -> Iterator[Any]:
    """The same from here on."""
    for _ in range(steps):
        shown = face.shown()
        yield plain(shown)
        results = face.step([policy.choice(legal(each.mask) or [0]) for each in shown])
        yield results
        if over := [row for row, each in enumerate(results) if each.terminated or each.truncated]:
            face.restart(over)


def plain(shown: list[Shown]) -> list[Any]:
    """To be compared later, whatever becomes of the arrays."""
    return [(list(each.observation), list(each.mask), each.state, each.seat) for each in shown]
