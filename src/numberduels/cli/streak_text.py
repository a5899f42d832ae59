"""The streak of daily puzzles in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from numberduels.game.formatting import plural
from numberduels.play.puzzle_log import PuzzleResult, read_results, streak


def streak_line(notes: list[str] | None = None) -> str:
    """A sentence about the streak of this user; empty if there is none."""
    return describe_streak(read_results(notes), date.today())


def describe_streak(results: Sequence[PuzzleResult], today: date) -> str:
    """A sentence about the streak up to this day; empty if there is none.

    >>> results = [PuzzleResult(date(2026, 11, day), "range-war", 2, "7", daily=True) for day in (15, 16)]
    >>> describe_streak(results, date(2026, 11, 17))
    "Your streak: 2 days. Solve one of today's puzzles to make it 3."
    >>> describe_streak(results, date(2026, 11, 16))
    "Your streak: 2 days. You have solved one of today's puzzles."
    """
    days = streak(results, today)
    if not days:
        return ""
    if any(each.daily and each.solved and each.day == today for each in results):
        return f"Your streak: {plural(days, 'day')}. You have solved one of today's puzzles."
    return f"Your streak: {plural(days, 'day')}. Solve one of today's puzzles to make it {days + 1}."
