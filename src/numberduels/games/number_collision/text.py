"""What Number Collision says and reads: the book's picture and sentences in a session of our shape."""

from __future__ import annotations

import re
from collections.abc import Iterable

from numberduels.game.bits import members
from numberduels.game.contract import Unreadable
from numberduels.game.formatting import read_number, series, short
from numberduels.game.messages import Message, message_of
from numberduels.game.text import GameText
from numberduels.games.number_collision.rules import Line, NumberCollision, Place

MOVE = re.compile(
    r"(?:(?:place|put)\s+)?([^\s@]+)(?:\s+(?:at|on)\s+(?:(?:position|cell|slot)\s+)?|\s*@\s*)([^\s@]+)"
    r"|([^\s@]+)\s+([^\s@]+)",
    re.IGNORECASE,
)
"""The ways to write a move: place 3 at 5, 3 on cell 5, 3 at position 5, 3@5, 3 5."""


class NumberCollisionText(GameText[NumberCollision, Line, Place]):
    """The book prints no whole session, so turns are announced in the manner of the other four."""

    def opening(self, state: Line) -> str:
        return f"Welcome to Number Collision!\n\n{self.position(state)}"

    def position(self, state: Line) -> str:
        positions = self._row(range(1, self.game.size + 1))
        return (
            f"{self.say('Number Line Positions: {cells}', cells=positions)}\n"
            f"{self.say('Current State:         {cells}', cells=self.picture(state))}\n"
        )

    def picture(self, state: Line) -> str:
        """The line as the book draws it: [ ][3][ ]."""
        return self._row(self.game.cells(state))

    def _row(self, numbers: Iterable[int]) -> str:
        width = self._width()
        return "".join(f"[{self.number(number) if number else ' ':>{width}}]" for number in numbers)

    def _width(self) -> int:
        """How wide a cell is drawn: one character as in the book, and enough for all beyond its sizes."""
        largest = max(self.game.size, self.game.values)
        by_the_book = largest <= 10 and self.language.consecutive
        return len(self.number(self.game.values if by_the_book else largest))

    def status(self, state: Line) -> str:
        numbers = self.runs(range(1, self.game.values + 1))
        empty = self.runs(members(state[0]))
        return self.say("Numbers: {numbers}. Empty Positions: {empty}.", numbers=numbers, empty=empty) + "\n"

    def prompt(self, state: Line) -> str:
        return "Enter your move (place <number> at <position>): "

    def parse_move(self, text: str) -> Place:
        if not text.strip():
            raise Unreadable("No move was given.")
        found = MOVE.fullmatch(text.strip())
        if not found:
            raise Unreadable("{text} is not of the form: place 3 at 5.", text=short(text.strip()))
        number, position = (each for each in found.groups() if each)
        return Place(read_number(number), read_number(position))

    def announce(self, before: Line, move: Place, after: Line) -> str:
        number, position = move
        told = f"\n{self.mover(before)} placed a {number} at position {position}.\n"
        if after[0] >> position & 1:  # a number that is not where it was placed has collided
            gone = members(after[0] & ~before[0] | 1 << position)
            told += f"Collision! Numbers at positions {series(gone)} have been removed.\n"
        return f"{told}{self.picture(after)}\n"

    def refusal(self, fault: ValueError) -> str:
        return f"Invalid move. {self.language.say(message_of(fault))} Try again.\n"

    def closing(self, state: Line) -> str:
        if state[0]:  # only where repetition is forbidden, which the book does not know
            return (
                f"\nEvery empty cell would bring back an earlier line, so {self.mover(state)} is stuck."
                f" {self.opponent(state)} wins!\n"
            )
        return f"\n{self.mover(state)} has no valid moves remaining. {self.opponent(state)} wins!\n"

    def typed(self, move: Place) -> str:
        return f"place {move.number} at {move.position}"

    def spoken(self, move: Place) -> str:
        told = {"number": str(move.number), "cell": str(move.position)}  # the disguise changes numbers
        return Message("{number} on cell {cell}", **told)

    def format_move(self, move: Place) -> str:
        return f"{move.number}@{move.position}"

    def list_moves(self, state: Line) -> str:
        if state[3]:  # some placements are forbidden: only the full list is right
            return super().list_moves(state)
        numbers = self.runs(range(1, self.game.values + 1))
        empty = self.runs(members(state[0]))
        return self.say("any of {numbers} at any of {empty}", numbers=numbers, empty=empty) + "\n"
