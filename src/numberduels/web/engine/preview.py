"""The engine task that draws preview pictures: what a messenger shows beside a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import NamedTuple

from numberduels import registry
from numberduels.board import Board, board_of
from numberduels.core import Seat
from numberduels.table import replay

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


def preview(*content: object) -> bytes:
    """A PNG picture of one or two positions, with a title and what is going on.

    >>> preview(*Preview("range-war", {}, [["6", "3"]], "Range War"))[1:4]
    b'PNG'
    """
    from numberduels.board_image import Scene, draw_image, drawable

    found = Preview(*content)  # type: ignore[arg-type]
    first, *rest = [_board(found.game, found.options, moves) for moves in found.positions]
    one, two = (drawable(name) or f"Player {number}" for number, name in enumerate(found.names, 1))
    scene = Scene(
        found.title,
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


def _board(game: str, options: Mapping[str, str], moves: Sequence[str]) -> Board:
    spec = registry.spec(game)
    rules = spec.make(dict(options))
    text = spec.text_for(rules)
    table = replay(rules, [text.parse_move(move) for move in moves])
    board = board_of(rules, table.state, table.played)
    return board.finished() if table.outcome else board
