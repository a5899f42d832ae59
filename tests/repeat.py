"""Run the tests several times with busy processes beside them, and count how often each test failed.

    python -m tests.repeat --times 5 --load 8 -- -n 2 -m 'not long'

What follows the two dashes goes to pytest. pytest-randomly gives every run an order of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--times", type=int, default=5, help="how many runs")
    parser.add_argument("--load", type=int, default=8, help="how many busy processes beside them")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest")
    arguments = parser.parse_args()
    failures: Counter[str] = Counter()
    broken = 0
    with _busy(arguments.load), tempfile.TemporaryDirectory() as folder:
        for number in range(1, arguments.times + 1):
            report = Path(folder) / f"{number}.xml"
            began = time.monotonic()
            status = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pytest",
                    *arguments.pytest,
                    f"--junit-xml={report}",
                    "-p",
                    "no:cacheprovider",
                ]
            ).returncode
            failed = failed_tests(report.read_text(encoding="utf-8")) if report.exists() else []
            failures.update(failed)
            # A run can fail without a failed test: at collection, or when a worker dies.
            broken += status != 0 and not failed
            seconds = time.monotonic() - began
            print(f"run {number} of {arguments.times}: {len(failed)} failed, {seconds:.0f} s", flush=True)
    for name, count in failures.most_common():
        print(f"{count} of {arguments.times} runs failed: {name}")
    if broken:
        print(f"{broken} of {arguments.times} runs ended without a result")
    if not failures and not broken:
        print(f"no failure in {arguments.times} runs beside {arguments.load} busy processes")
    return 1 if failures or broken else 0


def failed_tests(report: str) -> list[str]:
    """The tests that failed or could not be set up, by a report in JUnit's format."""
    return [
        f"{case.get('classname')}::{case.get('name')}"
        for case in ElementTree.fromstring(report).iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    ]


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
