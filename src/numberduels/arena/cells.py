"""What the tables of a report consist of: cells, columns, tables and sections; and tables as text.

A cell is a typed value, such as a Proportion; the text report and the page show it as `cell_parts` says. A
column without a short heading is shown only on the page, which has more room than a line of text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from numberduels.arena.conditions import Difference
from numberduels.arena.intervals import Mean, Proportion
from numberduels.arena.ratings import Rating

NONE = "-"
"""Shown where there is no value."""
WIDTH = 100
"""The longest line of text."""
MIN_NAME = 12
"""Characters that a name keeps at least."""


class Name(NamedTuple):
    """The name of a player, which may contain anything."""

    text: str


class CountedCell(NamedTuple):
    """A proportion of a count that matters, because it may be small."""

    proportion: Proportion


Cell = str | int | float | None | Name | Proportion | CountedCell | Mean | Rating | Difference


class ReportColumn(NamedTuple):
    """A column of a table."""

    heading: str
    short: str = ""
    """The heading in the text report; empty if the column is only on the page."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of a report. The first column names the row."""

    title: str
    columns: Sequence[ReportColumn]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    caption: str = ""
    """The caption on the page, if it is not the title."""
    text_columns: int = 1
    """How many columns, from the first, are texts and not numbers."""


@dataclass(frozen=True, slots=True)
class Section:
    """Tables under one heading of the page."""

    id: str
    heading: str
    tables: Sequence[ReportTable]
    intro: str = ""
    details: Sequence[ReportTable] = ()
    """Tables that the page shows on demand, and the text report leaves out."""
    details_heading: str = ""


# As text


def visible(text: str) -> str:
    """The text with invisible and direction-changing characters made visible; line breaks and tabs stay.

    >>> print(visible("a\\u202eb\\x00c"))
    a<U+202E>b<U+0000>c
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"<U+{ord(char):04X}>"
        for char in text.replace("\r\n", "\n")
    )


def percent(proportion: Proportion) -> str:
    """A proportion in percent. 100% means all, and 0% means none.

    >>> [percent(Proportion(hits, 1000)) for hits in (0, 1, 730, 999, 1000)], percent(Proportion(0, 0))
    (['0%', '1%', '73%', '99%', '100%'], '-')
    """
    if proportion.share is None:
        return NONE
    if proportion.hits in (0, proportion.of):
        return "100%" if proportion.hits else "0%"
    return f"{min(99, max(1, round(100 * proportion.share)))}%"


def percent_interval(proportion: Proportion) -> str:
    """The interval of a proportion in percent, rounded outwards: 23-77."""
    low, high = proportion.interval or (0.0, 1.0)
    return f"{math.floor(100 * low)}-{math.ceil(100 * high)}"


def significant(number: float | None) -> str:
    """A number with three significant digits.

    >>> significant(0.001234), significant(12.345), significant(1234.5), significant(None)
    ('0.00123', '12.3', '1234', '-')
    """
    if number is None:
        return NONE
    if not number or abs(number) < 0.000_000_5:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{number:.{min(digits, 6)}f}"


def cell_parts(cell: Cell) -> tuple[str, str]:
    """A cell as text: its value, and its interval if it has one. Intervals are rounded outwards.

    >>> cell_parts(Proportion(5, 10)), cell_parts(Mean(3, 2, (1.25, 1.75))), cell_parts(None)
    (('50%', '23-77'), ('1.50', '1.25-1.75'), ('-', ''))
    >>> cell_parts(Difference(-0.125, (-0.25, 0.0), 8)), cell_parts(Rating("a", 12.4, (-0.2, 25.1), 9, 0))
    (('-12', '-25 to +0'), ('12', '-1 to 26'))
    """
    match cell:
        case None:
            return NONE, ""
        case float():
            return significant(cell), ""
        case Name(text):
            return text, ""
        case Proportion(of=0) | CountedCell(Proportion(of=0)):
            return NONE, ""
        case Proportion():
            return percent(cell), percent_interval(cell)
        case CountedCell(proportion):
            return f"{percent(proportion)} of {proportion.of}", ""
        case Mean(interval=interval):
            alone = interval is None or interval == (cell.mean, cell.mean)
            return significant(cell.mean), "" if alone else "-".join(map(significant, interval or ()))
        case Difference(change, interval):
            low, high = (100 * end for end in interval or (0.0, 0.0))
            told = f"{math.floor(low):+} to {math.ceil(high):+}" if interval else ""
            return f"{100 * change:+.0f}", told
        case Rating(rating=rating, interval=interval):
            told = f"{math.floor(interval[0])} to {math.ceil(interval[1])}" if interval else "fixed"
            return str(round(rating)), told
    return str(cell), ""


def format_cell(cell: Cell) -> str:
    """A cell in one piece of text, such as 50% (23-77)."""
    value, interval = cell_parts(cell)
    return f"{value} ({interval})" if interval else value


def render_table(table: ReportTable) -> str:
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
    return "\n".join(lines) + "\n" + (fill_lines([table.note]) if table.note else "")


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _shorten(text: str, width: int) -> str:
    """A long name without its middle: names of programs often differ in their ends."""
    half = (width - 3) // 2
    return text if len(text) <= width else f"{text[: width - 3 - half]}...{text[-half:]}"


def _one_line(text: str) -> str:
    return " ".join(visible(text).split()) or NONE


def fill_lines(sentences: Sequence[str]) -> str:
    """Sentences in lines of at most WIDTH characters."""
    return "".join(f"{line}\n" for sentence in sentences for line in wrap(" ".join(sentence.split()), WIDTH))
