"""draw_board(): a board as lines of characters with styles, for terminals of any width.

It knows no game: everything comes from the `Board`. Each kind of tile has a sign of its own, so that nothing
is told by colour alone, and a legend explains the signs that are used.

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

from collections.abc import Iterable, Iterator, Sequence
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
    lines: list[Line] = []
    if board.note:
        lines += wrap_sentence(language.say(board.note.text), width, "note")
    lines += draw_bars(board.bars, width, labels, language)
    rows = _Rows(board, move, signs)
    lines += rows.lines(width)
    if board.hand:
        lines += wrap_sentence(f"Numbers to place: {' '.join(board.hand)}", width)
    if legend:
        lines += wrap_parts(rows.legend(labels), width, "legend")
    if move:
        effect = board.effects.get(move)
        if effect:
            lines += wrap_sentence(f"{move}: {language.say(effect.text)}", width, "chosen")
        return lines
    return [*lines, *_effects(board, width, effects, language)] if effects else lines


def plain_text(lines: Iterable[Line]) -> str:
    """The lines without styles."""
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines)


# The tiles


class _Rows:
    """The tiles in rows: names of places above them if they have any, and signs below them."""

    def __init__(self, board: Board, move: str, signs: Signs) -> None:
        self.board = board
        self.known_signs = signs
        chosen = board.effects.get(move)
        hand = board.number_of(move)
        place = move.removeprefix(hand) if hand else move
        self.chosen = {index for index, tile in enumerate(board.tiles) if move and tile.move == place}
        self.touched = set(chosen.touches) if chosen else set()
        self.number = hand
        labels = [*(tile.label for tile in board.tiles), *(tile.name for tile in board.tiles), *board.hand]
        self.wide = max((len(label) for label in labels), default=1)
        self.cell = max(self.wide + 2, 4)  # there is room for two signs
        self.signs = [self._sign(index, tile) for index, tile in enumerate(board.tiles)]

    def _sign(self, index: int, tile: Tile) -> str:
        known = self.known_signs
        sign = known.of_kind(tile.kind)
        if tile.kind == "empty" and not tile.move and self.board.effects:
            sign = known.closed
        if index in self.chosen:
            return sign + known.chosen
        if index in self.touched:
            return sign + known.touched
        return sign + (known.last if index in self.board.last else "")

    def lines(self, width: int) -> Iterator[Line]:
        """The rows, as many tiles in each as fit."""
        tiles = list(enumerate(self.board.tiles))
        if len(tiles) * (self.cell + 1) <= width:
            self.cell += 1  # all of them fit into one row with room between them
        fitting = max(width // self.cell, 1)
        for first in range(0, len(tiles), fitting):
            part = tiles[first : first + fitting]
            if any(tile.name for _, tile in part):
                yield tuple(Segment(self._centred(tile.name), "legend") for _, tile in part)
            yield tuple(self._tile(index, tile) for index, tile in part)
            signs = [self.signs[index] for index, _ in part]
            if any(signs):
                yield tuple(
                    Segment(self._under(sign), self._style(index, tile))
                    for sign, (index, tile) in zip(signs, part, strict=True)
                )

    def _tile(self, index: int, tile: Tile) -> Segment:
        label = tile.label
        if tile.kind == "empty" and index in self.chosen and self.number:
            label = self.number
        framed = tile.kind in ("open", "empty", "filled")
        inner = f"{label:>{self.wide}}"
        text = f"[{inner}]" if framed else f" {inner} "
        return Segment(f"{text:<{self.cell}}", self._style(index, tile))

    def _style(self, index: int, tile: Tile) -> str:
        if index in self.chosen:
            return "chosen"
        return "touched" if index in self.touched else tile.kind

    def _centred(self, text: str) -> str:
        return f"{f' {text:>{self.wide}} ':<{self.cell}}"

    def _under(self, sign: str) -> str:
        """A sign below the last character of a number."""
        return f"{' ' * self.wide}{sign}"[: self.cell].ljust(self.cell)

    def legend(self, labels: tuple[str, str]) -> list[str]:
        """What the signs mean that are used."""
        used = set("".join(self.signs))
        playable = next(
            (tile for tile in self.board.tiles if tile.kind in ("open", "empty") and tile.move), None
        )
        meanings = self.known_signs.meanings(labels)
        found = [f"[{playable.label or ' '}] = can be played"] if playable else []
        return found + [f"{sign} = {about}" for sign, about in meanings.items() if sign in used]


# Bars, sentences and effects


def draw_bars(bars: Sequence[Bar], width: int, labels: tuple[str, str], language: Language) -> Iterator[Line]:
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
