"""What the statistics let the background process compute: games are judged, which may take a while."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date

from numberduels.analysis.lessons import lessons_of
from numberduels.game import files, registry
from numberduels.game.formatting import csv_text
from numberduels.play import lesson_log
from numberduels.play.puzzle_log import puzzle_rating, read_results, streak
from numberduels.play.statistics import (
    Tally,
    accuracy_over_time,
    csv_rows,
    percent,
    played_games,
    seat_name,
    tally,
)
from numberduels.players import opponent_name


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that the statistics show, as plain data."""

    by_game: dict[str, Tally]
    by_opponent: dict[str, Tally]
    by_seat: dict[str, Tally]
    accuracy: int | None
    """The right choices of all judged games in percent; None if there were none."""
    accuracy_by_day: list[tuple[str, int]]
    """Oldest first."""
    puzzles_solved: int
    puzzles_tried: int
    streak: int
    rating: int
    lessons: dict[str, tuple[int, int]]
    """By the title of the game: lessons done, and how many there are."""
    notes: list[str]
    """What could not be read."""

    @property
    def empty(self) -> bool:
        """Whether nothing was played, solved or learned yet."""
        lessons_done = any(done for done, _ in self.lessons.values())
        return not self.by_game and not self.puzzles_tried and not lessons_done


def collect(today: date) -> Report:
    """Read everything that is kept on this machine, and judge the games that are not judged yet."""
    notes: list[str] = []
    games = played_games(notes=notes)
    results = read_results(notes)
    titles = {spec.name: spec.title for spec in registry.specs()}
    alone = [each for each in games if each.seat is not None]
    return Report(
        by_game=tally(games, lambda each: titles.get(each.game, each.game)),
        by_opponent=tally(games, lambda each: opponent_name(each.opponent)),
        by_seat=tally(alone, seat_name),
        accuracy=percent(sum(each.kept for each in games), sum(each.chances for each in games)),
        accuracy_by_day=accuracy_over_time(games),
        puzzles_solved=sum(each.solved for each in results),
        puzzles_tried=len(results),
        streak=streak(results, today),
        rating=puzzle_rating(results),
        lessons={
            spec.title: (len(lesson_log.done(spec.name)), len(lessons_of(spec))) for spec in registry.specs()
        },
        notes=notes,
    )


def export(path: str) -> str:
    """Write every game and every puzzle into a new CSV file; returns its path. ValueError says why not."""
    path = files.absolute_path(path.strip())
    if os.path.lexists(path):
        raise ValueError(f"{path} exists already. Choose another name.")
    try:
        files.write_text(path, csv_text(csv_rows(played_games(), read_results())))
    except OSError as fault:
        raise ValueError(f"The file cannot be written: {fault.strerror or fault}.") from None
    return path
