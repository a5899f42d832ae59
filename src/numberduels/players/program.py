"""A running program: its pipes, its limits of time and output, and its process group."""

from __future__ import annotations

import atexit
import os
import re
import select
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from subprocess import PIPE
from threading import Lock
from time import monotonic
from typing import NoReturn

from numberduels.game.formatting import short
from numberduels.players.player import CRASH, ILLEGAL, TIMEOUT, Forfeit

LINE = 64 * 1024
"""The most bytes of one output line."""
OUTPUT = 1024 * 1024
"""The most bytes of output for one request."""
STDERR_END = 2_000
"""The last bytes of standard error that are stored."""
GRACE = 0.5
"""Seconds for a program to exit by itself."""
TICK = 0.1
"""Seconds between checks of a silent program: it may be dead while a child keeps the pipe open."""

PASSED = re.compile(
    "PATH|HOME|USER|LOGNAME|SHELL|PWD|TMPDIR|TZ|LANG|LANGUAGE|TERM|COLUMNS|LINES|NO_COLOR|LC_(?:ALL|ADDRESS"
    "|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)|PYTHON(?:PATH"
    "|HOME|UTF8|IOENCODING|UNBUFFERED|HASHSEED|DONTWRITEBYTECODE)|VIRTUAL_ENV|CONDA_PREFIX|JAVA_HOME|NODE_PATH"
    "|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|CUDA_VISIBLE_DEVICES|OMP_NUM_THREADS"
)
"""The environment variables that a program gets: a list of what it needs, because secrets have any name."""

_running: set[RunningProgram] = set()
_starting = Lock()
"""Held while a program starts, so that `end_all` does not miss it."""
_ending = False


def end_all() -> None:
    """Kill every program and start no more, because this process is about to exit.

    Do not call it in a signal handler: the interrupted thread may hold the lock.
    """
    global _ending
    with _starting:
        _ending = True
        for program in list(_running):
            program.kill()


@atexit.register
def close_lasting() -> None:
    """End the programs that play many games, because no game follows: their input ends first."""
    for program in list(_running):
        if program.lasting:
            program.end(polite=True)


