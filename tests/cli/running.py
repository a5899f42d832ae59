"""Running `duel`: in this process, as a process of its own with pipes, or on a pseudo-terminal."""

from __future__ import annotations

import io
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pexpect

from numberduels.cli.main import main
from pseudo_terminals import kill, wait_for_end

DUEL = str(Path(sys.executable).parent / "duel")
GAMES = ("range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision")
"""Our five games; others may be installed beside them."""
GOLDEN = Path(__file__).parents[1] / "golden"
PATIENCE = 60
"""Seconds before a hanging program fails its test; nothing is timed by it."""

RESUME = re.compile(
    r"^The (?:game|match) is saved\. To go on with it: (duel (?:continue|play --resume) .+)$", re.M
)


class Ran(NamedTuple):
    """What a run of the command printed, and its exit status."""

    out: str
    err: str
    status: int

    @property
    def resume_command(self) -> str:
        """The command that it printed for resuming the game."""
        found = RESUME.search(self.out.replace("\r", ""))
        assert found, self.out
        return found[1]


def lines(*typed: str) -> bytes:
    """The lines as a pipe brings them."""
    return "".join(f"{line}\n" for line in typed).encode()


def duel(*arguments: str | bytes, typed: bytes = b"") -> Ran:
    """Run `duel` in this process, its input and output not being a terminal."""
    saved = sys.stdin, sys.stdout, sys.stderr
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = _text(io.BytesIO(typed))
    sys.stdout, sys.stderr = _text(out), _text(err)
    try:
        status = main([os.fsdecode(each) for each in arguments])
        sys.stdout.flush()
        sys.stderr.flush()
        return _clean(Ran(out.getvalue().decode(), err.getvalue().decode(), status))
    finally:
        sys.stdin, sys.stdout, sys.stderr = saved
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _text(data: io.BytesIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(data, encoding="utf-8", errors="surrogateescape", newline="\n")


def process(*arguments: str | bytes, typed: bytes = b"") -> Ran:
    """Run the real `duel` script with its input from a pipe."""
    done = subprocess.run([DUEL, *arguments], input=typed, capture_output=True, timeout=2 * PATIENCE)
    return _clean(Ran(done.stdout.decode(), done.stderr.decode(), done.returncode))


def _clean(ran: Ran) -> Ran:
    """Whatever happens, nobody may see a traceback, and no terminal is commanded."""
    assert "Traceback" not in ran.err, ran.err
    assert "Exception ignored" not in ran.err, ran.err
    assert "\x1b" not in ran.out + ran.err
    return ran


def play(*arguments: str, typed: str = "") -> Ran:
    """Play with these words as the lines of the input."""
    return duel("play", *arguments, typed=lines(*typed.split()))


def shell(command: str, typed: bytes = b"") -> Ran:
    """Run a command that was printed for the user to copy, split into words as a shell does."""
    program, *arguments = shlex.split(command)
    assert program == "duel"
    return duel(*arguments, typed=typed)


def refused(ran: Ran, *phrases: str) -> None:
    """Exit status 2, nothing on standard output, one line on standard error that holds the phrases."""
    assert ran.status == 2, ran
    assert ran.out == ""
    assert re.fullmatch(r"duel: [^\n]+\n", ran.err), ran.err
    for phrase in phrases:
        assert phrase in ran.err


def records() -> list[Path]:
    """The games in the data folder."""
    return sorted((Path(os.environ["NUMBERDUELS_HOME"]) / "games").glob("*"))


def moves_of(path: Path) -> str:
    """The moves and the result of a record."""
    return path.read_text(encoding="utf-8").split("\n\n", 1)[1].rstrip("\n")


Screen = pexpect.spawn


@contextmanager
def terminal(
    *arguments: str, term: str = "xterm-256color", columns: int = 240, program: str = DUEL, **env: str
) -> Iterator[Screen[str]]:
    """`duel`, or another program, on a pseudo-terminal of its own."""
    screen: Screen[str] = pexpect.spawn(
        program,
        list(arguments),
        env={**os.environ, "TERM": term, **env},
        encoding="utf-8",
        timeout=PATIENCE,
        dimensions=(60, columns),
    )
    try:
        yield screen
    finally:
        kill(screen)


def rest(screen: Screen[str]) -> str:
    """Everything up to the end of the program, which is waited for."""
    return wait_for_end(screen)
