"""The lessons of Range War: take the nearest, go to the longer side, find the middle; stuck wins."""

from __future__ import annotations

from numberduels.analysis.lessons import Lesson, first_game
from numberduels.game.messages import Message
from numberduels.games.range_war import spec

LESSONS = (
    first_game(
        spec,
        Message(
            "Take turns to take a number. One of you always goes higher than the number that was just"
            " taken, the other always lower. Whoever has no number to go to is stuck and loses. They"
            " begin, and you choose your direction."
        ),
        seat=1,
        size=10,
        opening="free",
    ),
    Lesson(
        "nearest",
        Message("Take the nearest"),
        idea=Message(
            "One of you only ever goes up, the other only down. Take the nearest: every number you skip"
            " becomes theirs."
        ),
        example=Message(
            "5 and 4 are taken, and you must go up. The numbers 6 to 9 are yours: four. The numbers 1 to"
            " 3 are theirs: three. If you jump to 7, the 6 becomes theirs: they have four then, and you"
            " two."
        ),
        shown=("5", "4"),
        task=Message(
            "You are Player 1 and go up. You have one number more than they have: keep it that way."
        ),
        options={"size": 9},
        moves=("5", "4"),
    ),
    Lesson(
        "longer-side",
        Message("Go to the longer side"),
        idea=Message(
            "When you may choose the direction, count both sides. The longer one is yours, and then you"
            " have more numbers than they have."
        ),
        example=Message(
            "They have taken 5 of 12. Below it are four numbers, above it seven. Go up to 6: six more are"
            " above it for you, and only the four below are left for them."
        ),
        shown=("5",),
        task=Message("You are Player 2. Choose the longer side, and take the nearest from then on."),
        options={"size": 12, "opening": "free"},
        seat=1,
    ),
    Lesson(
        "middle",
        Message("Find the middle"),
        idea=Message(
            "If they may choose the direction, leave them no longer side. With an odd count of numbers"
            " there is a middle, and both sides are equal."
        ),
        example=Message(
            "The middle of 13 numbers is 7: six are below it and six above. When they go up to 8, five"
            " are left for them and six for you, and it is your turn."
        ),
        shown=("7", "8"),
        task=Message("You are Player 1 and begin. Win the whole game."),
        options={"size": 13, "opening": "free"},
    ),
    Lesson(
        "misere",
        Message("Stuck wins: count odd and even"),
        idea=Message(
            "Now whoever is stuck wins. Do not count the sides: count all free numbers. Leave an odd count"
            " and a move to make. Whatever they take, you find an even count and can leave an odd one"
            " again. The last number is theirs, and then you are stuck and win."
        ),
        example=Message(
            "You go up, and the free numbers are 7 and 8: an even count, and both are above. If you take 7,"
            " nothing is left below it: they are stuck and win. If you take 8, the 7 is left for them, and"
            " then you are stuck."
        ),
        shown=("4", "3", "5", "2", "6", "1"),
        task=Message("You are Player 1. Never leave them stuck, and win by being stuck yourself."),
        options={"size": 8, "ending": "misere"},
    ),
)
