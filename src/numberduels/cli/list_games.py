"""`duel list`: the kept games and matches, newest first."""

from __future__ import annotations

import sys

from numberduels.cli.arguments import read_count
from numberduels.cli.console import print_folded, shell_command
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.wrapping import terminal_width
from numberduels.game.formatting import printable

LIMIT = 20
MOST = 100_000


def run(arguments: list[str]) -> int:
    """List the kept games, or only their ids."""
    parser = Parser(
        "list",
        "List the kept games and matches, newest first. Their ids are for duel continue, review, replay and\n"
        "delete.",
    )
    parser.add_argument("--limit", metavar="N", help=f"how many (default: {LIMIT})")
    parser.add_argument("--all", action="store_true", help="all of them")
    parser.add_argument("--ids", action="store_true", help="only the ids, for scripts; all unless --limit")
    parsed = parser.parse_args(arguments)
    if parsed.all and parsed.limit is not None:
        raise CliError("--all and --limit say how many: leave one out")
    limit = None if parsed.limit is None else read_count("--limit", parsed.limit, 1, MOST)
    if parsed.ids:
        from numberduels.play.kept_text import plain_ids
        from numberduels.play.saved_games import kept_paths

        print("".join(f"{each}\n" for each in plain_ids(kept_paths()[:limit])), end="")
        return 0
    _print(None if parsed.all else limit or LIMIT)
    return 0


def _print(limit: int | None) -> None:
    from numberduels.play.kept_text import describe
    from numberduels.play.saved_games import UnopenedGame, kept_paths, listed

    notes: list[str] = []
    found = listed(limit, notes)
    lines = [describe(each) for each in found]
    if any(isinstance(each, UnopenedGame) for each in found):
        notes.append("Note: to open a game of another library, type its name: duel review ID --game NAME")
    if not lines:
        print_folded("No game is kept here yet. To play one: duel play GAME\n")
    widths = [max((len(line[column]) for line in lines), default=0) for column in range(5)]
    columns = terminal_width(sys.stdout)
    beside = columns is None or sum(widths) + 2 * len(widths) <= columns
    for line in lines:
        if beside:
            cells = (f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True))
            print_folded("  ".join(cells).rstrip() + "\n")
        else:
            title = ", ".join(filter(None, (line.title, line.opponent)))
            print_folded(f"{line.id}  {title}: {line.standing}, {line.when}\n")
    more = len(kept_paths()) - len(lines) if limit is not None and len(lines) == limit else 0
    if more > 0:
        print_folded(f"{more} more: {shell_command('list', '--all')}\n")
    for note in notes:
        print_folded(f"{printable(note)}\n")
