"""Boards as lines of characters with styles: draw_board() for any width, large_board() as large as fits.

They know no game: everything comes from the `Board`. Each kind of tile has a frame or a sign of its own, so
that nothing is told by colour alone, and a legend explains the signs that are used.

>>> from numberduels.game.board import board_of
>>> from numberduels.games.range_war.rules import RangeWar
>>> from numberduels.game.table import replay
>>> table = replay(RangeWar(size=6), (4, 2))
>>> print(plain_text(draw_board(board_of(table.game, table.state, table.played), 40)))
higher than 2
 1    2   [3]   4   [5]  [6]
 .    2*        1
[3] = can be played  1 = Player 1
2 = Player 2  . = not now  * = last move
3: leaves 1
5: leaves 1, 3
6: leaves 1, 3, 5
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from numberduels.game.board import Bar, Board, Tile
from numberduels.game.messages import ENGLISH, Language

NARROWEST = 16
LONGEST_BAR = 30
MOST_EFFECTS = 10
"""The most moves whose effects are listed."""


class Segment(NamedTuple):
    """A piece of a line, and what it shows: a kind of tile, or one of STYLES. Empty means plain text."""

    text: str
    style: str = ""


STYLES = ("note", "legend", "bar", "first", "second", "chosen", "touched")
"""The styles beside the kinds of tiles: what holds now, the explanation of signs, a bar, what belongs to the
first and second player, the tile of the chosen move and the tiles that the move is about."""

Line = tuple[Segment, ...]


class Signs(NamedTuple):
    """The signs below tiles: those of the players, of what cannot be played, and of moves."""

    first: str
    second: str
    locked: str
    removed: str
    closed: str
    chosen: str
    touched: str
    last: str

    def of_kind(self, kind: str) -> str:
        """The sign of a kind of tile; empty for one that can be played.

        >>> ASCII_SIGNS.of_kind("locked"), ASCII_SIGNS.of_kind("open")
        ('x', '')
        """
        found: str = self._asdict().get(kind, "")
        return found

    def meanings(self, labels: tuple[str, str]) -> dict[str, str]:
        """What each sign means, if the players are called so."""
        told = ("locked", "gone", "not now", "your move", "changed or left by it", "last move")
        return dict(zip(self, (*labels, *told), strict=True))


ASCII_SIGNS = Signs("1", "2", "x", "-", ".", "^", "!", "*")
"""For every terminal, screen readers too."""

SYMBOLS = Signs("◆", "◇", "✗", "-", "·", "^", "!", "•")
"""For the full-screen table."""


FRAMES = {
    "open": "╭─╮│╰╯",
    "empty": "╭─╮│╰╯",
    "filled": "┏━┓┃┗┛",
    "chosen": "╔═╗║╚╝",
}
"""The characters of a box: top left, horizontal, top right, vertical, bottom left, bottom right."""

LARGE, BOX = 5, 3
"""Rows of a tile as a large box and as a box."""

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
    columns: int
    """How many tiles are in a row."""
    hand: list[Region]
    """Where the numbers to place are; `place` counts the hand of the board."""

    def neighbour(self, playable: Sequence[int], index: int, dx: int, dy: int) -> int:
        """The playable tile to the left, right, above or below of this one; the same if there is none.

        Left and right go through all playable tiles in order, and around the ends.
        """
        if not playable:
            return index
        if dx:
            after = [each for each in playable if (each - index) * dx > 0]
            return (after or playable)[0 if dx > 0 else -1]
        row, column = divmod(index, self.columns)
        below = [each for each in playable if (each // self.columns - row) * dy > 0]
        return min(
            below,
            key=lambda each: (abs(each // self.columns - row), abs(each % self.columns - column)),
            default=index,
        )


def draw_board(
    board: Board,
    width: int,
    *,
    move: str = "",
    effects: int = MOST_EFFECTS,
    legend: bool = True,
    labels: tuple[str, str] = ("Player 1", "Player 2"),
    language: Language = ENGLISH,
    signs: Signs = ASCII_SIGNS,
) -> list[Line]:
    """The lines of a board, none wider than `width`.

    `move`, as records write it, is shown as a preview: its tile, the tiles that it is about, and its effect.
    Without it the effects of up to `effects` moves are listed, those first that change other tiles.
    """
    width = max(width, NARROWEST)
    tiles = _Tiles(board, signs, move)
    lines = tiles.compact(_head(board, width, labels, language), width).lines
    if board.hand:
        lines += wrap_sentence(f"Numbers to place: {' '.join(board.hand)}", width)
    if legend:
        playable = [tile for tile in board.tiles if tile.kind in ("open", "empty") and tile.move][:1]
        can = [f"[{tile.label or ' '}] = can be played" for tile in playable]
        meanings = [f"{sign} = {about}" for sign, about in tiles.meanings(labels)]
        lines += wrap_parts([*can, *meanings], width, "legend")
    if move:
        effect = board.effects.get(move)
        if effect:
            lines += wrap_sentence(f"{move}: {language.say(effect.text)}", width, "chosen")
        return lines
    return [*lines, *_effects(board, width, effects, language)] if effects else lines


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
    """The board with boxes as tiles, if there is room for `height` rows; otherwise as `draw_board` draws it.

    Above the tiles are what holds for this move, the scores and the way to a target; below them the numbers
    to place. `move` is previewed. `number` is the number in hand. `marks` are short texts for moves, such as
    their values.

    >>> from numberduels.game.board import board_of
    >>> from numberduels.games.range_war.rules import RangeWar
    >>> from numberduels.game.table import replay
    >>> table = replay(RangeWar(size=5), (4, 2))
    >>> print(plain_text(large_board(board_of(table.game, table.state, table.played), 40, 4).lines))
    higher than 2
              ╭───╮     ╭───╮
      1    2  │ 3 │  4  │ 5 │
      ·    ◇• ╰───╯  ◆  ╰───╯
    """
    width = max(width, NARROWEST // 2)
    head = _head(board, width, labels, ENGLISH)
    tiles = _Tiles(board, SYMBOLS, move, number, marks)
    box, large = tiles.boxes(head, width, BOX), tiles.boxes(head, width, LARGE)
    one_row = box.columns == len(board.tiles) > large.columns  # it stays one: neighbours are neighbours
    if not one_row and len(large.lines) <= height:
        found = large
    else:
        found = box if len(box.lines) <= height else tiles.compact(head, width)
    return tiles.with_hand(found)


def explain_signs(board: Board, move: str, labels: tuple[str, str]) -> list[str]:
    """The signs that a picture of this board contains, each with its meaning. `move` is previewed."""
    meanings = _Tiles(board, SYMBOLS, move).meanings(labels)
    return [f"{sign} {about}" for sign, about in meanings if sign != SYMBOLS.chosen]


def plain_text(lines: Iterable[Line]) -> str:
    """The lines without styles."""
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines)


def _head(board: Board, width: int, labels: tuple[str, str], language: Language) -> list[Line]:
    """What holds now, the scores and the way to a target."""
    note = wrap_sentence(language.say(board.note.text), width, "note") if board.note else ()
    return [*note, *_bars(board.bars, width, labels, language)]


# The tiles


class _Tiles:
    """The tiles of a board with a move that is previewed: names of places above them, signs below them."""

    def __init__(
        self,
        board: Board,
        signs: Signs,
        move: str = "",
        number: str = "",
        marks: Mapping[str, str] | None = None,
    ) -> None:
        self.board = board
        self.number = number or board.number_of(move)
        self.marks = marks or {}
        self.known_signs = signs
        effect = board.effects.get(move)
        self.touched = set(effect.touches) if effect else set()
        self.chosen = next(
            (
                index
                for index, tile in enumerate(board.tiles)
                if move and tile.move and self._move(tile) == move
            ),
            None,
        )
        labels = [*(tile.label for tile in board.tiles), *(tile.name for tile in board.tiles), *board.hand]
        self.wide = max((len(label) for label in labels), default=1)
        self.marked = max(map(len, self.marks.values()), default=0)
        self.signs = [self._sign(index, tile) for index, tile in enumerate(board.tiles)]

    def _move(self, tile: Tile) -> str:
        return (self.number if self.board.hand else "") + tile.move

    def _sign(self, index: int, tile: Tile) -> str:
        known = self.known_signs
        sign = known.of_kind(tile.kind)
        if tile.kind == "empty" and not tile.move and self.board.effects:
            sign = known.closed
        if index == self.chosen:
            return sign + known.chosen
        if index in self.touched:
            return sign + known.touched
        return sign + (known.last if index in self.board.last else "")

    def meanings(self, labels: tuple[str, str]) -> list[tuple[str, str]]:
        """The signs that are used, and what they mean."""
        used = set("".join(self.signs))
        meanings = self.known_signs.meanings(labels)
        return [(sign, about) for sign, about in meanings.items() if sign in used]

    def _below(self, index: int) -> str:
        """What stands below a tile: the mark of its move, or its signs."""
        tile = self.board.tiles[index]
        mark = self.marks.get(self._move(tile), "") if tile.move else ""
        return mark or self.signs[index]

    def _label(self, index: int) -> str:
        tile = self.board.tiles[index]
        return self.number if index == self.chosen and self.board.hand else tile.label

    def _style(self, index: int) -> str:
        if index == self.chosen:
            return "chosen"
        return "touched" if index in self.touched else self.board.tiles[index].kind

    def compact(self, head: list[Line], width: int) -> Picture:
        """Numbers, in brackets if they can be played, with signs below them: as many in a row as fit."""
        count = len(self.board.tiles)
        cell = max(self.wide + 2, self.marked + 1, 4)  # there is room for two signs
        if count * (cell + 1) <= width:
            cell += 1  # all of them fit into one row with room between them
        columns = max(width // cell, 1)
        lines, regions = [*head], []
        for first in range(0, count, columns):
            row = range(first, min(first + columns, count))
            self._add_names(lines, [f" {self.board.tiles[each].name:>{self.wide}} " for each in row], cell)
            regions += [Region(index, place * cell, len(lines), cell, 2) for place, index in enumerate(row)]
            lines.append(
                tuple(Segment(f"{self._bracketed(each):<{cell}}", self._style(each)) for each in row)
            )
            below = [self._below(each) for each in row]
            if any(below):
                texts = [
                    (text if text in self.marks.values() else f"{' ' * self.wide}{text}")[:cell].ljust(cell)
                    for text in below
                ]
                lines.append(tuple(map(Segment, texts, map(self._style, row))))
        return Picture(lines, regions, columns, [])

    def _bracketed(self, index: int) -> str:
        inner = f"{self._label(index):>{self.wide}}"
        return f"[{inner}]" if self.board.tiles[index].kind in FRAMES else f" {inner} "

    def _add_names(self, lines: list[Line], names: list[str], cell: int) -> None:
        if any(name.strip() for name in names):
            lines.append(tuple(Segment(f"{name:<{cell}}", "legend") for name in names))

    def boxes(self, head: list[Line], width: int, rows: int) -> Picture:
        """Tiles as boxes of this many rows."""
        inner = max(self.wide + 2, self.marked) + (LARGE_MARGIN if rows == LARGE else 0)
        cell, count = inner + 2, len(self.board.tiles)
        columns = max(min(width // cell, count), 1)
        # Equal rows look better than a short last one.
        columns = -(-count // -(-count // columns)) if count else 1
        lines, regions = [*head], []
        for first in range(0, count, columns):
            row = range(first, min(first + columns, count))
            self._add_names(lines, [self.board.tiles[each].name.center(cell) for each in row], cell)
            regions += [
                Region(index, place * cell, len(lines), cell, rows) for place, index in enumerate(row)
            ]
            drawn = [self._box(index, inner, rows) for index in row]
            lines += [tuple(each[line] for each in drawn) for line in range(rows)]
        return Picture(lines, regions, columns, [])

    def _box(self, index: int, inner: int, rows: int) -> list[Segment]:
        style, label = self._style(index), self._label(index)
        frame = FRAMES.get(style if style == "chosen" else self.board.tiles[index].kind)
        if not frame:
            blank = [" "] * (rows // 2)
            texts = [*blank, label, self.signs[index], *blank[1:]]
            return [Segment(text.center(inner + 2), style) for text in texts]
        corner, across, corner_right, upright, low, low_right = tuple(frame)
        under = self._below(index).replace(self.known_signs.chosen, "")  # the frame says it
        bottom = under[:inner].center(inner, across) if under else across * inner
        blank = [""] * (rows // 2 - 1)
        return [
            Segment(f"{corner}{across * inner}{corner_right}", style),
            *(Segment(f"{upright}{text.center(inner)}{upright}", style) for text in (*blank, label, *blank)),
            Segment(f"{low}{bottom}{low_right}", style),
        ]

    def with_hand(self, picture: Picture) -> Picture:
        """The picture with the numbers to place below it."""
        if not self.board.hand:
            return picture
        head = "Number to place: "
        segments = [Segment(head, "note")]
        regions, x = [], len(head)
        for index, number in enumerate(self.board.hand):
            text = f"▸{number}◂" if number == self.number else f" {number} "
            segments.append(Segment(text, "chosen" if number == self.number else "open"))
            regions.append(Region(index, x, len(picture.lines) + 1, len(text), 1))
            x += len(text)
        return picture._replace(lines=[*picture.lines, (Segment(""),), tuple(segments)], hand=regions)


# Bars, sentences and effects


def _bars(bars: Sequence[Bar], width: int, labels: tuple[str, str], language: Language) -> Iterator[Line]:
    """Each score, or the way to a target, as a bar with its figures."""
    heads = [
        language.say(bar.text) if bar.seat is None else f"{labels[bar.seat]}, {language.say(bar.text)}"
        for bar in bars
    ]
    figures = [f"{bar.value} of {bar.of}" for bar in bars]
    longest = max((len(figure) for figure in figures), default=0)
    head_width = max((len(head) for head in heads), default=0)
    room = width - head_width - longest - 4
    for bar, head, figure in zip(bars, heads, figures, strict=True):
        style = "bar" if bar.seat is None else ("first", "second")[bar.seat]
        if room < 6:  # a line of its own for the words
            yield from wrap_sentence(f"{head}: {figure}", width, style)
            yield (_bar(bar, min(width - 2, LONGEST_BAR), style),)
        else:
            drawn = _bar(bar, min(room, LONGEST_BAR), style)
            yield Segment(f"{head:<{head_width}} ", style), drawn, Segment(f" {figure}")


def _bar(bar: Bar, room: int, style: str) -> Segment:
    share = min(max(bar.value / bar.of, 0), 1) if bar.of > 0 else 0
    filled = int(room * share)
    return Segment(f"[{'#' * filled}{'.' * (room - filled)}]", style)


def wrap_sentence(text: str, width: int, style: str = "", indent: str = "") -> Iterator[Line]:
    """A sentence in lines of at most this width."""
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            yield (Segment(line, style),)
            line = indent
        line += word if not line or line == indent else f" {word}"
    if line:
        yield (Segment(line, style),)


def wrap_parts(parts: Sequence[str], width: int, style: str) -> Iterator[Line]:
    """Parts with two blanks between them; a part is broken only if it is wider than a line."""
    line = ""
    for part in parts:
        if line and len(line) + 2 + len(part) > width:
            yield (Segment(line, style),)
            line = ""
        line += f"  {part}" if line else part
        if len(line) > width:
            yield from wrap_sentence(line, width, style)
            line = ""
    if line:
        yield (Segment(line, style),)


def _effects(board: Board, width: int, most: int, language: Language) -> Iterator[Line]:
    """What moves would do; only those that change more than their own tile, if there are too many."""
    listed = [(move, effect) for move, effect in board.effects.items() if effect.touches]
    if len(board.effects) <= most and listed:
        listed = list(board.effects.items())
    for move, effect in listed[:most]:
        yield from wrap_sentence(f"{move}: {language.say(effect.text)}", width, "", "  ")
    if len(listed) > most:
        yield from wrap_sentence(f"and {len(listed) - most} more moves", width, "legend", "  ")
