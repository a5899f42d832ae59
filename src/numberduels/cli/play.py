"""`duel play`: play one game, or a match of several; `duel continue`: go on with a saved one."""

from __future__ import annotations

import argparse
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from numberduels.cli.argument_parser import Parser
from numberduels.cli.arguments import (
    GAME_HELP,
    OPTIONS_OF_THE_GAME,
    add_force,
    add_game_names,
    add_options,
    add_rule_set,
    find_game,
    find_game_argument,
    find_rule_set,
    make_game,
    read_count,
    read_game_file,
    read_ply,
    read_seed,
    refusing,
    typed_game,
)
from numberduels.cli.commands import CliError
from numberduels.cli.console import Console, shell_command, standard_console
from numberduels.cli.prompt import Quit
from numberduels.cli.seats import (
    Seats,
    add_external_options,
    check_seats,
    make_seat,
    prepare_players,
    read_external_settings,
    read_names,
    typed_external_options,
    with_default_names,
)
from numberduels.cli.session import Session
from numberduels.game import registry
from numberduels.game.contract import HUMAN, OTHER
from numberduels.game.formatting import short
from numberduels.game.spec import GameSpec
from numberduels.game.table import deal, replay
from numberduels.play.live_game import LiveGame, first_seat, fresh_seed

if TYPE_CHECKING:
    from numberduels.game.files import GameFile
    from numberduels.game.record import Record
    from numberduels.play.series import Series

ABOUT = """\
Play a game. Each seat is taken by a human or by a computer player:
  human         somebody at this keyboard
"""
OTHERS = """\
  process:COMMAND      a program that reads positions and writes moves
  process2:COMMAND     the same, started once for many games
  chat:MODEL           a language model behind an HTTP interface
  package.module:name  a Python callable

With --rounds it is a match: no hints, no values and no undo, unless both agree to a friendly one.
Whoever resigns a game of points gives the other every point that is left in it.
"""
MOST_ROUNDS = 999

AS_SAVED = (
    "--resume goes on as it was saved: leave out GAME, --rules, --names, --seed, --first, --rounds and --swap"
)

NOTHING = "there is no unfinished game here; duel saved shows the kept ones, and duel play GAME starts one"


def run(arguments: list[str]) -> int:
    """Play a new game or match, or resume one."""
    parsed = _parser(arguments).parse_args(arguments)
    console = standard_console()
    if parsed.resume is not None:
        return _resume(parsed, console)
    if parsed.game is None:
        raise CliError(f"say which game: duel play GAME, one of {', '.join(registry.names())}")
    return _play_new(find_game(parsed.game), parsed, console)


def run_continue(arguments: list[str]) -> int:
    """`duel continue [ID]`: go on with the latest unfinished game or match, or with another one."""
    parser = Parser(
        "continue", "Go on with the latest unfinished game or match, or with the one that has this id."
    )
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="as duel saved shows it (default: the latest unfinished one)"
    )
    add_game_names(parser)
    parser.add_argument("--p1", metavar="WHO", help="somebody else in the first seat")
    parser.add_argument("--p2", metavar="WHO", help="somebody else in the second seat")
    parsed = parser.parse_args(arguments)
    if parsed.id is None:
        from numberduels.play.saved_games import newest_unfinished

        found = newest_unfinished()
        if found is None:
            raise CliError(NOTHING)
        parsed.id = found.path
    seats = [("--p1", parsed.p1), ("--p2", parsed.p2)]
    return run(["--resume", parsed.id, *(part for each in seats if each[1] is not None for part in each)])


