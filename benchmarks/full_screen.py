"""The full-screen table: until it is there, and how soon it answers a key while a computer thinks."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from benchmarks.rounds import ratio, side_by_side
from benchmarks.startup import BARE, DUEL, python

TITLE = "Full-screen table: until it is there, and until it answers a key"
ROUNDS = 15
KEYS = 60
FRAME = 1000 / 60
"""Milliseconds of a frame of a usual screen."""

THINKING = """[Game "restricted-removal"]
[Size "80"]
[Seat1 "human"]
[Seat2 "mcts:100000"]
[Seed "7"]
[Result "*"]

1. 7 *
"""
"""A game in which the computer thinks for minutes."""

LOADED = b"All keys"


@contextmanager
def app(home: str) -> Iterator[int]:
    """The app on a pseudo-terminal; the handle of its other end."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    env = os.environ | {"TERM": "xterm-256color", "NUMBERDUELS_HOME": home}
    with subprocess.Popen([DUEL], stdin=theirs, stdout=theirs, stderr=theirs, env=env) as process:
        try:
            yield ours
        finally:
            process.kill()
    os.close(ours)
    os.close(theirs)


def until(handle: int, mark: bytes) -> None:
    """Read until this was printed."""
    seen = b""
    while mark not in seen:
        seen += os.read(handle, 65_536)


def appears(mark: bytes) -> float:
    """Seconds from the start until this is on the screen."""
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        with app(home) as handle:
            until(handle, mark)
            return time.perf_counter() - start


def key_times(thinking: bool) -> list[float]:
    """Milliseconds from a key to the first byte of its answer, in a game; keys look back and forward."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "games"
        folder.mkdir()
        seats = THINKING if thinking else THINKING.replace("Seat1", "Seat3").replace("Seat2", "Seat1")
        (folder / "game.duel").write_text(seats.replace("Seat3", "Seat2"), encoding="utf-8")
        with app(home) as handle:
            until(handle, b"against mcts")
            os.write(handle, b"c")
            until(handle, b"thinking" if thinking else b"Your turn")
            found = []
            for number in range(KEYS):
                while select.select([handle], [], [], 0.2)[0]:
                    os.read(handle, 65_536)
                start = time.perf_counter()
                os.write(handle, b",."[number % 2 : number % 2 + 1])
                os.read(handle, 65_536)
                found.append(1000 * (time.perf_counter() - start))
            return found


def table() -> Iterator[str]:
    """Milliseconds, bare start-ups and frames."""
    names = {"the app has drawn the home screen": LOADED}
    results = side_by_side(
        {BARE: python("pass")} | {name: lambda mark=mark: appears(mark) for name, mark in names.items()},
        ROUNDS,
    )
    yield "| `duel` in a terminal, until | ms (median) | bare start-ups (median, quartiles) |"
    yield "|---|---|---|"
    for name, seconds in results.items():
        middle, low, high = ratio(seconds, results[BARE])
        yield f"| {name} | {median(seconds) * 1000:.1f} | {middle:.2f} ({low:.2f} - {high:.2f}) |"
    yield ""
    yield f"| a key is answered ({KEYS} keys) | ms (median) | ms (95 of 100) | frames of 16.7 ms (median) |"
    yield "|---|---|---|---|"
    for name, thinking in (("on your turn", False), ("while the computer thinks", True)):
        times = key_times(thinking)
        middle, high = median(times), quantiles(times, n=20)[-1]
        yield f"| {name} | {middle:.1f} | {high:.1f} | {middle / FRAME:.2f} |"
