"""A player that is a program: questions and answers as lines of JSON, as docs/protocol.md tells."""

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
"""Bytes that one line of an answer may have."""
OUTPUT = 1024 * 1024
"""Bytes that a program may write for one move."""
ANSWER = 2_000
"""Characters of an answer that are kept for the record."""
LAST_WORDS = 2_000
"""Bytes of its standard error that are kept."""
GRACE = 0.5
"""Seconds in which a program may end by itself."""
TICK = 0.1
"""Seconds after which a silent program is looked after: it may be dead while a child of it holds the pipe."""

SECRETS = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
"""Endings of the names of variables that a program is not handed."""


class ProcessPlayer(Player):
    """A program that answers on its standard output what it is asked on its standard input.

    One program plays one game: it is started by `prepare` or by the first `choose`, and ended by `close` or
    by a forfeit. It works where there are pipes and process groups: on Linux and macOS.

    >>> ProcessPlayer("python3 examples/clients/client.py").name
    'process:python3 examples/clients/client.py'
    """

    def __init__(self, command: str, settings: ExternalSettings = DEFAULT_SETTINGS) -> None:
        """Take a command, split as a shell splits it but given to no shell; ValueError if it is none."""
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
        self._dealt: tuple[Any, Any] | None = None  # a game, and the same with its deal made certain
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
        # If the program cannot be started, the first choice tries again and says so.
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
                except ValueError as refusal:  # Unreadable, IllegalMove, or not even an answer
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
        except BaseException:  # Ctrl-C too: a program that was left in the middle of a question has no use
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
        """All that a program needs to know, so that it need not remember anything."""
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
    """The move that a line gives; ValueError says why it gives none.

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
    raise ValueError(f"{constant} is not JSON")  # though Python's reader takes NaN and Infinity for it


def _shown(line: bytes) -> str:
    return short(line[:200].decode("utf-8", "backslashreplace").strip(), 40)


_RUNNING: WeakSet[_Program] = WeakSet()
_STARTING = Lock()
"""Held while a program is started, so that nobody ends all programs and misses the one that is just born."""
_ending = False


def end_all() -> None:
    """End every program at once, and start none any more: this process is about to be gone itself.

    Not for a signal handler: the thread that it interrupts may be starting a program, and be waited for.
    """
    global _ending
    with _STARTING:
        _ending = True
        for program in list(_RUNNING):
            program.kill()


class _Program:
    """A running program, its pipes, and the process group that it and its children are.

    Everything is read and written without blocking, one selector waits for all of it, and what is not wanted
    is thrown away at once: whatever the program does, it costs no more than the time allowed.
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
                # Its children can be ended with it, and Ctrl-C at our terminal is ours.
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
        self._last_words = b""

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
                self._hear_last_words()
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
                # Only when nothing is left to read: what it said before it was asked is no answer.
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
        """Keep what belongs to an answer, and drop what was said before the question was out."""
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
        """The next line that is not blank, or nothing while there is no whole one."""
        self._buffer = self._buffer.lstrip()
        line, newline, rest = self._buffer.partition(b"\n")
        if len(line) > LINE:
            raise Forfeit("illegal", f"The program wrote a flood: a line of more than {LINE:,} bytes.")
        if not newline:
            return b""
        self._buffer = rest
        return line

    def _rest(self) -> bytes:
        """The last line of a program that has ended without ending its line."""
        line, self._buffer = self._buffer, b""
        return line if line.strip() else b""

    def _read(self, pipe: int) -> bytes | None:
        """What is there; nothing at the end, None if there is nothing yet."""
        try:
            return os.read(pipe, LINE)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _hear_last_words(self) -> bool:
        """Read from its standard error, of which only the end is kept; whether there was anything."""
        data = self._read(self._stderr)
        if data:
            self._last_words = (self._last_words + data)[-LAST_WORDS:]
        elif data == b"":
            with suppress(KeyError):
                self._selector.unregister(self._stderr)
        return bool(data)

    def _gone(self, how: str) -> NoReturn:
        """Forfeit for a program that has ended, or else done this."""
        self._wait(GRACE)  # its output closes a little before its status is known
        for _ in range(OUTPUT // LINE):  # enough for all that a pipe can hold, and no more if a child goes on
            if not self._hear_last_words():
                break
        code = self._process.returncode if self._ended() else None
        if code is None:
            how = f"{how} without ending"
        elif code >= 0:
            how = f"ended with status {code}"
        else:
            try:
                how = f"was ended by the signal {signal.Signals(-code).name}"
            except ValueError:  # a signal without a name
                how = f"was ended by the signal {-code}"
        lines = self._last_words.decode("utf-8", "backslashreplace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")
        raise Forfeit("crash", f"The program {how}{f': {short(said, 120)}' if said else ''}.")

    def _ended(self) -> bool:
        """Whether it has ended; if so, it is reaped and its children are ended too.

        At once, because from here on its number may be given to somebody else.
        """
        if self._alive and self._process.poll() is not None:
            self._alive = False
            self._signal(signal.SIGKILL)
        return not self._alive

    def _signal(self, number: signal.Signals) -> None:
        # A group that is gone is unknown on Linux; one of the dead only is forbidden on macOS.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """End it and all its children, and wait for nothing."""
        if not self._ended():
            self._signal(signal.SIGKILL)

    def _wait(self, seconds: float) -> bool:
        """Give it time to end by itself, and read on lest it waits for that; whether it has ended."""
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
                    self._hear_last_words()
                elif self._read(key.fd) == b"":
                    self._selector.unregister(key.fd)
            nap = min(2 * nap, 0.05)
        return True

    def end(self, polite: bool = False) -> None:
        """End it and all its children: politely it is told and waited for, and in any case it ends."""
        try:
            if polite:
                with suppress(OSError):  # it may be gone, or not be reading
                    os.write(self._stdin, b'{"type": "end"}\n')
            with suppress(KeyError):
                self._selector.unregister(self._stdin)
            if self._process.stdin:
                self._process.stdin.close()
            if not (polite and self._wait(GRACE)) and not self._ended():
                self._signal(signal.SIGTERM)
                self._wait(GRACE)
        finally:  # also if somebody loses patience with us
            if not self._ended():
                self._signal(signal.SIGKILL)
                with suppress(subprocess.TimeoutExpired):  # a disk that hangs can hold even the dead
                    self._process.wait(5)
            self._selector.close()
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()
