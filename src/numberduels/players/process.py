"""Programs that play over standard input and output, for one game or for many (see docs/protocol.md)."""

from __future__ import annotations

import json
import math
import os
import shlex
from collections.abc import Hashable, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any, NoReturn, cast

from numberduels.game import registry
from numberduels.game.contract import Game, IllegalMove, M, S, has_fixed_start
from numberduels.game.formatting import short
from numberduels.game.options import format_options
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.player import ILLEGAL, UNREADABLE, Attempt, Forfeit, Player
from numberduels.players.program import GRACE, OUTPUT, RunningProgram, keep_running

PROTOCOL, LASTING_PROTOCOL = 1, 2

ANSWER = 2_000
"""The most characters of an answer that are stored."""
START_SECONDS = 60.0
"""The time that a program of protocol 2 has to get ready."""


class ProcessPlayer(Player):
    """A program that reads requests from standard input and writes moves to standard output.

    One process plays one game: `prepare` or the first `choose` starts it, `close` or a forfeit ends it.
    Linux and macOS only, because it needs pipes and process groups.

    >>> ProcessPlayer("python3 examples/clients/client.py").name
    'process:python3 examples/clients/client.py'
    """

    kind = "process"
    farewell = b'{"type": "end"}\n'
    """The last message."""

    def __init__(self, command: str, settings: ExternalSettings = DEFAULT_SETTINGS) -> None:
        """Split the command as a shell does, without using a shell; ValueError if it is invalid."""
        try:
            self._words = shlex.split(command)
        except ValueError as fault:
            raise ValueError(f"the command {short(command, 80)} cannot be split: {fault}") from None
        if not self._words or not self._words[0]:
            raise ValueError(f"a program is given as {self.kind}:COMMAND, and no command was given")
        if "\0" in command:
            raise ValueError(f"the command {short(command, 80)} cannot be run")
        if not 0 < settings.seconds < math.inf or settings.attempts < 1:
            raise ValueError("a program needs some seconds for a move, and at least one attempt")
        if os.name != "posix":
            raise ValueError("programs can play on Linux and macOS only")
        self.name = f"{self.kind}:{command}"
        self.settings = settings
        self.attempts: list[Attempt] = []
        self._played: tuple[Hashable, ...] = ()
        self._dealt: tuple[Any, Any] | None = None  # a game, and the same game with its start fixed
        self._program: RunningProgram | None = None

    def __getstate__(self) -> dict[str, Any]:
        if self._program:
            raise TypeError(f"{self.name} is playing: a running program cannot be pickled")
        return self.__dict__.copy()

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        self.close()
        self._deal(game, start)
        # If the program does not start, the first choice tries again and reports it.
        with suppress(Forfeit):
            self._start()

    def _deal(self, game: Game[Any, Any], start: Any) -> None:
        """Remember the start of a game; ValueError if a program cannot play it."""
        try:
            registry.spec_of(game)
        except registry.UnknownGame as fault:
            raise ValueError(f"a program cannot be asked about this game: {fault}") from None
        self._dealt = None if has_fixed_start(game) else (game, cast(Any, game).with_start(start))

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
                question["seconds"] = max(round(left, 3), 0.0)
                try:
                    answer = self._ask(program, question, begun + self.settings.seconds)
                    if answer is None:
                        unit = "second" if self.settings.seconds == 1 else "seconds"
                        raise Forfeit(
                            "timeout",
                            f"The program gave no legal move within {self.settings.seconds:g} {unit}.",
                        )
                except Forfeit as fault:
                    self._keep(program.heard, str(fault), asked, fault.cause)
                    raise
                given: str | int | None = None
                try:
                    given = self._read(answer)
                    move = game_text.parse_move(str(given))
                    game.play(state, cast(M, move))
                except ValueError as refusal:  # Unreadable, IllegalMove or invalid JSON
                    reason = str(refusal)
                    cause = ILLEGAL if isinstance(refusal, IllegalMove) else UNREADABLE
                else:
                    self._keep(answer, "", asked)
                    return cast(M, move)
                self._keep(answer, reason, asked, cause)
                shown = given if given is None else str(given)[:ANSWER]
                question["refused"] = {"move": shown, "reason": reason}
                asked = monotonic()
            times = f"{self.settings.attempts} attempts" if self.settings.attempts > 1 else "one attempt"
            raise Forfeit(cause, f"The program gave no legal move in {times}: {reason}")
        except BaseException:  # Ctrl-C, too: a program interrupted during a request cannot be used again
            self._program = None
            program.end()
            raise

    def close(self) -> None:
        program, self._program = self._program, None
        self._played = ()
        if program:
            program.end(polite=True, farewell=self.farewell)

    def _ask(self, program: RunningProgram, question: dict[str, Any], deadline: float) -> bytes | None:
        """The answer to a request; None if there is none in time."""
        return program.ask(line_of(question), deadline)

    def _read(self, answer: bytes) -> str | int:
        """The move in an answer; ValueError says why there is none."""
        return read_move(answer)

    def _start(self) -> RunningProgram:
        if not self._program:
            try:
                self._program = RunningProgram(self._words)
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

    def _keep(self, answer: bytes, fault: str, since: float, cause: str = "") -> None:
        text = answer[: 4 * ANSWER].decode("utf-8", "backslashreplace").strip("\r\n")
        if len(text) > ANSWER:
            text = f"{text[:ANSWER]}..."
        self.attempts.append(Attempt(text, fault, monotonic() - since, cause=cause))


