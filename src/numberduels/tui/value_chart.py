"""ValueChart: who wins, or by how much, after each move of a reviewed game. A click chooses a move."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from numberduels.analysis.judgement import GAVE_POINTS
from numberduels.analysis.review import Review
from numberduels.play.review_view import BAR, GLYPHS, chart_rows
from numberduels.tui.widgets import Guarded

WIDEST_STEP = 6
"""The most columns of one move."""
HERE, MISTAKES = "▲", "mistakes"
CHOSEN = "this move"
"""The label of the row that points at the chosen move."""
BLOCK = "█"


class ValueChart(Guarded, Widget):
    """The chart of one review, as wide as its place; a long game scrolls with the chosen move."""

    DEFAULT_CSS = """
    ValueChart { height: auto; width: 1fr; }
    ValueChart > .chart--label { color: $text-muted; }
    ValueChart > .chart--first { color: $primary; }
    ValueChart > .chart--second { color: $warning; }
    ValueChart > .chart--nobody { color: $text-muted; }
    ValueChart > .chart--mistake { color: $error; text-style: bold; }
    ValueChart > .chart--here { color: $success; text-style: bold; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"chart--{style}" for style in ("label", "first", "second", "nobody", "mistake", "here")
    }

    class Picked(Message):
        """A move was clicked; `ply` counts from 1, 0 is the start."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, most_rows: int = 2) -> None:
        """`most_rows` are those of each side, in a game of points."""
        super().__init__()
        self.most_rows = most_rows
        self._review: Review | None = None
        self._labels: list[str] = []
        self._grid: list[str] = []
        self._ply = 0

    def show(self, review: Review, names: tuple[str, str]) -> None:
        """Show this review of a game between these players."""
        self._review = review
        labels, self._grid = chart_rows(review, names, self.most_rows)
        self._labels = ["you win" if label == "you wins" else label for label in labels]
        self.refresh(layout=True)

    def point_at(self, ply: int) -> None:
        """Mark the moment after this move."""
        self._ply = ply
        self.refresh()

    # Where the moments are

    def _label_width(self, width: int) -> int:
        longest = max(map(len, [*self._labels, MISTAKES, CHOSEN]))
        return min(longest, max(width // 2 - 1, 8))

    def _layout(self, width: int) -> tuple[int, int, int]:
        """The columns of one moment, the first moment and the number of moments that are drawn."""
        moments = len(self._grid[0]) if self._grid else 1
        room = max(width - self._label_width(width) - 3, 4)
        step = max(min(room // moments, WIDEST_STEP), 1)
        shown = min(room // step, moments)
        first = min(max(self._ply - shown // 2, 0), moments - shown)
        return step, first, shown

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A row for each value, one for the mistakes if there are any, and one for the chosen move."""
        return len(self._grid) + any(self._marks) + 1 if self._review else 0

    # Drawing

    def render(self) -> Text:
        """The chart as coloured text."""
        text = Text(no_wrap=True, end="")
        if self._review is None:
            return text
        width = self.size.width
        step, first, shown = self._layout(width)
        for number, (label, row) in enumerate(zip(self._labels, self._grid, strict=True)):
            self._start_row(text, label, width)
            self._draw_row(text, row[first : first + shown], step, self._ply - first, self._row_style(number))
        if any(self._marks):
            self._start_row(text, MISTAKES, width)
            room = step if step < 3 else step - 1
            for mark in self._marks[first : first + shown]:
                text.append(mark[:room].ljust(step), self._style("mistake"))
        self._start_row(text, CHOSEN, width)
        text.append(" " * (self._ply - first) * step + HERE, self._style("here"))
        return text

    @property
    def _marks(self) -> list[str]:
        """The sign of each move that gave something away, at the moment after it."""
        moves = self._review.moves if self._review else ()
        return [
            "",
            *(GLYPHS[each.verdict] if each.mistake or each.verdict == GAVE_POINTS else "" for each in moves),
        ]

    def _draw_row(self, text: Text, row: str, step: int, chosen: int, style: str) -> None:
        for place, cell in enumerate(row):
            here = place == chosen
            drawn = BLOCK if cell == BAR else "·" if here and cell == " " else cell
            text.append((drawn * max(step - 1, 1)).ljust(step), self._style("here" if here else style))

    def _start_row(self, text: Text, label: str, width: int) -> None:
        room = self._label_width(width)
        if text:
            text.append("\n")
        cut = label if len(label) <= room else f"{label[: room - 1]}…"
        text.append(f"{cut:>{room}} │ ", self._style("label"))

    def _row_style(self, number: int) -> str:
        assert self._review is not None
        if self._review.margins is not None:
            middle = self._labels.index("0")
            return "nobody" if number == middle else "first" if number < middle else "second"
        # The first player is above, then perhaps nobody, the second player, and perhaps what is not known.
        second = len(self._labels) - 1 - (None in self._review.values)
        return "first" if number == 0 else "second" if number == second else "nobody"

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"chart--{name}")

    def on_click(self, event: events.Click) -> None:
        """Choose the move at this column."""
        if self._review is None:
            return
        step, first, shown = self._layout(self.size.width)
        place = (event.x - self._label_width(self.size.width) - 3) // step
        if 0 <= place < shown:
            self.post_message(self.Picked(first + place))
