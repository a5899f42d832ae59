"""Draws a position with Pillow, from the same board data as the web pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from unicodedata import normalize

from PIL import Image, ImageDraw, ImageFont

from numberduels.game.board import Bar, Board, Tile
from numberduels.game.contract import Seat

WIDTH, HEIGHT = 640, 360
"""The size of an image, unless it is asked for in another."""

MARGIN = 24
SMOOTH = 3
"""Supersampling factor: shapes are drawn larger and reduced, for smooth edges."""

INK, SOFT, PAPER, TRACK, LINE = "#17202b", "#515d6b", "#f7f9fb", "#e3e9ef", "#6d7b8a"
SEATS = ("#0067a3", "#ad4700")
"""The colours of both players."""
LAST, OVER = "#d6277f", "#a33a00"

MAX_LINES = 3
"""Lines of a caption."""


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
    caption: str = ""
    """A sentence instead of the names, such as the task of a puzzle."""
    second: Board | None = None
    """Another position below the first, for a question about two."""
    footer: str = ""


def draw_image(scene: Scene, height: float = HEIGHT, zoom: float = 1) -> Image.Image:
    """Draw a scene as an image of WIDTH x `height` units, each of `zoom` pixels.

    >>> from numberduels.game.board import Board, Tile
    >>> scene = Scene("Range War", "Player 1 to move", Board((Tile("1", "open"),)))
    >>> draw_image(scene).size, draw_image(scene, height=336, zoom=1.875).size
    ((640, 360), (1200, 630))
    """
    canvas = Canvas(height, zoom)
    canvas.text(MARGIN, 34, scene.title, 24, INK, "lm", 330)
    canvas.text(WIDTH - MARGIN, 34, scene.status, 17, INK, "rm", 250)
    top: float = 104
    if scene.caption:
        for line in canvas.wrapped(scene.caption, 17, WIDTH - 2 * MARGIN)[:MAX_LINES]:
            canvas.text(MARGIN, top - 32, line, 17, SOFT, "lm", WIDTH - 2 * MARGIN)
            top += 22
        top -= 18
    else:
        x: float = MARGIN
        for seat, name in enumerate(scene.names):
            x = _name(canvas, x, name, seat, scene.marked == seat) + 12
    bottom = height - 40
    if scene.second:
        half = (top + bottom) / 2
        for board, edges in ((scene.board, (top, half - 4)), (scene.second, (half + 4, bottom))):
            _position(canvas, *edges, replace(board, bars=()), scene.names)  # there is no room for bars
    else:
        _position(canvas, top, bottom, scene.board, scene.names)
    _legend(canvas, height - 22, scene.board)
    canvas.text(WIDTH - MARGIN, height - 22, scene.footer, 13, SOFT, "rm", 200)
    return canvas.finished()


def _position(canvas: Canvas, top: float, bottom: float, board: Board, names: tuple[str, str]) -> None:
    """Draw the bars, the note, the hand and the tiles of a board."""
    for bar in board.bars:
        top = _bar(canvas, top, bar, names)
    if board.note:
        told = board.note.text
        canvas.text(MARGIN, top + 10, told[:1].upper() + told[1:], 16, SOFT, "lm", WIDTH - 2 * MARGIN)
        top += 26
    if board.hand:
        top = _hand(canvas, top, board.hand)
    _tiles(canvas, top + 6, bottom, board)


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

    def __init__(self, height: float, zoom: float) -> None:
        self.zoom = zoom
        self.large = SMOOTH * zoom
        """Pixels of one unit while shapes are drawn."""
        self.image = Image.new("RGB", (round(WIDTH * self.large), round(height * self.large)), PAPER)
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
            self._scaled(x, y, x + width, y + height),
            corner * self.large,
            face,
            line,
            max(1, round(thick * self.large)),
        )

    def disc(self, x: float, y: float, radius: float, face: str, line: str = "") -> None:
        """Draw a circle."""
        self.pen.ellipse(
            self._scaled(x - radius, y - radius, x + radius, y + radius),
            face,
            line or face,
            round(self.large),
        )

    def stroke(self, x: float, y: float, to_x: float, to_y: float, colour: str, thick: float) -> None:
        """Draw a line."""
        self.pen.line(self._scaled(x, y, to_x, to_y), colour, max(1, round(thick * self.large)))

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

    def wrapped(self, text: str, size: float, max_width: float) -> list[str]:
        """The lines of a text, none wider than `max_width` unless it is one long word."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and self.width(longer, size) > max_width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def finished(self) -> Image.Image:
        """The finished image."""
        image = self.image.reduce(SMOOTH)
        pen = ImageDraw.Draw(image)
        for (x, y), text, size, colour, anchor in self.texts:
            pen.text((x * self.zoom, y * self.zoom), text, colour, font(size * self.zoom), anchor)
        return image

    def _scaled(self, *numbers: float) -> list[float]:
        return [round(number * self.large) for number in numbers]


@cache
def font(size: float) -> ImageFont.FreeTypeFont:
    """The font of Pillow, so that images are the same on every machine."""
    found = ImageFont.load_default(max(1.0, size))
    assert isinstance(found, ImageFont.FreeTypeFont), "Pillow draws fonts of any size"
    return found


MISSING = "\U0010ffff"
"""A character that no font has."""


def drawable(text: str) -> str:
    """The text without accents; empty if the font cannot draw it even so.

    >>> drawable("Jörg"), drawable("…"), drawable("\u4e2d")
    ('Jorg', '…', '')
    """
    plain = "".join(each for each in normalize("NFKD", text) if not "\u0300" <= each <= "\u036f")
    plain = text if _has(text) else plain.replace("ß", "ss")
    return plain if _has(plain) else ""


def _has(text: str) -> bool:
    """Whether the font has all characters of a text."""
    return all(each == " " or _shape(each) != _shape(MISSING) for each in text)


def _shape(character: str) -> bytes:
    return bytes(font(20).getmask(character))
