"""Range War: everything that belongs to this game."""

from numberduels.games.range_war.rules import RangeWar
from numberduels.games.range_war.text import RangeWarText
from numberduels.spec import GameSpec

spec = GameSpec(
    name="range-war",
    title="Range War",
    summary="Claim numbers on a line, in turn lower and higher, until one of you is stuck.",
    rules=RangeWar,
    text=RangeWarText,
    theory="theory:RangeWarTheory",
    claims="claims:CLAIMS",
    batch="batch:RangeWarBatch",
    board="board:board",
    puzzles={5: {"size": range(10, 15)}},
)
