"""The lessons of Number Snatch: take the largest, snatch, and play a whole list."""

from __future__ import annotations

from numberduels.analysis.lessons import Lesson, first_game
from numberduels.game.messages import Message
from numberduels.games.number_snatch import spec

LESSONS = (
    first_game(
        spec,
        Message(
            "Take turns to take a number: it counts as points for you. If your number is a multiple of"
            " the one that they have just taken, you snatch that one, too: its points go from them to"
            " you. When all numbers are taken, more points win."
        ),
        numbers=(3, 4, 6, 7, 9, 10),
    ),
    Lesson(
        "largest",
        Message("Take the largest"),
        idea=Message(
            "Take the largest: no multiple of it is left, so it cannot be snatched. If you do that every"
            " time, each of your numbers is larger than their next one."
        ),
        example=Message(
            "With 11, 12, 13 and 14, take 14 and then 12: that makes 26 against 24. If you begin with 13,"
            " they take 14, and it ends level: then Player 2 wins."
        ),
        task=Message("You are Player 1. Take more points than they do."),
        options={"numbers": (11, 12, 13, 14)},
    ),
    Lesson(
        "snatch",
        Message("Snatch their last number"),
        idea=Message(
            "A Snatch counts twice: you gain their last number, and they lose it. So look for a multiple"
            " of it first, and only then for the largest."
        ),
        example=Message(
            "They have just taken 8, and 16 is left. Take 16: you have 16 and the 8, and they have"
            " nothing. The 19 alone would not be enough."
        ),
        shown=("8",),
        task=Message("You are Player 2, and they have just taken 8. Make them pay for it."),
        options={"numbers": (4, 8, 15, 16, 17, 19)},
        moves=("8",),
        seat=1,
    ),
    Lesson(
        "whole-list",
        Message("Win a whole list"),
        idea=Message(
            "Before you take a number, look for its multiples: they are what it may cost you. Small"
            " numbers with many multiples are traps."
        ),
        example=Message(
            "In this list only 2, 5 and 10 have multiples: the 5 can be snatched with 10, 15 or 20. All"
            " others are safe, and the largest is worth most."
        ),
        task=Message("You are Player 1. Win the list of the book."),
        options={"numbers": (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)},
    ),
)
