"""Restricted Removal, one room of the house: rules, words and book."""

from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.restricted_removal.text import RestrictedRemovalWords
from numberduels.spec import Room

room = Room(
    name="restricted-removal",
    title="Restricted Removal",
    about="Remove a number, and its multiples and factors are locked; take the last one left.",
    game=RestrictedRemoval,
    words=RestrictedRemovalWords,
    theory="numberduels.games.restricted_removal.theory:RestrictedRemovalTheory",
    claims="numberduels.games.restricted_removal.claims:CLAIMS",
    rows="numberduels.games.restricted_removal.batch:RestrictedRemovalRows",
    board="numberduels.games.restricted_removal.board:board",
    puzzles={5: {"size": range(20, 27)}},
)
