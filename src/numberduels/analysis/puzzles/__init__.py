"""Puzzles: questions about a position that only looking ahead answers, graded by how far.

A game declares in `teaching.py` where its puzzles are found, and ships them in `puzzles.jsonl`. A game that
declares nothing has only-move puzzles, which are made when they are asked for.

    model.py            Puzzle: the question, the answers, the hints; PuzzlePlan: what a game declares
    kinds.py            the kinds of questions; those for a move or a position are in move_puzzles.py
    selection.py        find_puzzle(), daily_puzzle(), puzzle_levels(), and the file of puzzles of a game
    generation.py       makes puzzles from random games
    shortcuts.py        ways to answer without looking ahead, and a search of limited depth; see `falls_to`

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
