"""ProcessPlayer: a program that plays over standard input and output (see docs/protocol.md)."""

from __future__ import annotations

import json
import math
import os
import selectors
import shlex
import signal
import subprocess
from collections.abc import Hashable, Sequence
from contextlib import suppress
from random import Random
from threading import Lock
from time import monotonic
from typing import Any, NoReturn, cast
from weakref import WeakSet

from numberduels import registry
from numberduels.core import Game, M, S, has_fixed_start
from numberduels.options import format_options
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.player import Attempt, Forfeit, Player
from numberduels.text import short

PROTOCOL = 1

LINE = 64 * 1024
"""The most bytes of one output line."""
OUTPUT = 1024 * 1024
"""The most bytes of output for one move."""
ANSWER = 2_000
"""The most characters of an answer that are stored."""
STDERR_END = 2_000
"""The last bytes of standard error that are stored."""
GRACE = 0.5
"""Seconds for a program to exit by itself."""
TICK = 0.1
"""Seconds between checks of a silent program: it may be dead while a child keeps the pipe open."""

SECRETS = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
"""Environment variables with these endings are not passed to the program."""


class ProcessPlayer(Player):
    """A program that reads requests from standard input and writes moves to standard output.

    One process plays one game: `prepare` or the first `choose` starts it, `close` or a forfeit ends it.
    Linux and macOS only, because it needs pipes and process groups.

    >>> ProcessPlayer("python3 examples/clients/client.py").name
    'process:python3 examples/clients/client.py'
    """

    def __init__(self, command: str, settings: ExternalSettings = DEFAULT_SETTINGS) -> None:
        """Split the command as a shell does, without using a shell; ValueError if it is invalid."""
        try:
            self._words = shlex.split(command)
        except ValueError as fault:
            raise ValueError(f"the command {short(command, 80)} cannot be split: {fault}") from None
        if not self._words or not self._words[0]:
            raise ValueError("a program is given as process:COMMAND, and no command was given")
        if "\0" in command:
            raise ValueError(f"the command {short(command, 80)} cannot be run")
        if not 0 < settings.seconds < math.inf or settings.attempts < 1:
            raise ValueError("a program needs some seconds for a move, and at least one attempt")
        if os.name != "posix":
            raise ValueError("programs can play on Linux and macOS only")
        self.name = f"process:{command}"
        self.settings = settings
        self.attempts: list[Attempt] = []
        self._played: tuple[Hashable, ...] = ()
        self._dealt: tuple[Any, Any] | None = None  # a game, and the same game with its start fixed
        self._program: _Program | None = None

    def __getstate__(self) -> dict[str, Any]:
        if self._program:
            raise TypeError(f"{self.name} is playing: a running program cannot be pickled")
        return self.__dict__.copy()

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        self.close()
        try:
            registry.spec_of(game)
        except registry.UnknownGame as fault:
            raise ValueError(f"a program cannot be asked about this game: {fault}") from None
        self._dealt = None if has_fixed_start(game) else (game, cast(Any, game).with_start(start))
        # If the program does not start, the first choice tries again and reports it.
        with suppress(Forfeit):
            self._start()

    def set_history(self, played: Sequence[Hashable]) -> None:
        self._played = tuple(played)

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        self.attempts = []
        game_text = registry.spec_of(game).text_for(game)
        question = self._question(game, state)
        program = self._start()
        try:
            program.allow(OUTPUT)
            begun = asked = monotonic()
            for _ in range(self.settings.attempts):
                left = begun + self.settings.seconds - asked
                line = json.dumps(question | {"seconds": max(round(left, 3), 0.0)}) + "\n"
                try:
                    answer = program.ask(line.encode(), begun + self.settings.seconds)
                    if answer is None:
                        unit = "second" if self.settings.seconds == 1 else "seconds"
                        raise Forfeit(
                            "timeout",
                            f"The program gave no legal move within {self.settings.seconds:g} {unit}.",
                        )
                except Forfeit as fault:
                    self._keep(program.heard, str(fault), asked)
                    raise
                given: str | int | None = None
                try:
                    given = _given(answer)
                    move = game_text.parse_move(str(given))
                    game.play(state, cast(M, move))
                except ValueError as refusal:  # Unreadable, IllegalMove or invalid JSON
                    reason = str(refusal)
                else:
                    self._keep(answer, "", asked)
                    return cast(M, move)
                self._keep(answer, reason, asked)
                shown = given if given is None else str(given)[:ANSWER]
                question["refused"] = {"move": shown, "reason": reason}
                asked = monotonic()
            times = f"{self.settings.attempts} attempts" if self.settings.attempts > 1 else "one attempt"
            raise Forfeit("illegal", f"The program gave no legal move in {times}: {reason}")
        except BaseException:  # Ctrl-C, too: a program interrupted during a request cannot be used again
            self._program = None
            program.end()
            raise

    def close(self) -> None:
        program, self._program = self._program, None
        self._played = ()
        if program:
            program.end(polite=True)

    def _start(self) -> _Program:
        if not self._program:
            try:
                self._program = _Program(self._words)
            except (OSError, ValueError) as fault:
                why = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
                raise Forfeit(
                    "error", f"The program {short(self._words[0], 80)} could not be started: {why}."
                ) from None
        return self._program

    def _question(self, game: Any, state: Any) -> dict[str, Any]:
        """The request: everything a stateless program needs."""
        if self._dealt and self._dealt[0] == game:
            game = self._dealt[1]
        spec = registry.spec_of(game)
        game_text = spec.text_for(game)
        return {
            "type": "move",
            "protocol": PROTOCOL,
            "game": spec.name,
            "options": format_options(game),
            "seat": game.turn(state) + 1,
            "ply": len(self._played) + 1,
            "played": [game_text.format_move(move) for move in self._played],
            "board": game_text.position(state).rstrip("\n"),
            "legal": [game_text.format_move(move) for move in game.moves(state)],
            "seconds": self.settings.seconds,
            "refused": None,
        }

    def _keep(self, answer: bytes, fault: str, since: float) -> None:
        text = answer[: 4 * ANSWER].decode("utf-8", "backslashreplace").strip("\r\n")
        if len(text) > ANSWER:
            text = f"{text[:ANSWER]}..."
        self.attempts.append(Attempt(text, fault, monotonic() - since))


