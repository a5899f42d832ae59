"""What Range War says and reads, as its book prints it."""

from __future__ import annotations

from numberduels.game.bits import members
from numberduels.game.text import GameText
from numberduels.games.range_war.rules import ANYWHERE, Line, RangeWar


class RangeWarText(GameText[RangeWar, Line, int]):
    """The book's session, and one sentence of ours: the free second move."""

    def opening(self, state: Line) -> str:
        return f"Game Start!\n{self.position(state)}"

    def position(self, state: Line) -> str:
        numbers = self.numbers(members(state[0]), ",") or self.say("None")
        return self.say("Available Numbers: {numbers}", numbers=numbers) + "\n"

    def status(self, state: Line) -> str:
        _, last, side = state
        if not last:
            return ""
        if side == ANYWHERE:
            return self.say("You may select a number lower or higher than {number}.", number=last) + "\n"
        if side < 0:
            return self.say("You must select a number higher than {number}.", number=last) + "\n"
        return self.say("You must select a number lower than {number}.", number=last) + "\n"

    def prompt(self, state: Line) -> str:
        return "Select a number: "

    def announce(self, before: Line, move: int, after: Line) -> str:
        last = before[1]
        if last:
            trend = f"{'Downward' if move < last else 'Upward'} ({last} -> {move})"
        else:
            trend = "No trend established"
        return f"\n{self.mover(before)} selected {move}.\nTrend: {trend}.\n\n{self.position(after)}"

    def closing(self, state: Line) -> str:
        winner = self.opponent(state) if self.game.ending == "normal" else self.mover(state)
        return (
            f"\n{self.mover(state)}'s turn.\nNo available moves. You cannot make a valid move.\n"
            f"{winner} wins!\n"
        )
