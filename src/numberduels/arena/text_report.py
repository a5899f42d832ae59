"""Renders a report as plain text, in lines of at most 100 characters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap

from numberduels.arena.factors import Difference
from numberduels.arena.formatting import NONE, percent, percent_interval, significant, visible
from numberduels.arena.intervals import Mean, Proportion
from numberduels.arena.report import Report
from numberduels.arena.table_model import (
    Cell,
    ChangeCell,
    CountedCell,
    Name,
    PercentCell,
    RatingCell,
    ReportTable,
    ShareCell,
)
from numberduels.arena.tables import build_sections

WIDTH = 100
MIN_NAME = 12
"""Characters that a name keeps at least."""


def render_text(report: Report) -> str:
    """The report as text."""
    tables = [_render(table) for section in build_sections(report) for table in section.tables]
    return "\n".join([_fill(report.summary()), *tables, _fill(report.notes())])


def format_cell(cell: Cell) -> str:
    """A cell as text.

    >>> format_cell(Proportion(5, 10)), format_cell(Mean(3, 2, (1.25, 1.75))), format_cell(None)
    ('50% (23-77)', '1.50 (1.25-1.75)', '-')
    """
    match cell:
        case None:
            return NONE
        case float():
            return significant(cell)
        case Proportion():
            return f"{percent(cell)} ({percent_interval(cell)})" if cell.of else NONE
        case PercentCell(proportion):
            return percent(proportion)
        case CountedCell(proportion):
            return f"{percent(proportion)} of {proportion.of}" if proportion.of else NONE
        case Mean(interval=interval):
            if interval is None or interval == (cell.mean, cell.mean):
                return significant(cell.mean)
            return f"{significant(cell.mean)} ({'-'.join(map(significant, interval))})"
        case ShareCell(mean):
            return format_share(mean)
        case ChangeCell(difference):
            return " ".join(format_change(difference))
        case RatingCell():
            return " ".join(format_rating(cell))
        case Name(text):
            return text
    return str(cell)


def format_share(mean: Mean) -> str:
    """A mean of shares in percent, with its interval rounded outwards.

    >>> format_share(Mean(3, 4, (0.5, 0.905))), format_share(Mean(1, 1, None))
    ('75% (50-91)', '100%')
    """
    share = f"{round(100 * mean.mean)}%"
    if mean.interval is None:
        return share
    low, high = mean.interval
    return f"{share} ({math.floor(100 * low)}-{math.ceil(100 * high)})"


def format_change(difference: Difference | None) -> tuple[str, str]:
    """A difference in percentage points, and its interval rounded outwards.

    >>> format_change(Difference(-0.125, (-0.25, 0.0), 8)), format_change(None)
    (('-12', '(-25 to +0)'), ('-', ''))
    """
    if difference is None:
        return NONE, ""
    change = f"{100 * difference.change:+.0f}"
    if difference.interval is None:
        return change, ""
    low, high = difference.interval
    return change, f"({math.floor(100 * low):+} to {math.ceil(100 * high):+})"


def format_rating(cell: RatingCell) -> tuple[str, str]:
    """A rating and its interval; without a rating, the reason.

    >>> from numberduels.arena.ratings import Rating
    >>> format_rating(RatingCell(Rating("a", 12.4, (-0.2, 25.1), 9, 0), ""))
    ('12', '(-1 to 26)')
    """
    if cell.rating is None:
        return NONE, f"({cell.reason})"
    rating, interval = str(round(cell.rating.rating)), cell.rating.interval
    if interval is None:
        return rating, "(fixed)"
    return rating, f"({math.floor(interval[0])} to {math.ceil(interval[1])})"


def _render(table: ReportTable) -> str:
    """The title, the columns and the note of a table. The first column is cut to the width that is left."""
    shown = [place for place, column in enumerate(table.columns) if column.short]
    rows = [[table.columns[place].short for place in shown]]
    rows += [[_one_line(format_cell(row[place])) for place in shown] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    gap = "  " if sum(widths) + 2 * len(widths) <= WIDTH else " "
    left = WIDTH - sum(widths[1:]) - len(gap) * (len(widths) - 1)
    widths[0] = min(widths[0], max(left, MIN_NAME))
    lines = [_cut(table.title, WIDTH)]
    for first, *rest in rows:
        cells = [f"{_shorten(first, widths[0]):<{widths[0]}}"]
        cells += [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append(_cut(gap.join(cells).rstrip(), WIDTH))
    return "\n".join(lines) + "\n" + (_fill([table.note]) if table.note else "")


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _shorten(text: str, width: int) -> str:
    """A long name without its middle: names of programs often differ in their ends."""
    half = (width - 3) // 2
    return text if len(text) <= width else f"{text[: width - 3 - half]}...{text[-half:]}"


def _one_line(text: str) -> str:
    return " ".join(visible(text).split()) or NONE


def _fill(sentences: Sequence[str]) -> str:
    return "".join(f"{line}\n" for sentence in sentences for line in wrap(" ".join(sentence.split()), WIDTH))
