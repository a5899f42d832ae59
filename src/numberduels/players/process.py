"""Programs that play over standard input and output, for one game or for many (see docs/protocol.md)."""

from __future__ import annotations

import json
import math
import os
import shlex
from collections.abc import Hashable, Sequence
from random import Random
from time import monotonic
from typing import Any, cast

from numberduels.game import registry
from numberduels.game.contract import Game, IllegalMove, M, S, has_fixed_start
from numberduels.game.formatting import short
from numberduels.game.options import format_options
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.player import CRASH, ERROR, ILLEGAL, UNREADABLE, Attempt, Forfeit, Player
from numberduels.players.program import RunningProgram

ANSWER = 2_000
"""The most characters of an answer that are stored."""
START_SECONDS = 60.0
"""The time that a program of protocol 2 has to get ready."""


class ProcessPlayer(Player):
    """A program that is started for each game (protocol 1).

    `prepare` or the first `choose` starts it, `close` or a forfeit ends it. Linux and macOS only.

    >>> ProcessPlayer("python3 examples/clients/client.py").name
    'process:python3 examples/clients/client.py'
    """

    kind, lasting = "process", False

    def __init__(self, command: str, settings: ExternalSettings = DEFAULT_SETTINGS) -> None:
        """Split the command as a shell does, without using a shell; ValueError if it is invalid."""
        try:
            self._words = shlex.split(command)
        except ValueError:
            self._words = []
        if not self._words or not self._words[0] or "\0" in command:
            raise ValueError(f"{self.kind}:COMMAND needs a command, and {short(command, 80)} is none")
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

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        self.end_game("*", "")
        try:
            registry.spec_of(game)
        except registry.UnknownGame as fault:
            raise ValueError(f"a program cannot be asked about this game: {fault}") from None
        self._played = ()
        self._dealt = None if has_fixed_start(game) else (game, cast(Any, game).with_start(start))
        try:
            self._start()
        except Forfeit:  # the first choice tries again and reports it
            self._end()

    def set_history(self, played: Sequence[Hashable]) -> None:
        self._played = tuple(played)

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        self.attempts = []
        question = self._question(game, state)
        try:
            program = self._begin(question, rng)
            return self._choose(program, question, game, state)
        except BaseException:  # Ctrl-C, too: a program interrupted during a request cannot be used again
            self._end()
            raise

    def _choose(self, program: RunningProgram, question: dict[str, Any], game: Game[S, M], state: S) -> M:
        asked = monotonic()
        deadline = asked + self.settings.seconds
        for _ in range(self.settings.attempts):
            question["seconds"] = max(round(deadline - asked, 3), 0.0)
            given, reason, cause = None, "", ""
            try:
                answer = self._ask(program, question, deadline)
                given = self._read(answer)
                move = cast(M, registry.spec_of(game).text_for(game).parse_move(given))
                game.play(state, move)
            except Forfeit as fault:
                self._keep(program.heard, str(fault), asked, fault.cause)
                raise
            except ValueError as refusal:  # it is unreadable, or an illegal move
                reason, cause = str(refusal), ILLEGAL if isinstance(refusal, IllegalMove) else UNREADABLE
            self._keep(answer, reason, asked, cause)
            if not cause:
                return move
            question["refused"] = {"move": given and given[:ANSWER], "reason": reason}
            asked = monotonic()
        raise Forfeit(cause, f"The program gave no legal move: {reason}")

    def close(self) -> None:
        if self._program:
            self._program.tell(b'{"type": "end"}\n')
        self._end(polite=True)

    def _end(self, polite: bool = False) -> None:
        program, self._program = self._program, None
        if program:
            program.end(polite)

    def _start(self) -> RunningProgram:
        """The program, which is started if it is not running."""
        if not self._program:
            try:
                self._program = RunningProgram(self._words, self.lasting)
            except (OSError, ValueError) as fault:
                why = getattr(fault, "strerror", None) or fault
                name = short(self._words[0], 80)
                raise Forfeit(ERROR, f"The program {name} could not be started: {why}.") from None
        return self._program

    def _begin(self, question: dict[str, Any], rng: Random) -> RunningProgram:
        """The program, which knows of the game."""
        return self._start()

    def _ask(self, program: RunningProgram, question: dict[str, Any], deadline: float) -> bytes:
        return program.ask(_line_of(question), deadline)

    def _read(self, answer: bytes) -> str:
        """The move in an answer; ValueError if there is none."""
        move = _fields_of(answer).get("move")
        if type(move) is not int and not isinstance(move, str):
            shown = short(answer[:200].decode("utf-8", "backslashreplace"), 40)
            raise ValueError(f'{shown} is not of the form {{"move": "2"}}.')
        return str(move)

    def _question(self, game: Any, state: Any) -> dict[str, Any]:
        """The request: everything a stateless program needs."""
        if self._dealt and self._dealt[0] == game:
            game = self._dealt[1]
        spec = registry.spec_of(game)
        game_text = spec.text_for(game)
        return {
            "type": "move",
            "protocol": 1,
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

    def _keep(self, answer: bytes, fault: str, since: float, cause: str) -> None:
        text = answer[: 4 * ANSWER].decode("utf-8", "backslashreplace").strip("\r\n")
        text = text if len(text) <= ANSWER else f"{text[:ANSWER]}..."
        self.attempts.append(Attempt(text, fault, monotonic() - since, cause=cause))


class LastingProcessPlayer(ProcessPlayer):
    """A program that is started once and plays many games (protocol 2).

    `prepare` or the first `choose` starts it and waits until it is ready. `end_game` tells it the result,
    `close` or a forfeit ends it.
    """

    kind, lasting = "process2", True

    _number = 0
    """The number of the last request."""
    _playing: RunningProgram | None = None
    """The program that knows of the game."""

    def end_game(self, result: str, reason: str) -> None:
        if self._program and self._playing is self._program:
            message = {"type": "end", "protocol": 2, "result": result, "reason": reason}
            if not self._program.tell(_line_of(message)):
                self._end()
        self._playing = None

    def close(self) -> None:
        self.end_game("*", "")
        self._end(polite=True)

    def _start(self) -> RunningProgram:
        if self._program:
            return self._program
        program = super()._start()
        try:
            self._ask(program, {"type": "hello", "seconds": START_SECONDS}, monotonic() + START_SECONDS)
        except Forfeit as fault:  # it was not reached, which is no loss
            raise Forfeit(ERROR, f"{str(fault).rstrip('.')}, before it was ready.") from None
        return program

    def _begin(self, question: dict[str, Any], rng: Random) -> RunningProgram:
        was_running, program = self._program is not None, self._start()
        if self._playing is program:
            return program
        shared = {name: question[name] for name in ("game", "options", "seat", "seconds")}
        message = {"type": "new", **shared, "seed": rng.getrandbits(53)}
        try:
            self._ask(program, message, monotonic() + self.settings.seconds)
        except Forfeit as fault:
            if fault.cause != CRASH or not was_running:
                raise
            self._end()  # it has ended since the last game
            program = self._start()
            self._ask(program, message, monotonic() + self.settings.seconds)
        self._playing = program
        return program

    def _ask(self, program: RunningProgram, question: dict[str, Any], deadline: float) -> bytes:
        self._number += 1
        number = self._number

        def skip(line: bytes) -> bool:
            fields = _fields_of(line)
            if question["type"] == "move":
                return type(fields.get("id")) is int and fields["id"] < number  # to an earlier request
            return fields.get("ready") is not True or fields.get("id") != number  # libraries may print

        return program.ask(_line_of(question | {"protocol": 2, "id": number}), deadline, skip)

    def _read(self, answer: bytes) -> str:
        if _fields_of(answer).get("id") != self._number:
            raise ValueError(f'The answer has no "id": {self._number}.')
        return super()._read(answer)


def _line_of(message: dict[str, Any]) -> bytes:
    """A message as one line of ASCII."""
    return (json.dumps(message) + "\n").encode()


def _fields_of(line: bytes) -> dict[str, Any]:
    """The fields of a JSON object; none if the line is something else."""
    try:
        fields = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}
