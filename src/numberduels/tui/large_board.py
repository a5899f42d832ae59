"""large_board(): a board as large as the space allows, and where each of its tiles is.

It knows no game: everything comes from the `Board`. Tiles are boxes if there is room, otherwise numbers in
brackets. Each kind of tile has a frame or a sign of its own, so that nothing is told by colour alone.

>>> from numberduels.game.board import board_of
>>> from numberduels.games.range_war.rules import RangeWar
>>> from numberduels.game.table import replay
>>> table = replay(RangeWar(size=5), (4, 2))
>>> picture = large_board(board_of(table.game, table.state, table.played), 40, 4)
>>> print(picture.text)
higher than 2
          ╭───╮     ╭───╮
  1    2  │ 3 │  4  │ 5 │
  ·    ◇• ╰───╯  ◆  ╰───╯
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from numberduels.game.board import Board, Tile
from numberduels.game.board_text import SYMBOLS, Line, Segment, draw_bars, plain_text, wrap_sentence
from numberduels.game.messages import ENGLISH

NARROWEST = 8

FRAMES = {
    "open": "╭─╮│╰╯",
    "empty": "╭─╮│╰╯",
    "filled": "┏━┓┃┗┛",
    "chosen": "╔═╗║╚╝",
}
"""The characters of a box: top left, horizontal, top right, vertical, bottom left, bottom right."""

LARGE, BOX, BRACKETS = 5, 3, 2
"""Rows of a tile as a large box, as a box, and as a number in brackets with a sign below it."""

LARGE_MARGIN = 4
"""Columns by which a large box is wider than a box."""


class Region(NamedTuple):
    """Where a tile is, or a number to place: its left column, top row, width and height."""

    place: int
    x: int
    y: int
    width: int
    height: int

    def contains(self, x: int, y: int) -> bool:
        """Whether this cell of the screen belongs to it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Picture(NamedTuple):
    """A drawn board."""

    lines: list[Line]
    tiles: list[Region]
    """Where the tiles are; `place` counts the tiles of the board."""
    hand: list[Region]
    """Where the numbers to place are; `place` counts the hand of the board."""
    columns: int
    """How many tiles are in a row."""

    @property
    def text(self) -> str:
        """The picture without styles."""
        return plain_text(self.lines)


def large_board(
    board: Board,
    width: int,
    height: int,
    *,
    move: str = "",
    number: str = "",
    marks: Mapping[str, str] | None = None,
    labels: tuple[str, str] = ("Player 1", "Player 2"),
) -> Picture:
    """Draw the board, not wider than `width`, and not higher if that is possible.

    Above the tiles are what holds for this move, the scores and the way to a target; below them the numbers
    to place. `move` is previewed. `number` is the number in hand. `marks` are short texts for moves, such as
    their values.
    """
    width = max(width, NARROWEST)
    head = [
        *(wrap_sentence(board.note.text, width, "note") if board.note else ()),
        *draw_bars(board.bars, width, labels, ENGLISH),
    ]
    drawing = _Drawing(board, head, move, number or board.number_of(move), marks or {})
    box = drawing.picture(width, BOX)
    large = drawing.picture(width, LARGE)
    one_row = box.columns == len(board.tiles) > large.columns  # it stays one: neighbours are neighbours
    if not one_row and len(large.lines) <= height:
        return large
    return box if len(box.lines) <= height else drawing.picture(width, BRACKETS)


def explain_signs(board: Board, move: str, labels: tuple[str, str]) -> list[str]:
    """The signs that a picture of this board contains, each with its meaning. `move` is previewed."""
    used = {SYMBOLS.of_kind(tile.kind) for tile in board.tiles}
    if board.last:
        used.add(SYMBOLS.last)
    if move and board.effects.get(move) and board.effects[move].touches:
        used.add(SYMBOLS.touched)
    return [f"{sign} {meaning}" for sign, meaning in SYMBOLS.meanings(labels).items() if sign in used]


