"""StatisticsScreen: how well the player does, from what is kept on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import date
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from numberduels.game.board_text import Line, Segment, wrap_sentence
from numberduels.game.formatting import plural
from numberduels.play.statistics import Tally
from numberduels.tui import tasks
from numberduels.tui.base import DuelScreen
from numberduels.tui.plain import PlainText, Scroll, TextField
from numberduels.tui.rules import MarkdownText
from numberduels.tui.tasks import Report

JUDGING = "Judging your games, thinking … (Escape stops and goes back)"


class StatisticsText(MarkdownText):
    """The tables and charts, in the styles of other texts."""

    def __init__(self) -> None:
        super().__init__()
        self.report: Report | None = None

    def show(self, report: Report) -> None:
        """Show these statistics."""
        self.report = report
        self.update("")

    def format(self, width: int) -> list[Line]:
        """The lines at this width."""
        return list(statistics_lines(self.report, width)) if self.report else []


class StatisticsScreen(DuelScreen):
    """One page that scrolls; `x` writes everything into a CSV file."""

    DEFAULT_CSS = """
    StatisticsScreen #page { height: 1fr; padding: 1 1 0 2; scrollbar-size-vertical: 1; }
    StatisticsScreen #message { height: auto; padding: 0 2; color: $accent; }
    StatisticsScreen #file { display: none; }
    StatisticsScreen.-exporting #file { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "export", "Export")]

    def __init__(self) -> None:
        super().__init__("Statistics")
        self.text = StatisticsText()
        self.page = Scroll(self.text, id="page")
        self.message = PlainText(name="message")
        self.field = TextField(placeholder="a file that ends with .csv", name="file")

    def body(self) -> ComposeResult:
        """The page, and below it what is being done."""
        yield from (self.page, self.message, self.field)

    def on_mount(self) -> None:
        """Compute everything."""
        self.focus_on(self.page)
        self._say(JUDGING)
        self.ask("report", tasks.collect, date.today(), then=self._collected)

    def _collected(self, report: Report) -> None:
        self.text.show(report)
        if self.message.shown == JUDGING:  # otherwise it is about the export
            self._say("")

    def no_answer(self, slot: str, reason: str) -> None:
        """Say why."""
        self._say(reason if slot == "export" else f"Your games cannot be counted now. {reason}")

    def _say(self, text: str) -> None:
        self.message.write(text)
        self.message.display = bool(text)

    # Export

    def action_export(self) -> None:
        """Ask for the name of the file."""
        self.add_class("-exporting")
        self._say("All games and puzzles as a table. Enter writes this file, Escape does not:")
        self.field.value = os.path.join("~", f"number-duels-{date.today().isoformat()}.csv")
        self.focus_on(self.field)

    @on(TextField.Submitted)
    def _named(self, event: TextField.Submitted) -> None:
        if event.value.strip():
            self._say("writing …")
            self.ask("export", tasks.export, event.value, then=self._written)

    def _written(self, written: str) -> None:
        self._close_field()
        self._say(f"Written: {written}")

    def _close_field(self) -> None:
        self.remove_class("-exporting")
        self.focus_on(self.page)

    def action_back(self) -> None:
        """Do not write the file; otherwise close the screen and stop computing."""
        if self.has_class("-exporting"):
            self.forget("export")
            self._close_field()
            self._say(JUDGING if self.asking("report") else "")
        else:
            self.leave()


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
