"""What Last Counter prints and reads."""

from __future__ import annotations

from numberduels.game.text import GameText
from numberduels.games.template.rules import LastCounter, Pile


class LastCounterText(GameText[LastCounter, Pile, int]):
    """One short line for each purpose."""

    def opening(self, state: Pile) -> str:
        return self.position(state)

    def position(self, state: Pile) -> str:
        return f"Counters: {state[0]}\n"

    def prompt(self, state: Pile) -> str:
        return "Take 1 or 2: "

    def announce(self, before: Pile, move: int, after: Pile) -> str:
        return f"{self.mover(before)} takes {move}.\n{self.position(after)}"

    def closing(self, state: Pile) -> str:
        return f"{self.opponent(state)} took the last counter and wins!\n"
