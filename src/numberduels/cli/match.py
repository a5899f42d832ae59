"""`duel match`: play every deal twice, once in each seat.

The total margin decides a game of points, the number of wins all others. With the pie rule one player
makes the first move and the other chooses a seat.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from numberduels.cli.arguments import (
    GAME_HELP,
    add_game_names,
    add_options,
    add_rule_set,
    check_seats,
    find_game,
    find_game_argument,
    make_game,
    read_count,
    read_delay,
    read_names,
)
from numberduels.cli.console import error_reason, standard_console
from numberduels.cli.external import add_external_options, typed_external_options
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.play import (
    FLAGS,
    fresh_seed,
    read_seed,
    seats_from_arguments,
    with_default_names,
)
from numberduels.cli.play_result import PlayResult
from numberduels.cli.saved import find_file
from numberduels.cli.series import SeriesSession
from numberduels.game.contract import HUMAN
from numberduels.game.files import GameFile, read_text
from numberduels.game.formatting import short
from numberduels.game.record import BadRecord
from numberduels.play.series import LONGEST, MOST, Series, read

ABOUT = """\
A fair contest: every deal is played twice, once in each seat. In a game of points the points decide, in
all others the wins. Whoever resigns a game gives the other every point that is left in it. There are no
hints, no values and no undo, unless both agree to a friendly match.
"""


def run(arguments: list[str]) -> int:
    """Play a match, or resume one."""
    return start(arguments).status


def start(arguments: list[str]) -> PlayResult:
    """Play the match that these arguments describe."""
    parser = Parser("match", ABOUT)
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME_HELP)
    parser.add_argument("--p1", metavar="WHO", help="one side (default: human)")
    parser.add_argument("--p2", metavar="WHO", help="the other side (default: human)")
    parser.add_argument("--vs", metavar="WHO", help="short for --p2")
    parser.add_argument("--names", metavar="A,B", help="what the two are called")
    parser.add_argument("--rounds", metavar="N", help="how many deals (default: 1)")
    parser.add_argument(
        "--swap", action="store_true", help="the pie rule: after the first move, the other chooses a seat"
    )
    parser.add_argument("--friendly", action="store_true", help="allow hints, values and undo")
    parser.add_argument("--seed", metavar="S", help="the same seed gives the same match")
    parser.add_argument("--delay", metavar="SECONDS", default="0", help="pause before computer moves")
    parser.add_argument("--resume", metavar="FILE|ID", help="go on with a saved match")
    add_game_names(parser)
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    spec = find_game_argument(arguments, (*FLAGS, "--swap"))
    add_rule_set(parser, spec)
    add_options(parser, spec)
    add_external_options(parser)
    parsed = parser.parse_args(arguments)
    if parsed.resume is not None:
        series, file = _resumed(parsed)
    elif parsed.game is None:
        raise CliError("say which game: duel match GAME; or go on with a match: duel match --resume FILE")
    else:
        series, file = _new(parsed), None
    seats = seats_from_arguments(parsed, series.seats, series.names)
    if series.names == ("", ""):
        seats = with_default_names(seats)
    series = replace(series, names=(seats[0].name, seats[1].name), seats=(seats[0].kind, seats[1].kind))
    session = SeriesSession(
        standard_console(colour=not parsed.no_color),
        series,
        seats,
        delay=read_delay(parsed.delay),
        external_options=typed_external_options(parsed),
        file=file,
    )
    return session.run()


def _new(parsed: argparse.Namespace) -> Series:
    """The new match that the arguments describe."""
    spec = find_game(parsed.game)
    return Series(
        spec,
        make_game(spec, parsed),
        names=read_names(parsed.names) if parsed.names is not None else ("", ""),
        seats=(HUMAN, HUMAN),
        seed=fresh_seed() if parsed.seed is None else read_seed(parsed.seed),
        rounds=read_count("--rounds", parsed.rounds or "1", 1, MOST),
        swap=parsed.swap,
        friendly=parsed.friendly,
    )


def _resumed(parsed: argparse.Namespace) -> tuple[Series, GameFile]:
    """The match to resume, and its file."""
    given = (parsed.game, parsed.rules, parsed.rounds, parsed.names, parsed.seed)
    if parsed.swap or parsed.friendly or any(each is not None for each in given):
        raise CliError(
            "--resume goes on with a match as it was saved: leave out GAME, --rules, --rounds, --swap,"
            " --friendly, --names and --seed"
        )
    path = find_file(parsed.resume)
    try:
        text = read_text(path, LONGEST)
        series = read(text)
    except BadRecord as fault:
        raise CliError(f"{short(path, 200)}: {fault}") from None
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(path, 200)} cannot be read: {error_reason(fault)}") from None
    if series.over:
        raise CliError("that match is over")
    check_seats(path, series.seats, (parsed.p1, parsed.p2 if parsed.vs is None else parsed.vs))
    return series, GameFile(series.spec.name, path, kind="matches", holds=text)
