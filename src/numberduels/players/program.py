"""A running program: its pipes, its time limit, and its process group."""

from __future__ import annotations

import atexit
import os
import re
import selectors
import signal
import subprocess
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import NoReturn
from weakref import WeakSet

from numberduels.game.formatting import short
from numberduels.players.player import Forfeit

LINE = 64 * 1024
"""The most bytes of one output line."""
OUTPUT = 1024 * 1024
"""The most bytes of output for one move."""
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
"""The environment variables that a program gets: what it needs to run, and no secret."""

_RUNNING: WeakSet[RunningProgram] = WeakSet()
_STARTING = Lock()
"""Held while a program starts, so that `end_all` does not miss it."""
_ending = False


def end_all() -> None:
    """Kill every program and start no more, because this process is about to exit.

    Do not call it in a signal handler: the interrupted thread may hold the lock.
    """
    global _ending
    with _STARTING:
        _ending = True
        for program in list(_RUNNING):
            program.kill()


def passed_environment() -> dict[str, str]:
    """The environment of a program: a list of what it may see, because secrets have any name."""
    return {name: text for name, text in os.environ.items() if PASSED.fullmatch(name)}


_LASTING: set[RunningProgram] = set()
"""The programs that play many games."""


def keep_running(program: RunningProgram) -> None:
    """Let a program run until `close_lasting`, or the end of this process, whoever still knows it."""
    if not _LASTING:
        atexit.register(close_lasting)
    _LASTING.add(program)


def close_lasting() -> None:
    """End the programs that play many games, because no game follows: their input ends first."""
    while _LASTING:
        _LASTING.pop().end(polite=True)