def line_of(message: dict[str, Any]) -> bytes:
    """A message as one line of ASCII."""
    return (json.dumps(message) + "\n").encode()


class LastingProcessPlayer(ProcessPlayer):
    """A program that is started once and plays many games.

    `prepare` or the first `choose` starts it and waits until it is ready. `end_game` tells it the result,
    `close` or a forfeit ends it.

    >>> LastingProcessPlayer("python3 examples/clients/lasting_client.py").name
    'process2:python3 examples/clients/lasting_client.py'
    """

    kind = "process2"
    farewell = b""  # its input ends

    _number = 0
    """The number of the last request."""
    _in_game = False

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        self.end_game("*", "")
        self._deal(game, start)
        with suppress(Forfeit):  # the first choice tries again and reports it
            self._start()

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        self.attempts = []
        if not (self._in_game and self._program):
            self._begin(game, state, rng.getrandbits(53))
        return super().choose(game, state, rng)

    def _begin(self, game: Any, state: Any, seed: int) -> None:
        """Tell the program that a game begins. If it has ended since the last game, start another one."""
        question = self._question(game, state)
        shared = {name: question[name] for name in ("game", "options", "seat", "seconds")}
        message = {"type": "new", **shared, "seed": seed}
        seconds = self.settings.seconds
        is_new = self._program is None
        program = self._start()
        try:
            if not self._is_ready(program, message, seconds):
                raise Forfeit("timeout", f"The program was not ready for a game within {seconds:g} seconds.")
        except BaseException as fault:
            self._program = None
            program.end()
            if is_new or not isinstance(fault, Forfeit) or fault.cause != "crash":
                raise
            self._begin(game, state, seed)
        self._in_game = True

    def end_game(self, result: str, reason: str) -> None:
        if self._in_game and self._program:
            message = {"type": "end", "protocol": LASTING_PROTOCOL, "result": result, "reason": reason}
            if not self._program.tell(line_of(message), monotonic() + GRACE):
                self._program.end()
                self._program = None
        self._in_game = False
        self._played = ()

    def close(self) -> None:
        self.end_game("*", "")
        super().close()

    def _start(self) -> RunningProgram:
        if not self._program:
            self._in_game = False
            program = super()._start()
            try:
                self._greet(program)
            except BaseException:
                self._program = None
                program.end()
                raise
            keep_running(program)
        assert self._program is not None
        return self._program

    def _greet(self, program: RunningProgram) -> None:
        """Wait until the program is ready; Forfeit if it is not reached, which is no loss."""
        seconds = START_SECONDS
        try:
            ready = self._is_ready(program, {"type": "hello", "seconds": seconds}, seconds)
        except Forfeit as fault:
            raise Forfeit("error", f"{str(fault).rstrip('.')}, before it was ready.") from None
        if not ready:
            raise Forfeit(
                "error", f"The program {short(self._words[0], 80)} was not ready within {seconds:g} seconds."
            )

    def _is_ready(self, program: RunningProgram, message: dict[str, Any], seconds: float) -> bool:
        """Whether the program says in time that it is ready. Libraries may print other lines before."""
        deadline = monotonic() + seconds
        program.allow(OUTPUT)
        line = self._ask(program, message, deadline)
        while line is not None and not self._says_ready(line):
            line = program.next_line(deadline)
        return line is not None

    def _says_ready(self, line: bytes) -> bool:
        try:
            answer = read_object(line)
        except ValueError:
            return False
        return answer.get("ready") is True and answer.get("id") == self._number

    def _ask(self, program: RunningProgram, question: dict[str, Any], deadline: float) -> bytes | None:
        self._number += 1
        line = program.ask(line_of(question | {"protocol": LASTING_PROTOCOL, "id": self._number}), deadline)
        while line is not None and self._is_late(line):
            line = program.next_line(deadline)
        return line

    def _is_late(self, line: bytes) -> bool:
        """Whether a line answers an earlier request."""
        try:
            number = read_object(line).get("id")
        except ValueError:
            return False
        return type(number) is int and number < self._number

    def _read(self, answer: bytes) -> str | int:
        if read_object(answer).get("id") != self._number:
            raise ValueError(f'The answer has no "id": {self._number}.')
        return read_move(answer)


# Answers: one line of JSON each


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; ValueError says what is wrong."""
    try:
        answer = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise ValueError(f"{_shown(line)} is not a line of JSON.") from None
    if not isinstance(answer, dict):
        raise ValueError(f'{_shown(line)} is not of the form {{"move": "2"}}.')
    return answer


def read_move(line: bytes) -> str | int:
    """The move in a line; ValueError says why there is none.

    >>> read_move(b'{"move": "3@5"}'), read_move(b'{"move": 7}')
    ('3@5', 7)
    """
    answer = read_object(line)
    if "move" not in answer:
        raise ValueError(f'{_shown(line)} is not of the form {{"move": "2"}}.')
    move = answer["move"]
    if type(move) is not int and not isinstance(move, str):
        raise ValueError("The move is neither a text nor a whole number.")
    return move


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")  # Python's parser would accept NaN and Infinity


def _shown(line: bytes) -> str:
    return short(line[:200].decode("utf-8", "backslashreplace").strip(), 40)
