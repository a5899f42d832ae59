"""What Number Snatch says and reads, as its book prints it."""

from __future__ import annotations

from numberduels.game.bits import members
from numberduels.game.formatting import bracket
from numberduels.game.text import GameText
from numberduels.games.number_snatch.rules import NumberSnatch, Pool


class NumberSnatchText(GameText[NumberSnatch, Pool, int]):
    """The book's session, and one sentence of ours: level scores."""

    def opening(self, state: Pool) -> str:
        return (
            "Welcome to Number Snatch!\n\n"
            f"Initial Number List: {bracket(members(state[0]))}\n\nScores:\n{self._scores(state)}"
        )

    def position(self, state: Pool) -> str:
        last = state[1]
        lines = [self._available(state)]
        if last:
            lines.append(
                self.say("{player}'s last number: {number}", player=self.opponent(state), number=last)
            )
        return "\n".join([*lines, self.say("Scores:"), self._scores(state)])

    def _available(self, state: Pool) -> str:
        return self.say("Available Numbers: [{numbers}]", numbers=self.numbers(members(state[0])))

    def _scores(self, state: Pool) -> str:
        first, second = self.game.scores(state)
        return f"{self.label(0)}: {self.number(first)}\n{self.label(1)}: {self.number(second)}\n"

    def prompt(self, state: Pool) -> str:
        return f"{self._available(state)}\nEnter the number you wish to select: "

    def announce(self, before: Pool, move: int, after: Pool) -> str:
        me, them = self.mover(before), self.opponent(before)
        _, _, left_to_them, mine = after
        stolen = before[3] - left_to_them
        if not stolen:
            return f"You selected {move}.\n{me}'s score: {mine}\n"
        points = f"{stolen} point{'s' * (stolen != 1)}"
        first, second = self.game.scores(after)
        return (
            f"You selected {move}.\nSnatch! {move} is a multiple of {them}'s last number ({before[1]}).\n"
            f"{them} loses {points}. {me} gains {points}.\n"
            f"{self.label(0)}'s score: {first}\n{self.label(1)}'s score: {second}\n"
        )

    def closing(self, state: Pool) -> str:
        outcome = self.game.outcome(state)
        assert outcome is not None and outcome.winner is not None
        winner = self.label(outcome.winner)
        level = "The scores are level: the player who moved second wins.\n" * (outcome.why == "level")
        return (
            f"\nGame Over!\nFinal Scores:\n{self._scores(state)}{level}Winner: {winner}\nCongratulations!\n"
        )
