"""Measures several functions in turn, in short bursts, so that a busy machine slows all of them alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from statistics import median
from typing import NamedTuple, TypeVar

Measured = TypeVar("Measured")


class Rate(NamedTuple):
    """What is done in a second of the clock, and in a second of processor time."""

    clock: float
    processor: float


def rated(loop: Callable[[], int]) -> Callable[[], Rate]:
    """A burst that measures a loop, which returns how much it did."""

    def burst() -> Rate:
        clock, processor = time.perf_counter(), time.process_time()
        count = loop()
        return Rate(count / (time.perf_counter() - clock), count / (time.process_time() - processor))

    return burst


def by_processor(loop: Callable[[], int]) -> Callable[[], float]:
    """The same by processor time alone, which other programs disturb less than the clock."""
    burst = rated(loop)
    return lambda: burst().processor


def side_by_side(bursts: Mapping[str, Callable[[], Measured]], rounds: int) -> dict[str, list[Measured]]:
    """The results of each burst in each round, after one warm-up round."""
    for burst in bursts.values():
        burst()
    gc.collect()
    gc.freeze()  # what was loaded before is nobody's burden
    results: dict[str, list[Measured]] = {name: [] for name in bursts}
    for _ in range(rounds):
        for name, burst in bursts.items():
            results[name].append(burst())
    return results


def ratio(results: list[float], peer: list[float]) -> tuple[float, float, float]:
    """The median of the ratios round by round, and their lower and upper quartile."""
    ratios = sorted(mine / theirs for mine, theirs in zip(results, peer, strict=True))
    quarter = len(ratios) // 4
    return median(ratios), ratios[quarter], ratios[-1 - quarter]


def compared(bursts: Mapping[str, Callable[[], float]], peer: str, rounds: int, unit: str) -> Iterator[str]:
    """The lines of a table: what each burst does in a second, and the ratio to the peer, round by round."""
    results = side_by_side(bursts, rounds)
    yield f"| what | {unit} a second (median) | ratio to the peer (median, quartiles) |"
    yield "|---|---|---|"
    for name, rates in results.items():
        middle, low, high = ratio(rates, results[peer])
        yield f"| {name} | {median(rates):,.0f} | {middle:.2f} ({low:.2f} - {high:.2f}) |"
