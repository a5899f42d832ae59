"""Renders a report as plain text, in lines of at most 100 characters."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from numberduels.arena.cells import NONE, ReportTable, format_cell, visible
from numberduels.arena.report import RunReport
from numberduels.arena.tables import build_sections

WIDTH = 100
MIN_NAME = 12
"""Characters that a name keeps at least."""


def render_text(report: RunReport) -> str:
    """The report as text."""
    tables = [_render(table) for section in build_sections(report) for table in section.tables]
    return "\n".join([_fill(report.summary()), *tables, _fill(report.notes())])


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
