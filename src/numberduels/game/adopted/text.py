"""AdoptedText: what an adopted game says. A move is written as its action number."""

from __future__ import annotations

import re
from typing import Any

from numberduels.game.adopted.simulator import guarded
from numberduels.game.contract import Unreadable
from numberduels.game.formatting import printable, read_number
from numberduels.game.messages import Message
from numberduels.game.text import GameText

WAITING = "wait"
"""How the move of a player is written whose opponent moves again."""


ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""What colours a text on a terminal, or moves its cursor."""


def _plain(text: str) -> str:
    """The text without anything that a terminal would obey."""
    return printable(ESCAPES.sub("", text).expandtabs())


class AdoptedText(GameText[Any, Any, int]):
    """The text of an adopted game: the picture of the library, and numbered actions."""

    def opening(self, state: Any) -> str:
        environment = self.game.environment
        return f"{environment.title} ({environment.text})\n\n{self.position(state)}\n"

    def position(self, state: Any) -> str:
        lines = self._picture(state).strip("\n").splitlines()
        return "\n".join(_plain(line).rstrip() for line in lines or [self._history(state)]) + "\n"

    @guarded
    def _picture(self, state: Any) -> str:
        return str(state.episode.picture())

    def _history(self, state: Any) -> str:
        played = " ".join(map(str, state.episode.history))
        return self.say("Actions so far: {played}", played=played or "-")

    def prompt(self, state: Any) -> str:
        if state.moves and self.format_move(state.moves[0]) == WAITING:
            return self.say("The opponent moves again. Type wait: ")
        return self.say("Choose an action by its number; moves lists them: ")

    def list_moves(self, state: Any) -> str:
        return ", ".join(self._named(state, move) for move in state.moves) + "\n"

    @guarded
    def _named(self, state: Any, move: int) -> str:
        written = self.format_move(move)
        name = written if written == WAITING else _plain(" ".join(state.episode.action_name(move).split()))
        return written if name == written else f"{written} = {name}"

    def announce(self, before: Any, move: int, after: Any) -> str:
        return f"{self.mover(before)}: {self._named(before, move)}\n\n{self.position(after)}\n"

    def closing(self, state: Any) -> str:
        outcome = self.game.outcome(state)
        if outcome.winner is None:
            return "The game was stopped by its limit.\n" if outcome.why == "truncated" else "It is a tie.\n"
        return f"{self.label(outcome.winner)} wins!\n"

    def parse_move(self, text: str) -> int:
        if text.strip().lower() == WAITING:
            return -1
        try:
            return read_number(text)
        except ValueError:
            raise Unreadable(Message("Type the number of an action.")) from None

    def format_move(self, move: int) -> str:
        return WAITING if move == -1 else str(move)
