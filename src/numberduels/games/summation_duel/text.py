"""What Summation Duel says and reads, as its book prints it."""

from __future__ import annotations

from numberduels.game.bits import members
from numberduels.game.formatting import comma, runs
from numberduels.game.text import GameText
from numberduels.games.summation_duel.rules import Sum, SummationDuel


class SummationDuelText(GameText[SummationDuel, Sum, int]):
    """The book's session, and one sentence of ours: going over."""

    def opening(self, state: Sum) -> str:
        return f"Welcome to Summation Duel!\n\n{self.position(state)}"

    def position(self, state: Sum) -> str:
        unused, total = state
        return (
            f"{self.say('Total Sum: {number}', number=total)}\n"
            f"{self.say('Available Numbers: {numbers}', numbers=self.numbers(members(unused), ','))}\n"
        )

    def heading(self, state: Sum) -> str:
        return f"{self.mover(state)}'s Turn:\n"

    def prompt(self, state: Sum) -> str:
        return f"Choose a number to add ({runs(members(state[0]))}): "

    def announce(self, before: Sum, move: int, after: Sum) -> str:
        unused, total = after
        used = [number for number in self.game.all_moves() if not unused >> number & 1]
        told = f"You chose {move}.\nTotal Sum is now {total}.\n"
        return told if self.game.outcome(after) else f"{told}Used Numbers: {comma(used)}\n"

    def closing(self, state: Sum) -> str:
        over, target = state[1] - self.game.target, self.game.target
        if not over:
            return (
                f"Congratulations, {self.opponent(state)}! You reached exactly {target} and won the game!\n"
            )
        return f"{self.opponent(state)} went over {target} by {over} and loses. {self.mover(state)} wins!\n"
