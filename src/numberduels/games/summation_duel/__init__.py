"""Summation Duel: everything that belongs to this game."""

from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.summation_duel.text import SummationDuelText
from numberduels.spec import GameSpec

spec = GameSpec(
    name="summation-duel",
    title="Summation Duel",
    summary="Add numbers to one total: hit the target exactly, and do not go over.",
    rules=SummationDuel,
    text=SummationDuelText,
    theory="theory:SummationDuelTheory",
    claims="claims:CLAIMS",
    batch="batch:SummationDuelBatch",
    board="board:board",
    puzzles={5: {"size": range(11, 14), "target": range(45, 80)}},
)
