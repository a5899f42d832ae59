"""StatisticsScreen: how well the player does, from what is kept on this machine."""

from __future__ import annotations

import os
from datetime import date
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from numberduels.board_text import Line
from numberduels.tui import statistics_tasks
from numberduels.tui.base import DuelScreen
from numberduels.tui.engine import EngineError
from numberduels.tui.rules import MarkdownText
from numberduels.tui.statistics_tasks import Report
from numberduels.tui.statistics_text import statistics_lines


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
    heading_text = "Statistics"

    def body(self) -> ComposeResult:
        """The page, and below it what is being done."""
        with VerticalScroll(id="page"):
            yield StatisticsText()
        yield Static("", id="message", markup=False)
        yield Input(id="file", placeholder="a file that ends with .csv")

    def on_mount(self) -> None:
        """Compute everything."""
        self.query_one("#page").focus()
        self._collect()

    @work(exclusive=True, group="engine")
    async def _collect(self) -> None:
        self._say("Judging your games, thinking … (Escape stops and goes back)")
        report = await self.compute(statistics_tasks.collect, date.today())
        self._say("" if report else "Your games cannot be counted now.")
        if report:
            self.query_one(StatisticsText).show(report)

    def _say(self, text: str) -> None:
        message = self.query_one("#message", Static)
        message.update(text)
        message.display = bool(text)

    # Export

    def action_export(self) -> None:
        """Ask for the name of the file."""
        self.add_class("-exporting")
        self._say("All games and puzzles as a table. Enter writes this file, Escape does not:")
        field = self.query_one("#file", Input)
        field.value = os.path.join("~", f"number-duels-{date.today().isoformat()}.csv")
        field.focus()

    @on(Input.Submitted, "#file")
    def _named(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self._write(event.value)

    @work(exclusive=True, group="export")
    async def _write(self, path: str) -> None:
        self._say("writing …")
        try:
            written = await self.engine.run(statistics_tasks.export, path)
        except EngineError as fault:
            self._say(str(fault))
            return
        self._close_field()
        self._say(f"Written: {written}")

    def _close_field(self) -> None:
        self.remove_class("-exporting")
        self.query_one("#page").focus()

    def action_back(self) -> None:
        """Do not write the file; otherwise close the screen and stop computing."""
        if self.has_class("-exporting"):
            self.workers.cancel_group(self, "export")
            self._close_field()
            self._say("")
            return
        self.workers.cancel_node(self)
        self.dismiss()
