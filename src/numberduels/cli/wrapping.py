"""Fold text to the width of a terminal: sentences, lists and rows of cells.

Only lines that are too wide change, and only on a terminal.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TextIO

NARROWEST = 20
"""The least width, however narrow the terminal says it is."""

# Patterns are compiled on first use; most games through a pipe never need them.
INVISIBLE = r"\033\[[0-9;]*m|[\001\002]"
UNIT = r"(?:[^\s`]|`[^`]*`|`)+"
"""A piece that is not broken: a word, or code in backticks."""
TO_COPY = r"(?<=: )(?:\S*/)?duel [a-z]+ .*$"
"""A command that the user may copy. It stays in one line, since the terminal wraps it without a line end."""
MARKER = r"\s*(?:[-*] |\d+\. )?"
LABEL = r"\s*\S+(?: \S+)*? {2,}(?=\S)"
CELLS = r"([^\[\]]*)((?:\[[^\[\],]*\]){2,})"


def terminal_width(stream: TextIO | None) -> int | None:
    """The width of the terminal behind a stream; None if it is not a terminal."""
    try:
        if stream is None or not stream.isatty():
            return None
        return max(os.get_terminal_size(stream.fileno()).columns or 80, NARROWEST)
    except (OSError, ValueError):
        return None


def fold(text: str, width: int | None) -> str:
    """The text in lines of at most this width; None means no limit.

    >>> print(fold("  undo       take back your last move", 30))
      undo       take back your
                 last move
    >>> print(fold("At [1][2][3][4][5]\\nIs [ ][4][ ][ ][ ]", 12))
    At [1][2][3]
    Is [ ][4][ ]
    <BLANKLINE>
    [4][5]
    [ ][ ]
    """
    if width is None or all(_wide(line) <= width for line in text.split("\n")):
        return text
    folded: list[str] = []
    for block in _blocks(text.split("\n")):
        if all(_wide(line) <= width for line in block):
            folded += block
        elif rows := _cells(block):
            folded += _folded_cells(rows, width)
        else:
            for line in block:
                folded += _folded_line(line, width)
    return "\n".join(folded)


def _wide(text: str) -> int:
    """The width of a text on the screen."""
    return len(re.sub(INVISIBLE, "", text))


# One line


def _folded_line(line: str, width: int) -> Iterator[str]:
    if _wide(line) <= width:
        yield line
        return
    command = re.search(TO_COPY, line)
    if command:
        if head := line[: command.start()].rstrip():
            yield from _folded_line(head, width)
        yield command[0]
        return
    head, indent = _head(line, width)
    end = line[len(line.rstrip()) :][:1]  # the space after a prompt
    now, empty = head, True
    for glue, unit in _units(line[len(head) :], width - len(indent)):
        if not empty and _wide(now) + len(glue) + _wide(unit) > width:
            yield now
            now, empty = indent, True
        now += unit if empty else f"{glue}{unit}"
        empty = False
    yield now + end


def _head(line: str, width: int) -> tuple[str, str]:
    """The part of a line that stands to the left of its text, and the indent of the lines that follow."""
    label = re.match(LABEL, line)
    if label and len(label[0]) <= width // 2:
        return label[0], " " * _wide(label[0])
    marker = re.match(MARKER, line)
    head = marker[0] if marker else ""
    if head.isspace() and (first := re.search(UNIT, line)):
        head = head[: max(width - _wide(first[0]), 0)]
    return head, " " * min(len(head) + 2 * bool(label), width // 2)


def _units(text: str, room: int) -> Iterator[tuple[str, str]]:
    """The pieces between which a line may break, each with its separator."""
    for whole in re.findall(UNIT, text):
        for unit in [whole] if _wide(whole) <= room else whole.split():
            pieces = [unit] if _wide(unit) <= room else re.findall(r"[^,]*,|[^,]+$", unit)
            for number, piece in enumerate(pieces):
                yield "" if number else " ", piece


# Blocks of lines


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """The lines in blocks: rows with equal cells, and paragraphs."""
    block: list[str] = []
    kind: object = None
    for line in lines:
        row = re.fullmatch(CELLS, line)
        this = (len(row[1]), row[2].count("[")) if row else bool(line)
        if block and this != kind:
            yield block
            block = []
        block.append(line)
        kind = this
    if block:
        yield block


def _cells(block: list[str]) -> list[tuple[str, list[str]]]:
    """The head and the cells of each line, if all lines are rows of cells."""
    rows = [re.fullmatch(CELLS, line) for line in block]
    return [(row[1], re.findall(r"\[.*?\]", row[2])) for row in rows if row] if all(rows) else []


def _folded_cells(rows: list[tuple[str, list[str]]], width: int) -> Iterator[str]:
    """The rows split into parts; cells in one column stay in the same part."""
    cell = max(len(each) for _, cells in rows for each in cells)
    head, count = len(rows[0][0]), len(rows[0][1])
    first, last = 0, max((width - head) // cell, 1)
    while first < count:
        if first and len(rows) > 1:
            yield ""
        for label, cells in rows:
            yield ("" if first else label) + "".join(cells[first:last])
        first, last = last, last + max(width // cell, 1)
