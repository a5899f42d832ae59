"""What the background process computes for puzzles, found again by game, level and seed. No Textual here."""

from __future__ import annotations

from datetime import date

from numberduels.analysis.puzzles import Puzzle, daily_puzzle, find_puzzle, puzzle_levels
from numberduels.game import registry


def offered_puzzles(day: date) -> tuple[dict[str, tuple[int, ...]], list[Puzzle]]:
    """The levels of every game by its name, and the puzzles of this day."""
    return {spec.name: puzzle_levels(spec) for spec in registry.specs()}, puzzles_of_the_day(day)


def puzzles_of_the_day(day: date) -> list[Puzzle]:
    """The puzzle of every game that has one of this day."""
    return [puzzle for spec in registry.specs() if (puzzle := daily_puzzle(spec, day))]


def find(game: str, level: int, seed: str) -> Puzzle:
    """The puzzle of this level and seed; NoPuzzle, which is a ValueError, if there is none."""
    return find_puzzle(registry.spec(game), level, seed)


def solution(game: str, level: int, seed: str) -> list[str]:
    """The right answer, and why."""
    return find(game, level, seed).solution_lines()


def refutation(game: str, level: int, seed: str, answer: str) -> list[str]:
    """Why this answer is wrong."""
    return find(game, level, seed).refutation_lines(answer)
