"""What Number Collision says and reads: the book's picture and sentences in a session of our shape."""

from __future__ import annotations

from numberduels.bits import members
from numberduels.core import Unreadable
from numberduels.game_text import GameText
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.text import read_number, runs, series, short


class NumberCollisionText(GameText[NumberCollision, Line, Place]):
    """The book prints no whole session, so turns are asked for in the manner of the other four."""

    def opening(self, state: Line) -> str:
        return f"Welcome to Number Collision!\n\n{self.board(state)}"

    def board(self, state: Line) -> str:
        width = self._width()
        positions = "".join(f"[{position:>{width}}]" for position in range(1, self.game.size + 1))
        return f"Number Line Positions: {positions}\nCurrent State:         {self.picture(state)}\n"

    def picture(self, state: Line) -> str:
        """The line as the book draws it: [ ][3][ ]."""
        width = self._width()
        return "".join(f"[{number or ' ':>{width}}]" for number in self.game.cells(state))

    def _width(self) -> int:
        """How wide a cell is drawn: one character as in the book, and enough for all beyond its sizes."""
        longest = max(self.game.size, self.game.values)
        return len(str(longest)) if longest > 10 else len(str(self.game.values))

    def ask(self, state: Line) -> str:
        return (
            f"{self.mover(state)}'s turn.\n"
            f"Numbers: {self._numbers()}. Empty Positions: {runs(members(state[0]))}.\n"
            "Enter your move (place <number> at <position>): "
        )

    def _numbers(self) -> str:
        return runs(range(1, self.game.values + 1))

    def read(self, text: str) -> Place:
        if not text.strip():
            raise Unreadable("No move was given.")
        match text.replace("@", " ").lower().split():
            case ["place", number, "at", position] | [number, position]:
                return Place(read_number(number), read_number(position))
        raise Unreadable(f"{short(text.strip())} is not of the form: place 3 at 5.")

    def tell(self, before: Line, move: Place, after: Line) -> str:
        number, position = move
        told = f"\n{self.mover(before)} placed a {number} at position {position}.\n"
        if after[0] >> position & 1:  # a number that is not where it was placed has collided
            gone = members(after[0] & ~before[0] | 1 << position)
            told += f"Collision! Numbers at positions {series(gone)} have been removed.\n"
        return f"{told}{self.picture(after)}\n"

    def refuse(self, fault: ValueError) -> str:
        return f"Invalid move. {fault} Try again.\n"

    def closing(self, state: Line) -> str:
        return f"\n{self.mover(state)} has no valid moves remaining. {self.waiter(state)} wins!\n"

    def typed(self, move: Place) -> str:
        return f"place {move.number} at {move.position}"

    def notation(self, move: Place) -> str:
        return f"{move.number}@{move.position}"

    def choices(self, state: Line) -> str:
        if state[3]:  # some placements are forbidden: only the full list is right
            return super().choices(state)
        return f"any of {self._numbers()} at any of {runs(members(state[0]))}\n"
