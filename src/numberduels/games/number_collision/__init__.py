"""Number Collision: everything that belongs to this game."""

from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec, balanced, by_the_book
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_collision.text import NumberCollisionText

spec = GameSpec(
    name="number-collision",
    title="Number Collision",
    summary="Fill a line where equal neighbours vanish; leave them no move to win.",
    rules=NumberCollision,
    text=NumberCollisionText,
    rule_sets=(
        by_the_book(
            Message("Ten cells and five numbers; equal lines may come back, so a game need not end.")
        ),
        balanced(
            Message(
                "Seven cells and one number; no line may come back, and who could only bring one back loses,"
                " even with empty cells left."
            ),
            size=7,
            values=1,
            repetition="forbidden",
        ),
    ),
)
