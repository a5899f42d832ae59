"""Summation Duel: everything that belongs to this game."""

from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec, balanced, by_the_book
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.summation_duel.text import SummationDuelText

spec = GameSpec(
    name="summation-duel",
    title="Summation Duel",
    summary="Add numbers to one total: hit the target exactly, and do not go over.",
    rules=SummationDuel,
    text=SummationDuelText,
    rule_sets=(
        by_the_book(Message("Numbers 1 to 10 and the target 50.")),
        balanced(Message("Numbers 1 to 10 and the target 42: only one first move wins."), size=10, target=42),
    ),
)
