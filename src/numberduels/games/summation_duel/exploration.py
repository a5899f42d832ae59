"""Make 11 each time: who wins for every target, with the numbers of the book."""

from __future__ import annotations

from typing import Any

from numberduels.analysis.exploration import Exploration, Position
from numberduels.game.messages import Message

SIZE = 10
TOTAL = SIZE * (SIZE + 1) // 2
PAIR = SIZE + 1
"""What 1 and 10, 2 and 9, 3 and 8 make."""


def position(target: int) -> Position:
    """The start of a game with this target."""
    return {"size": SIZE, "target": target}, ()


def count(game: Any, _state: Any) -> Message:
    """The target as pairs, and what is over."""
    times, rest = divmod(game.target, PAIR)
    told = {"target": game.target, "times": times, "pair": PAIR}
    if rest:
        return Message("{target} is {times} times {pair}, and {rest} more.", rest=rest, **told)
    return Message("{target} is {times} times {pair}, and nothing more.", **told)


EXPLORATION = Exploration(
    title=Message("Make 11 each time"),
    about=Message(
        "If the target is a multiple of 11, Player 2 wins: every number is answered with the one that makes"
        " 11 with it, 10 to 1, 9 to 2 and so on. For other targets that is no use, and Player 1 wins most of"
        " them. Move the target, and see which first numbers win."
    ),
    label=Message("The target"),
    values=tuple(range(1, TOTAL + 1)),
    first=42,
    position=position,
    count=count,
)
