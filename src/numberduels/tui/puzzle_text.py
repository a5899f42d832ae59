"""What the screens of puzzles say about results, as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from numberduels.analysis.puzzles import LEVEL_NAMES
from numberduels.game.formatting import plural
from numberduels.play.puzzle_log import PuzzleResult, puzzle_rating, streak

SOLVED, FAILED, OPEN = "✓", "✗", "·"


def level_name(level: int) -> str:
    """A level in words.

    >>> level_name(2)
    'level 2, medium'
    """
    return f"level {level}, {LEVEL_NAMES[level]}"


def standing(results: Sequence[PuzzleResult], today: date, before: int | None = None) -> str:
    """The streak and the rating, and how far it is from the rating `before`.

    >>> standing([], date(2026, 11, 17)), standing([], date(2026, 11, 17), 988)
    ('No streak yet. Your rating: 1000.', 'No streak yet. Your rating: 1000 (+12).')
    """
    days, rating = streak(results, today), puzzle_rating(results)
    change = f" ({rating - before:+d})" if before is not None and rating != before else ""
    told = f"Your streak: {plural(days, 'day')}." if days else "No streak yet."
    return f"{told} Your rating: {rating}{change}."


def daily_results(results: Iterable[PuzzleResult], day: date) -> dict[str, PuzzleResult]:
    """By game, what became of the puzzle of a day: the first solved result, else the first one."""
    found: dict[str, PuzzleResult] = {}
    of_day = [each for each in results if each.daily and each.day == day]
    for each in sorted(of_day, key=lambda each: not each.solved):
        found.setdefault(each.game, each)
    return found


def share_line(title: str, result: PuzzleResult) -> str:
    """A line to share that spoils nothing.

    >>> share_line("Range War", PuzzleResult(date(2026, 11, 17), "range-war", 2, "7", tries=2, hints=1))
    'Number Duels 2026-11-17 Range War: solved, 2 tries, 1 hint'
    """
    outcome = f"solved, {plural(result.tries, 'try', 'tries')}" if result.solved else "not solved"
    hints = f", {plural(result.hints, 'hint')}" if result.hints else ""
    return f"Number Duels {result.day.isoformat()} {title}: {outcome}{hints}"


def fresh_seed(results: Iterable[PuzzleResult], game: str, level: int) -> str:
    """The first seed of this game and level that the player has not met: 1, 2, 3 and so on."""
    met = {each.seed for each in results if (each.game, each.level) == (game, level)}
    number = 1
    while str(number) in met:
        number += 1
    return str(number)
