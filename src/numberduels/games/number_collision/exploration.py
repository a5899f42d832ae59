"""Count the empty cells: only the last one wins."""

from __future__ import annotations

from typing import Any

from numberduels.analysis.exploration import Exploration, Position
from numberduels.game.messages import Message

SIZE, NUMBERS = 8, 5


def position(empty: int) -> Position:
    """A line whose first cells are filled, with this many empty cells at its end."""
    moves = tuple(f"{cell % NUMBERS + 1}@{cell + 1}" for cell in range(SIZE - empty))
    return {"size": SIZE, "values": NUMBERS}, moves


def count(game: Any, state: Any) -> Message:
    """How many cells are empty."""
    return Message(
        "{count} cell is empty.",
        "{count} cells are empty.",
        count=len({move.position for move in game.moves(state)}),
    )


EXPLORATION = Exploration(
    title=Message("Count the empty cells"),
    about=Message(
        "Whoever fills the last empty cell wins. With one empty cell that is the player to move. With more,"
        " both can avoid it: with two empty cells, place a number beside its twin, and both vanish. Change"
        " the number of empty cells."
    ),
    label=Message("Empty cells"),
    values=tuple(range(1, SIZE + 1)),
    first=2,
    position=position,
    count=count,
)
