"""Restricted Removal: everything that belongs to this game."""

from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec, balanced, by_the_book
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.restricted_removal.text import RestrictedRemovalText

spec = GameSpec(
    name="restricted-removal",
    title="Restricted Removal",
    summary="Remove a number, and its multiples and factors are locked; take the last one left.",
    rules=RestrictedRemoval,
    text=RestrictedRemovalText,
    rule_sets=(
        by_the_book(Message("Numbers 2 to 10; a game takes a handful of moves.")),
        balanced(Message("Numbers 2 to 43: a longer game in which only one first move wins."), size=43),
    ),
)
