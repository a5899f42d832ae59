"""A review in words: signs and their meanings, mistakes, accuracy, and a chart in plain characters."""

from __future__ import annotations

from numberduels.analysis.judgement import (
    FORCED,
    GAVE_POINTS,
    KEPT,
    MISSED_WIN,
    NOT_JUDGED,
    ONLY,
    PIE_RULE,
    THREW_DRAW,
    THREW_WIN,
)
from numberduels.analysis.review import Review
from numberduels.game.contract import Seat
from numberduels.game.text import AnyGameText

GLYPHS = {
    FORCED: "-",
    ONLY: "+",
    KEPT: "=",
    GAVE_POINTS: "~",
    THREW_WIN: "??",
    MISSED_WIN: "x",
    THREW_DRAW: "?",
    NOT_JUDGED: ".",
    PIE_RULE: "o",
}
"""A mark for each verdict, printed before the word."""

MEANINGS = {
    FORCED: "there was no other move",
    ONLY: "every other move would have given the win or the draw away",
    KEPT: "it gave nothing away",
    GAVE_POINTS: "the result stays the same, but another move ends with more points",
    THREW_WIN: "the win was there, and now it is gone",
    MISSED_WIN: "the other player had just given the win, and it was not taken",
    THREW_DRAW: "it was a draw, and now it is lost",
    NOT_JUDGED: "the position is too large to solve",
    PIE_RULE: "not judged, because the other player may take the seat: a fair move is best",
}
"""What each verdict means, for the legend."""

WIDE = 60
"""The most characters beside the labels; a longer game is drawn in several parts."""
LEGEND_WIDTH = 78
ROWS = 4
"""Lines above and below the axis, in a game of points."""
BAR, AXIS = "#", "_"


def draw_value_chart(review: Review, game_text: AnyGameText, columns: int | None = None) -> str:
    """Who is winning after each move, one column for each, with marks for the mistakes.

    `columns` is the width of the terminal; a wide chart is split.
    """
    moments = len(review.course)
    labels, grid = chart_rows(review, (game_text.label(0), game_text.label(1)))
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


def chart_rows(review: Review, names: tuple[str, str], most_rows: int = ROWS) -> tuple[list[str], list[str]]:
    """The chart before it is fitted to a width: the label of each row, and its cells, one for each moment.

    The first moment is the start, each other one is after a move. `most_rows` are those of one side.
    """
    return _points(review, most_rows) if review.margins else _sides(review, names)


def legend(review: Review, columns: int | None = None) -> str:
    """The meaning of the signs that occur in this review."""
    from textwrap import fill

    there = [verdict for verdict in GLYPHS if any(each.verdict == verdict for each in review.moves)]
    lines = [("#", "who wins after that move" if review.margins is None else "the lead after that move")]
    if review.margins is not None:
        lines.append((AXIS, "level points"))
    lines += [(GLYPHS[verdict], f"{verdict}: {MEANINGS[verdict]}") for verdict in there]
    width = min(columns or LEGEND_WIDTH, LEGEND_WIDTH)
    return "Signs:\n" + "".join(
        fill(text, width, initial_indent=f"  {sign:<2}  ", subsequent_indent=" " * 6) + "\n"
        for sign, text in lines
    )


def format_accuracy(review: Review, seat: Seat) -> str:
    """The accuracy of a seat as text."""
    accuracy = review.accuracy[seat]
    if accuracy.share is None:
        mine = [each.verdict for each in review.moves if each.seat == seat]
        if NOT_JUDGED not in mine:
            return "no move could go wrong"
        return "no move was judged" if set(mine) == {NOT_JUDGED} else "no judged move could go wrong"
    return f"{accuracy.percent}% ({accuracy.kept} of {accuracy.chances})"


def join_or(texts: list[str]) -> str:
    """The texts as a choice: 1, 2 or 3."""
    return texts[0] if len(texts) == 1 else " or ".join([", ".join(texts[:-1]), texts[-1]])


def _cut(label: str, most: int) -> str:
    return label if len(label) <= most else f"{label[: most - 3]}..."


def _sides(review: Review, names: tuple[str, str]) -> tuple[list[str], list[str]]:
    """A row for each winner: the players, and nobody or not known if that occurs."""
    rows = {
        1: f"{names[0]} wins",
        0: "nobody wins",
        -1: f"{names[1]} wins",
        None: "not known",
    }
    there = {each: label for each, label in rows.items() if each in review.values or each in (1, -1)}
    grid = ["".join(BAR if value == row else " " for value in review.values) for row in there]
    return list(there.values()), grid


def _points(review: Review, most_rows: int) -> tuple[list[str], list[str]]:
    """Bars for margins: up for the first player, down for the second; a dot if unknown."""
    known = [value for value in review.course if value is not None]
    unit = max(-(-max(map(abs, known), default=0) // most_rows), 1)
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
        return "." if height is None else AXIS
    return BAR if height and height * row > 0 and abs(row) <= abs(height) else " "


def _numbers(moments: int, step: int) -> str:
    """The move numbers below the chart, as many as fit."""
    every = 1 if step > 2 and moments <= 10**step // 10 else 5 if step > 1 else 10
    line = ""
    for moment in range(0, moments, every):
        line = f"{line:<{moment * step}}{moment}"
    return line
