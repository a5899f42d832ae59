"""Count both sides: what the first number leaves to each player, if the second may choose the direction."""

from __future__ import annotations

from typing import Any

from numberduels.analysis.exploration import Exploration, Position
from numberduels.game.messages import Message

SIZE = 13
"""Odd, so that there is a middle."""


def position(first: int) -> Position:
    """The line after the first number."""
    return {"size": SIZE, "opening": "free"}, (str(first),)


def count(game: Any, state: Any) -> Message:
    """How many numbers lie on both sides of the first one."""
    first = state[1]
    return Message(
        "Below {number}: {below}. Above {number}: {above}.",
        number=first,
        below=first - 1,
        above=game.size - first,
    )


EXPLORATION = Exploration(
    title=Message("Count both sides"),
    about=Message(
        "Player 1 has taken the first number, and Player 2 may go up or down. Player 2 goes to the longer"
        " side and wins. Only if both sides are equally long, Player 1 wins. Move the first number and see."
    ),
    label=Message("The first number"),
    values=tuple(range(1, SIZE + 1)),
    first=4,
    position=position,
    count=count,
)
