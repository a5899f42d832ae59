"""`duel delete ID`: remove kept games and matches."""

from __future__ import annotations

import os

from numberduels.cli.console import Console, error_reason, standard_console
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.saved import find_file
from numberduels.game.formatting import plural, short


def run(arguments: list[str]) -> int:
    """Delete games; on a terminal after a question. The status is 1 if some were not deleted."""
    parser = Parser("delete", "Delete kept games and matches. duel list shows their ids.")
    parser.add_argument("ids", metavar="ID", nargs="+", help="the id of a kept game or match, or last")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parsed = parser.parse_args(arguments)
    paths = [_find(text) for text in dict.fromkeys(parsed.ids)]
    console = standard_console()
    if not parsed.yes:
        if not console.interactive:
            raise CliError("this deletes games for good: add --yes where nobody can be asked")
        if not _agrees(console, paths):
            console.say("Nothing is deleted.\n")
            return 1
    return max([delete(console, path) for path in paths])


def _find(text: str) -> str:
    """The kept file that an id means; a file elsewhere is refused, as is one that is not there."""
    from numberduels.play.saved_games import is_kept

    path = find_file(text)
    if not is_kept(path) or not os.path.exists(path):
        raise CliError(f"{short(text, 60)} is no kept game; duel list shows their ids")
    return path


def _agrees(console: Console, paths: list[str]) -> bool:
    from numberduels.cli.choices import ask_yes_or_no

    what = plural(len(paths), "game")
    try:
        return ask_yes_or_no(console, f"Delete {what} for good?")
    except EOFError:
        return False


def delete(console: Console, path: str) -> int:
    """Delete one file and say so; the status is 1 if that fails."""
    from numberduels.game.formatting import printable
    from numberduels.play.saved_games import delete_game, short_id

    try:
        delete_game(path)
    except (OSError, ValueError) as fault:
        console.say(f"{printable(short_id(path))} cannot be deleted: {error_reason(fault)}.\n")
        return 1
    console.say(f"Deleted: {printable(short_id(path))}\n")
    return 0
