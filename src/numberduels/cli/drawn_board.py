"""The board of a game in progress, drawn and coloured for a terminal."""

from __future__ import annotations

from typing import Any

from numberduels.cli.console import BOLD, CYAN, MAGENTA, RED, Console
from numberduels.game.board import board_of
from numberduels.game.board_text import Line, draw_board
from numberduels.game.table import Table

DIM, GREEN, YELLOW, REVERSED, UNDERLINED = "2", "1;32", "33", "7", "4"
COLOURS = {
    "open": GREEN,
    "closed": DIM,
    "first": CYAN,
    "second": MAGENTA,
    "locked": RED,
    "removed": DIM,
    "filled": BOLD,
    "note": BOLD,
    "legend": DIM,
    "bar": YELLOW,
    "chosen": REVERSED,
    "touched": UNDERLINED,
}
"""The colour of each style of `board_text`."""

WIDEST = 100
"""Boards are drawn no wider than this, so that the eye finds the next row."""


def format_board(console: Console, table: Table[Any, Any], labels: tuple[str, str]) -> str:
    """The position of a game as text for this console."""
    board = board_of(table.game, table.state, table.played)
    width = min(console.width or WIDEST, WIDEST)
    return "\n".join(_painted(console, line) for line in draw_board(board, width, labels=labels))


def _painted(console: Console, line: Line) -> str:
    return "".join(console.paint(segment.text, COLOURS.get(segment.style, "")) for segment in line)
