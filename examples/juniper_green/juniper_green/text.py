"""What Juniper Green says and reads."""

from __future__ import annotations

from juniper_green.rules import JuniperGreen, Sheet
from numberduels.game.bits import members
from numberduels.game.text import GameText


class JuniperGreenText(GameText[JuniperGreen, Sheet, int]):
    """A session at the terminal."""

    def opening(self, state: Sheet) -> str:
        return f"Juniper Green\n{self.position(state)}"

    def position(self, state: Sheet) -> str:
        _, last = state
        return self._left(state) + (self.say("Struck out last: {number}", number=last) + "\n" if last else "")

    def _left(self, state: Sheet) -> str:
        numbers = self.runs(members(state[0])) or self.say("none")
        return self.say("Numbers left: {numbers}", numbers=numbers) + "\n"

    def status(self, state: Sheet) -> str:
        _, last = state
        if last:
            return self.say("You must strike out a factor or a multiple of {number}.", number=last) + "\n"
        if self.game.opening == "even":
            return self.say("The first number must be even.") + "\n"
        return ""

    def prompt(self, state: Sheet) -> str:
        return "Strike out a number: "

    def announce(self, before: Sheet, move: int, after: Sheet) -> str:
        return f"\n{self.mover(before)} strikes out {move}.\n{self._left(after)}"

    def closing(self, state: Sheet) -> str:
        return (
            f"\n{self.mover(state)} has no factor or multiple of {state[1]} left.\n"
            f"{self.opponent(state)} wins!\n"
        )
