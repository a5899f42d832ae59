"""Number Snatch: everything that belongs to this game."""

from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.number_snatch.text import NumberSnatchText
from numberduels.spec import GameSpec

spec = GameSpec(
    name="number-snatch",
    title="Number Snatch",
    summary="Take numbers for points, and steal their last one with a multiple of it.",
    rules=NumberSnatch,
    text=NumberSnatchText,
    theory="theory:NumberSnatchTheory",
    claims="claims:CLAIMS",
    batch="batch:NumberSnatchBatch",
    board="board:board",
)