class _Drawing:
    """One board with a move that is previewed."""

    def __init__(
        self, board: Board, head: list[Line], move: str, number: str, marks: Mapping[str, str]
    ) -> None:
        self.board = board
        self.head = head
        self.number = number
        self.marks = marks
        effect = board.effects.get(move)
        self.touched = effect.touches if effect else ()
        self.chosen = next(
            (
                index
                for index, tile in enumerate(board.tiles)
                if tile.move and move and (number if board.hand else "") + tile.move == move
            ),
            None,
        )
        longest = max((len(tile.label) for tile in board.tiles), default=1)
        longest = max(longest, *(len(tile.name) for tile in board.tiles), *map(len, board.hand), 1)
        self.marked = max(map(len, self.marks.values()), default=0)
        self.least_inner = self.inner = max(longest + 2, self.marked)

    def picture(self, width: int, rows: int) -> Picture:
        """The picture with tiles of this many rows."""
        self.inner = self.least_inner + (LARGE_MARGIN if rows == LARGE else 0)
        cell = self.inner + 2
        columns = max(min(width // cell, len(self.board.tiles)), 1)
        # Equal rows look better than a short last one.
        lines_of_tiles = -(-len(self.board.tiles) // columns)
        columns = -(-len(self.board.tiles) // lines_of_tiles) if self.board.tiles else 1
        lines = [*self.head]
        tiles: list[Region] = []
        named = any(tile.name for tile in self.board.tiles)
        for first in range(0, len(self.board.tiles), columns):
            row = range(first, min(first + columns, len(self.board.tiles)))
            if named:
                lines.append(
                    tuple(Segment(self.board.tiles[index].name.center(cell), "legend") for index in row)
                )
            top = len(lines)
            drawn = [self._bracketed(index) if rows == BRACKETS else self._box(index, rows) for index in row]
            lines += [tuple(each[line] for each in drawn) for line in range(rows)]
            tiles += [Region(index, column * cell, top, cell, rows) for column, index in enumerate(row)]
        return Picture(lines, tiles, self._add_hand(lines), columns)

    def _add_hand(self, lines: list[Line]) -> list[Region]:
        if not self.board.hand:
            return []
        head = "Number to place: "
        segments = [Segment(head, "note")]
        regions, x = [], len(head)
        for index, number in enumerate(self.board.hand):
            text = f"▸{number}◂" if number == self.number else f" {number} "
            segments.append(Segment(text, "chosen" if number == self.number else "open"))
            regions.append(Region(index, x, len(lines) + 1, len(text), 1))
            x += len(text)
        lines += [(Segment(""),), tuple(segments)]
        return regions

    # One tile

    def _box(self, index: int, rows: int) -> list[Segment]:
        tile, style = self.board.tiles[index], self._style(index)
        label, wide = self._label(index), self.inner
        frame = FRAMES.get(style if style == "chosen" else tile.kind)
        if not frame:
            blank = [" "] * (rows // 2)
            texts = [*blank, label, self._signs(index), *blank[1:]]
            return [Segment(text.center(wide + 2), style) for text in texts]
        corner, across, corner_right, upright, low, low_right = tuple(frame)
        under = self._mark(tile) or self._signs(index)
        bottom = under[:wide].center(wide, across) if under else across * wide
        blank = [""] * (rows // 2 - 1)
        return [
            Segment(f"{corner}{across * wide}{corner_right}", style),
            *(Segment(f"{upright}{text.center(wide)}{upright}", style) for text in (*blank, label, *blank)),
            Segment(f"{low}{bottom}{low_right}", style),
        ]

    def _bracketed(self, index: int) -> list[Segment]:
        tile, style = self.board.tiles[index], self._style(index)
        label, wide = self._label(index), self.inner
        text = f"[{label.center(wide)}]" if tile.kind in FRAMES else label.center(wide + 2)
        if style == "chosen":
            text = f"▸{label.center(wide)}◂"
        under = self._mark(tile) or self._signs(index)
        return [Segment(text, style), Segment(under.center(wide + 2), style)]

    def _label(self, index: int) -> str:
        tile = self.board.tiles[index]
        return self.number if index == self.chosen and self.board.hand else tile.label

    def _mark(self, tile: Tile) -> str:
        return self.marks.get((self.number if self.board.hand else "") + tile.move, "") if tile.move else ""

    def _signs(self, index: int) -> str:
        sign = SYMBOLS.of_kind(self.board.tiles[index].kind)
        if index in self.touched:
            sign += SYMBOLS.touched
        return sign + SYMBOLS.last if index in self.board.last else sign

    def _style(self, index: int) -> str:
        if index == self.chosen:
            return "chosen"
        return "touched" if index in self.touched else self.board.tiles[index].kind


def neighbour(picture: Picture, playable: Sequence[int], index: int, dx: int, dy: int) -> int:
    """The playable tile to the left, right, above or below of this one; the same if there is none.

    Left and right go through all playable tiles in order, and around the ends.
    """
    if not playable:
        return index
    if dx:
        after = [each for each in playable if (each > index if dx > 0 else each < index)]
        if not after:
            return playable[0 if dx > 0 else -1]
        return after[0 if dx > 0 else -1]
    row, column = divmod(index, picture.columns)
    below = [each for each in playable if (each // picture.columns - row) * dy > 0]
    if not below:
        return index
    return min(
        below, key=lambda each: (abs(each // picture.columns - row), abs(each % picture.columns - column))
    )
