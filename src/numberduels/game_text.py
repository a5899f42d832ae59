"""What a game says and reads: strings out, one line in, no printing.

Each game derives its text from `GameText`. Texts are whole lines with their line ends, and the blank
lines around them are the book's; only `ask` ends in the middle of a line, where the answer goes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from numberduels.core import OTHER, M, S, Seat
from numberduels.text import read_number

G = TypeVar("G", bound=Any)


class GameText(ABC, Generic[G, S, M]):
    """The words of one game between two players, who may have names."""

    def __init__(self, game: G, names: tuple[str, str] = ("", "")) -> None:
        self.game = game
        self.names = names

    def label(self, seat: Seat) -> str:
        """What the book calls this player.

        >>> from numberduels.games.range_war.text import RangeWarText
        >>> RangeWarText(None, ("Alice", "")).label(0), RangeWarText(None).label(1)
        ('Player 1 (Alice)', 'Player 2')
        """
        name = self.names[seat]
        return f"Player {seat + 1} ({name})" if name else f"Player {seat + 1}"

    def mover(self, state: S) -> str:
        """The label of the player to move."""
        return self.label(self.game.turn(state))

    def waiter(self, state: S) -> str:
        """The label of the player not to move."""
        return self.label(OTHER[self.game.turn(state)])

    @abstractmethod
    def opening(self, state: S) -> str:
        """What is said before the first turn."""

    @abstractmethod
    def board(self, state: S) -> str:
        """The position by itself, for somebody who has just come to it."""

    @abstractmethod
    def ask(self, state: S) -> str:
        """Whose turn it is and what is wanted; the last line is the prompt."""

    def read(self, text: str) -> M:
        """The move that the text means; raises Unreadable. Whether it is legal, the rules say."""
        return read_number(text)  # type: ignore[return-value]  # right where moves are numbers; else to be given

    @abstractmethod
    def tell(self, before: S, move: M, after: S) -> str:
        """What happened."""

    @abstractmethod
    def closing(self, state: S) -> str:
        """The end of a game that is over."""

    def resignation(self, seat: Seat) -> str:
        """The end of a game that this player gave up."""
        return f"{self.label(seat)} resigns. {self.label(OTHER[seat])} wins!\n"

    def refuse(self, fault: ValueError) -> str:
        """Why an answer was not taken: the fault is Unreadable or IllegalMove."""
        return f"Invalid choice. {fault}\n"

    def typed(self, move: M) -> str:
        """The move as a player would type it."""
        return self.notation(move)

    def notation(self, move: M) -> str:
        """The move in a record: short, and without a blank."""
        return str(move)

    def choices(self, state: S) -> str:
        """The legal moves, in one line."""
        return ", ".join(self.notation(move) for move in self.game.moves(state)) + "\n"


AnyGameText = GameText[Any, Hashable, Hashable]
