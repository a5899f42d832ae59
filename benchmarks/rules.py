"""Random play through the public Game interface, beside OpenSpiel's compiled tic-tac-toe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pyspiel

from benchmarks.rounds import compared
from numberduels import make, names

TITLE = "Rules: random play, one process"
PEER = "OpenSpiel tic_tac_toe (C++, driven from Python)"
ROUNDS = 41
BURST = 10_000


def ours(game: Any) -> Callable[[], float]:
    """A burst of random games through the Game interface; returns moves a second."""

    def burst() -> float:
        rng = Random(1)
        chance = rng.random
        count = 0
        start = time.perf_counter()
        while count < BURST:
            state = game.start(rng)
            while game.outcome(state) is None:
                moves = game.moves(state)
                state = game.play(state, moves[int(chance() * len(moves))])
                count += 1
        return count / (time.perf_counter() - start)

    return burst


def theirs() -> float:
    """The same burst through OpenSpiel's Python binding."""
    game = pyspiel.load_game("tic_tac_toe")
    chance = Random(1).random
    count = 0
    start = time.perf_counter()
    while count < BURST:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(chance() * len(moves))])
            count += 1
    return count / (time.perf_counter() - start)


def table() -> Iterator[str]:
    """Moves a second and the ratio to the peer, all measured in turn in one run."""
    bursts: dict[str, Callable[[], float]] = {PEER: theirs}
    bursts.update((name, ours(make(name))) for name in names())
    yield from compared(bursts, PEER, ROUNDS, "moves")
