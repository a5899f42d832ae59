"""The lessons of Number Collision: the last cell, lines that may not come back, three that vanish."""

from __future__ import annotations

from numberduels.analysis.lessons import Lesson, first_game
from numberduels.game.messages import Message
from numberduels.games.number_collision import spec

LESSONS = (
    first_game(
        spec,
        Message(
            "Take turns to put a number on an empty cell. If it touches an equal number, the equal ones"
            " vanish. Whoever fills the last empty cell wins. In this game no line may come back that"
            " stood before."
        ),
        seat=1,
        size=4,
        values=3,
        repetition="forbidden",
    ),
    Lesson(
        "last-cell",
        Message("Fill the last cell"),
        idea=Message(
            "Whoever fills the last empty cell wins. So never leave exactly one empty cell; and when they"
            " leave you one, fill it with a number that differs from its neighbours."
        ),
        example=Message(
            "Only one cell is empty, between a 1 and a 2. A 1 would vanish together with the 1, and a 2"
            " together with the 2. Which number stays?"
        ),
        shown=("1@1", "2@3", "3@4", "1@5"),
        task=Message("You are Player 1, and they have left you one cell. Fill it."),
        options={"size": 5, "values": 3},
        moves=("1@1", "2@3", "3@4", "1@5"),
    ),
    Lesson(
        "no-return",
        Message("No line comes back"),
        idea=Message(
            "If no line may come back that stood before, some collisions are forbidden. Whoever has no"
            " other move is stuck and loses."
        ),
        example=Message(
            "Here the only number is 1, and a 1 stands in the first of three cells. A 1 beside it would"
            " make the line empty again, as at the start: that is forbidden. But the third cell is still"
            " free for them. Where can you put your 1 so that they have no move at all?"
        ),
        shown=("1@1",),
        task=Message("You are Player 1 on three cells with one number. Leave them no move."),
        options={"size": 3, "values": 1, "repetition": "forbidden"},
    ),
    Lesson(
        "triple",
        Message("Count, and beware of three"),
        idea=Message(
            "Count the empty cells when it is your turn. An odd count is good for you: 3, then 1, and the"
            " last cell is yours. If two numbers vanish, it stays odd for you. Only if three vanish at"
            " once it becomes even: so do not make three vanish."
        ),
        example=Message(
            "You see 1, an empty cell, 1 and 2. A 2 fills the last cell and wins. A 1 would make three 1s"
            " vanish: then three cells are empty on their turn, and the odd count is theirs."
        ),
        shown=("1@1", "2@4", "1@3"),
        task=Message("You are Player 2 on four cells with two numbers. Keep the count odd for you, and win."),
        options={"size": 4, "values": 2, "repetition": "forbidden"},
        seat=1,
    ),
)
