"""What Range War says and reads, as its book prints it."""

from __future__ import annotations

from numberduels.bits import members
from numberduels.game_text import GameText
from numberduels.games.range_war.rules import ANYWHERE, Line, RangeWar
from numberduels.text import comma


class RangeWarText(GameText[RangeWar, Line, int]):
    """The book's session, and one sentence of ours: the free second move."""

    def opening(self, state: Line) -> str:
        return f"Game Start!\n{self.board(state)}"

    def board(self, state: Line) -> str:
        return f"Available Numbers: {comma(members(state[0])) or 'None'}\n"

    def ask(self, state: Line) -> str:
        return f"{self.mover(state)}'s turn.\n{self._demand(state)}Select a number: "

    def _demand(self, state: Line) -> str:
        _, last, side = state
        if not last:
            return ""
        if side == ANYWHERE:
            return f"You may select a number lower or higher than {last}.\n"
        return f"You must select a number {'higher' if side < 0 else 'lower'} than {last}.\n"

    def tell(self, before: Line, move: int, after: Line) -> str:
        last = before[1]
        if last:
            trend = f"{'Downward' if move < last else 'Upward'} ({last} -> {move})"
        else:
            trend = "No trend established"
        return f"\n{self.mover(before)} selected {move}.\nTrend: {trend}.\n\n{self.board(after)}"

    def closing(self, state: Line) -> str:
        return (
            f"\n{self.mover(state)}'s turn.\nNo available moves. You cannot make a valid move.\n"
            f"{self.waiter(state)} wins!\n"
        )
