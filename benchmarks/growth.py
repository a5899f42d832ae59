"""How the cost of each thing grows with its size, in processor time.

python -m benchmarks.growth docs/growth.svg   measures, prints the table and draws the picture
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import gymnasium

import numberduels.envs
from benchmarks.curves import Panel, Points, small_multiples
from benchmarks.growth_programs import package_costs, prompt_costs
from benchmarks.growth_questions import QUESTIONS, question_costs
from benchmarks.loops import Loop, play_batch, play_by_rules, play_in_turn, play_one_seat, play_vector
from benchmarks.rounds import rated, side_by_side
from benchmarks.sizes import SIZES, at_size
from benchmarks.vector import network
from numberduels import make, names
from numberduels.envs.vector import DuelVectorEnv

TITLE = "Growth: the cost of each thing against its size, in processor time"
ROUNDS = 5
BURST = 0.04
"""Seconds of processor time of a measurement."""
GAMES = (1, 10, 100, 1_000, 10_000)
BATCH = 1_000
"""Games of a batch, where the size of the game grows."""

NUMBERS = "numbers or cells of the game"
MANY = "games at once"


def repeated(loop: Loop) -> Loop:
    """The loop again and again, for as long as the clock of processor time needs to be exact."""

    def long_loop() -> int:
        began, count = time.process_time(), 0
        while time.process_time() - began < BURST:
            count += loop()
        return count

    return long_loop


def costs(loops: Mapping[tuple[str, int], Loop]) -> dict[str, Points]:
    """By game, the seconds for a move at each size, measured in turn."""
    bursts = {f"{name} {size}": rated(repeated(loop)) for (name, size), loop in loops.items()}
    results = side_by_side(bursts, ROUNDS)
    found: dict[str, list[tuple[float, float]]] = {}
    for name, size in loops:
        rate = median(each.processor for each in results[f"{name} {size}"])
        found.setdefault(name, []).append((size, 1 / rate))
    return dict(found)


def by_size(loop_of: Callable[[str, dict[str, Any], int], Loop]) -> dict[str, Points]:
    """The costs of loops that are made of a game, its options and a number of moves."""
    return costs(
        {
            (name, size): loop_of(name, at_size(name, size), 3_000 if size <= 20 else 600)
            for size in SIZES
            for name in names()
        }
    )


def rules() -> dict[str, Points]:
    return by_size(lambda name, options, moves: play_by_rules(make(name, **options), moves))


def in_turn() -> dict[str, Points]:
    chance = Random(1).random
    return by_size(
        lambda name, options, moves: play_in_turn(numberduels.envs.aec(name, **options), chance, moves)
    )


def one_seat() -> dict[str, Points]:
    chance = Random(1).random

    def loop(name: str, options: dict[str, Any], moves: int) -> Loop:
        env = gymnasium.make(numberduels.envs.env_id(name), **options).unwrapped
        return play_one_seat(env, chance, moves)

    return by_size(loop)


def _batch(name: str, n: int, **options: Any) -> Loop:
    games = numberduels.envs.batch(name, n=n, **options)
    games.reset(seed=1)
    return play_batch(games, max(3, min(500, 20_000 // n)))


def batches() -> dict[str, Points]:
    return costs({(name, n): _batch(name, n) for n in (*GAMES, 100_000) for name in names()})


def large_batches() -> dict[str, Points]:
    return by_size(lambda name, options, _: _batch(name, BATCH, **options))


def vectors(opponent: Callable[[str], Any]) -> dict[str, Points]:
    """The agent's steps against an opponent, by number of games."""
    return costs(
        {
            (name, n): play_vector(
                DuelVectorEnv(name, num_envs=n, opponent=opponent(name)), max(12, min(200, 20_000 // n))
            )
            for n in GAMES
            for name in names()
        }
    )


def panels() -> Iterator[Panel]:
    """Each thing with its costs, one measured after the other."""
    yield Panel("A move by the rules", NUMBERS, SIZES, rules())
    yield Panel("A move in a PettingZoo env", NUMBERS, SIZES, in_turn())
    yield Panel("An agent's move in a Gymnasium env", NUMBERS, SIZES, one_seat())
    yield Panel("A move in a batch", MANY, (*GAMES, 100_000), batches())
    yield Panel(f"A move in a batch of {BATCH:,}", NUMBERS, SIZES, large_batches())
    yield Panel("A step of a vector against perfect", MANY, GAMES, vectors(lambda _: "perfect"))
    yield Panel("A step of a vector against a network", MANY, GAMES, vectors(network))
    for question in QUESTIONS:
        yield Panel(QUESTIONS[question], NUMBERS, SIZES, question_costs(question))
    yield Panel("Until the first prompt of a game", NUMBERS, SIZES, prompt_costs())
    yield Panel("The same, beside other packages", "packages installed", (1, 10, 100, 1_000), package_costs())


def shown(seconds: float) -> str:
    """Seconds in the unit that suits them.

    >>> shown(0.00021), shown(1e-7), shown(1)
    ('210 µs', '100 ns', '1 s')
    """
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 0.9995:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def rows(panel: Panel) -> Iterator[str]:
    """A panel as a table: what each size costs."""
    sizes = sorted({size for points in panel.curves.values() for size, _ in points})
    yield f"| {panel.title}, by {panel.axis} | {' | '.join(f'{size:,.0f}' for size in sizes)} |"
    yield f"|---|{'---|' * len(sizes)}"
    for name, points in panel.curves.items():
        known = dict(points)
        yield f"| {name} | {' | '.join(shown(known[size]) if size in known else '' for size in sizes)} |"
    yield ""


def table() -> Iterator[str]:
    """A table for each thing."""
    for panel in panels():
        yield from rows(panel)


def draw(drawn: Sequence[Panel]) -> str:
    """All things as small charts."""
    return small_multiples(
        "What a move, an answer and a start cost, and how that grows",
        "Twelve small charts with logarithmic axes. docs/benchmarks.md tells what they show.",
        drawn,
        3,
        shown,
    )


def main(path: str) -> None:
    """Measure, print and draw."""
    measured = []
    for panel in panels():
        measured.append(panel)
        print(*rows(panel), sep="\n", flush=True)
    Path(path).write_text(draw(measured), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
