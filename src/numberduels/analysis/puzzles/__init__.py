"""Puzzles: questions about a position that only looking ahead answers, graded by how far.

A game declares in `puzzles.py` where its puzzles are found, and ships them in `puzzles.jsonl`. A game that
declares nothing has only-move puzzles, which are made when they are asked for.

    model.py            Puzzle: the question, the answers, hints and explanations
    kinds.py            the kinds of questions
    explanation.py      sentences and lines of play that explain an answer
    declaration.py      PuzzlePlan: what a game declares
    shortcuts.py        ways to answer without looking ahead; no puzzle may fall to them
    answering.py        how a player answers a puzzle
    limited_search.py   a search of limited depth, which gives a puzzle its level
    generation.py       makes puzzles from random games
    cache.py            reads and writes the file of puzzles of a game
    selection.py        find_puzzle(), daily_puzzle(), puzzle_levels()

>>> one = find_puzzle("range-war", level=2, seed="1")
>>> one == find_puzzle("range-war", level=2, seed="1")
True
>>> one.is_right(one.answer), one.answer in one.answers
(True, True)
"""

from numberduels.analysis.puzzles.generation import NoPuzzle
from numberduels.analysis.puzzles.model import LEVEL_NAMES, LEVELS, Puzzle
from numberduels.analysis.puzzles.selection import daily_puzzle, find_puzzle, next_seed, puzzle_levels

__all__ = [
    "LEVELS",
    "LEVEL_NAMES",
    "NoPuzzle",
    "Puzzle",
    "daily_puzzle",
    "find_puzzle",
    "next_seed",
    "puzzle_levels",
]
