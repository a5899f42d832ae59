"""A chart of the value over a reviewed game, in plain characters."""

from __future__ import annotations

from numberduels.analysis.review import (
    FORCED,
    KEPT,
    MISSED_WIN,
    NOT_JUDGED,
    ONLY,
    THREW_DRAW,
    THREW_WIN,
    Review,
)
from numberduels.game_text import AnyGameText

GLYPHS = {
    FORCED: "-",
    ONLY: "!",
    KEPT: "=",
    THREW_WIN: "??",
    MISSED_WIN: "x",
    THREW_DRAW: "?",
    NOT_JUDGED: ".",
}
"""A mark for each verdict, printed before the word."""

WIDE = 60
"""The most characters beside the labels; a longer game is drawn in several parts."""
ROWS = 4
"""Lines above and below the axis, in a game of points."""
BAR = "#"


def draw_value_chart(review: Review, game_text: AnyGameText, columns: int | None = None) -> str:
    """Who is winning after each move, one column for each, with marks for the mistakes.

    `columns` is the width of the terminal; a wide chart is split.
    """
    moments = len(review.course)
    labels, grid = _points(review) if review.margins else _sides(review, game_text)
    labels += ["mistakes", "move"]
    wide = WIDE
    if columns is not None:
        labels = [_cut(label, columns // 2) for label in labels]
        wide = min(WIDE, columns - max(map(len, labels)) - len("   | "))
    step = next((step for step in (4, 3, 2) if step * moments <= wide), 1)
    room = max(step - 1, 1)
    marks = [" ", *(GLYPHS[each.verdict][:room] if each.mistake else " " for each in review.moves)]
    numbers = _numbers(moments, step)
    width = max(map(len, labels))
    pieces = []
    for first in range(0, moments, wide // step):
        last = first + wide // step
        lines = ["".join(f"{mark:<{step}}" for mark in row[first:last]) for row in [*grid, marks]]
        lines.append(numbers[first * step : last * step])
        pieces.append(
            "".join(
                f"  {label:>{width}} | {line}".rstrip() + "\n"
                for label, line in zip(labels, lines, strict=True)
            )
        )
    return "\n".join(pieces)


def _cut(label: str, most: int) -> str:
    return label if len(label) <= most else f"{label[: most - 3]}..."


def _sides(review: Review, game_text: AnyGameText) -> tuple[list[str], list[str]]:
    """A row for each winner: the players, and nobody or not known if that occurs."""
    rows = {
        1: f"{game_text.label(0)} wins",
        0: "nobody wins",
        -1: f"{game_text.label(1)} wins",
        None: "not known",
    }
    there = {each: label for each, label in rows.items() if each in review.values or each in (1, -1)}
    grid = ["".join(BAR if value == row else " " for value in review.values) for row in there]
    return list(there.values()), grid


def _points(review: Review) -> tuple[list[str], list[str]]:
    """Bars for margins: up for the first player, down for the second; a dot if unknown."""
    known = [value for value in review.course if value is not None]
    unit = max(-(-max(map(abs, known), default=0) // ROWS), 1)
    heights = [None if value is None else _height(value, unit) for value in review.course]
    top = max([1, *(each for each in heights if each)])
    bottom = min([-1, *(each for each in heights if each)])
    labels, grid = [], []
    for row in range(top, bottom - 1, -1):
        labels.append(f"{row * unit:+}" if row else "0")
        grid.append("".join(_cell(height, row) for height in heights))
    return labels, grid


def _height(value: int, unit: int) -> int:
    """The height of a bar in rows, rounded; any lead has at least one row."""
    rows = max(round(abs(value) / unit), 1) if value else 0
    return rows if value > 0 else -rows


def _cell(height: int | None, row: int) -> str:
    if not row:
        return "." if height is None else "-"
    return BAR if height and height * row > 0 and abs(row) <= abs(height) else " "


def _numbers(moments: int, step: int) -> str:
    """The move numbers below the chart, as many as fit."""
    every = 1 if step > 2 and moments <= 10**step // 10 else 5 if step > 1 else 10
    line = ""
    for moment in range(0, moments, every):
        line = f"{line:<{moment * step}}{moment}"
    return line
