"""`duel saved`: list, replay and delete games, which have short ids; `duel stats`: figures about them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.console import Console, error_reason, print_folded, shell_command, standard_console
from numberduels.cli.wrapping import terminal_width
from numberduels.game.formatting import plural, printable, short

if TYPE_CHECKING:
    from numberduels.game.record import Record

LAST = "last"
"""Means the game or match that was played last."""

LIMIT = 20


def run(arguments: list[str]) -> int:
    """List the saved games, or do what the first word says with some of them."""
    if arguments[:1] == ["replay"]:
        return _replay(arguments[1:])
    if arguments[:1] == ["delete"]:
        return _delete(arguments[1:])
    return _list(arguments[1:] if arguments[:1] == ["list"] else arguments)


# Ids


def find_file(text: str) -> str:
    """The path of the file that a path, an id or the word `last` means.

    A text that looks like a path is returned as it is, so that reading it says what is wrong with it.
    """
    from numberduels.game import files

    if not text or "\0" in text or os.path.exists(files.absolute_path(text)):
        return text
    from numberduels.play.saved_games import full_id, kept_paths, matching_paths

    if text == LAST:
        found = kept_paths()[:1]
        if not found:
            raise CliError("no game is kept here yet; to play one: duel play GAME")
    else:
        found = matching_paths(text)
    if len(found) > 1:
        ids = list(map(full_id, found))
        if len(set(ids)) < len(ids):  # a game and a match that a person has named alike
            ids = list(map(os.path.basename, found))
        raise CliError(f"{short(text)} can be {' or '.join(ids)}: say which")
    if found:
        return found[0]
    if any(char in text for char in "/\\.~"):
        return text
    raise CliError(f"there is no file and no kept game called {short(text)}; duel saved shows the kept ones")


def short_name(path: str) -> str:
    """What to call a file on the command line: its id if it is kept in the data folder, else its path."""
    from numberduels.play.saved_games import is_kept, matching_paths, short_id

    name = short_id(path)
    misleading = name == LAST or name.startswith("-") or os.path.exists(name) or not name.isprintable()
    return name if is_kept(path) and matching_paths(name) == [path] and not misleading else path


# The list


def _list(arguments: list[str]) -> int:
    parser = Parser(
        "saved",
        "List the saved games and matches, newest first. Their ids are for duel continue, duel review and\n"
        "two more forms of this command:\n"
        "  duel saved replay ID     show a game again, move by move\n"
        "  duel saved delete ID...  delete games for good",
    )
    parser.add_argument("--all", action="store_true", help=f"all of them, not only the last {LIMIT}")
    limit = None if parser.parse_args(arguments).all else LIMIT
    from numberduels.play.saved_games import UnopenedGame, describe, kept_paths, listed

    notes: list[str] = []
    found = listed(limit, notes)
    lines = [describe(each) for each in found]
    if any(isinstance(each, UnopenedGame) for each in found):
        notes.append("Note: to open a game of another library, type its name: duel review ID --game NAME")
    if not lines:
        print_folded("No game is kept here yet. To play one: duel play GAME\n")
    widths = [max((len(line[column]) for line in lines), default=0) for column in range(5)]
    rows = ["  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)) for line in lines]
    if sum(widths) + 8 > (terminal_width(sys.stdout) or 1_000):
        rows = [
            f"{name}  {title} {opponent}: {state}, {when}" for name, title, opponent, state, when in lines
        ]
    print_folded("".join(f"{row.rstrip()}\n" for row in rows))
    more = len(kept_paths()) - len(lines) if limit is not None and len(lines) == limit else 0
    if more > 0:
        print_folded(f"{more} more: {shell_command('saved', '--all')}\n")
    for note in notes:
        print_folded(f"{printable(note)}\n")
    return 0


# Replaying


def _replay(arguments: list[str]) -> int:
    from numberduels.cli.arguments import add_game_number, load_record, read_ply

    parser = Parser("saved replay", "Show a saved game again, move by move.")
    parser.add_argument("file", metavar="FILE|ID", help="a file, the id of a kept game, or last")
    add_game_number(parser)
    parser.add_argument("--ply", metavar="N", help="stop after N moves")
    parsed = parser.parse_args(arguments)
    record = load_record(parsed.file, parsed.game)
    ply = read_ply(parsed.ply, record)
    say = standard_console().say
    table = record.table(ply)
    game_text = record.spec.text_for(record.game, record.names)
    first = record.spec.text_for(record.game, record.names[::-1]) if record.swapped else game_text
    say(first.opening(table.start))
    for number, (before, move, after) in enumerate(table.steps()):
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
        say(f"\nUnfinished. To go on from here: {_resume_here(record, parsed.file, ply)}\n")
    return 0


def _resume_here(record: Record, path: str, ply: int) -> str:
    """The command that goes on from here. It must not start a program that the file names."""
    from numberduels.cli.arguments import typed_game
    from numberduels.game.contract import HUMAN
    from numberduels.game.files import absolute_path
    from numberduels.players import allowed_in_files

    named = [
        part
        for number, kind in enumerate(record.seats, 1)
        if not allowed_in_files(kind)
        for part in (f"--p{number}", HUMAN)
    ]
    name = short_name(absolute_path(find_file(path)))
    return shell_command("play", "--resume", name, "--ply", str(ply), *named, *typed_game(record.spec.name))


# Deleting


def _delete(arguments: list[str]) -> int:
    """Delete games; on a terminal after a question. The status is 1 if some were not deleted."""
    parser = Parser("saved delete", "Delete saved games and matches. duel saved shows their ids.")
    parser.add_argument("ids", metavar="ID", nargs="+", help="the id of a kept game or match, or last")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parsed = parser.parse_args(arguments)
    paths = [_find_kept(text) for text in dict.fromkeys(parsed.ids)]
    console = standard_console()
    if not parsed.yes:
        if not console.interactive:
            raise CliError("this deletes games for good: add --yes where nobody can be asked")
        from numberduels.cli.prompt import Quit, ask_yes_or_no

        agreed = False
        with suppress(EOFError, Quit):
            agreed = ask_yes_or_no(console, f"Delete {plural(len(paths), 'game')} for good?")
        if not agreed:
            console.say("Nothing is deleted.\n")
            return 1
    return max([_delete_one(console, path) for path in paths])


def _find_kept(text: str) -> str:
    """The kept file that an id means; a file elsewhere is refused, as is one that is not there."""
    from numberduels.play.saved_games import is_kept

    path = find_file(text)
    if not is_kept(path) or not os.path.exists(path):
        raise CliError(f"{short(text, 60)} is no kept game; duel saved shows their ids")
    return path


def _delete_one(console: Console, path: str) -> int:
    from numberduels.play.saved_games import delete_game, short_id

    try:
        delete_game(path)
    except (OSError, ValueError) as fault:
        console.say(f"{printable(short_id(path))} cannot be deleted: {error_reason(fault)}.\n")
        return 1
    console.say(f"Deleted: {printable(short_id(path))}\n")
    return 0


# Statistics

WIDTH = 78


def run_stats(arguments: list[str]) -> int:
    """`duel stats`: print the statistics, or write them as CSV."""
    from datetime import date

    from numberduels.cli.arguments import add_force, add_out, check_outputs, write_outputs
    from numberduels.cli.progress import ProgressBar
    from numberduels.game.board_text import plain_text
    from numberduels.game.formatting import csv_text
    from numberduels.play.puzzles import read_results
    from numberduels.play.statistics import collect, csv_rows, played_games, statistics_lines

    parser = Parser(
        "stats",
        "Your games by game, opponent and seat, how well you played over time, your puzzles and lessons.\n"
        "All of it is computed from the games and logs on this machine.",
    )
    add_out(parser, "write every game and every puzzle into this .csv file instead")
    add_force(parser)
    parsed = parser.parse_args(arguments)
    check_outputs(parsed.out, parsed.force, ".csv")
    console = standard_console()
    if not parsed.out:
        with ProgressBar("judging your games") as bar:
            found = collect(date.today(), bar.update)
        text = plain_text(statistics_lines(found, min(console.width or WIDTH, WIDTH), plain=True)).rstrip()
        console.say("".join(f"{printable(line)}\n" for line in text.split("\n")))
        return 0
    notes: list[str] = []
    with ProgressBar("judging your games") as bar:
        games, puzzles = played_games(progress=bar.update, notes=notes), read_results(notes)
    write_outputs(parsed, {".csv": lambda: csv_text(csv_rows(games, puzzles))})
    console.say(f"{plural(len(games), 'game')} and {plural(len(puzzles), 'puzzle')} are written.\n")
    console.say("".join(f"{printable(note)}\n" for note in notes))
    return 0
