"""What the start of the program costs, by the size of the game and by the packages installed beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.curves import Points
from benchmarks.rounds import side_by_side
from benchmarks.sizes import SIZES, at_size
from benchmarks.startup import BARE, DUEL, new_user, until_prompt
from numberduels import names

ROUNDS = 7
PACKAGES = (1, 10, 100, 1_000)


def processor_time(*command: str, folder: str = "") -> Callable[[], float]:
    """The processor time of a program until its first prompt, or until its end if it has no prompt."""

    def burst() -> float:
        before = getrusage(RUSAGE_CHILDREN)
        environment = os.environ | ({"PYTHONPATH": folder} if folder else {})
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as process:
            assert process.stdout is not None
            if command[0] == DUEL:
                until_prompt(process.stdout.fileno(), 0)
                process.kill()
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return burst


BARE_BURST = processor_time(sys.executable, "-c", "pass")


def _medians(bursts: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    with new_user():
        return {name: median(seconds) for name, seconds in side_by_side(bursts, ROUNDS).items()}


def _play(name: str, size: int) -> list[str]:
    options = [text for key, value in at_size(name, size).items() for text in (f"--{key}", str(value))]
    return [DUEL, "play", name, *options]


def prompt_costs() -> dict[str, Points]:
    """By game, the cost of the start at each size; beside it that of the bare interpreter."""
    bursts = {f"{name} {size}": processor_time(*_play(name, size)) for size in SIZES for name in names()}
    found = _medians({BARE: BARE_BURST} | bursts)
    curves: dict[str, Points] = {
        name: [(size, found[f"{name} {size}"]) for size in SIZES] for name in names()
    }
    return curves | {BARE: [(size, found[BARE]) for size in SIZES]}


def package_costs() -> dict[str, Points]:
    """The cost of the start of Range War where that many other packages are installed."""
    with TemporaryDirectory() as folder:
        bursts = {BARE: BARE_BURST}
        for count in PACKAGES:
            place = Path(folder, str(count))
            for number in range(count):
                described = place / f"package{number}-1.0.dist-info"
                described.mkdir(parents=True)
                (described / "METADATA").write_text(f"Name: package{number}\nVersion: 1.0\n")
                (described / "entry_points.txt").write_text(
                    f"[console_scripts]\nprogram{number} = package{number}:main\n"
                )
            bursts[str(count)] = processor_time(DUEL, "play", "range-war", folder=str(place))
        found = _medians(bursts)
    return {
        "range-war": [(count, found[str(count)]) for count in PACKAGES],
        BARE: [(count, found[BARE]) for count in PACKAGES],
    }
