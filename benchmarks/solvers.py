"""How far the solvers reach: one process for each game, with its time and its memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator

TITLE = "How far the solvers reach"

CASES = (
    "range-war --size 10000",
    "range-war --size 10000 --opening free",
    "number-snatch --size 20 --top 60",
    "number-snatch --size 24 --top 60",
    "number-snatch --size 1000 --top 5000",
    "restricted-removal --size 60",
    "restricted-removal --size 100",
    "restricted-removal --size 120",
    "restricted-removal --size 120 --winner",
    "restricted-removal --size 150 --winner",
    "summation-duel --size 30 --target 50",
    "summation-duel --size 30 --target 232",
    "summation-duel --size 30 --target 465",
    "number-collision --size 1000",
    "summation-duel --size 33 --target 280",
    "number-collision --size 4 --repetition forbidden",
)
SWEEP = "restricted-removal --size 2..100"
MEMORY_UNIT = 1 << 10 if sys.platform != "darwin" else 1
"""Bytes in one unit of ru_maxrss."""


def table() -> Iterator[str]:
    yield "| solved from the start | who wins | positions | seconds | memory, MB |"
    yield "|---|---|---|---|---|"
    for case in CASES:
        output, seconds, memory = measure(["solve", *case.split(), "--json"])
        if not output:
            yield f"| {case} | beyond reach here | | {seconds:.2f} | {memory} |"
            continue
        solution = json.loads(output)
        winner = f"Player {solution['winner']}" if solution["winner"] else "nobody"
        yield f"| {case} | {winner} | {solution['positions']:,} | {seconds:.2f} | {memory} |"
    output, seconds, memory = measure(["sweep", *SWEEP.split()])
    rows = len(output.splitlines()) - 1
    yield f"| sweep {SWEEP} | {rows} sizes | | {seconds:.2f} | {memory} |"


def measure(arguments: list[str]) -> tuple[str, float, int]:
    """The output of a duel command, its seconds and its peak memory in megabytes."""
    began = time.perf_counter()
    program = [
        sys.executable,
        "-c",
        "import sys; from numberduels.cli.main import main; sys.exit(main())",
    ]
    with subprocess.Popen([*program, *arguments], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return output, time.perf_counter() - began, usage.ru_maxrss * MEMORY_UNIT >> 20
