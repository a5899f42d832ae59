"""LastingProcessPlayer: a program that is started once for many games (protocol 2, see docs/protocol.md)."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

from numberduels.game.contract import Game, M, S
from numberduels.game.formatting import short
from numberduels.players.player import Forfeit
from numberduels.players.process import ProcessPlayer, line_of
from numberduels.players.program import GRACE, OUTPUT, RunningProgram, keep_running
from numberduels.players.program_answers import read_move, read_object

PROTOCOL = 2


class LastingProcessPlayer(ProcessPlayer):
    """A program that plays many games, one after the other.

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
            message = {"type": "end", "protocol": PROTOCOL, "result": result, "reason": reason}
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
        seconds = self.settings.start_seconds
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
        line = program.ask(line_of(question | {"protocol": PROTOCOL, "id": self._number}), deadline)
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
