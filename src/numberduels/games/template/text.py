"""What the template says and reads."""

from __future__ import annotations

from numberduels.game_text import GameText
from numberduels.games.template.rules import LastCounter, Pile


class LastCounterText(GameText[LastCounter, Pile, int]):
    """One short line for everything."""

    def opening(self, state: Pile) -> str:
        return self.board(state)

    def board(self, state: Pile) -> str:
        return f"Counters: {state[0]}\n"

    def ask(self, state: Pile) -> str:
        return f"{self.mover(state)}'s turn.\nTake 1 or 2: "

    def tell(self, before: Pile, move: int, after: Pile) -> str:
        return f"{self.mover(before)} takes {move}.\n{self.board(after)}"

    def closing(self, state: Pile) -> str:
        return f"{self.waiter(state)} took the last counter and wins!\n"
