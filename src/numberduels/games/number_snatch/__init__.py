"""Number Snatch: everything that belongs to this game."""

from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec, balanced, by_the_book
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.number_snatch.text import NumberSnatchText

spec = GameSpec(
    name="number-snatch",
    title="Number Snatch",
    summary="Take numbers for points, and steal their last one with a multiple of it.",
    rules=NumberSnatch,
    text=NumberSnatchText,
    # Almost every decision matters, and in a match the points of two games add up: fewer slips decide it.
    slips={"beginner": 0.5, "casual": 0.34, "skilled": 0.19, "expert": 0.08},
    rule_sets=(
        by_the_book(Message("One game with ten numbers; who starts has the advantage.")),
        balanced(
            Message(
                "Two games with the same ten numbers: each of you starts once, and the points are added."
            ),
            games=2,
        ),
    ),
)
