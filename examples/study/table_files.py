"""Tables of the arena's report as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import re

from numberduels.arena.formatting import visible
from numberduels.arena.intervals import Mean, Proportion
from numberduels.arena.table_model import Cell, ChangeCell, Name, PercentCell, RatingCell, ReportTable
from numberduels.arena.text_report import format_cell

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{char: f"\\{char}" for char in "{}$&#_%"},
}
"""How LaTeX writes characters that mean something to it."""


def to_markdown(table: ReportTable) -> str:
    """The table for Markdown, with numbers to the right."""
    marks = ["---" if place < table.text_columns else "---:" for place in range(len(table.columns))]
    lines = [[escape_markdown(column.heading) for column in table.columns], marks]
    lines += [[escape_markdown(_text(cell)) for cell in row] for row in table.rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def escape_markdown(text: str) -> str:
    r"""The text in one line, with characters that mean something to Markdown escaped.

    >>> print(escape_markdown("chat:a_b | <c>"))
    chat:a\_b \| \<c>
    """
    return re.sub(r"([\\|<*_`\[\]])", r"\\\1", " ".join(visible(text).split()))


def to_latex(table: ReportTable, label: str) -> str:
    r"""The table as a LaTeX float; it needs \usepackage{booktabs}."""
    columns = "l" * table.text_columns + "r" * (len(table.columns) - table.text_columns)
    head = " & ".join(escape_latex(column.heading) for column in table.columns)
    rows = [" & ".join(escape_latex(_text(cell)) for cell in row) for row in table.rows]
    caption = escape_latex(f"{table.title}. {table.note}".strip())
    lines = [
        "% needs \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{caption}}}",
        f"\\label{{tab:{label}}}",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
        f"{head} \\\\",
        "\\midrule",
        *(f"{row} \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escape_latex(text: str) -> str:
    r"""The text for LaTeX.

    >>> print(escape_latex("50% of a_b & {c}"))
    50\% of a\_b \& \{c\}
    """
    return "".join(LATEX.get(char, char) for char in " ".join(visible(text).split()))


def to_csv(table: ReportTable) -> str:
    """The table as CSV with full numbers: a share has both ends of its interval, its hits and their total."""
    kinds = [_kind([row[place] for row in table.rows]) for place in range(len(table.columns))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = [column.heading.lower().replace(" ", "_") for column in table.columns]
    writer.writerow(
        [f"{head}{ending}" for head, kind in zip(heads, kinds, strict=True) for ending in ENDINGS[kind]]
    )
    for row in table.rows:
        writer.writerow(
            [value for cell, kind in zip(row, kinds, strict=True) for value in _values(cell, kind)]
        )
    return out.getvalue()


ENDINGS: dict[type, tuple[str, ...]] = {
    str: ("",),
    Proportion: ("", "_low", "_high", "_hits", "_of"),
    Mean: ("", "_low", "_high", "_of"),
    ChangeCell: ("", "_low", "_high", "_openings"),
    RatingCell: ("", "_low", "_high"),
}
"""The columns of a file for each kind of cell."""


def _kind(cells: list[Cell]) -> type:
    """The kind of cells in a column: one of ENDINGS."""
    found = (kind for kind in ENDINGS if kind is not str and any(isinstance(cell, kind) for cell in cells))
    return next(found, str)


def _values(cell: Cell, kind: type) -> list[str | int | float]:
    """A cell as the columns of its kind; empty ones if there is no value."""
    none: list[str | int | float] = [""] * len(ENDINGS[kind])
    match cell:
        case Proportion() if cell.of and cell.share is not None:
            return [cell.share, *(cell.interval or ("", "")), cell.hits, cell.of]
        case Mean():
            return [cell.mean, *(cell.interval or ("", "")), cell.of]
        case ChangeCell(difference) if difference is not None:
            return [difference.change, *(difference.interval or ("", "")), difference.openings]
        case RatingCell(rating) if rating is not None:
            return [rating.rating, *(rating.interval or ("", ""))]
        case int() | float():
            return [cell]
        case str():
            return [visible(cell)]
        case Name(text):
            return [visible(text)]
        case PercentCell(proportion) if proportion.share is not None:
            return [proportion.share]
    return none


def _text(cell: Cell) -> str:
    return format_cell(cell) or "-"
