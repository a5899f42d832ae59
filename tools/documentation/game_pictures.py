"""Pictures of the pages about games, drawn by the program itself: boards, and charts of who wins."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from shlex import split

from numberduels.cli.main import main
from numberduels.game import registry
from numberduels.game.board import board_of
from numberduels.game.board_image import Scene, draw_image
from numberduels.game.notation import read_game
from numberduels.game.table import replay


def draw_board(words: str, path: Path) -> str:
    """Draw the board of a game after some moves: `range-war:size=10 6 3 8`. Returns the picture in words."""
    name, *moves = words.split()
    _, game = read_game(name)
    spec = registry.spec(name.partition(":")[0])
    text = spec.text_for(game)
    table = replay(game, [text.parse_move(move.replace("@", " ")) for move in moves])
    seat = game.turn(table.state)
    status = f"Player {seat + 1} to move"
    board = board_of(game, table.state, table.played)
    draw_image(Scene(spec.title, status, board, marked=seat), zoom=2).save(path, optimize=True)
    return f"{spec.title} after {', '.join(move.replace('@', ' at ') for move in moves)}: {status}"


def draw_sweep(words: str, path: Path) -> str:
    """Draw what `duel sweep` finds: `range-war --size 1..30`. Returns the command."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        status = main(["sweep", *split(words), "--plot", str(path), "--force"])
    if status:
        raise ValueError(f"duel sweep {words} ended with status {status}: {printed.getvalue()}")
    return f"duel sweep {words}"
