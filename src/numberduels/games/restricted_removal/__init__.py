"""Restricted Removal: everything that belongs to this game."""

from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.restricted_removal.text import RestrictedRemovalText
from numberduels.spec import GameSpec

spec = GameSpec(
    name="restricted-removal",
    title="Restricted Removal",
    summary="Remove a number, and its multiples and factors are locked; take the last one left.",
    rules=RestrictedRemoval,
    text=RestrictedRemovalText,
    theory="theory:RestrictedRemovalTheory",
    claims="claims:CLAIMS",
    batch="batch:RestrictedRemovalBatch",
    board="board:board",
    puzzles={5: {"size": range(20, 27)}},
)
