"""Range War, one room of the house: rules, words and book."""

from numberduels.games.range_war.rules import RangeWar
from numberduels.games.range_war.text import RangeWarWords
from numberduels.spec import Room

room = Room(
    name="range-war",
    title="Range War",
    about="Claim numbers on a line, in turn lower and higher, until one of you is stuck.",
    game=RangeWar,
    words=RangeWarWords,
    theory="numberduels.games.range_war.theory:RangeWarTheory",
    claims="numberduels.games.range_war.claims:CLAIMS",
    rows="numberduels.games.range_war.batch:RangeWarRows",
    board="numberduels.games.range_war.board:board",
    puzzles={5: {"size": range(10, 15)}},
)
