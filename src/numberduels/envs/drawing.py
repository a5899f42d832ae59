"""Draws a position with Pillow, from the same board data as the web pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from numberduels.board import Bar, Board, Tile
from numberduels.core import Seat

Frame = NDArray[np.uint8]
"""An image: rows of RGB pixels."""

WIDTH, HEIGHT = 640, 360
"""The size of every image: a video needs frames of one size."""

MARGIN = 24
SMOOTH = 3
"""Supersampling factor: shapes are drawn larger and reduced, for smooth edges."""

INK, SOFT, PAPER, TRACK, LINE = "#17202b", "#515d6b", "#f7f9fb", "#e3e9ef", "#6d7b8a"
SEATS = ("#0067a3", "#ad4700")
"""The colours of both players."""
LAST, OVER = "#d6277f", "#a33a00"


@dataclass(frozen=True, slots=True)
class TileStyle:
    """The style of a kind of tile."""

    word: str
    """The label in the legend; empty if the tile needs none."""
    face: str
    ink: str
    line: str
    hatch: str = ""
    struck: bool = False


TILE_STYLES = {
    "open": TileStyle("", "#ffffff", INK, LINE),
    "closed": TileStyle("out of reach", TRACK, "#66727f", "#cbd4dd"),
    "first": TileStyle("", SEATS[0], "#ffffff", SEATS[0]),
    "second": TileStyle("", SEATS[1], "#ffffff", SEATS[1]),
    "locked": TileStyle("locked", "#e7e0ee", "#5b3f73", "#b9a6cc", hatch="#d3c6e0"),
    "removed": TileStyle("removed", PAPER, "#66727f", "#cbd4dd", struck=True),
    "empty": TileStyle("", "#ffffff", SOFT, LINE),
    "filled": TileStyle("", "#fff3cf", "#4a3700", "#a67c00"),
}
"""By kind of tile; the colours are those of the web pages."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of an image."""

    title: str
    status: str
    """The player to move, or the result."""
    board: Board
    names: tuple[str, str] = ("Player 1", "Player 2")
    marked: Seat | None = None
    """The seat whose name is highlighted: the player to move, or the winner."""


def draw(scene: Scene) -> Frame:
    """Draw a scene as an image of WIDTH x HEIGHT pixels.

    >>> from numberduels.board import Board, Tile
    >>> draw(Scene("Range War", "Player 1 to move", Board((Tile("1", "open"),)))).shape
    (360, 640, 3)
    """
    canvas = Canvas()
    canvas.text(MARGIN, 34, scene.title, 24, INK, "lm", 330)
    canvas.text(WIDTH - MARGIN, 34, scene.status, 17, INK, "rm", 250)
    x: float = MARGIN
    for seat, name in enumerate(scene.names):
        x = _name(canvas, x, name, seat, scene.marked == seat) + 12
    top: float = 104
    board = scene.board
    for bar in board.bars:
        top = _bar(canvas, top, bar, scene.names)
    if board.note:
        told = board.note.text
        canvas.text(MARGIN, top + 10, told[:1].upper() + told[1:], 16, SOFT, "lm", WIDTH - 2 * MARGIN)
        top += 26
    if board.hand:
        top = _hand(canvas, top, board.hand)
    _tiles(canvas, top + 6, HEIGHT - 40, board)
    _legend(canvas, HEIGHT - 22, board)
    return canvas.finished()


def _name(canvas: Canvas, x: float, name: str, seat: int, marked: bool) -> float:
    """Draw the name of a player on a label, and return the right edge."""
    width = min(canvas.width(name, 15), 230) + 36
    colour = SEATS[seat]
    canvas.box(x, 58, width, 28, 14, colour if marked else PAPER, colour)
    canvas.disc(x + 15, 72, 5, "#ffffff" if marked else colour)
    canvas.text(x + 26, 72, name, 15, "#ffffff" if marked else INK, "lm", 230)
    return x + width


def _bar(canvas: Canvas, top: float, bar: Bar, names: tuple[str, str]) -> float:
    """Draw a score or a progress bar, and return the lower edge."""
    label = bar.text.capitalize() if bar.seat is None else f"{names[bar.seat]}"
    canvas.text(MARGIN, top + 9, label, 15, INK, "lm", 150)
    left, width = MARGIN + 164, WIDTH - 2 * MARGIN - 164 - 84
    share = min(1.0, bar.value / bar.of) if bar.of > 0 else 0.0
    colour = OVER if bar.value > bar.of else SEATS[0] if bar.seat is None else SEATS[bar.seat]
    canvas.box(left, top, width, 18, 9, TRACK, TRACK)
    if share:
        canvas.box(left, top, max(18, width * share), 18, 9, colour, colour)
    canvas.text(WIDTH - MARGIN, top + 9, f"{bar.value} of {bar.of}", 15, INK, "rm", 80)
    return top + 27


def _hand(canvas: Canvas, top: float, hand: Sequence[str]) -> float:
    """Draw the numbers to choose from, and return the lower edge."""
    canvas.text(MARGIN, top + 16, "Numbers", 15, SOFT, "lm", 80)
    step = min(38.0, (WIDTH - 2 * MARGIN - 80) / len(hand))
    for place, number in enumerate(hand):
        x = MARGIN + 80 + (place + 0.5) * step
        canvas.disc(x, top + 16, step * 0.42, TILE_STYLES["filled"].face, TILE_STYLES["filled"].line)
        canvas.text(x, top + 16, number, step * 0.42, TILE_STYLES["filled"].ink, "mm", step * 0.7)
    return top + 40


