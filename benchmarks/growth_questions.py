"""What the first answer about a game costs: who wins, a hint, a review of a random game.

Each question is asked in a process of its own, so that no answer is remembered; the fastest of ROUNDS is
kept. The measure is processor time, or the clock for answers that are shorter than EXACT. A curve ends
where the solver refuses or has taken LIMIT seconds of processor time.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import Any

from benchmarks.curves import Points
from benchmarks.sizes import at_size
from numberduels import make, names
from numberduels.analysis.hints import find_hint
from numberduels.analysis.review import review_game
from numberduels.analysis.solution import solve
from numberduels.game import registry
from numberduels.game.contract import has_fixed_start
from numberduels.game.record import Record

SIZES = (2, 3, 5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200)
LIMIT = 4.0
ROUNDS = 5
EXACT = 0.05
"""Seconds from which on the clock of processor time is exact enough."""

QUESTIONS = {
    "solve": "Who wins, with every first move",
    "hint": "A hint at the start",
    "review": "A review of a random game",
}
"""By name, what is drawn above the chart."""


def question_costs(question: str) -> dict[str, Points]:
    """By game, the seconds at each size that is answered."""
    return {name: points for name in names() if (points := _curve(question, name))}


def _curve(question: str, name: str) -> list[tuple[float, float]]:
    points: list[tuple[float, float]] = []
    for size in SIZES:
        seconds: list[float] = []
        for _ in range(ROUNDS):
            found = _in_a_process(partial(ask, question, name, size))
            if found is None:
                return points
            seconds.append(found)
        points.append((size, min(seconds)))
        if min(seconds) > LIMIT / 2:
            break
    return points


def _in_a_process(measure: Callable[[], float | None]) -> float | None:
    with get_context("fork").Pool(1) as pool:
        return pool.apply(measure)


def _give_up(*_: object) -> None:
    raise TimeoutError


def ask(question: str, name: str, size: int) -> float | None:
    """The seconds of one answer; None if there is none within the limit."""
    game: Any = make(name, **at_size(name, size))
    start = game.start(Random(1))
    if not has_fixed_start(game):
        game = game.with_start(start)
    state = start
    moves: list[Any] = []
    while question == "review" and game.outcome(state) is None:
        moves.append(Random(len(moves)).choice(game.moves(state)))
        state = game.play(state, moves[-1])
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    began, began_processor = time.perf_counter(), time.process_time()
    try:
        if question == "solve":
            solve(game)
        elif question == "hint":
            find_hint(game, start, Random(1))
        else:
            review_game(Record(registry.spec(name), game, tuple(moves)))
    except (TimeoutError, ValueError):
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    clock, processor = time.perf_counter() - began, time.process_time() - began_processor
    return processor if processor > EXACT else clock
