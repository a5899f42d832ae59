"""The puzzles that the games ship, for tests."""

from __future__ import annotations

from numberduels.analysis.puzzles import Puzzle
from numberduels.analysis.puzzles.selection import puzzle_of, read_cache
from numberduels.game import registry

FIVE = ["range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"]


def shipped(name: str, step: int = 1) -> list[Puzzle]:
    """Every so-many-th puzzle of a game, with one of each kind and level among them."""
    spec = registry.spec(name)
    puzzles = []
    seen = set()
    for place, entry in enumerate(entry for level in read_cache(spec).values() for entry in level):
        if place % step == 0 or (entry.kind, entry.level) not in seen:
            seen.add((entry.kind, entry.level))
            puzzle = puzzle_of(spec, entry, "t")
            assert puzzle, entry
            puzzles.append(puzzle)
    return puzzles
