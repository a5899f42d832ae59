"""The environments for single games, beside those of PettingZoo and OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import gymnasium
import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401  # registers python_tic_tac_toe
from pettingzoo.classic import tictactoe_v3

import numberduels.envs
import numberduels.envs.openspiel
from benchmarks.loops import Chance, Loop, play_in_turn, play_one_seat
from benchmarks.rounds import by_processor, compared
from numberduels import names

TITLE = "Environments: random play, one process"
ROUNDS = 31
BURST = 3_000


def play_openspiel(game: Any, chance: Chance, moves: int) -> Loop:
    """Through OpenSpiel's interface, not counting what chance does."""

    def loop() -> int:
        count = 0
        while count < moves:
            state = game.new_initial_state()
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
                count += 1
        return count

    return loop


def table() -> Iterator[str]:
    """For each interface moves a second and the ratio to the peer, all measured in turn in one run."""
    # One generator for all, never set back: no burst meets the positions of the one before.
    chance = Random(1).random
    peer = "PettingZoo tictactoe_v3.raw_env()"
    bursts = {peer: by_processor(play_in_turn(tictactoe_v3.raw_env(), chance, BURST))}
    for name in names():
        bursts[f"aec({name!r})"] = by_processor(play_in_turn(numberduels.envs.aec(name), chance, BURST))
    for each in map(numberduels.envs.env_id, names()):
        env = gymnasium.make(each).unwrapped
        bursts[f"{each}, unwrapped"] = by_processor(play_one_seat(env, chance, BURST))
    yield from compared(bursts, peer, ROUNDS, "moves")
    yield ""
    peer = "OpenSpiel python_tic_tac_toe"
    bursts = {peer: by_processor(play_openspiel(pyspiel.load_game("python_tic_tac_toe"), chance, BURST))}
    for name in names():
        spiel = f"numberduels_{name.replace('-', '_')}"
        bursts[spiel] = by_processor(play_openspiel(pyspiel.load_game(spiel), chance, BURST))
    yield from compared(bursts, peer, ROUNDS, "moves")
