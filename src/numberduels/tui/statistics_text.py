"""The statistics as lines with styles, for any width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from numberduels.game.board_text import Line, Segment, wrap_sentence
from numberduels.game.formatting import plural
from numberduels.play.statistics import Tally
from numberduels.tui.statistics_tasks import Report

DAYS = 8
"""The most days that have a bar of their own: the newest ones."""
LONGEST_BAR = 40
LEVELS = "▁▂▃▄▅▆▇█"

COLUMNS = {"games": "games", "won": "won", "lost": "lost", "drawn": "drawn", "unfinished": "open"}
"""The counts of a table, and their headings."""

EMPTY = (
    "Nothing here yet. Play a game, solve a puzzle or take a lesson,"
    " and this page tells you how well you are doing."
)


def statistics_lines(report: Report, width: int) -> Iterator[Line]:
    """Tables of games, the accuracy over time, puzzles and lessons."""
    if report.empty:
        yield from wrap_sentence(EMPTY, width)
    tables = {"Games": report.by_game, "Opponents": report.by_opponent, "Your seat": report.by_seat}
    longest = max(len(name) for title, rows in tables.items() for name in (title, *rows))
    for title, rows in tables.items():
        if rows:
            yield from _table(title, rows, longest, width)
            yield ()
    if report.accuracy_by_day:
        yield from _accuracy(report, width)
        yield ()
    if report.puzzles_tried:
        yield from _puzzles(report, width)
        yield ()
    if any(done for done, _ in report.lessons.values()):
        yield (Segment("Lessons done", "heading"),)
        for title, (done, total) in report.lessons.items():
            yield (Segment(f"{title}: {done} of {total}", "strong" if done >= total else ""),)
        yield ()
    for note in report.notes:
        yield from wrap_sentence(note, width)


def _table(title: str, rows: Mapping[str, Tally], longest: int, width: int) -> Iterator[Line]:
    """Counts by name; columns without any count are left out."""
    shown = [
        column
        for column in COLUMNS
        if column in ("games", "won", "lost") or any(getattr(each, column) for each in rows.values())
    ]
    wide = {column: len(COLUMNS[column]) + 1 for column in shown}
    room = max(min(longest, width - sum(wide.values())), 6)
    head = "".join(f"{COLUMNS[column]:>{wide[column]}}" for column in shown)
    yield Segment(_cut(title, room), "heading"), Segment(" " * (room - len(_cut(title, room))) + head)
    for name, counted in rows.items():
        figures = "".join(f"{getattr(counted, column):>{wide[column]}}" for column in shown)
        yield Segment(f"{_cut(name, room):<{room}}", "strong"), Segment(figures)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _accuracy(report: Report, width: int) -> Iterator[Line]:
    days = report.accuracy_by_day
    yield (Segment("Right choices", "heading"), Segment(f"  {report.accuracy}% in all"))
    if len(days) > DAYS:
        course = "".join(LEVELS[min(share * len(LEVELS) // 100, len(LEVELS) - 1)] for _, share in days)
        room = width - len("all days ")
        yield Segment("all days "), Segment(course[-room:], "code")
    for day, share in days[-DAYS:]:
        name = day or "no date"
        room = min(width - len(f"{name:<10}  100%"), LONGEST_BAR)
        filled = round(room * share / 100)
        yield (
            Segment(f"{name:<10} "),
            Segment("█" * filled, "code"),
            Segment(f"{'·' * (room - filled)} {share:>3}%"),
        )
    yield from wrap_sentence("A choice counts where a wrong one was possible.", width, "emphasis")


def _puzzles(report: Report, width: int) -> Iterator[Line]:
    yield (Segment("Puzzles", "heading"),)
    yield from wrap_sentence(f"{report.puzzles_solved} of {report.puzzles_tried} solved", width)
    yield from wrap_sentence(f"streak of daily puzzles: {plural(report.streak, 'day')}", width)
    yield from wrap_sentence(f"rating: {report.rating}", width)
