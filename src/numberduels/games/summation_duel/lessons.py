"""The lessons of Summation Duel: leave nothing that fits, count backwards, plan from the first move."""

from __future__ import annotations

from numberduels.analysis.lessons import Lesson, first_game
from numberduels.game.messages import Message
from numberduels.games.summation_duel import spec

LESSONS = (
    first_game(
        spec,
        Message(
            "Take turns to add a number to the total; each number can be added once. Whoever makes"
            " exactly 25 wins. Whoever goes over 25 loses."
        ),
        size=8,
        target=25,
    ),
    Lesson(
        "nothing-fits",
        Message("Leave nothing that fits"),
        idea=Message(
            "You need not hit the target yourself. If every number left goes over it, they must go over,"
            " and you win."
        ),
        example=Message(
            "The total is 20 and the target 25, and 2, 3, 4 and 7 are left. If you add 2, they add 3 and"
            " hit 25. If you add 3, they add 2. Which number leaves them nothing?"
        ),
        shown=("1", "5", "6", "8"),
        task=Message("You are Player 1, and the total is 20. Leave them nothing that fits."),
        options={"size": 8, "target": 25},
        moves=("1", "5", "6", "8"),
    ),
    Lesson(
        "backwards",
        Message("Count backwards"),
        idea=Message(
            "Think from the end. A total is good for you if you have an answer to every number that they"
            " can add."
        ),
        example=Message(
            "With 1 to 6 and the target 12, begin with 4: 8 are missing. If they add 2, you add 6 and hit"
            " 12. If they add 3, you add 5. If they add 5, you add 3, and if they add 6, you add 2. If"
            " they add 1, you add 6: that makes 11, and nothing fits any more."
        ),
        shown=("4",),
        task=Message("You are Player 1. Only one first number wins."),
        options={"size": 6, "target": 12},
    ),
    Lesson(
        "whole-game",
        Message("Win a whole game"),
        idea=Message(
            "There is no secret total: what matters is which numbers are left. For every number that"
            " fits, you need an answer."
        ),
        example=Message(
            "With 1 to 10 and the target 42, only 6 wins at the start: make it your first number."
        ),
        shown=("6",),
        task=Message("You are Player 1. Win the whole game; ask for a hint when you need one."),
        options={"size": 10, "target": 42},
    ),
)
