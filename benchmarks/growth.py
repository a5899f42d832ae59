"""The rate of a batch by number of games and by size of the game, in processor time.

python -m benchmarks.growth docs/growth.svg   draws the picture
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.batches import ours
from benchmarks.curves import picture
from benchmarks.rounds import side_by_side
from numberduels import names

TITLE = "Growth: moves a second of a batch, with masks and observations"
ROUNDS = 5
GAMES = (1, 100, 10_000, 100_000)
DOUBLE: dict[str, dict[str, Any]] = {
    "number-collision": {"size": 20},
    "number-snatch": {"size": 20, "top": 40},
    "range-war": {"size": 20},
    "restricted-removal": {"size": 20},
    "summation-duel": {"size": 20, "target": 200},
}
"""Each game at twice the numbers of its book."""


def measured() -> dict[tuple[str, str], list[float]]:
    """By game and size, the rate at each number of games."""
    kinds: dict[tuple[str, str], dict[str, Any]]
    kinds = {(name, "book"): {} for name in names()} | {(name, "double"): DOUBLE[name] for name in DOUBLE}
    rates: dict[tuple[str, str], list[float]] = {kind: [] for kind in kinds}
    for n in GAMES:
        bursts = {" ".join(kind): ours(kind[0], n, **options) for kind, options in kinds.items()}
        results = side_by_side(bursts, ROUNDS)
        for kind in kinds:
            rates[kind].append(median(rate.processor for rate in results[" ".join(kind)]))
    return rates


def table() -> Iterator[str]:
    """A row for each game, at the size of the book and at double."""
    yield f"| game | size | {' | '.join('1 game' if n == 1 else f'{n:,} games' for n in GAMES)} |"
    yield f"|---|---|{'---|' * len(GAMES)}"
    for (name, size), rates in measured().items():
        yield f"| {name} | {size} | {' | '.join(f'{rate:,.0f}' for rate in rates)} |"


def drawn() -> str:
    """The rates at the sizes of the books as curves."""
    curves = {
        name: list(zip(GAMES, rates, strict=True))
        for (name, size), rates in measured().items()
        if size == "book"
    }
    return picture(
        "One call for all games: moves a second of a batch",
        "Each rate rises steeply up to ten thousand games and hardly any more beyond.",
        ("games in the batch", "moves a second"),
        curves,
        (GAMES, [10**power for power in range(4, 10)]),
        logarithmic=True,
        shown=lambda rate: f"{rate / 1e6:,.0f} M" if rate >= 1e6 else f"{rate / 1e3:,.0f} k",
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(drawn(), encoding="utf-8")
