"""GameText: what one game says and how it reads moves. Strings out, one line in, no printing.

A text consists of whole lines with their line ends, and its blank lines are those of the printed book. Only
`prompt` ends in the middle of a line, where the answer is typed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from numberduels.game.contract import OTHER, M, S, Seat
from numberduels.game.formatting import read_number, runs
from numberduels.game.messages import ENGLISH, Language, Message, message_of

G = TypeVar("G", bound=Any)


def player_label(seat: Seat) -> Message:
    """What the books call the player in this seat."""
    return Message("Player {number}", number=str(seat + 1))  # a text: the disguise changes numbers


class GameText(ABC, Generic[G, S, M]):
    """The text of one game between two players, who may have names.

    `language` is English at the terminal. `position`, `status`, `list_moves` and refusals are also shown in
    other languages and in the disguise, so they use `say` and `number` for all words and numbers.
    """

    def __init__(self, game: G, names: tuple[str, str] = ("", ""), language: Language = ENGLISH) -> None:
        self.game = game
        self.names = names
        self.language = language

    def say(self, template: str, /, **values: Any) -> str:
        """The sentence in the language of this text, with its values filled in."""
        return self.language.say(Message(template, **values))

    def number(self, number: int) -> str:
        """A number of the game, as the language of this text writes it."""
        return self.language.number(number)

    def numbers(self, numbers: Iterable[int], between: str = ", ") -> str:
        """Numbers of the game with something between them."""
        return between.join(map(self.number, numbers))

    def runs(self, numbers: Sequence[int]) -> str:
        """Numbers of the game with runs drawn together, such as 1-6,9, where the language can."""
        return runs(numbers) if self.language.consecutive else self.numbers(numbers, ",")

    # Who

    def label(self, seat: Seat) -> str:
        """What the book calls this player.

        >>> from numberduels.games.range_war.text import RangeWarText
        >>> RangeWarText(None, ("Alice", "")).label(0), RangeWarText(None).label(1)
        ('Player 1 (Alice)', 'Player 2')
        """
        name = self.names[seat]
        return f"{player_label(seat)} ({name})" if name else player_label(seat)

    def mover(self, state: S) -> str:
        """The label of the player to move."""
        return self.label(self.game.turn(state))

    def opponent(self, state: S) -> str:
        """The label of the player not to move."""
        return self.label(OTHER[self.game.turn(state)])

    # Before a move

    @abstractmethod
    def opening(self, state: S) -> str:
        """Printed once, before the first turn."""

    @abstractmethod
    def position(self, state: S) -> str:
        """The position by itself, for somebody who has not seen the moves."""

    def heading(self, state: S) -> str:
        """Whose turn it is."""
        return f"{self.mover(state)}'s turn.\n"

    def status(self, state: S) -> str:
        """What limits the next move and is not visible in `position`; may be empty."""
        return ""

    @abstractmethod
    def prompt(self, state: S) -> str:
        """What asks for the move; its last line has no end."""

    def question(self, state: S) -> str:
        """All that is printed before a move is typed."""
        return f"{self.heading(state)}{self.status(state)}{self.prompt(state)}"

    def list_moves(self, state: S) -> str:
        """The legal moves in one line."""
        return ", ".join(self.format_move(move) for move in self.game.moves(state)) + "\n"

    # After a move

    @abstractmethod
    def announce(self, before: S, move: M, after: S) -> str:
        """What the move did."""

    def refusal(self, fault: ValueError) -> str:
        """Why an answer was not taken: the fault is Unreadable or IllegalMove."""
        return f"Invalid choice. {self.language.say(message_of(fault))}\n"

    @abstractmethod
    def closing(self, state: S) -> str:
        """The end of a game that is over."""

    def resignation(self, seat: Seat) -> str:
        """The end of a game that this player resigned."""
        return f"{self.label(seat)} resigns. {self.label(OTHER[seat])} wins!\n"

    def time_forfeit(self, seat: Seat) -> str:
        """The end of a game that this player lost on time."""
        return f"{self.label(seat)} exceeds the time. {self.label(OTHER[seat])} wins!\n"

    def agreement(self) -> str:
        """The end of a game that the players agreed to be a draw."""
        return "The players agree on a draw.\n"

    # Moves as text

    def parse_move(self, text: str) -> M:
        """The move that the text means; Unreadable if it means none. Whether it is legal, the rules say.

        Made for games whose moves are numbers; other games override it.
        """
        return read_number(text)  # type: ignore[return-value]  # M is int in those games

    def format_move(self, move: M) -> str:
        """The move in records, lists and addresses: short, without blanks and commas."""
        return str(move)

    def typed(self, move: M) -> str:
        """The move as a player would type it."""
        return self.format_move(move)

    def spoken(self, move: M) -> str:
        """The move inside a sentence about it, such as "She played 3": what is typed, without a verb."""
        return self.format_move(move)


AnyGameText = GameText[Any, Hashable, Hashable]
