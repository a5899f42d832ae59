"""The time to the first prompt, relative to the start of the bare interpreter."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.rounds import ratio, side_by_side

TITLE = "Start-up: time to the first prompt"
BARE = "python -c pass"
DUEL = os.path.join(os.path.dirname(sys.executable), "duel")
ROUNDS = 41

LIBRARY = "import argparse, dataclasses, enum, random, re, signal, typing"
"""What the first prompt of a game needs of the standard library; without it nothing of ours can run."""


@contextmanager
def new_user() -> Iterator[None]:
    """Run what follows as a user who has kept no game yet, with modules that are compiled."""
    with TemporaryDirectory() as folder:
        os.environ["NUMBERDUELS_HOME"] = os.path.join(folder, "not there yet")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        yield
        del os.environ["NUMBERDUELS_HOME"]


def python(program: str) -> Callable[[], float]:
    """Seconds that the interpreter takes to run a short program."""

    def burst() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True)
        return time.perf_counter() - start

    return burst


def piped(*arguments: str) -> Callable[[], float]:
    """Seconds until the prompt comes through a pipe."""

    def burst() -> float:
        start = time.perf_counter()
        with subprocess.Popen([DUEL, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            seconds = until_prompt(process.stdout.fileno(), start)
            process.kill()
        return seconds

    return burst


def on_a_terminal(*arguments: str) -> Callable[[], float]:
    """Seconds until the prompt comes on a pseudo-terminal."""

    def burst() -> float:
        start = time.perf_counter()
        ours, theirs = pty.openpty()
        with subprocess.Popen([DUEL, *arguments], stdin=theirs, stdout=theirs, stderr=theirs) as process:
            seconds = until_prompt(ours, start)
            process.kill()
        os.close(ours)
        os.close(theirs)
        return seconds

    return burst


def until_prompt(handle: int, start: float, *, after: bytes = b"") -> float:
    """Seconds from the start until what was printed ends in a prompt; `after` is printed before it."""
    seen = b""
    while True:
        rest = seen.partition(after)[2] if after else seen
        if b": " in rest[-20:] and not rest.endswith(b"\n"):
            return time.perf_counter() - start
        seen += os.read(handle, 65_536)


def table() -> Iterator[str]:
    """Milliseconds and the ratio to the bare interpreter, measured in turn in one run."""
    bursts = {
        BARE: python("pass"),
        f"python -c '{LIBRARY}'": python(LIBRARY),
        "duel play range-war, piped": piped("play", "range-war"),
        "duel play range-war, on a terminal": on_a_terminal("play", "range-war"),
        "duel play number-collision --vs greedy, on a terminal": on_a_terminal(
            "play", "number-collision", "--vs", "greedy"
        ),
        "duel --plain (the menu), on a terminal": on_a_terminal("--plain"),
    }
    with new_user():
        results = side_by_side(bursts, ROUNDS)
    yield "| until the first prompt of | ms (median) | bare start-ups (median, quartiles) |"
    yield "|---|---|---|"
    for name, seconds in results.items():
        middle, low, high = ratio(seconds, results[BARE])
        yield f"| {name} | {median(seconds) * 1000:.1f} | {middle:.2f} ({low:.2f} - {high:.2f}) |"
