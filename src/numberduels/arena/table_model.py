"""What the tables of a report consist of: cells, columns, tables and sections.

A cell is a typed value, such as a Proportion, and each renderer decides how to show it. A column without a
short heading is shown only on the page, which has more room than a line of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from numberduels.arena.factors import Difference
from numberduels.arena.intervals import Mean, Proportion
from numberduels.arena.ratings import Rating


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


class ShareCell(NamedTuple):
    """A mean of shares, shown in percent."""

    mean: Mean


class ChangeCell(NamedTuple):
    """A difference of shares with its interval, shown in percentage points."""

    difference: Difference | None


Cell = (
    str
    | int
    | float
    | None
    | Name
    | Proportion
    | Mean
    | RatingCell
    | ScaleCell
    | PercentCell
    | CountedCell
    | ShareCell
    | ChangeCell
)


class Column(NamedTuple):
    """A column of a table."""

    heading: str
    short: str = ""
    """The heading in the text report; empty if the column is only on the page."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of a report. The first column names the row."""

    title: str
    columns: Sequence[Column]
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
