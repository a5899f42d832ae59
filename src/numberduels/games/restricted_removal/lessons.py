"""The lessons of Restricted Removal: count what is left, leave pairs, use both."""

from __future__ import annotations

from numberduels.analysis.lessons import Lesson, first_game
from numberduels.game.messages import Message
from numberduels.games.restricted_removal import spec

LESSONS = (
    first_game(
        spec,
        Message(
            "Take turns to remove a number. All its multiples and factors on the list are locked: nobody"
            " can remove them any more. Whoever removes the last number that is not locked wins."
        ),
        size=13,
    ),
    Lesson(
        "even",
        Message("Leave an even count"),
        idea=Message(
            "A number without relatives on the list goes in one move and locks nothing. If you leave an"
            " even count of such lone numbers, you take the last one."
        ),
        example=Message(
            "3, 6, 7, 9 and 11 are left. The 3 locks the 6 and the 9. Two lone numbers stay, 7 and 11:"
            " they take one, you take the other."
        ),
        shown=("5", "4"),
        task=Message("You are Player 1. Leave an even count of lone numbers."),
        options={"size": 12},
        moves=("5", "4"),
    ),
    Lesson(
        "pairs",
        Message("Leave pairs"),
        idea=Message(
            "Numbers that lock each other form a group. Two groups that are built alike cancel out:"
            " whatever they do in one, you do in the other, so you always have an answer."
        ),
        example=Message(
            "With 2 to 10, remove 6: it locks 2 and 3. Then 4 and 8 form a group, 5 and 10 form one that"
            " is built alike, and 7 and 9 are alone, a pair as well."
        ),
        shown=("6",),
        task=Message("You are Player 1. Leave pairs, and answer in the other group."),
        options={"size": 10},
    ),
    Lesson(
        "whole-game",
        Message("Win a longer game"),
        idea=Message(
            "Look for a first number that locks those with many relatives. What stays are small groups"
            " that you can count and pair."
        ),
        example=Message(
            "With 2 to 14, remove 12: it locks 2, 3, 4 and 6. Then 5 and 10 form a group, 7 and 14 form"
            " one that is built alike, and 8, 9, 11 and 13 are alone: two pairs."
        ),
        shown=("12",),
        task=Message("You are Player 1. Win the whole game."),
        options={"size": 14},
    ),
)
