"""`duel bench solve`: how far the solvers reach on this machine, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator

from numberduels.cli.parser import Parser
from numberduels.cli.progress import ProgressBar

CASES = (
    "range-war --size 10000",
    "range-war --size 10000 --opening free",
    "number-snatch --size 20 --top 60",
    "number-snatch --size 24 --top 60",
    "number-snatch --size 1000 --top 5000",
    "restricted-removal --size 60",
    "restricted-removal --size 100",
    "restricted-removal --size 120 --winner",
    "summation-duel --size 30 --target 50",
    "summation-duel --size 30 --target 232",
    "summation-duel --size 30 --target 465",
    "number-collision --size 1000",
    "summation-duel --size 33 --target 280",
    "number-collision --size 4 --repetition forbidden",
)
SWEEP = "restricted-removal --size 2..100"
SHARE = 1 << 10 if sys.platform != "darwin" else 1
"""What one unit of the system's memory figure stands for, in bytes."""


def run(arguments: list[str]) -> int:
    """Print a table of what can be solved, how long it takes and how much memory."""
    parser = Parser("bench", "Measure the solvers on this machine; make bench measures the rest.")
    parser.add_argument("what", metavar="solve", choices=["solve"])
    parser.parse_args(arguments)
    for line in table():
        print(line, flush=True)
    return 0


def table() -> Iterator[str]:
    """The rows, as a table that a document can keep."""
    yield "| solved from the start | who wins | positions | seconds | memory, MB |"
    yield "|---|---|---|---|---|"
    for case in CASES:
        with ProgressBar(f"solving {case}"):
            output, seconds, memory = measured(["solve", *case.split(), "--json"])
        if not output:
            yield f"| {case} | beyond reach here | | {seconds:.2f} | {memory} |"
            continue
        solution = json.loads(output)
        winner = f"Player {solution['winner']}" if solution["winner"] else "nobody"
        yield f"| {case} | {winner} | {solution['positions']:,} | {seconds:.2f} | {memory} |"
    with ProgressBar(f"sweeping {SWEEP}"):
        output, seconds, memory = measured(["sweep", *SWEEP.split()])
    rows = len(output.splitlines()) - 1
    yield f"| sweep {SWEEP} | {rows} sizes | | {seconds:.2f} | {memory} |"


def measured(arguments: list[str]) -> tuple[str, float, int]:
    """What a command of ours prints, how long it takes, and the most memory it has had."""
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
    return output, time.perf_counter() - began, usage.ru_maxrss * SHARE >> 20
