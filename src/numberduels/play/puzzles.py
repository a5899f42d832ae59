"""PuzzleAttempt: one person at a puzzle; the log of results, the streak of daily puzzles, and the rating.

>>> from datetime import date, timedelta
>>> days = [date(2026, 11, 14), date(2026, 11, 15), date(2026, 11, 16)]
>>> results = [PuzzleResult(day, "range-war", 2, "7", daily=True, solved=True) for day in days]
>>> streak(results, days[-1]), streak(results, days[-1] + timedelta(1)), streak(results, date(2026, 12, 1))
(3, 3, 0)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from numberduels.game import files, registry
from numberduels.game.formatting import plural, showable
from numberduels.play.storage import append_line, failure_note, read_lines

if TYPE_CHECKING:
    from numberduels.analysis.puzzles import Puzzle

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


def results_of_day(results: Iterable[PuzzleResult], day: date) -> dict[str, PuzzleResult]:
    """By game, what became of the puzzle of a day: the first solved result, else the first one."""
    found: dict[str, PuzzleResult] = {}
    of_day = [each for each in results if each.daily and each.day == day]
    for each in sorted(of_day, key=lambda each: not each.solved):
        found.setdefault(each.game, each)
    return found


def unmet_seed(results: Iterable[PuzzleResult], game: str, level: int) -> str:
    """The first seed of this game and level that the player has not met: 1, 2, 3 and so on."""
    met = {each.seed for each in results if (each.game, each.level) == (game, level)}
    number = 1
    while str(number) in met:
        number += 1
    return str(number)


def puzzles_of_the_day(day: date) -> list[Puzzle]:
    """The puzzle of every game that has one of this day."""
    from numberduels.analysis.puzzles import daily_puzzle

    return [puzzle for spec in registry.specs() if (puzzle := daily_puzzle(spec, day))]


def offered_puzzles(day: date) -> tuple[dict[str, tuple[int, ...]], list[Puzzle]]:
    """The levels of every game by its name, and the puzzles of this day."""
    from numberduels.analysis.puzzles import puzzle_levels

    return {spec.name: puzzle_levels(spec) for spec in registry.specs()}, puzzles_of_the_day(day)


# In words


def standing(results: Sequence[PuzzleResult], today: date, before: int | None = None) -> str:
    """The streak and the rating, and how far it is from the rating `before`.

    >>> standing([], date(2026, 11, 17)), standing([], date(2026, 11, 17), 988)
    ('No streak yet. Your rating: 1000.', 'No streak yet. Your rating: 1000 (+12).')
    """
    days, rating = streak(results, today), puzzle_rating(results)
    change = f" ({rating - before:+d})" if before is not None and rating != before else ""
    told = f"Your streak: {plural(days, 'day')}." if days else "No streak yet."
    return f"{told} Your rating: {rating}{change}."


def streak_text(results: Sequence[PuzzleResult], today: date) -> str:
    """A sentence about the streak up to this day; empty if there is none.

    >>> results = [PuzzleResult(date(2026, 11, day), "range-war", 2, "7", daily=True) for day in (15, 16)]
    >>> streak_text(results, date(2026, 11, 17))
    "Your streak: 2 days. Solve one of today's puzzles to make it 3."
    >>> streak_text(results, date(2026, 11, 16))
    "Your streak: 2 days. You have solved one of today's puzzles."
    """
    days = streak(results, today)
    if not days:
        return ""
    if any(each.solved for each in results_of_day(results, today).values()):
        return f"Your streak: {plural(days, 'day')}. You have solved one of today's puzzles."
    return f"Your streak: {plural(days, 'day')}. Solve one of today's puzzles to make it {days + 1}."


def share_line(title: str, result: PuzzleResult) -> str:
    """A line to share that spoils nothing.

    >>> share_line("Range War", PuzzleResult(date(2026, 11, 17), "range-war", 2, "7", tries=2, hints=1))
    'Number Duels 2026-11-17 Range War: solved, 2 tries, 1 hint'
    """
    outcome = f"solved, {plural(result.tries, 'try', 'tries')}" if result.solved else "not solved"
    hints = f", {plural(result.hints, 'hint')}" if result.hints else ""
    return f"Number Duels {result.day.isoformat()} {title}: {outcome}{hints}"


class PuzzleAttempt:
    """One person at one puzzle: answers, hints, and in the end one result for the log.

    A front shows the puzzle, and asks for refutations and solutions, which may take a while.
    """

    def __init__(self, puzzle: Puzzle, *, daily: bool = False, day: date | None = None) -> None:
        """`daily` says that it is the puzzle of this day."""
        self.puzzle = puzzle
        self.daily = daily
        self.day = day or date.today()
        self.tries = 0
        """Answers, the right one included."""
        self.hints = 0
        self.over = self.solved = False
        self.wrong: list[str] = []
        """The wrong answers."""
        self._logged = False

    def answer(self, text: str) -> str:
        """Give an answer, and return it as the puzzle writes it; Unreadable and IllegalMove do not count.

        Then `solved` says whether it was right.
        """
        answer = self.puzzle.parse(text)
        self.tries += 1
        if self.puzzle.is_right(answer):
            self.over = self.solved = True
        elif answer not in self.wrong:
            self.wrong.append(answer)
        return answer

    def hint(self) -> str:
        """The next hint; the last one again if there are no more."""
        hints = self.puzzle.hints
        self.hints = min(self.hints + 1, len(hints))
        return str(hints[self.hints - 1])

    def give_up(self) -> None:
        """The solution is shown: the puzzle counts as not solved."""
        self.over = True

    @property
    def result(self) -> PuzzleResult:
        """The result as it stands."""
        puzzle = self.puzzle
        return PuzzleResult(
            self.day,
            puzzle.spec.name,
            puzzle.level,
            puzzle.seed,
            self.daily,
            self.solved,
            self.tries,
            self.hints,
        )

    def log(self) -> str:
        """Keep the result, once, if anything was tried; returns a note if that is impossible."""
        if self._logged or not (self.tries or self.hints or self.over):
            return ""
        self._logged = True
        return append_result(self.result)

    def share_line(self) -> str:
        """A line to share that spoils nothing; empty unless it is a puzzle of the day that is over."""
        return share_line(self.puzzle.spec.title, self.result) if self.daily and self.over else ""
