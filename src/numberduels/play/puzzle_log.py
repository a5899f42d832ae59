"""The log of solved and failed puzzles, the streak of daily puzzles, and the rating.

>>> from datetime import date, timedelta
>>> days = [date(2026, 11, 14), date(2026, 11, 15), date(2026, 11, 16)]
>>> results = [PuzzleResult(day, "range-war", 2, "7", daily=True, solved=True) for day in days]
>>> streak(results, days[-1]), streak(results, days[-1] + timedelta(1)), streak(results, date(2026, 12, 1))
(3, 3, 0)
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from numberduels.game import files
from numberduels.game.formatting import showable
from numberduels.play.storage import append_line, failure_note, read_lines

FILE = "puzzles.jsonl"

FIRST_RATING = 1_000
"""The rating of somebody who has tried no puzzle."""


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """What became of one puzzle."""

    day: date
    game: str
    level: int
    seed: str
    daily: bool = False
    """Whether it was the puzzle of the day."""
    solved: bool = True
    tries: int = 1
    hints: int = 0

    @property
    def score(self) -> float:
        """1 if it was solved at once, less after wrong answers and hints, 0 if it was not solved.

        >>> PuzzleResult(date(2026, 11, 16), "range-war", 1, "7", tries=2, hints=1).score
        0.3333333333333333
        """
        return 1 / max(self.tries + self.hints, 1) if self.solved else 0.0


def append_result(result: PuzzleResult) -> str:
    """Add a result to the log; returns a note for the player, empty if all is well."""
    value = {
        "day": result.day.isoformat(),
        "game": result.game,
        "level": result.level,
        "seed": result.seed,
        "daily": result.daily,
        "solved": result.solved,
        "tries": result.tries,
        "hints": result.hints,
    }
    try:
        append_line(os.path.join(files.data_folder(), FILE), value)
    except OSError as fault:
        return failure_note("the result of this puzzle", fault)
    return ""


def read_results(notes: list[str] | None = None) -> list[PuzzleResult]:
    """All results, oldest first."""
    path = os.path.join(files.data_folder(), FILE)
    found = [_result(value) for value in read_lines(path, notes)]
    if None in found and notes is not None:
        notes.append(f"Note: {path}: some results are damaged and left out.")
    return [each for each in found if each is not None]


def _result(value: dict[str, Any]) -> PuzzleResult | None:
    """The result that a line means; None if it means none."""
    try:
        texts = [value["day"], value["game"], value["seed"]]
        counts = [value["level"], value["tries"], value["hints"]]
        flags = [value["daily"], value["solved"]]
        day = date.fromisoformat(texts[0])
    except (KeyError, TypeError, ValueError):
        return None
    if not all(isinstance(each, str) and len(each) <= 200 and showable(each) for each in texts):
        return None
    if not all(type(each) is int and 0 <= each <= 1_000 for each in counts):
        return None
    if not all(isinstance(each, bool) for each in flags):
        return None
    return PuzzleResult(day, texts[1], counts[0], texts[2], *flags, *counts[1:])


def streak(results: Iterable[PuzzleResult], today: date) -> int:
    """For how many days in a row a daily puzzle was solved, up to today or yesterday."""
    solved = {each.day for each in results if each.daily and each.solved}
    day = today if today in solved else today - timedelta(1)
    count = 0
    while day in solved:
        count += 1
        day -= timedelta(1)
    return count


def puzzle_rating(results: Iterable[PuzzleResult]) -> int:
    """A rating as in chess: puzzles count as opponents whose rating grows with their level.

    Only the first result of a puzzle counts, so that solving it again gains nothing.
    """
    rating = float(FIRST_RATING)
    seen: set[tuple[str, int, str]] = set()
    for each in results:
        puzzle = (each.game, each.level, each.seed)
        if puzzle in seen:
            continue
        seen.add(puzzle)
        expected = 1 / (1 + 10 ** ((puzzle_strength(each.level) - rating) / 400))
        rating += (40 if len(seen) <= 20 else 20) * (each.score - expected)
    return round(rating)


def puzzle_strength(level: int) -> int:
    """The rating of a puzzle of this level.

    >>> [puzzle_strength(level) for level in (1, 2, 3)]
    [800, 1100, 1400]
    """
    return 500 + 300 * level
