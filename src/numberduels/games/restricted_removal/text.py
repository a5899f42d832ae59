"""What Restricted Removal says and reads, as its book prints it."""

from __future__ import annotations

from numberduels.game.bits import members
from numberduels.game.formatting import bracket
from numberduels.game.text import GameText
from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf


class RestrictedRemovalText(GameText[RestrictedRemoval, Shelf, int]):
    """The book's session."""

    def opening(self, state: Shelf) -> str:
        return f"Game Start!\nInitial Numbers: {bracket(members(state[0]))}\n"

    def position(self, state: Shelf) -> str:
        available, removed = state
        locked = [n for n in self.game.all_moves() if not (available | removed) >> n & 1]
        return (
            f"{self._available(state)}\n"
            f"{self.say('Removed Numbers: [{numbers}]', numbers=self.numbers(members(removed)))}\n"
            f"{self.say('Locked Numbers: [{numbers}]', numbers=self.numbers(locked))}\n"
        )

    def _available(self, state: Shelf) -> str:
        return self.say("Available Numbers: [{numbers}]", numbers=self.numbers(members(state[0])))

    def heading(self, state: Shelf) -> str:
        return f"{self.mover(state)}, it's your turn.\n"

    def prompt(self, state: Shelf) -> str:
        return f"{self._available(state)}\nEnter the number you want to remove: "

    def announce(self, before: Shelf, move: int, after: Shelf) -> str:
        locked = members(self.game.locks(before, move))
        return (
            f"\nYou removed {move}.\nLocked Numbers due to {move}: {bracket(locked)}\n"
            f"Updated Available Numbers: {bracket(members(after[0]))}\n"
        )

    def closing(self, state: Shelf) -> str:
        return f"\nGame Over!\n{self.opponent(state)} wins by removing the last number.\n"