def _parser(arguments: list[str]) -> Parser:
    from numberduels.players import KINDS

    kinds = "".join(f"  {kind:<13} {about}\n" for kind, (_, about) in KINDS.items())
    parser = Parser("play", ABOUT + kinds + OTHERS, OPTIONS_OF_THE_GAME.format("play"))
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME_HELP)
    parser.add_argument("--p1", metavar="WHO", help="the first seat (default: human)")
    parser.add_argument("--p2", metavar="WHO", help="the second seat (default: human)")
    parser.add_argument("--vs", metavar="WHO", help="short for --p2")
    parser.add_argument("--names", metavar="A,B", help="what the two are called")
    parser.add_argument("--first", metavar="1|2|random", default="1", help="who moves first (default: 1)")
    parser.add_argument("--rounds", metavar="N", help="a match: N deals, each played in both seats")
    parser.add_argument(
        "--swap", action="store_true", help="in a match: after the first move, the other chooses a seat"
    )
    parser.add_argument("--friendly", action="store_true", help="in a match: allow hints, values and undo")
    parser.add_argument("--seed", metavar="S", help="the same seed gives the same session")
    parser.add_argument("--save", metavar="FILE", default="", help="save the game in this file")
    add_force(parser)
    parser.add_argument("--resume", metavar="FILE|ID", help="go on with a saved game or match")
    add_game_names(parser)
    parser.add_argument("--ply", metavar="N", help="with --resume: from the position after N moves")
    named = find_game_argument(arguments, parser)
    add_rule_set(parser, named)
    add_options(parser, named)
    add_external_options(parser)
    return parser


# A new game or match


def _play_new(spec: GameSpec, parsed: argparse.Namespace, console: Console) -> int:
    if parsed.ply is not None:
        raise CliError("--ply goes with --resume")
    if parsed.named is not None:
        raise CliError(f"--game goes with --resume; to play that game: {shell_command('play', parsed.named)}")
    if parsed.force and not parsed.save:
        raise CliError("--force goes with --save FILE")
    game = make_game(spec, parsed)
    names = read_names(parsed.names) if parsed.names is not None else ("", "")
    if parsed.first not in ("1", "2", "random"):
        raise CliError(f"--first takes 1, 2 or random, not {short(parsed.first)}")
    rounds = 0 if parsed.rounds is None else read_count("--rounds", parsed.rounds, 1, MOST_ROUNDS)
    if find_rule_set(spec, parsed).games > 1:
        rounds = rounds or 1
    if (parsed.swap or parsed.friendly) and not rounds:
        raise CliError(f"{'--swap' if parsed.swap else '--friendly'} goes with --rounds")
    seats = _seats(parsed, (HUMAN, HUMAN), names)
    seed = fresh_seed() if parsed.seed is None else read_seed(parsed.seed)
    first = first_seat(parsed.first, seed)
    if not rounds:
        dealt = deal(game, Random(f"{seed} deal"))
        order = seats[first], seats[OTHER[first]]
        live = LiveGame(
            spec,
            replay(dealt),
            names=(order[0].name, order[1].name),
            seats=(order[0].kind, order[1].kind),
            seed=seed,
            file=_file(parsed, spec),
        )
        return _play_game(live, order, parsed, console)
    if parsed.save:
        raise CliError("--save writes one game, and this is a match: save each game at the prompt")
    from numberduels.cli.series import play_match
    from numberduels.play.series import Series

    if names == ("", ""):
        seats = with_default_names(seats)
    series = Series(
        spec,
        game,
        names=(seats[0].name, seats[1].name),
        seats=(seats[0].kind, seats[1].kind),
        seed=seed,
        rounds=rounds,
        first=first,
        swap=parsed.swap,
        friendly=parsed.friendly,
    )
    return play_match(console, series, seats, typed_external_options(parsed))


def _seats(
    parsed: argparse.Namespace, default: tuple[str, str], names: tuple[str, str], path: str = ""
) -> Seats:
    """The two seats, from --p1, --p2 and --vs; of those that only the file at `path` names, no program."""
    if parsed.vs is not None and parsed.p2 is not None:
        raise CliError("--vs and --p2 both name the second seat: leave one out")
    given = parsed.p1, parsed.p2 if parsed.vs is None else parsed.vs
    if path:
        check_seats(path, default, given)
    settings = read_external_settings(parsed)
    first, second = (
        make_seat(default[seat] if kind is None else kind, names[seat], settings)
        for seat, kind in enumerate(given)
    )
    return first, second


