"""Run the tests several times with busy processes beside them, and count how often each test failed.

    python -m tests.repeat --times 10 --quiet 5 --load 8 -- -n 2 -m 'not long'

What follows the two dashes goes to pytest. Every run has an order of its own, by the seed in its table line.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple
from xml.etree import ElementTree

HEADINGS = ("run", "load", "passed", "failed", "seconds", "seed")


class Run(NamedTuple):
    """One run of the tests: a line of the table, and the tests that failed."""

    number: int
    load: int
    passed: int
    failed: list[str]
    seconds: float
    seed: int
    status: int

    @property
    def broken(self) -> bool:
        """Whether it failed without a failed test: at collection, or because a worker died."""
        return self.status != 0 and not self.failed

    def __str__(self) -> str:
        failed = "broken" if self.broken else len(self.failed)
        return table_line(self.number, self.load, self.passed, failed, round(self.seconds), self.seed)


def table_line(*cells: object) -> str:
    return "{:>3}  {:>4}  {:>6}  {:>6}  {:>7}  {:>10}".format(*cells)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--times", type=int, default=5, help="how many runs")
    parser.add_argument("--load", type=int, default=8, help="how many busy processes beside them")
    parser.add_argument("--quiet", type=int, default=0, help="how many of the runs, the first, have no load")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest")
    arguments = parser.parse_args(argv)
    runs = []
    for number in range(1, arguments.times + 1):
        runs.append(_run(number, 0 if number <= arguments.quiet else arguments.load, arguments.pytest))
        print(f"run {number} of {arguments.times}: {len(runs[-1].failed)} failed", flush=True)
    for name, count in Counter(name for run in runs for name in run.failed).most_common():
        print(f"{count} of {len(runs)} runs failed: {name}")
    print(table_line(*HEADINGS), *runs, sep="\n")
    return 1 if any(run.status for run in runs) else 0


def _run(number: int, load: int, arguments: list[str]) -> Run:
    seed, began = Random().randrange(2**32), time.monotonic()
    with _busy(load), tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        options = [f"--junit-xml={report}", f"--randomly-seed={seed}", "-p", "no:cacheprovider"]
        status = subprocess.run([sys.executable, "-m", "pytest", *arguments, *options]).returncode
        passed, failed = results(report.read_text(encoding="utf-8")) if report.exists() else (0, [])
    return Run(number, load, passed, failed, time.monotonic() - began, seed, status)


def results(report: str) -> tuple[int, list[str]]:
    """How many tests passed, and those that failed or could not be set up, by a report in JUnit's format."""
    passed, failed = 0, []
    for case in ElementTree.fromstring(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(f"{case.get('classname')}::{case.get('name')}")
        elif case.find("skipped") is None:
            passed += 1
    return passed, failed


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """That many processes that do nothing but use the processor."""
    processes = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def _spin() -> None:
    while True:
        pass


if __name__ == "__main__":
    sys.exit(main())
