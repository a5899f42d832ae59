"""Tables of a paper: the same rows as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
"""Characters that LaTeX would not print as they are."""


class PaperTable(NamedTuple):
    """A caption, a head and rows of texts."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def interval_text(share: dict[str, Any] | None, name: str = "share", *, signed: bool = False) -> str:
    """A share, or a change of one, in percent with its interval."""
    if share is None or share[name] is None:
        return ""
    sign = "+" if signed else ""
    text = f"{100 * share[name]:{sign}.0f}"
    if share["interval"] is None:
        return text
    low, high = (f"{100 * end:{sign}.0f}" for end in share["interval"])
    return f"{text} ({low} to {high})"


def write_table(stem: Path, table: PaperTable) -> None:
    """Write the table in all three formats."""
    for suffix, text in ((".md", as_markdown(table)), (".csv", as_csv(table)), (".tex", as_latex(table))):
        stem.with_suffix(suffix).write_text(text, encoding="utf-8")


def as_markdown(table: PaperTable) -> str:
    """The table in Markdown."""
    lines = [table.head, ["---"] * len(table.head), *table.rows]
    body = "\n".join(f"| {' | '.join(each.replace('|', chr(92) + '|') for each in line)} |" for line in lines)
    return f"{body}\n\n{table.caption}\n"


def as_csv(table: PaperTable) -> str:
    """The table as CSV."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([table.head, *table.rows])
    return file.getvalue()


def as_latex(table: PaperTable) -> str:
    """The table in LaTeX, for the package booktabs."""
    head, *rows = (" & ".join(map(escaped, line)) + r" \\" for line in (table.head, *table.rows))
    body = "\n".join(rows)
    return (
        f"\\begin{{table}}\n\\caption{{{escaped(table.caption)}}}\n"
        f"\\begin{{tabular}}{{{'l' * len(table.head)}}}\n"
        f"\\toprule\n{head}\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n"
    )


def escaped(text: str) -> str:
    """The text as LaTeX prints it."""
    return "".join(LATEX.get(char, char) for char in text)
