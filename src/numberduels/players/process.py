"""ProcessPlayer: a program that plays over standard input and output (see docs/protocol.md)."""

from __future__ import annotations

import json
import math
import os
import shlex
from collections.abc import Hashable, Sequence
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any, cast

from numberduels.game import registry
from numberduels.game.contract import Game, IllegalMove, M, S, has_fixed_start
from numberduels.game.formatting import short
from numberduels.game.options import format_options
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.player import ILLEGAL, UNREADABLE, Attempt, Forfeit, Player
from numberduels.players.program import OUTPUT, RunningProgram
from numberduels.players.program_answers import read_move

PROTOCOL = 1

ANSWER = 2_000
"""The most characters of an answer that are stored."""


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
