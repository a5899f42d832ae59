"""What the first removal leaves: groups of numbers that lock each other."""

from __future__ import annotations

from typing import Any

from numberduels.analysis.exploration import Exploration, Position
from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.games.restricted_removal.groups import Groups
from numberduels.games.restricted_removal.rules import neighbours

SIZE = 14


def position(first: int) -> Position:
    """The list after the first removal."""
    return {"size": SIZE}, (str(first),)


def count(game: Any, state: Any) -> Message:
    """The groups that the first removal leaves."""
    available, removed = state
    groups = Groups(neighbours(game.size)).split(available)
    named = tuple("-".join(map(str, members(group))) for group in groups)
    (first,) = members(removed)
    return Message("{number} leaves these groups: {groups}.", number=first, groups=named)


EXPLORATION = Exploration(
    title=Message("Leave pairs"),
    about=Message(
        "Player 1 removes the first number, and numbers that lock each other form groups. Two groups cancel"
        " out if they are built alike or take one move each, because Player 1 answers in the other one. Move"
        " the first number until all groups cancel out."
    ),
    label=Message("The first number"),
    values=tuple(range(2, SIZE + 1)),
    first=7,
    position=position,
    count=count,
)
