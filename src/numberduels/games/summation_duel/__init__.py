"""Summation Duel, one room of the house: rules, words and book."""

from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.summation_duel.text import SummationDuelWords
from numberduels.spec import Room

room = Room(
    name="summation-duel",
    title="Summation Duel",
    about="Add numbers to one total: hit the target exactly, and do not go over.",
    game=SummationDuel,
    words=SummationDuelWords,
    theory="numberduels.games.summation_duel.theory:SummationDuelTheory",
    claims="numberduels.games.summation_duel.claims:CLAIMS",
    rows="numberduels.games.summation_duel.batch:SummationDuelRows",
    board="numberduels.games.summation_duel.board:board",
    puzzles={5: {"size": range(11, 14), "target": range(45, 80)}},
)
