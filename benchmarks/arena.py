"""The overhead of an arena run over the bare games, and the gain of a second process."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from statistics import median
from typing import NamedTuple

from benchmarks.rounds import ratio, side_by_side
from numberduels.arena.plan import Plan
from numberduels.arena.run import run_plan
from numberduels.game.notation import read_game
from numberduels.players import make_player

TITLE = "Arena: mcts:400 against greedy, every game judged and kept"
ROUNDS = 9
PLAYERS = ("mcts:400", "greedy")
GAMES = ("range-war", "restricted-removal", "summation-duel")
PLAN = Plan(PLAYERS, tuple(read_game(game)[0] for game in GAMES), rounds=150, opening=0)


class Spent(NamedTuple):
    """The seconds of one burst."""

    clock: float
    processor: float
    """The processor time of all processes."""


def bare() -> Spent:
    """The same games in a bare loop: choose and play until the outcome."""
    began, busy = time.perf_counter(), time.process_time()
    seated = {name: make_player(name) for name in PLAYERS}
    for scheduled in PLAN.schedule():
        game, state, _ = scheduled.opening()
        ply = 0
        while game.outcome(state) is None:
            rng = Random(f"{PLAN.seed} {scheduled.key} {ply}")
            state = game.play(state, seated[scheduled.players[ply % 2]].choose(game, state, rng))
            ply += 1
    return Spent(time.perf_counter() - began, time.process_time() - busy)


def alone() -> Spent:
    """The bare loop in a new process, as in a run: a warm process would be a little faster."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(bare).result()


def processor_time() -> float:
    """The processor time of this process and of its children that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def kept(workers: int) -> Callable[[], Spent]:
    """A run with this many processes, from the plan to the last saved line; their start is part of it."""

    def burst() -> Spent:
        with tempfile.TemporaryDirectory() as folder:
            began, busy = time.perf_counter(), processor_time()
            run_plan(PLAN, folder, workers=workers)
            return Spent(time.perf_counter() - began, processor_time() - busy)

    return burst


def table() -> Iterator[str]:
    """Seconds by the clock and of the processor, and the ratios to the bare loop, all measured in turn."""
    results = side_by_side({"bare": alone, "one": kept(1), "two": kept(2)}, ROUNDS)
    clocks = {name: [each.clock for each in spent] for name, spent in results.items()}
    processors = {name: [each.processor for each in spent] for name, spent in results.items()}
    count = len(list(PLAN.schedule()))
    ratios = "ratio to the bare loop (median, quartiles)"
    yield f"| {count} games | seconds (median) | {ratios} | processor seconds | ratio |"
    yield "|---|---|---|---|---|"
    for name, about in {
        "bare": "the bare loop",
        "one": "a run, 1 process",
        "two": "a run, 2 processes",
    }.items():
        cells = [about]
        for seconds in (clocks, processors):
            middle, low, high = ratio(seconds[name], seconds["bare"])
            cells += [f"{median(seconds[name]):.2f}", f"{middle:.2f} ({low:.2f} - {high:.2f})"]
        yield f"| {' | '.join(cells)} |"
    gain, low, high = ratio(clocks["one"], clocks["two"])
    yield f"\nTwo processes are worth {gain:.2f} ({low:.2f} - {high:.2f}) times one."
