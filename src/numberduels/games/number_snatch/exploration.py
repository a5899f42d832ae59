"""What a number may cost: the first number of the book's list, and its multiples."""

from __future__ import annotations

from typing import Any

from numberduels.analysis.exploration import Exploration, Position
from numberduels.game.messages import Message

NUMBERS = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)
"""The list of the book."""


def position(first: int) -> Position:
    """The list after the first number."""
    return {"numbers": NUMBERS}, (str(first),)


def count(game: Any, state: Any) -> Message:
    """The multiples of the first number that are left, and the larger numbers."""
    first = state[1]
    multiples = tuple(each for each in game.moves(state) if each % first == 0)
    if multiples:
        return Message("{number} can be snatched with {multiples}.", number=first, multiples=multiples)
    larger = sum(each > first for each in game.moves(state))
    return Message(
        "{number} cannot be snatched, and {count} larger number is left to Player 2.",
        "{number} cannot be snatched, and {count} larger numbers are left to Player 2.",
        number=first,
        count=larger,
    )


EXPLORATION = Exploration(
    title=Message("What a number costs"),
    about=Message(
        "Player 1 takes the first number. If a multiple of it is left, Player 2 can snatch it; and every"
        " larger number that is left may be theirs. Move the first number: which one keeps the largest lead?"
    ),
    label=Message("The first number"),
    values=NUMBERS,
    first=5,
    position=position,
    count=count,
)
