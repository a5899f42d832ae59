"""A room: everything that belongs to one game, under one name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numberduels import options
from numberduels.game_text import AnyWords


@dataclass(frozen=True, slots=True)
class Room:
    """A game's name, title and one sentence, its rules and its words; its book lies beside them.

    >>> from numberduels.registry import room
    >>> room("range-war").title
    'Range War'
    >>> room("range-war").make({"size": "4"})
    RangeWar(size=4, opening='lower')
    """

    name: str
    title: str
    about: str
    game: type[Any]
    words: type[Any]
    theory: str = ""
    """Where its theory lives, as module:class, if it has one; loaded only when it is asked."""
    claims: str = ""
    """Where its book's claims lie, as module:list, if they are checked; loaded only when asked for."""
    rows: str = ""
    """Where many of its positions move at once, as module:class, if anywhere; loaded only when asked for."""
    board: str = ""
    """What a page shows of it, as module:function, if there is more than its moves; loaded when asked."""
    puzzles: Mapping[int, Mapping[str, Sequence[Any]]] = field(default_factory=dict, compare=False)
    """By level, the options at which its puzzles are not rare; where any will do, none need be named."""

    def make(self, texts: dict[str, str] | None = None) -> Any:
        """The game with these options, given as text; ValueError says what is wrong with them."""
        return options.make(self.game, texts or {})

    def build(self, values: Mapping[str, Any]) -> Any:
        """The game with these options, given as values; ValueError says what is wrong with them."""
        return options.build(self.game, values)

    def speak(self, game: Any, names: tuple[str, str] = ("", "")) -> AnyWords:
        """The words of this game between players with these names."""
        words: AnyWords = self.words(game, names)
        return words

    def book(self) -> str:
        """The rules and the numbered readings, as the room's book.md tells them."""
        from pkgutil import get_data

        data = get_data(self.game.__module__, "book.md")
        assert data is not None, "a room's book lies beside its rules"
        return data.decode()
