"""`duel continue [ID]`: go on with the latest unfinished game or match, or with another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.cli.arguments import add_game_names, typed_game
from numberduels.cli.console import shell_command
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.saved import find_file, short_name

if TYPE_CHECKING:
    from numberduels.cli.play_result import PlayResult

NOTHING = "there is no unfinished game here; duel list shows the kept ones, and duel play GAME starts one"


def run(arguments: list[str]) -> int:
    """Resume a kept game or match."""
    parser = Parser(
        "continue", "Go on with the latest unfinished game or match, or with the one that has this id."
    )
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="as duel list shows it (default: the latest unfinished one)"
    )
    add_game_names(parser)
    parser.add_argument("--p1", metavar="WHO", help="somebody else in the first seat")
    parser.add_argument("--p2", metavar="WHO", help="somebody else in the second seat")
    parser.add_argument("--delay", metavar="SECONDS", help="pause before computer moves")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    parsed = parser.parse_args(arguments)
    path = _latest() if parsed.id is None else find_file(parsed.id)
    options = [
        part
        for flag, text in (("--p1", parsed.p1), ("--p2", parsed.p2), ("--delay", parsed.delay))
        if text is not None
        for part in (flag, text)
    ]
    return resume(path, *options, *(["--no-color"] if parsed.no_color else [])).status


def resume(path: str, *options: str) -> PlayResult:
    """Go on with the game or match in this file, with options of `duel play` and `duel match`."""
    from numberduels.cli import match, play

    start = match.start if _is_match(path) else play.start
    return start(["--resume", path, *options])


def _latest() -> str:
    from numberduels.play.saved_games import newest_unfinished

    found = newest_unfinished()
    if found is None:
        raise CliError(NOTHING)
    return found.path


def _is_match(path: str) -> bool:
    """Whether a file holds a match; CliError if the game or match in it is over."""
    from numberduels.game import files, record
    from numberduels.game.record import UNFINISHED, BadRecord
    from numberduels.play import series

    over, name = False, ""
    try:
        text = files.read_text(path, series.LONGEST)
        is_match = text.removeprefix("\ufeff").startswith(series.HEAD)
        if is_match:
            found = series.read(text)
            over, name = found.over, found.spec.name
        else:
            game = record.read(text)
            over, name = game.result != UNFINISHED, game.spec.name
    except (BadRecord, OSError, ValueError):
        return False  # duel play says what is wrong with it
    if over:
        thing = "match" if is_match else "game"
        again = shell_command("review", short_name(path), *typed_game(name))
        raise CliError(f"that {thing} is over; to see it judged: {again}")
    return is_match
