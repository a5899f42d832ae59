"""Range War: everything that belongs to this game."""

from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec, balanced, by_the_book
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.range_war.text import RangeWarText

spec = GameSpec(
    name="range-war",
    title="Range War",
    summary="Claim numbers on a line, in turn lower and higher, until one of you is stuck.",
    rules=RangeWar,
    text=RangeWarText,
    rule_sets=(
        by_the_book(
            Message(
                "Ten numbers, and the second must be lower than the first: the first player can win at once."
            )
        ),
        balanced(
            Message("Fifteen numbers, and the second may be lower or higher than the first."),
            size=15,
            opening="free",
        ),
    ),
)