class RunningProgram:
    """A running program with its pipes and its process group.

    Pipes are read and written only when they are ready, and unwanted output is dropped at once. So the
    program can take neither more time nor more memory than its limits.
    """

    def __init__(self, words: list[str], lasting: bool = False) -> None:
        """Start it; a `lasting` program runs until `end` or `close_lasting`. OSError if it cannot start."""
        environment = {name: text for name, text in os.environ.items() if PASSED.fullmatch(name)}
        with _starting:
            if _ending:
                raise OSError("this process is ending")
            # In a session of its own its children can be killed with it, and Ctrl-C does not reach it.
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env=environment,
                start_new_session=True,
            )
            self._alive = True
            _running.add(self)
        self.lasting = lasting
        self.heard = b""
        """What it has said after the request and was not taken as a line."""
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._pipes = [pipe for pipe in pipes if pipe]
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in self._pipes)
        os.set_blocking(self._stdin, False)
        self._open = [self._stdout, self._stderr]
        self._unsent = b""
        self._skipping = False  # whether we are in the middle of a line that began before the request
        self._allowed = OUTPUT
        self._stderr_end = b""

    def ask(self, request: bytes, deadline: float, skip: Callable[[bytes], bool] = lambda _: False) -> bytes:
        """The first line that it writes after the whole request and that is not to be skipped.

        Forfeit if there is none in time, or if it ends, hangs up or says too much.
        """
        self._drop()
        self._unsent = request
        self._allowed = OUTPUT
        while (left := deadline - monotonic()) > 0:
            while line := self._line():
                if not skip(line):
                    return line
            # Asked before we look: so an answer given just before its end is still seen.
            ended = self._has_ended()
            found = self._look(0 if ended else min(left, TICK))
            if self._allowed < 0:
                raise Forfeit(ILLEGAL, f"The program wrote more than {OUTPUT:,} bytes for one request.")
            if self._stdout not in self._open or (ended and not found):
                line, self.heard = self.heard.strip(), b""
                return line if line and not skip(line) else self._gone("closed its output")
        raise Forfeit(TIMEOUT, "The program gave no answer in time.")

    def tell(self, message: bytes) -> bool:
        """Send a short message that has no answer; whether it was sent."""
        try:
            return os.write(self._stdin, message) == len(message)
        except OSError:  # it has exited, or is not reading
            return False

    def _look(self, seconds: float) -> bool:
        """Wait for output and read it, or go on with the request; whether there was something to read.

        The request is sent only when nothing is left to read: output before its end is no answer.
        """
        poll = select.poll()
        for pipe in self._open:
            poll.register(pipe, select.POLLIN)
        if self._unsent:
            poll.register(self._stdin, select.POLLOUT)
        ready = [pipe for pipe, _ in poll.poll(1000 * seconds)]
        if self._stderr in ready:
            self._stderr_end = (self._stderr_end + self._read(self._stderr))[-STDERR_END:]
        if self._stdout in ready:
            data = self._read(self._stdout)
            self._allowed -= len(data)
            if self._skipping:
                _, newline, data = data.partition(b"\n")
                self._skipping = not newline
            self.heard += data
            if self._unsent:
                self._drop()
            return True
        if self._stdin in ready:
            try:
                self._unsent = self._unsent[os.write(self._stdin, self._unsent) :]
            except BlockingIOError:
                pass
            except OSError:
                self._gone("closed its input")
        return False

    def _read(self, pipe: int) -> bytes:
        """What there is in a pipe that is ready; b"" if it was closed."""
        with suppress(OSError):  # another thread may have ended the program
            if data := os.read(pipe, LINE):
                return data
        self._open = [each for each in self._open if each != pipe]
        return b""

    def _drop(self) -> None:
        """Forget what it has said, and the rest of an unfinished line when it comes."""
        if self.heard:
            self._skipping = not self.heard.endswith(b"\n")
            self.heard = b""

    def _line(self) -> bytes:
        """The next complete line that is not blank, or b""."""
        line, newline, rest = self.heard.lstrip().partition(b"\n")
        if len(line) > LINE:
            raise Forfeit(ILLEGAL, f"The program wrote a line of more than {LINE:,} bytes.")
        self.heard = rest if newline else line
        return line if newline else b""

    def _gone(self, how: str) -> NoReturn:
        """Raise Forfeit for a program that has exited, or has done what `how` says."""
        self._wait(GRACE)  # the output closes shortly before the exit status is known
        for _ in range(OUTPUT // LINE):  # enough for a full pipe, but bounded if a child goes on writing
            self._look(0)
        if (code := self._process.returncode) is None:
            how = f"{how} without ending"
        else:
            how = f"ended with status {code}" if code >= 0 else f"was ended by signal {-code}"
        said = self._stderr_end.decode("utf-8", "backslashreplace").strip().rpartition("\n")[2]
        raise Forfeit(CRASH, f"The program {how}{f': {short(said.strip(), 120)}' if said else ''}.")

    def _has_ended(self) -> bool:
        """Whether it has exited; if so, it is reaped and its children are killed.

        This happens at once, because its process id may be reused afterwards.
        """
        if self._alive and self._process.poll() is not None:
            self._alive = False
            self._signal_group(signal.SIGKILL)
        return not self._alive

    def _signal_group(self, number: signal.Signals) -> None:
        # A missing group raises the first error on Linux; a group of zombies the second on macOS.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Send a signal to it and all its children without waiting."""
        if not self._has_ended():
            self._signal_group(number)

    def _wait(self, seconds: float) -> None:
        """Wait for it to exit, and drop its output so that it does not block."""
        self._unsent = b""
        deadline = monotonic() + seconds
        while not self._has_ended() and monotonic() < deadline:
            self._look(0.002)
            self.heard = b""

    def end(self, polite: bool = False) -> None:
        """End it and all its children: `polite` lets it exit by itself first, because its input ends."""
        try:
            self._pipes[0].close()
            self._wait(GRACE if polite else 0)
            self.kill(signal.SIGTERM)
            self._wait(GRACE)
        finally:  # also after Ctrl-C
            self.kill()
            self._wait(5)  # a hanging disk can delay even a killed process
            for pipe in self._pipes:
                pipe.close()
            _running.discard(self)
