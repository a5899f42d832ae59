"""`duel stats`: your games, how well you played them, and your puzzles and lessons."""

from __future__ import annotations

from datetime import date

from numberduels.cli.arguments import add_force, check_suffix, check_target, write_file
from numberduels.cli.console import standard_console
from numberduels.cli.parser import Parser
from numberduels.cli.progress import ProgressBar
from numberduels.game.board_text import plain_text
from numberduels.game.formatting import csv_text, plural, printable
from numberduels.play.puzzles import read_results
from numberduels.play.statistics import collect, csv_rows, played_games, statistics_lines

WIDTH = 78


def run(arguments: list[str]) -> int:
    """Print the statistics, or write them as CSV."""
    parser = Parser(
        "stats",
        "Your games by game, opponent and seat, how well you played over time, your puzzles and lessons.\n"
        "All of it is computed from the games and logs on this machine.",
    )
    parser.add_argument("--csv", metavar="FILE", help="write every game and every puzzle into this file")
    add_force(parser)
    parsed = parser.parse_args(arguments)
    check_suffix("--csv", parsed.csv or "", ".csv")
    check_target(parsed.csv, parsed.force)
    console = standard_console()
    with ProgressBar("judging your games") as bar:
        if parsed.csv is None:
            found = collect(date.today(), bar.update)
        else:
            notes: list[str] = []
            games, puzzles = played_games(progress=bar.update, notes=notes), read_results(notes)
    if parsed.csv is None:
        lines = statistics_lines(found, min(console.width or WIDTH, WIDTH), plain=True)
        text = plain_text(lines).rstrip()
        console.say("".join(f"{printable(line)}\n" for line in text.split("\n")))
        return 0
    write_file(parsed.csv, csv_text(csv_rows(games, puzzles)), parsed.force)
    console.say(f"{plural(len(games), 'game')} and {plural(len(puzzles), 'puzzle')} are written.\n")
    console.say("".join(f"{printable(note)}\n" for note in notes))
    return 0
