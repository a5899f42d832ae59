"""The overhead of an arena run over the bare games, and the gain of a second process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from statistics import median

from benchmarks.rounds import ratio, side_by_side
from numberduels.arena.plan import Plan
from numberduels.arena.run import run_plan
from numberduels.game_notation import read_game
from numberduels.players import make_player

TITLE = "Arena: mcts:400 against greedy, every game judged and kept"
ROUNDS = 9
PLAYERS = ("mcts:400", "greedy")
GAMES = ("range-war", "restricted-removal", "summation-duel")
PLAN = Plan(PLAYERS, tuple(read_game(game)[0] for game in GAMES), rounds=150, opening=0)


def bare() -> float:
    """Seconds for the same games in a bare loop: choose and play until the outcome."""
    began = time.perf_counter()
    seated = {name: make_player(name) for name in PLAYERS}
    for scheduled in PLAN.schedule():
        game, state, _ = scheduled.opening()
        ply = 0
        while game.outcome(state) is None:
            rng = Random(f"{PLAN.seed} {scheduled.key} {ply}")
            state = game.play(state, seated[scheduled.players[ply % 2]].choose(game, state, rng))
            ply += 1
    return time.perf_counter() - began


def alone() -> float:
    """The bare loop in a new process, as in a run: a warm process would be a little faster."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(bare).result()


def kept(workers: int) -> Callable[[], float]:
    """Seconds for a run with this many processes, from the plan to the last saved line."""

    def burst() -> float:
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            run_plan(PLAN, folder, workers=workers)
            return time.perf_counter() - began

    return burst


def table() -> Iterator[str]:
    """Seconds, and the ratio to the bare loop, all measured in turn in one run."""
    results = side_by_side({"bare": alone, "one": kept(1), "two": kept(2)}, ROUNDS)
    count = len(list(PLAN.schedule()))
    yield f"| {count} games | seconds (median) | ratio to the bare loop (median, quartiles) |"
    yield "|---|---|---|"
    for name, about in {
        "bare": "the bare loop",
        "one": "a run, 1 process",
        "two": "a run, 2 processes",
    }.items():
        middle, low, high = ratio(results[name], results["bare"])
        yield f"| {about} | {median(results[name]):.2f} | {middle:.2f} ({low:.2f} - {high:.2f}) |"
    gain, low, high = ratio(results["one"], results["two"])
    yield f"\nTwo processes are worth {gain:.2f} ({low:.2f} - {high:.2f}) times one."
