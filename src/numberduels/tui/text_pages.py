"""Pages of text: the rules of a game, as a screen and as a panel beside a board, and the statistics."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.widget import Widget

from numberduels.game.board_text import Line
from numberduels.game.markdown_text import STYLES, format_markdown
from numberduels.game.spec import GameSpec
from numberduels.play.statistics import Statistics, collect, statistics_lines
from numberduels.tui.base import DuelScreen
from numberduels.tui.widgets import Guarded, PlainText, Scroll

WIDEST = 80
"""Longer lines are hard to read."""


class MarkdownText(Guarded, Widget):
    """A text in Markdown, drawn for the width that it has."""

    DEFAULT_CSS = f"""
    MarkdownText {{ height: auto; width: 1fr; max-width: {WIDEST}; }}
    MarkdownText > .markdown--title {{ color: $primary; text-style: bold; }}
    MarkdownText > .markdown--heading {{ color: $primary; text-style: bold underline; }}
    MarkdownText > .markdown--strong {{ text-style: bold; }}
    MarkdownText > .markdown--emphasis {{ text-style: italic; }}
    MarkdownText > .markdown--code {{ color: $accent; text-style: bold; }}
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"markdown--{style}" for style in STYLES}

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._text = text
        self._lines: list[Line] = []
        self._drawn_for = 0

    def lines(self, width: int) -> list[Line]:
        """The text as it is drawn at this width."""
        if width != self._drawn_for:
            self._lines, self._drawn_for = self.format(width), width
        return self._lines

    def format(self, width: int) -> list[Line]:
        """The lines at this width."""
        return format_markdown(self._text, width)

    @property
    def sections(self) -> list[int]:
        """The rows of the headings."""
        lines = self.lines(self.size.width)
        return [row for row, line in enumerate(lines) if line and line[0].style in ("title", "heading")]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as the text is."""
        return len(self.lines(width))

    def render(self) -> Text:
        """The text with its styles."""
        text = Text(no_wrap=True, end="")
        for number, line in enumerate(self.lines(self.size.width)):
            text.append("\n" if number else "")
            for segment in line:
                style = segment.style and self.get_component_rich_style(f"markdown--{segment.style}")
                text.append(segment.text, style or Style())
        return text


class RulesPanel(Scroll):
    """The rules of a game, which can be scrolled."""

    DEFAULT_CSS = "RulesPanel { padding: 0 1; scrollbar-size-vertical: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "page_down", "Page down", show=False),
        Binding("n", "section(1)", "Next part"),
        Binding("p", "section(-1)", "Previous part"),
    ]

    def __init__(self, spec: GameSpec) -> None:
        super().__init__()
        self.text = MarkdownText(spec.rulebook())

    def compose(self) -> ComposeResult:
        """The text."""
        yield self.text

    def action_section(self, step: int) -> None:
        """Go to the next or the previous heading."""
        here = round(self.scroll_y)
        rows = self.text.sections
        found = [row for row in rows if (row - here) * step > 0]
        if found:
            self.scroll_to(y=min(found) if step > 0 else max(found), animate=False, immediate=True)


class RulesScreen(DuelScreen):
    """The rules of one game."""

    DEFAULT_CSS = "RulesScreen RulesPanel { height: 1fr; padding: 1 1 0 2; }"

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(f"{spec.title}: the rules")
        self.panel = RulesPanel(spec)

    def body(self) -> ComposeResult:
        """The rules."""
        yield self.panel

    def on_mount(self) -> None:
        """The arrows scroll at once."""
        self.focus_on(self.panel)


class StatisticsText(MarkdownText):
    """The tables and charts, in the styles of other texts."""

    statistics: Statistics | None = None

    def show(self, report: Statistics) -> None:
        """Show these statistics."""
        self.statistics, self._drawn_for = report, 0
        self.refresh(layout=True)

    def format(self, width: int) -> list[Line]:
        """The lines at this width."""
        return list(statistics_lines(self.statistics, width)) if self.statistics else []


class StatisticsScreen(DuelScreen):
    """How well the player does, from what is kept on this machine."""

    DEFAULT_CSS = """
    StatisticsScreen #page { height: 1fr; padding: 1 1 0 2; }
    StatisticsScreen #message { height: auto; padding: 0 2; color: $accent; }
    """

    def __init__(self) -> None:
        super().__init__("Statistics")
        self.text = StatisticsText()
        self.page = Scroll(self.text, id="page")
        self.message = PlainText(
            "Judging your games, thinking … (Escape stops and goes back)", name="message"
        )

    def body(self) -> ComposeResult:
        """The page, and below it what is being done."""
        yield from (self.page, self.message)

    def on_mount(self) -> None:
        """Compute everything."""
        self.focus_on(self.page)
        self.ask("report", collect, date.today(), then=self._collected)

    def _collected(self, report: Statistics) -> None:
        self.text.show(report)
        self.message.display = False

    def no_answer(self, slot: str, reason: str) -> None:
        """Say why."""
        self.message.write(f"Your games cannot be counted now. {reason}")
