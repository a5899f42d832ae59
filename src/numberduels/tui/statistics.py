"""StatisticsScreen: how well the player does, from what is kept on this machine."""

from __future__ import annotations

import os
from datetime import date
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from numberduels.game.board_text import Line
from numberduels.play.statistics import Statistics, collect
from numberduels.play.statistics_text import statistics_lines
from numberduels.tui import tasks
from numberduels.tui.base import DuelScreen
from numberduels.tui.plain import PlainText, Scroll, TextField
from numberduels.tui.rules import MarkdownText

JUDGING = "Judging your games, thinking … (Escape stops and goes back)"


class StatisticsText(MarkdownText):
    """The tables and charts, in the styles of other texts."""

    def __init__(self) -> None:
        super().__init__()
        self.statistics: Statistics | None = None

    def show(self, report: Statistics) -> None:
        """Show these statistics."""
        self.statistics = report
        self.update("")

    def format(self, width: int) -> list[Line]:
        """The lines at this width."""
        return list(statistics_lines(self.statistics, width)) if self.statistics else []


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
        self.ask("report", collect, date.today(), then=self._collected)

    def _collected(self, report: Statistics) -> None:
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
