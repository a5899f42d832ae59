"""The environments for single games, beside those of PettingZoo and OpenSpiel."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import gymnasium
import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401  # registers python_tic_tac_toe
from pettingzoo.classic import tictactoe_v3

import numberduels.envs
import numberduels.envs.openspiel
from benchmarks.rounds import compared
from numberduels import names

TITLE = "Environments: random play, one process"
ROUNDS = 31
BURST = 3_000

Burst = Callable[[], float]


def in_turn(env: Any, chance: Callable[[], float]) -> Burst:
    """Random play through PettingZoo's interface: every step with its mask; moves a second."""

    def burst() -> float:
        count = 0
        start = time.perf_counter()
        while count < BURST:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(chance() * len(legal))])
                count += 1
        return count / (time.perf_counter() - start)

    return burst


def against_random(env: Any, chance: Callable[[], float]) -> Burst:
    """Random play through Gymnasium's interface against a random opponent; own moves a second."""

    def burst() -> float:
        count = 0
        start = time.perf_counter()
        while count < BURST:
            _, info = env.reset()
            over = False
            while not over:
                legal = info["action_mask"].nonzero()[0]
                _, _, terminated, truncated, info = env.step(legal[int(chance() * len(legal))])
                over = terminated or truncated
                count += 1
        return count / (time.perf_counter() - start)

    return burst


def through_openspiel(game: Any, chance: Callable[[], float]) -> Burst:
    """Random play through OpenSpiel's interface; moves a second, not counting what chance does."""

    def burst() -> float:
        count = 0
        start = time.perf_counter()
        while count < BURST:
            state = game.new_initial_state()
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
                count += 1
        return count / (time.perf_counter() - start)

    return burst


def table() -> Iterator[str]:
    """For each interface moves a second and the ratio to the peer, all measured in turn in one run."""
    # One generator for all, never set back: no burst meets the positions of the one before.
    chance = Random(1).random
    peer = "PettingZoo tictactoe_v3.raw_env()"
    bursts = {peer: in_turn(tictactoe_v3.raw_env(), chance)}
    bursts |= {f"aec({name!r})": in_turn(numberduels.envs.aec(name), chance) for name in names()}
    ids = map(numberduels.envs.env_id, names())
    bursts |= {f"{each}, unwrapped": against_random(gymnasium.make(each).unwrapped, chance) for each in ids}
    yield from compared(bursts, peer, ROUNDS, "moves")
    yield ""
    peer = "OpenSpiel python_tic_tac_toe"
    bursts = {peer: through_openspiel(pyspiel.load_game("python_tic_tac_toe"), chance)}
    for name in names():
        spiel = f"numberduels_{name.replace('-', '_')}"
        bursts[spiel] = through_openspiel(pyspiel.load_game(spiel), chance)
    yield from compared(bursts, peer, ROUNDS, "moves")