def _given(line: bytes) -> str | int:
    """The move in a line; ValueError says why there is none.

    >>> _given(b'{"move": "3@5"}'), _given(b'{"move": 7}')
    ('3@5', 7)
    """
    try:
        answer = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise ValueError(f"{_shown(line)} is not a line of JSON.") from None
    if not isinstance(answer, dict) or "move" not in answer:
        raise ValueError(f'{_shown(line)} is not of the form {{"move": "2"}}.')
    move = answer["move"]
    if type(move) is not int and not isinstance(move, str):
        raise ValueError("The move is neither a text nor a whole number.")
    return move


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")  # Python's parser would accept NaN and Infinity


def _shown(line: bytes) -> str:
    return short(line[:200].decode("utf-8", "backslashreplace").strip(), 40)


_RUNNING: WeakSet[_Program] = WeakSet()
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


class _Program:
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
                env={name: text for name, text in os.environ.items() if not name.upper().endswith(SECRETS)},
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
        unsent = memoryview(question)
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        while (left := deadline - monotonic()) > 0:
            # Asked before we look: so an answer given just before its end is still seen.
            ended = self._ended()
            ready = {key.fd for key, _ in self._selector.select(0 if ended else min(left, TICK))}
            if self._stderr in ready:
                self._read_stderr()
            if self._stdout in ready:
                data = self._read(self._stdout)
                if data == b"":
                    return self._rest() or self._gone("closed its output")
                if data:
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

    def end(self, polite: bool = False) -> None:
        """End it and all its children; `polite` first sends an end message and waits."""
        try:
            if polite:
                with suppress(OSError):  # it may have exited, or not be reading
                    os.write(self._stdin, b'{"type": "end"}\n')
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
