"""Texts of the pages that are chosen by a value: the name of a level, of a verdict, of a kind of tile."""

from __future__ import annotations

from dataclasses import Field
from typing import Any

from numberduels.messages import Message, mark

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
    "threw away a win": Message("threw away a win"),
    "missed a win": Message("missed a win"),
    "threw away a draw": Message("threw away a draw"),
    "not judged": Message("not judged"),
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
    1: Message("1: one move of yours"),
    2: Message("2: two moves of yours"),
    3: Message("3: three moves of yours"),
    4: Message("4: four moves of yours"),
    5: Message("5: five or more"),
}

PUZZLE_TASKS = {
    "win": Message("Find the only move that wins."),
    "draw": Message("Find the only move that holds the draw."),
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
