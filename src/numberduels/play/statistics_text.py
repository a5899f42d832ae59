"""The statistics as lines with styles, for any width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from numberduels.game.board_text import Line, Segment, wrap_sentence
from numberduels.game.formatting import plural
from numberduels.play.statistics import Statistics, Tally

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


def statistics_lines(statistics: Statistics, width: int, *, plain: bool = False) -> Iterator[Line]:
    """Tables of games, the accuracy over time, puzzles and lessons; `plain` is for every terminal."""
    if statistics.empty:
        yield from wrap_sentence(EMPTY, width)
    tables = {
        "Games": statistics.by_game,
        "Opponents": statistics.by_opponent,
        "Your seat": statistics.by_seat,
    }
    longest = max(len(name) for title, rows in tables.items() for name in (title, *rows))
    for title, rows in tables.items():
        if rows:
            yield from _table(title, rows, longest, width)
            yield ()
    if statistics.accuracy_by_day:
        yield from _accuracy(statistics, width, plain=plain)
        yield ()
    if statistics.puzzles_tried:
        yield from _puzzles(statistics, width)
        yield ()
    if any(done for done, _ in statistics.lessons.values()):
        yield (Segment("Lessons done", "heading"),)
        for title, (done, total) in statistics.lessons.items():
            yield (Segment(f"{title}: {done} of {total}", "strong" if done >= total else ""),)
        yield ()
    for note in statistics.notes:
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


def _accuracy(statistics: Statistics, width: int, *, plain: bool) -> Iterator[Line]:
    days = statistics.accuracy_by_day
    yield (Segment("Right choices", "heading"), Segment(f"  {statistics.accuracy}% in all"))
    if len(days) > DAYS and not plain:
        course = "".join(LEVELS[min(share * len(LEVELS) // 100, len(LEVELS) - 1)] for _, share in days)
        room = width - len("all days ")
        yield Segment("all days "), Segment(course[-room:], "code")
    for day, share in days[-DAYS:]:
        name = day or "no date"
        room = min(width - len(f"{name:<10}  100%"), LONGEST_BAR)
        filled = round(room * share / 100)
        yield (
            Segment(f"{name:<10} "),
            Segment(("#" if plain else "█") * filled, "code"),
            Segment(f"{('.' if plain else '·') * (room - filled)} {share:>3}%"),
        )
    yield from wrap_sentence("Only turns where you could go wrong count.", width, "emphasis")


def _puzzles(statistics: Statistics, width: int) -> Iterator[Line]:
    yield (Segment("Puzzles", "heading"),)
    yield from wrap_sentence(f"{statistics.puzzles_solved} of {statistics.puzzles_tried} solved", width)
    yield from wrap_sentence(f"streak of daily puzzles: {plural(statistics.streak, 'day')}", width)
    yield from wrap_sentence(f"rating: {statistics.rating}", width)
