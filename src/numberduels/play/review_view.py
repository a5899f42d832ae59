"""ReviewView: a game and its review, as somebody steps through it; its chart, and signs for verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    JudgedMove,
)
from numberduels.analysis.review import decisive_move
from numberduels.play.live_text import player_names

if TYPE_CHECKING:
    from numberduels.analysis.review import Review
    from numberduels.game.contract import Seat
    from numberduels.game.record import Record
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

MOST_BETTER = 6
"""The most better moves that are named beside the best one."""

OUTLOOK = {1: "won", 0: "a draw", -1: "lost"}


class ReviewView:
    """A record, and its review as soon as there is one. Moves count from 1."""

    def __init__(self, record: Record, review: Review | None = None) -> None:
        self.record = record
        self.review = review
        self.names = player_names(record.seats, record.names)
        self.text = record.spec.text_for(record.game, record.names)

    def judged(self, ply: int) -> JudgedMove | None:
        """The verdict on a move; None if it is not judged."""
        return self.review.moves[ply - 1] if self.review and 0 < ply <= len(self.review.moves) else None

    @property
    def given_away(self) -> list[int]:
        """The moves that are mistakes or gave points away."""
        moves = self.review.moves if self.review else ()
        return [each.ply for each in moves if each.mistake or each.verdict == GAVE_POINTS]

    @property
    def decisive(self) -> int:
        """The move that decided the game; 0 if none did, or if the game is not judged."""
        found = decisive_move(self.review) if self.review else None
        return found.ply if found else 0

    def next_mistake(self, ply: int, direction: int) -> int:
        """The next move after this one that gave something away, or before it; 0 if there is none."""
        found = [each for each in self.given_away if (each - ply) * direction > 0]
        return (min if direction > 0 else max)(found, default=0)

    def advice(self, judged: JudgedMove) -> str:
        """The better moves and why the first is best; after a good move, why it is good."""
        why = self.review.advice(judged) if self.review else ""
        if not judged.better:
            return f"Why: {why}" if why and why == judged.why else why
        first, *others = (self.text.spoken(move) for move in judged.better)
        if not others:
            return f"Better: {first}. {why}"
        more = len(others) - MOST_BETTER
        named = join_or(others) if more <= 0 else f"{', '.join(others[:MOST_BETTER])} and {more} more"
        return f"Better: {first} (or {named}). {why}"

    def ending(self) -> str:
        """How the game ended, if the moves do not show it."""
        record = self.record
        if record.resigned is not None:
            value = self.review.values[-1] if self.review else None
            side = None if value is None else -value if record.resigned else value
            known = "" if side is None else f", in a position that was {OUTLOOK[side]}"
            how = "lost on time" if record.timed_out else "resigned"
            return f"{self.text.label(record.resigned)} {how}{known}.\n"
        if record.agreed:
            return self.text.agreement()
        return "The game is unfinished.\n" if record.result == "*" else ""


# In words: the chart, the signs and their meanings, the accuracy


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
