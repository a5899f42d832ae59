"""The time to the first prompt, relative to the start of the bare interpreter."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.rounds import ratio, side_by_side

TITLE = "Start-up: time to the first prompt"
BARE = "python -c pass"
DUEL = os.path.join(os.path.dirname(sys.executable), "duel")
ROUNDS = 21

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


def on_a_terminal(*arguments: str, shown: bytes = b"") -> Callable[[], float]:
    """Seconds until the prompt, or what is `shown`, comes on a pseudo-terminal of 80 by 24."""

    def burst() -> float:
        start = time.perf_counter()
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, 80))
        with subprocess.Popen([DUEL, *arguments], stdin=theirs, stdout=theirs, stderr=theirs) as process:
            seconds = until_prompt(ours, start, shown)
            process.kill()
        os.close(ours)
        os.close(theirs)
        return seconds

    return burst


def until_prompt(handle: int, start: float, shown: bytes = b"") -> float:
    """Seconds from the start until what was printed ends in a prompt, or has what is `shown`."""
    seen = b""
    while not (shown in seen if shown else b": " in seen[-20:] and not seen.endswith(b"\n")):
        seen += os.read(handle, 65_536)
    return time.perf_counter() - start


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
        "duel (the full-screen table has drawn its home)": on_a_terminal(shown=b"All keys"),
    }
    with new_user():
        results = side_by_side(bursts, ROUNDS)
    yield "| until the first prompt of | ms (median) | bare start-ups (median, quartiles) |"
    yield "|---|---|---|"
    for name, seconds in results.items():
        middle, low, high = ratio(seconds, results[BARE])
        yield f"| {name} | {median(seconds) * 1000:.1f} | {middle:.2f} ({low:.2f} - {high:.2f}) |"