def _tiles(canvas: Canvas, top: float, bottom: float, board: Board) -> None:
    """Draw the tiles as large as possible, centred between top and bottom."""
    count = len(board.tiles)
    if not count:
        return
    named = any(tile.name for tile in board.tiles)
    tall = 1.4 if named else 1.0  # room for a name below each tile
    width, height = WIDTH - 2 * MARGIN, bottom - top

    def pitch(columns: int) -> float:
        return min(width / columns, height / (ceil(count / columns) * tall), 72.0)

    columns = max(range(min(count, 10), count + 1), key=pitch)
    tens = max(range(10, count + 10, 10), key=pitch)  # rows of ten are easier to read, if not much smaller
    if count > 10 and pitch(tens) > 0.85 * pitch(columns):
        columns = tens
    step = pitch(columns)
    lines = ceil(count / columns)
    x0 = MARGIN + (width - columns * step) / 2
    y0 = top + (height - lines * step * tall) / 2
    for place, tile in enumerate(board.tiles):
        line, column = divmod(place, columns)
        x, y = x0 + column * step, y0 + line * step * tall
        _tile(canvas, x + step * 0.06, y + step * 0.06, step * 0.88, tile, place in board.last)
        if tile.name:
            canvas.text(x + step / 2, y + step * 1.14, tile.name, step * 0.24, SOFT, "mm", step)


def _tile(canvas: Canvas, x: float, y: float, size: float, tile: Tile, last: bool) -> None:
    style = TILE_STYLES.get(tile.kind, TILE_STYLES["open"])
    if last:
        rim = max(1.0, size * 0.07)
        canvas.box(x - rim, y - rim, size + 2 * rim, size + 2 * rim, size * 0.2, LAST, LAST)
        canvas.box(x - rim / 3, y - rim / 3, size + rim / 1.5, size + rim / 1.5, size * 0.17, PAPER, PAPER)
    canvas.box(x, y, size, size, size * 0.16, style.face, style.line, size * 0.03)
    if style.hatch:
        canvas.hatch(x, y, size, style.hatch)
    canvas.text(x + size / 2, y + size / 2, tile.label, size * 0.42, style.ink, "mm", size * 0.8)
    if style.struck:
        canvas.stroke(
            x + size * 0.22, y + size * 0.78, x + size * 0.78, y + size * 0.22, style.line, size * 0.05
        )


def _legend(canvas: Canvas, y: float, board: Board) -> None:
    """Draw the legend of the tiles that need one."""
    kinds = {tile.kind for tile in board.tiles}
    x: float = MARGIN
    for kind, style in TILE_STYLES.items():
        if style.word and kind in kinds:
            _tile(canvas, x, y - 8, 16, Tile("", kind), last=False)
            canvas.text(x + 23, y, style.word, 13, SOFT, "lm", 120)
            x += 23 + canvas.width(style.word, 13) + 18
    if board.last:
        _tile(canvas, x, y - 8, 16, Tile("", "open"), last=True)
        canvas.text(x + 23, y, "last move", 13, SOFT, "lm", 120)


class Canvas:
    """Shapes, drawn large and reduced at the end, and texts, drawn on top of them."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * SMOOTH, HEIGHT * SMOOTH), PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.texts: list[tuple[tuple[float, float], str, float, str, str]] = []

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        corner: float,
        face: str,
        line: str,
        thick: float = 1,
    ) -> None:
        """Draw a rectangle with rounded corners."""
        self.pen.rounded_rectangle(
            _large(x, y, x + width, y + height), corner * SMOOTH, face, line, max(1, round(thick * SMOOTH))
        )

    def disc(self, x: float, y: float, radius: float, face: str, line: str = "") -> None:
        """Draw a circle."""
        self.pen.ellipse(_large(x - radius, y - radius, x + radius, y + radius), face, line or face, SMOOTH)

    def stroke(self, x: float, y: float, to_x: float, to_y: float, colour: str, thick: float) -> None:
        """Draw a line."""
        self.pen.line(_large(x, y, to_x, to_y), colour, max(1, round(thick * SMOOTH)))

    def hatch(self, x: float, y: float, size: float, colour: str) -> None:
        """Draw diagonal hatching in a square."""
        for part in (0.3, 0.5, 0.7):
            reach = size * (min(part, 1 - part) - 0.08)
            mid_x, mid_y = x + size * part, y + size * part
            ends = mid_x - reach, mid_y + reach, mid_x + reach, mid_y - reach
            self.stroke(*ends, colour, size * 0.07)

    def text(
        self, x: float, y: float, text: str, size: float, colour: str, anchor: str, max_width: float
    ) -> None:
        """Draw a text, smaller if it is wider than `max_width`; leave it out if it would be unreadable."""
        wide = self.width(text, size)
        size = size if wide <= max_width else size * max_width / wide
        if text and size >= 5:
            self.texts.append(((x, y), text, size, colour, anchor))

    def width(self, text: str, size: float) -> float:
        """The width of a text."""
        return float(font(size).getlength(text))

    def finished(self) -> Frame:
        """The finished image."""
        image = self.image.reduce(SMOOTH)
        pen = ImageDraw.Draw(image)
        for place, text, size, colour, anchor in self.texts:
            pen.text(place, text, colour, font(size), anchor)
        return np.array(image, dtype=np.uint8)


def _large(*numbers: float) -> list[float]:
    return [round(number * SMOOTH) for number in numbers]


@cache
def font(size: float) -> ImageFont.FreeTypeFont:
    """The font of Pillow, so that images are the same on every machine."""
    found = ImageFont.load_default(max(1.0, size))
    assert isinstance(found, ImageFont.FreeTypeFont), "Pillow draws fonts of any size"
    return found
