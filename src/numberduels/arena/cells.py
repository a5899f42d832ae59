"""What the tables of a report consist of: cells, columns, tables and sections; and each cell as text.

A cell is a typed value, such as a Proportion; the text report and the page decide how to show it. A column
without a short heading is shown only on the page, which has more room than a line of text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from numberduels.arena.conditions import Difference
from numberduels.arena.intervals import Interval, Mean, Proportion
from numberduels.arena.ratings import Rating

NONE = "-"
"""Shown where there is no value."""


class Name(NamedTuple):
    """The name of a player, which may contain anything."""

    text: str


class RatingCell(NamedTuple):
    """A rating with its interval, or the reason why there is none."""

    rating: Rating | None
    reason: str


class ScaleCell(NamedTuple):
    """The place of a rating on the common scale."""

    rating: Rating | None
    low: float
    high: float


class PercentCell(NamedTuple):
    """A proportion without its interval."""

    proportion: Proportion


class CountedCell(NamedTuple):
    """A proportion of a count that matters, because it may be small."""

    proportion: Proportion


class ChangeCell(NamedTuple):
    """A difference of shares with its interval, shown in percentage points."""

    difference: Difference | None


SimpleCell = str | int | float | None | Name | Proportion | Mean
Cell = SimpleCell | RatingCell | ScaleCell | PercentCell | CountedCell | ChangeCell


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


def percent_interval(interval: Interval | None) -> str:
    """An interval of shares in percent, rounded outwards: 23-77."""
    return "" if interval is None else f"{math.floor(100 * interval[0])}-{math.ceil(100 * interval[1])}"


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
            return f"{percent(cell)} ({percent_interval(cell.interval)})" if cell.of else NONE
        case PercentCell(proportion):
            return percent(proportion)
        case CountedCell(proportion):
            return f"{percent(proportion)} of {proportion.of}" if proportion.of else NONE
        case Mean(interval=interval):
            if interval is None or interval == (cell.mean, cell.mean):
                return significant(cell.mean)
            return f"{significant(cell.mean)} ({'-'.join(map(significant, interval))})"
        case ChangeCell(difference):
            return " ".join(format_change(difference))
        case RatingCell():
            return " ".join(format_rating(cell))
        case Name(text):
            return text
    return str(cell)


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

    >>> format_rating(RatingCell(Rating("a", 12.4, (-0.2, 25.1), 9, 0), ""))
    ('12', '(-1 to 26)')
    """
    if cell.rating is None:
        return NONE, f"({cell.reason})"
    rating, interval = str(round(cell.rating.rating)), cell.rating.interval
    if interval is None:
        return rating, "(fixed)"
    return rating, f"({math.floor(interval[0])} to {math.ceil(interval[1])})"
