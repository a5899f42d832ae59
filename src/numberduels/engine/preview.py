"""The engine task that draws preview pictures: what a messenger shows beside a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import NamedTuple

from numberduels.game import registry
from numberduels.game.board import Board, board_of
from numberduels.game.contract import Seat
from numberduels.game.messages import Message, language
from numberduels.game.table import replay

HEIGHT, ZOOM = 336, 1.875
"""1200 x 630 pixels, the size that sites expect."""


class Preview(NamedTuple):
    """The content of a picture, as plain data."""

    game: str
    options: Mapping[str, str]
    positions: Sequence[Sequence[str]]
    """The moves to each position: one, or two for a puzzle about two."""
    title: str
    status: str = ""
    names: Sequence[str] = ("", "")
    marked: Seat | None = None
    """The player to move, or the winner."""
    caption: str = ""
    language: str = "en"
    """The language of the texts on the board. All other texts are said in it already."""


def preview(*content: object) -> bytes:
    """A PNG picture of one or two positions, with a title and what is going on.

    >>> preview(*Preview("range-war", {}, [["6", "3"]], "Range War"))[1:4]
    b'PNG'
    """
    from numberduels.game.board_image import Scene, draw_image, drawable

    found = Preview(*content)  # type: ignore[arg-type]
    first, *rest = [_board(found, moves) for moves in found.positions]
    say = language(found.language).say
    one, two = (
        drawable(name) or drawable(say(Message("Player {number}", number=str(number))))
        for number, name in enumerate(found.names, 1)
    )
    scene = Scene(
        drawable(found.title),
        drawable(found.status),
        first,
        (one, two),
        found.marked,
        caption=drawable(found.caption),
        second=rest[0] if rest else None,
        footer="Number Duels",
    )
    file = BytesIO()
    draw_image(scene, HEIGHT, ZOOM).save(file, "PNG")
    return file.getvalue()


def _board(found: Preview, moves: Sequence[str]) -> Board:
    spec = registry.spec(found.game)
    rules = spec.make(dict(found.options))
    text = spec.text_for(rules)
    table = replay(rules, [text.parse_move(move) for move in moves])
    board = board_of(rules, table.state, table.played)
    return _translated(board.finished() if table.outcome else board, found.language, spec.rules.__module__)


def _translated(board: Board, code: str, module: str) -> Board:
    """The board with the texts that a picture shows in another language."""
    from numberduels.game.board_image import drawable

    def say(text: Message) -> Message:
        return Message(drawable(language(code, module).say(text)))

    note = board.note._replace(text=say(board.note.text)) if board.note else None
    return replace(board, note=note, bars=tuple(bar._replace(text=say(bar.text)) for bar in board.bars))
