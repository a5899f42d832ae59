"""Number Snatch, one room of the house: rules, words and book."""

from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.number_snatch.text import NumberSnatchWords
from numberduels.spec import Room

room = Room(
    name="number-snatch",
    title="Number Snatch",
    about="Take numbers for points, and steal their last one with a multiple of it.",
    game=NumberSnatch,
    words=NumberSnatchWords,
    theory="numberduels.games.number_snatch.theory:NumberSnatchTheory",
    claims="numberduels.games.number_snatch.claims:CLAIMS",
    rows="numberduels.games.number_snatch.batch:NumberSnatchRows",
    board="numberduels.games.number_snatch.board:board",
)