# A saved game or match


def _resume(parsed: argparse.Namespace, console: Console) -> int:
    # `duel match` of earlier versions means --rounds 1.
    given = (parsed.game, parsed.rules, parsed.names, parsed.seed, parsed.rounds not in (None, "1"))
    if any(given) or parsed.first != "1" or parsed.swap or parsed.friendly:
        raise CliError(AS_SAVED)
    from numberduels.game.record import UNFINISHED

    path, text, begun, match = read_game_file(parsed.resume)
    if match:
        return _resume_match(match, path, text, parsed, console)
    assert begun is not None
    ply = read_ply(parsed.ply, begun)
    table = begun.table(ply)
    if table.outcome or (begun.result != UNFINISHED and ply == len(begun.moves)):
        raise CliError(f"{_over('game', path, begun.spec)}; --ply N goes on from the position after N moves")
    return _resume_game(begun, table, path, text if ply == len(begun.moves) else None, parsed, console)


def _over(thing: str, path: str, spec: GameSpec) -> str:
    from numberduels.cli.saved import short_name

    again = shell_command("review", short_name(path), *typed_game(spec.name))
    return f"that {thing} is over; to see it judged: {again}"


def _resume_game(
    begun: Record, table: Any, path: str, holds: str | None, parsed: argparse.Namespace, console: Console
) -> int:
    """`holds` is the text of the file; None if the game goes on from an earlier move, in another file."""
    seats = _seats(parsed, begun.seats, begun.names, path)
    live = LiveGame(
        begun.spec,
        table,
        names=(seats[0].name, seats[1].name),
        seats=(seats[0].kind, seats[1].kind),
        seed=begun.seed,
        file=_file(parsed, begun.spec, path, holds),
        begun=replace(begun, resigned=None, timed_out=False, agreed=False),
    )
    return _play_game(live, seats, parsed, console)


def _resume_match(series: Series, path: str, text: str, parsed: argparse.Namespace, console: Console) -> int:
    from numberduels.cli.series import play_match
    from numberduels.game.files import GameFile

    if parsed.save or parsed.ply is not None:
        raise CliError(f"{AS_SAVED}; of a match also --save and --ply")
    if series.over:
        raise CliError(_over("match", path, series.spec))
    seats = _seats(parsed, series.seats, series.names, path)
    series = replace(series, seats=(seats[0].kind, seats[1].kind))
    file = GameFile(series.spec.name, path, kind="matches", holds=text)
    return play_match(console, series, seats, typed_external_options(parsed), file)


def _file(
    parsed: argparse.Namespace, spec: GameSpec, resumed: str = "", holds: str | None = None
) -> GameFile | None:
    """The file to save to: that of --save, or the resumed one if the game goes on from its last move."""
    if not parsed.save and holds is None:
        return None
    from numberduels.game import files

    path = parsed.save or resumed
    same = holds is not None and files.absolute_path(path) == files.absolute_path(resumed)
    file = files.GameFile(spec.name, path, holds=holds if same else None, force=parsed.force)
    if parsed.save:
        with refusing(f"{short(path, 200)} cannot be written"):
            file.check()
    return file


# At the prompt


def _play_game(live: LiveGame, seats: Seats, parsed: argparse.Namespace, console: Console) -> int:
    """Play one game; the status is 1 if the input ended, or if the game is not saved as wanted."""
    prepare_players(seats, live.table.game, live.table.start)
    session = Session(console, live, seats, external_options=typed_external_options(parsed))
    try:
        session.run()
    except Quit:
        pass
    except EOFError:
        return 1
    return int(live.save_failed)