class RunningProgram:
    """A running program with its pipes and its process group.

    All input and output is non-blocking with one selector, and unwanted output is dropped at once. So the
    program can never take more than the time limit.
    """

    def __init__(self, words: list[str]) -> None:
        with _STARTING:
            if _ending:
                raise OSError("this process is ending")
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=passed_environment(),
                # Its children can be killed with it, and Ctrl-C does not reach it.
                start_new_session=True,
            )
            self._alive = True
            _RUNNING.add(self)
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._buffer = b""  # what came after the question and has not been taken as a line
        self._skipping = False  # whether we are in the middle of a line that began before the question
        self._allowed = OUTPUT
        self._sent = True  # whether the last message was sent completely
        self._closed = False
        self._stderr_end = b""

    @property
    def heard(self) -> bytes:
        """What it has said of an answer that never became whole."""
        return self._buffer

    def allow(self, output: int) -> None:
        """Let it write so many bytes from now on."""
        self._allowed = output

    def ask(self, question: bytes, deadline: float) -> bytes | None:
        """The first line that it writes after the whole question; None if there is none in time.

        Forfeit if it ends, hangs up or says too much.
        """
        self._drop(self._buffer)
        self._buffer = b""
        return self._exchange(question, deadline)

    def next_line(self, deadline: float) -> bytes | None:
        """The next line that it writes, without another question; otherwise as `ask`."""
        return self._line() or self._exchange(b"", deadline)

    def tell(self, message: bytes, deadline: float) -> bool:
        """Send a message that has no answer; whether all of it was sent in time. Its output is dropped."""
        self._drop(self._buffer)
        self._buffer = b""
        try:
            self._exchange(message, deadline, answered=False)
        except Forfeit:
            return False
        return self._sent

    def _exchange(self, message: bytes, deadline: float, answered: bool = True) -> bytes | None:
        unsent = memoryview(message)
        self._sent = not unsent
        if unsent:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        while (left := deadline - monotonic()) > 0 and (answered or not self._sent):
            # Asked before we look: so an answer given just before its end is still seen.
            ended = self._ended()
            ready = {key.fd for key, _ in self._selector.select(0 if ended else min(left, TICK))}
            if self._stderr in ready:
                self._read_stderr()
            if self._stdout in ready:
                data = self._read(self._stdout)
                if data == b"":
                    return self._rest() or self._gone("closed its output")
                if data and not answered:
                    self._drop(data)
                elif data:
                    self._allowed -= len(data)
                    self._take(data, bool(unsent))
                    if line := self._line():
                        return line
            elif ended:
                return self._rest() or self._gone("closed its output")
            elif self._stdin in ready:
                # Only when nothing is left to read: output before the request is no answer.
                with suppress(BlockingIOError):
                    try:
                        unsent = unsent[os.write(self._stdin, unsent) :]
                    except OSError as fault:
                        if isinstance(fault, BlockingIOError):
                            raise
                        self._gone("closed its input")
                if not unsent:
                    self._sent = True
                    self._selector.unregister(self._stdin)
        return None

    def _take(self, data: bytes, early: bool) -> None:
        """Store output that belongs to the answer; drop output from before the request."""
        if early:
            self._drop(data)
        else:
            if self._skipping:
                _, newline, data = data.partition(b"\n")
                self._skipping = not newline
            self._buffer += data
        if self._allowed < 0:
            raise Forfeit("illegal", f"The program wrote a flood: more than {OUTPUT:,} bytes for one move.")

    def _drop(self, data: bytes) -> None:
        if data:
            self._skipping = not data.endswith(b"\n")

    def _line(self) -> bytes:
        """The next complete line that is not blank, or b""."""
        self._buffer = self._buffer.lstrip()
        line, newline, rest = self._buffer.partition(b"\n")
        if len(line) > LINE:
            raise Forfeit("illegal", f"The program wrote a flood: a line of more than {LINE:,} bytes.")
        if not newline:
            return b""
        self._buffer = rest
        return line

    def _rest(self) -> bytes:
        """The unfinished last line of a program that has exited."""
        line, self._buffer = self._buffer, b""
        return line if line.strip() else b""

    def _read(self, pipe: int) -> bytes | None:
        """Available data; b"" at the end, None if there is none yet."""
        try:
            return os.read(pipe, LINE)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _read_stderr(self) -> bool:
        """Read standard error and store its end; whether there was data."""
        data = self._read(self._stderr)
        if data:
            self._stderr_end = (self._stderr_end + data)[-STDERR_END:]
        elif data == b"":
            with suppress(KeyError):
                self._selector.unregister(self._stderr)
        return bool(data)

    def _gone(self, how: str) -> NoReturn:
        """Raise Forfeit for a program that has exited, or has done what `how` says."""
        self._wait(GRACE)  # the output closes shortly before the exit status is known
        for _ in range(OUTPUT // LINE):  # enough for a full pipe, but bounded if a child goes on writing
            if not self._read_stderr():
                break
        code = self._process.returncode if self._ended() else None
        if code is None:
            how = f"{how} without ending"
        elif code >= 0:
            how = f"ended with status {code}"
        else:
            try:
                how = f"was ended by the signal {signal.Signals(-code).name}"
            except ValueError:  # the signal has no name
                how = f"was ended by the signal {-code}"
        lines = self._stderr_end.decode("utf-8", "backslashreplace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")
        raise Forfeit("crash", f"The program {how}{f': {short(said, 120)}' if said else ''}.")

    def _ended(self) -> bool:
        """Whether it has exited; if so, it is reaped and its children are killed.

        This happens at once, because its process id may be reused afterwards.
        """
        if self._alive and self._process.poll() is not None:
            self._alive = False
            self._signal(signal.SIGKILL)
        return not self._alive

    def _signal(self, number: signal.Signals) -> None:
        # A missing group raises the first error on Linux; a group of zombies the second on macOS.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """Kill it and all its children without waiting."""
        if not self._ended():
            self._signal(signal.SIGKILL)

    def _wait(self, seconds: float) -> bool:
        """Wait for it to exit, and read its output so that it does not block; whether it has exited."""
        deadline = monotonic() + seconds
        nap = 0.001
        with suppress(KeyError):
            self._selector.unregister(self._stdin)
        while not self._ended():
            left = deadline - monotonic()
            if left <= 0:
                return False
            for key, _ in self._selector.select(min(left, nap)):
                if key.fd == self._stderr:
                    self._read_stderr()
                elif self._read(key.fd) == b"":
                    self._selector.unregister(key.fd)
            nap = min(2 * nap, 0.05)
        return True

    def end(self, polite: bool = False, farewell: bytes = b"") -> None:
        """End it and all its children; `polite` first sends `farewell` and waits."""
        if self._closed:
            return
        self._closed = True
        _LASTING.discard(self)
        try:
            if polite and farewell:
                with suppress(OSError):  # it may have exited, or not be reading
                    os.write(self._stdin, farewell)
            with suppress(KeyError):
                self._selector.unregister(self._stdin)
            if self._process.stdin:
                self._process.stdin.close()
            if not (polite and self._wait(GRACE)) and not self._ended():
                self._signal(signal.SIGTERM)
                self._wait(GRACE)
        finally:  # also after Ctrl-C
            if not self._ended():
                self._signal(signal.SIGKILL)
                with suppress(subprocess.TimeoutExpired):  # a hanging disk can delay even a killed process
                    self._process.wait(5)
            self._selector.close()
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()
