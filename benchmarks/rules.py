"""Random play through the public Game interface, beside OpenSpiel's compiled tic-tac-toe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pyspiel

from benchmarks.loops import play_by_rules
from benchmarks.rounds import by_processor, compared
from numberduels import make, names

TITLE = "Rules: random play, one process"
PEER = "OpenSpiel tic_tac_toe (C++, driven from Python)"
ROUNDS = 41
BURST = 10_000


def theirs() -> int:
    """The same loop through OpenSpiel's Python binding."""
    game = pyspiel.load_game("tic_tac_toe")
    chance = Random(1).random
    count = 0
    while count < BURST:
        state = game.new_initial_state()
        while not state.is_terminal():
            moves = state.legal_actions()
            state.apply_action(moves[int(chance() * len(moves))])
            count += 1
    return count


def table() -> Iterator[str]:
    """Moves a second and the ratio to the peer, all measured in turn in one run."""
    bursts: dict[str, Callable[[], float]] = {PEER: by_processor(theirs)}
    bursts.update((name, by_processor(play_by_rules(make(name), BURST))) for name in names())
    yield from compared(bursts, PEER, ROUNDS, "moves")
