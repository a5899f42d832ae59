"""`duel replay FILE`: print a saved game as a session."""

from __future__ import annotations

import argparse
import time

from numberduels.cli.arguments import add_game_number, load_record, read_delay, read_ply, typed_game
from numberduels.cli.console import shell_command, standard_console
from numberduels.cli.parser import Parser
from numberduels.cli.saved import find_file, short_name
from numberduels.game.contract import HUMAN
from numberduels.game.files import absolute_path
from numberduels.game.record import Record
from numberduels.players import allowed_in_files


def run(arguments: list[str]) -> int:
    """Print the session of a record."""
    parser = Parser("replay", "Show a saved game again, move by move.")
    parser.add_argument("file", metavar="FILE|ID", help="a file, the id of a kept game, or last")
    add_game_number(parser)
    parser.add_argument("--ply", metavar="N", help="stop after N moves")
    parser.add_argument("--delay", metavar="SECONDS", default="0", help="pause before each move")
    parsed: argparse.Namespace = parser.parse_args(arguments)
    record = load_record(parsed.file, parsed.game)
    _show(record, parsed.file, read_ply(parsed.ply, record), read_delay(parsed.delay))
    return 0


def _show(record: Record, path: str, ply: int, delay: float) -> None:
    say = standard_console().say
    table = record.table(ply)
    game_text = record.spec.text_for(record.game, record.names)
    first = record.spec.text_for(record.game, record.names[::-1]) if record.swapped else game_text
    say(first.opening(table.start))
    for number, (before, move, after) in enumerate(table.steps()):
        time.sleep(delay)
        told = game_text if number else first
        say(f"\n{told.question(before)}{told.typed(move)}\n{told.announce(before, move, after)}")
        if record.swapped and not number:
            say("\nThe players change seats.\n")
    if ply == len(record.moves) and record.resigned is not None:
        end = game_text.time_forfeit if record.timed_out else game_text.resignation
        say(f"\n{end(record.resigned)}")
    elif ply == len(record.moves) and record.agreed:
        say(f"\n{game_text.agreement()}")
    elif table.outcome:
        say(game_text.closing(table.state))
    else:
        # The command must not start a program that the file names.
        named = [
            part
            for number, kind in enumerate(record.seats, 1)
            if not allowed_in_files(kind)
            for part in (f"--p{number}", HUMAN)
        ]
        name = short_name(absolute_path(find_file(path)))
        again = shell_command(
            "play", "--resume", name, "--ply", str(ply), *named, *typed_game(record.spec.name)
        )
        say(f"\nUnfinished. To go on from here: {again}\n")
