"""Texts of the pages that are chosen by a value: the name of a level, of a verdict, of a kind of tile."""

from __future__ import annotations

from dataclasses import Field
from typing import Any

from numberduels.game.messages import Message, mark

LANGUAGE_NAME = Message("English")
"""The name that a language gives itself: its translation is the name of the other language."""

LEVELS = {
    "random": Message("random"),
    "greedy": Message("greedy"),
    "beginner": Message("beginner"),
    "casual": Message("casual"),
    "skilled": Message("skilled"),
    "expert": Message("expert"),
    "perfect": Message("perfect"),
}

CLOCKS = {
    "none": Message("any time"),
    "minute": Message("1 minute"),
    "day": Message("1 day"),
}
"""The time for each move."""

BEST_OF = {
    1: Message("a single game"),
    3: Message("best of 3"),
    5: Message("best of 5"),
    7: Message("best of 7"),
}

TILES = {
    "open": Message("open"),
    "closed": Message("out of reach"),
    "first": mark("taken by {player}"),
    "second": mark("taken by {player}"),
    "locked": Message("locked"),
    "removed": Message("removed"),
    "empty": Message("empty"),
    "filled": Message("filled"),
}
"""The kinds of tiles."""

VALUES = {"win": Message("win"), "draw": Message("draw"), "loss": Message("loss")}

VERDICTS = {
    "forced": Message("forced"),
    "only move": Message("only move"),
    "kept": Message("kept"),
    "gave points away": Message("gave points away"),
    "threw away a win": Message("threw away a win"),
    "missed a win": Message("missed a win"),
    "threw away a draw": Message("threw away a draw"),
    "not judged": Message("not judged"),
    "pie rule": Message("not judged (pie rule)"),
}
"""What a review says of a move."""

CLAIMS = {
    "true": Message("True"),
    "false": Message("False"),
    "partly": Message("Partly true"),
    "open": Message("Neither proven nor refuted"),
}
"""What came of the check of a claim."""

PUZZLE_LEVELS = {
    1: Message("1: look 3 or 4 moves ahead"),
    2: Message("2: look 5 or 6 moves ahead"),
    3: Message("3: look 7 or 8 moves ahead"),
    4: Message("4: look 9 or 10 moves ahead"),
    5: Message("5: look further ahead"),
}

PUZZLE_STATES = {
    "right": Message("Right"),
    "wrong": Message("Not that one"),
    "solution": Message("The solution"),
}


def option_label(option: Field[Any]) -> Message:
    """What the forms call an option of a game."""
    return Message(option.metadata["label"])


def choice_label(option: Field[Any], value: str) -> Message:
    """What the forms call a choice of an option."""
    return Message(option.metadata["choices"].get(value, value))
