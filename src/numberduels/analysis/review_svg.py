"""draw_review(): an SVG chart of the value over a reviewed game.

It has no styles, no scripts and no links, so that it works with any Content-Security-Policy. Use it as a
file of its own, since its title and description have ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from numberduels.analysis.judgement import (
    GAVE_POINTS,
    MISSED_WIN,
    NOT_JUDGED,
    THREW_DRAW,
    THREW_WIN,
    JudgedMove,
)
from numberduels.analysis.review import Review
from numberduels.game.contract import Seat
from numberduels.game.text import AnyGameText

WIDTH, LEFT, RIGHT, INSET = 760, 128, 28, 20
TOP, PLOT = 92, 200
LINE = 22
LISTED = 12
"""The most mistakes that are listed below the chart."""
INK, PALE, FAULT = "#26323f", "#6b7885", "#a3161b"
COLOURS = ("#0b5c9e", "#a35200")
TINTS = ("#e7f0f8", "#faf0e4")
SHAPES = {
    THREW_WIN: "M-8 -5L-5 -8L0 -3L5 -8L8 -5L3 0L8 5L5 8L0 3L-5 8L-8 5L-3 0Z",
    MISSED_WIN: "M0 -8L8 6L-8 6Z",
    THREW_DRAW: "M-8 -6H8L0 8Z",
}
"""A cross, a triangle up and a triangle down, centred on the point."""


def draw_review(review: Review, game_text: AnyGameText) -> str:
    """Draw the chart as a self-contained SVG; its description says the same in words."""
    return _ReviewDrawing(review, game_text).text()


class _ReviewDrawing:
    """The layout of one chart, and its parts."""

    def __init__(self, review: Review, game_text: AnyGameText) -> None:
        self.review = review
        self.game_text = game_text
        self.labels = [_cut(game_text.label(seat)) for seat in _SEATS]
        self.faults = [each for each in review.moves if each.mistake]
        self.gifts = [each for each in review.moves if each.verdict == GAVE_POINTS]
        known = [abs(value) for value in review.course if value is not None]
        self.reach = max([1, *known]) * (1.12 if review.margins else 1.35)
        self.step = (WIDTH - LEFT - RIGHT - 2 * INSET) / max(len(review.moves), 1)

    def text(self) -> str:
        told = min(len(self.faults), LISTED) + (len(self.faults) > LISTED)
        height = TOP + PLOT + 66 + LINE * (max(told, 1) + bool(self.gifts) + 2)
        spec = self.review.record.spec
        pieces = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
            f' height="{height}" role="img" aria-labelledby="title desc"'
            f' font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif" font-size="13" fill="{INK}">',
            f'<title id="title">{escape(spec.title)}: the value over the game</title>',
            f'<desc id="desc">{escape(self._description())}</desc>',
            f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#ffffff" stroke="#d5dbe1"/>',
            *self._head(),
            *self._ground(),
            *self._moments(),
            *self._curve(),
            *self._points(),
            *self._list(TOP + PLOT + 66),
            "</svg>",
        ]
        return "\n".join(pieces) + "\n"

    # Coordinates

    def x(self, moment: int) -> float:
        return LEFT + INSET + moment * self.step

    def y(self, value: float) -> float:
        return TOP + PLOT / 2 - value / self.reach * PLOT / 2

    # Parts

    def _description(self) -> str:
        """The chart in sentences, for screen readers."""
        told = [
            self.review.summary,
            f"{self.labels[0]} plays {self.labels[1]}; the result is {self.review.record.result}.",
        ]
        for moment, value in enumerate(self.review.course):
            when = f"After move {moment}" if moment else "Before the first move"
            told.append(f"{when}: {self._standing(moment, value)}.")
        told += [
            f"{self._sentence(each)}." for each in self.review.moves if each.mistake or each in self.gifts
        ]
        return " ".join(told)

    def _standing(self, moment: int, value: int | None) -> str:
        if value is None:
            return "not known"
        winner = self.review.values[moment]
        if not winner:
            return "nobody wins"
        margin = f" by {abs(value)}" if self.review.margins else ""
        return f"{self.labels[0] if winner > 0 else self.labels[1]} wins{margin}"

    def _sentence(self, judged: JudgedMove) -> str:
        notation = self.game_text.format_move
        better = [notation(each) for each in judged.better[:3]]
        more = len(judged.better) - len(better)
        also = f" (and {more} more)" if more else ""
        return (
            f"Move {judged.ply}: {self.labels[judged.seat]} {judged.verdict} with {notation(judged.move)};"
            f" better {join_or(better)}{also}"
        )

    def _head(self) -> Iterator[str]:
        review = self.review
        title, result = escape(review.record.spec.title), escape(review.record.result)
        yield f'<text x="24" y="36" font-size="19" font-weight="600">{title}</text>'
        yield f'<text x="{WIDTH - 24}" y="36" font-size="17" text-anchor="end">{result}</text>'
        yield _mark(0, 30, 57)
        yield f'<text x="42" y="62">{escape(self.labels[0])}</text>'
        yield _mark(1, WIDTH / 2 + 6, 57)
        yield f'<text x="{WIDTH / 2 + 18}" y="62">{escape(self.labels[1])}</text>'
        what = "The final margin at best play" if review.margins else "Who wins at best play"
        yield f'<text x="24" y="82" font-size="12" fill="{PALE}">{what}, after each move</text>'

    def _ground(self) -> Iterator[str]:
        """The background of both players, and the horizontal lines."""
        wide, half = WIDTH - LEFT - RIGHT, PLOT / 2
        for seat in _SEATS:
            top = TOP + half * seat
            yield f'<rect x="{LEFT}" y="{top}" width="{wide}" height="{half}" fill="{TINTS[seat]}"/>'
        for level, label in self._levels():
            y = self.y(level)
            dash = "" if not level else ' stroke-dasharray="2 4"'
            yield (
                f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#9aa5b0"{dash}/>'
                f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end" font-size="12">{label}</text>'
            )
        if self.review.margins:
            for seat in _SEATS:
                y = TOP + PLOT * (1 + 2 * seat) / 4
                yield (
                    f'<text transform="translate(60 {y}) rotate(-90)" text-anchor="middle" font-size="12"'
                    f' fill="{COLOURS[seat]}">Player {seat + 1} wins</text>'
                )

    def _levels(self) -> list[tuple[int, str]]:
        if not self.review.margins:
            return [(1, "Player 1 wins"), (0, "nobody wins"), (-1, "Player 2 wins")]
        unit = next(unit for unit in _units() if self.reach / unit < 3.5)
        most = int(self.reach // unit)
        return [(each * unit, f"{each * unit:+}" if each else "0") for each in range(-most, most + 1)]

    def _moments(self) -> Iterator[str]:
        """The move numbers and moves below the chart, as many as fit."""
        every = next(unit for unit in _units() if unit * self.step >= 32)
        y = TOP + PLOT
        for row, label in ((18, "after move"), (35, "played")):
            yield (
                f'<text x="{LEFT - 10}" y="{y + row}" text-anchor="end" font-size="12" fill="{PALE}">'
                f"{label}</text>"
            )
        for moment in range(0, len(self.review.course), every):
            x = self.x(moment)
            played = self.game_text.format_move(self.review.moves[moment - 1].move) if moment else "start"
            played = escape(_cut(played, 9))
            yield (
                f'<text x="{x:.1f}" y="{y + 18}" text-anchor="middle" font-size="12" fill="{PALE}">'
                f"{moment or ''}</text>"
                f'<text x="{x:.1f}" y="{y + 35}" text-anchor="middle" font-size="12">{played}</text>'
            )
        if self.review.unjudged:
            known = next((n for n, value in enumerate(self.review.course) if value is not None), None)
            end = self.x(known - 1 if known else len(self.review.moves))
            yield (
                f'<rect x="{LEFT}" y="{TOP}" width="{end + 6 - LEFT:.1f}" height="{PLOT}" fill="#eceff2"/>'
                f'<text x="{LEFT + 10}" y="{TOP + 20}" font-size="12" fill="{PALE}">not judged</text>'
            )

    def _curve(self) -> Iterator[str]:
        """The line of the value, with a shaded area to the axis."""
        spots = [
            (self.x(moment), self.y(value))
            for moment, value in enumerate(self.review.course)
            if value is not None
        ]
        if len(spots) > 1:
            way = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
            middle = self.y(0)
            yield (
                f'<polygon points="{spots[0][0]:.1f},{middle:.1f} {way} {spots[-1][0]:.1f},{middle:.1f}"'
                f' fill="{INK}" fill-opacity="0.08"/>'
                f'<polyline points="{way}" fill="none" stroke="{INK}" stroke-width="2"'
                ' stroke-linejoin="round"/>'
            )

    def _points(self) -> Iterator[str]:
        """A circle for each move of Player 1, a square for Player 2, another shape for a mistake.

        A move that gave points away is hollow.
        """
        for moment, value in enumerate(self.review.course):
            if value is None:
                continue
            x, y = self.x(moment), self.y(value)
            if not moment:
                yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#ffffff" stroke="{INK}"/>'
                continue
            judged = self.review.moves[moment - 1]
            if judged.mistake:
                yield (
                    f'<path d="{SHAPES[judged.verdict]}" transform="translate({x:.1f} {y:.1f})"'
                    f' fill="{FAULT}" stroke="#ffffff"><title>{escape(self._sentence(judged))}</title></path>'
                )
            else:
                small = 4.5 if self.step > 10 else 2
                yield _mark(judged.seat, x, y, small, hollow=judged.verdict == GAVE_POINTS)

    def _list(self, y: int) -> Iterator[str]:
        """The list of mistakes with their shapes, and the accuracy of both players."""
        for each in self.faults[:LISTED]:
            yield (
                f'<path d="{SHAPES[each.verdict]}" transform="translate(32 {y - 4})" fill="{FAULT}"/>'
                f'<text x="50" y="{y}">{escape(_cut(self._sentence(each), 104))}</text>'
            )
            y += LINE
        if len(self.faults) > LISTED:
            yield f'<text x="50" y="{y}">and {len(self.faults) - LISTED} more mistakes</text>'
            y += LINE
        if not self.faults:
            judged = "judged " if self.review.unjudged else ""
            yield f'<text x="50" y="{y}">No {judged}move lost a win or a draw.</text>'
            y += LINE
        if self.gifts:
            yield _mark(self.gifts[0].seat, 32, y - 4, hollow=True)
            yield f'<text x="50" y="{y}">Hollow marks: the move kept the value, but gave points away.</text>'
            y += LINE
        for seat in _SEATS:
            yield _mark(seat, 32, y - 4)
            told = f"{self.labels[seat]}, accuracy: {format_accuracy(self.review, seat)}"
            yield f'<text x="50" y="{y}">{escape(told)}</text>'
            y += LINE


_SEATS: tuple[Seat, Seat] = (0, 1)


def format_accuracy(review: Review, seat: Seat) -> str:
    """The accuracy of a seat as text."""
    accuracy = review.accuracy[seat]
    if accuracy.share is None:
        mine = [each.verdict for each in review.moves if each.seat == seat]
        if NOT_JUDGED not in mine:
            return "no move could go wrong"
        return "no move was judged" if set(mine) == {NOT_JUDGED} else "no judged move could go wrong"
    return f"{accuracy.percent}% ({accuracy.kept} of {accuracy.chances})"


def _mark(seat: Seat, x: float, y: float, small: float = 4.5, *, hollow: bool = False) -> str:
    colour, edge = ("#ffffff", COLOURS[seat]) if hollow else (COLOURS[seat], "#ffffff")
    if not seat:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{small + 0.5}" fill="{colour}" stroke="{edge}"/>'
    big = small + 1.5
    return (
        f'<path d="M0 {-big}L{big} 0L0 {big}L{-big} 0Z" transform="translate({x:.1f} {y:.1f})"'
        f' fill="{colour}" stroke="{edge}"/>'
    )


def join_or(texts: list[str]) -> str:
    """The texts as a choice: 1, 2 or 3."""
    return texts[0] if len(texts) == 1 else " or ".join([", ".join(texts[:-1]), texts[-1]])


def _units() -> Iterator[int]:
    """Round steps of an axis: 1, 2, 5, 10 and so on."""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _cut(text: str, most: int = 48) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}"
