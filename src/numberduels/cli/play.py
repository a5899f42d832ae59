"""`duel play`: play one game, or a best-of series."""

from __future__ import annotations

import argparse
import os
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from numberduels.cli.arguments import (
    OPTIONS_OF_THE_GAME,
    add_game_names,
    add_options,
    add_rule_set,
    check_seats,
    find_game,
    find_game_argument,
    find_rule_set,
    load_record_and_text,
    make_game,
    make_seat,
    prepare_players,
    read_count,
    read_delay,
    read_names,
    read_ply,
)
from numberduels.cli.console import Console, error_reason, standard_console
from numberduels.cli.external import (
    HELP_MODELS,
    SWITCHES,
    add_external_options,
    read_external_settings,
    typed_external_options,
)
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.play_result import PlayResult
from numberduels.cli.prompt_commands import Quit
from numberduels.cli.saving import GameSaver
from numberduels.cli.seats import SeatSetup
from numberduels.cli.session import Session
from numberduels.game import registry
from numberduels.game.contract import HUMAN, OTHER, Seat
from numberduels.game.formatting import short
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, deal, replay

if TYPE_CHECKING:
    from numberduels.game.files import GameFile
    from numberduels.game.record import Record

ABOUT = """\
Play a game. Each seat is taken by a human or by a computer player:
  human         somebody at this keyboard
"""
SEEDS_LONGEST = 100
FLAGS = ("--no-color", "--force", "--friendly", "--nimbers", HELP_MODELS, *SWITCHES)
"""The options that take no value."""


class ResumedGame(NamedTuple):
    """A saved game that is resumed."""

    table: Table[Any, Any]
    record: Record


class PlaySettings(NamedTuple):
    """What to play: a new or a resumed game, the seats, and how many games."""

    spec: GameSpec
    game: Any
    seats: tuple[SeatSetup, SeatSetup]
    seed: str
    first: str = "1"
    games: int = 1
    rounds: int = 0
    """In a match: how many deals, each played in both seats; then `games` is not used."""
    delay: float = 0.0
    resumed: ResumedGame | None = None
    file: GameFile | None = None
    """The file to save to, if the user named one."""
    external_options: tuple[str, ...] = ()
    """The options about programs and models, as typed."""
    friendly: bool = False
    """Whether a series allows hints, values and undo; a single game always does."""
    nimbers: bool = False
    """Whether hints and values tell nimbers; only a single game asks for it."""


def run(arguments: list[str]) -> int:
    """Play a new game or resume one."""
    return start(arguments).status


def start(arguments: list[str]) -> PlayResult:
    """Play the game that these arguments describe."""
    parsed = _parser(find_game_argument(arguments, FLAGS)).parse_args(arguments)
    if parsed.resume is not None:
        settings = _resumed_game_settings(parsed)
    elif parsed.game is None:
        raise CliError(f"say which game: duel play GAME, one of {', '.join(registry.names())}")
    else:
        settings = _new_game_settings(find_game(parsed.game), parsed)
    return start_play(settings, standard_console(colour=not parsed.no_color))


def _parser(spec: GameSpec | None) -> Parser:
    from numberduels.players import KINDS

    kinds = "".join(f"  {kind:<13} {about}\n" for kind, (_, about) in KINDS.items())
    parser = Parser("play", ABOUT + kinds, OPTIONS_OF_THE_GAME.format("play"))
    parser.add_argument("game", metavar="GAME", nargs="?", help=_game_help(spec))
    parser.add_argument("--p1", metavar="WHO", help="the first seat (default: human)")
    parser.add_argument("--p2", metavar="WHO", help="the second seat (default: human)")
    parser.add_argument("--vs", metavar="WHO", help="short for --p2")
    parser.add_argument("--names", metavar="A,B", help="what the two are called")
    parser.add_argument("--first", metavar="1|2|random", default="1", help="who moves first (default: 1)")
    parser.add_argument(
        "--best-of", metavar="N", default="1", help="an odd number: play up to N games, taking turns to start"
    )
    parser.add_argument(
        "--friendly", action="store_true", help="with --best-of: allow hints, values and undo"
    )
    parser.add_argument("--seed", metavar="S", help="the same seed gives the same session")
    parser.add_argument("--delay", metavar="SECONDS", default="0", help="pause before computer moves")
    parser.add_argument("--save", metavar="FILE", default="", help="save the game in this file")
    parser.add_argument("--force", action="store_true", help="let --save replace a file that is there")
    parser.add_argument("--resume", metavar="FILE|ID", help="go on with a saved game")
    add_game_names(parser)
    parser.add_argument("--ply", metavar="N", help="with --resume: from the position after N moves")
    parser.add_argument("--nimbers", action="store_true", help="tell nimbers in hints and values")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    add_rule_set(parser, spec)
    add_options(parser, spec)
    add_external_options(parser)
    return parser


def _game_help(spec: GameSpec | None) -> str:
    # All names are read from all installed packages, which takes time before the first prompt.
    return spec.title if spec else ", ".join(registry.names())


def _new_game_settings(spec: GameSpec, parsed: argparse.Namespace) -> PlaySettings:
    """The settings of a new game."""
    if parsed.ply is not None:
        raise CliError("--ply goes with --resume")
    game = make_game(spec, parsed)
    names = read_names(parsed.names) if parsed.names is not None else ("", "")
    if parsed.first not in ("1", "2", "random"):
        raise CliError(f"--first takes 1, 2 or random, not {short(parsed.first)}")
    games = read_count("--best-of", parsed.best_of, 1, 999)
    if games % 2 == 0:
        raise CliError(f"--best-of takes an odd number, not {games}: an even number of games can end level")
    rounds = 1 if find_rule_set(spec, parsed).games > 1 else 0
    if rounds and games > 1:
        raise CliError("these rules are a match of two games: leave out --best-of")
    seats = seats_from_arguments(parsed, (HUMAN, HUMAN), names)
    if (rounds or games > 1) and names == ("", ""):
        seats = with_default_names(seats)
    if rounds and parsed.save:
        raise CliError("--save writes one game, and these rules are a match of two: save each at the prompt")
    if games > 1 and parsed.save:
        raise CliError("--save writes one game: leave out --best-of, or save each at the prompt")
    seed = fresh_seed() if parsed.seed is None else read_seed(parsed.seed)
    return PlaySettings(
        spec,
        game,
        seats,
        seed,
        parsed.first,
        games,
        rounds,
        read_delay(parsed.delay),
        file=_file(parsed, spec),
        external_options=typed_external_options(parsed),
        friendly=parsed.friendly,
        nimbers=parsed.nimbers,
    )


def _resumed_game_settings(parsed: argparse.Namespace) -> PlaySettings:
    """The settings of a resumed game."""
    if parsed.game or parsed.best_of != "1" or parsed.first != "1" or parsed.rules is not None:
        raise CliError(
            "--resume goes on with one game as it was saved: leave out GAME, --rules, --first and --best-of"
        )
    from numberduels.cli.saved import find_file
    from numberduels.game.record import UNFINISHED

    parsed.resume = find_file(parsed.resume)
    record, text = load_record_and_text(parsed.resume)
    ply = read_ply(parsed.ply, record)
    table = record.table(ply)
    if table.outcome or (record.result != UNFINISHED and ply == len(record.moves)):
        raise CliError("that game is over; --ply N goes on from the position after N moves")
    names = read_names(parsed.names) if parsed.names is not None else record.names
    check_seats(parsed.resume, record.seats, (parsed.p1, parsed.p2 if parsed.vs is None else parsed.vs))
    return PlaySettings(
        record.spec,
        record.game,
        seats_from_arguments(parsed, record.seats, names),
        record.seed if parsed.seed is None else read_seed(parsed.seed),
        delay=read_delay(parsed.delay),
        resumed=ResumedGame(table, record),
        file=_file(parsed, record.spec, text if ply == len(record.moves) else None),
        external_options=typed_external_options(parsed),
        nimbers=parsed.nimbers,
    )


def _file(parsed: argparse.Namespace, spec: GameSpec, text: str | None = None) -> GameFile | None:
    """The file to save to: that of --save, or the resumed one.

    `text` is the text of the resumed file; None if the game is not resumed from its last move.
    """
    if not parsed.save and text is None:
        return None
    from numberduels.game import files

    path = parsed.save or parsed.resume
    resumes = text is not None and files.absolute_path(path) == files.absolute_path(parsed.resume)
    file = files.GameFile(spec.name, path, holds=text if resumes else None, force=parsed.force)
    if parsed.save:
        try:
            file.check()
        except OSError as fault:
            raise CliError(f"{short(path, 200)} cannot be written: {error_reason(fault)}") from None
    return file


def seats_from_arguments(
    parsed: argparse.Namespace, default: tuple[str, str], names: tuple[str, str]
) -> tuple[SeatSetup, SeatSetup]:
    """The two seats, from --p1, --p2 and --vs."""
    if parsed.vs is not None and parsed.p2 is not None:
        raise CliError("--vs and --p2 both name the second seat: leave one out")
    second = parsed.vs if parsed.vs is not None else parsed.p2
    settings = read_external_settings(parsed)
    return (
        make_seat(default[0] if parsed.p1 is None else parsed.p1, names[0], settings),
        make_seat(default[1] if second is None else second, names[1], settings),
    )


def with_default_names(seats: tuple[SeatSetup, SeatSetup]) -> tuple[SeatSetup, SeatSetup]:
    """The seats with default names. A match needs names, because its players change seats."""
    kinds = [
        seat_setup.kind if len(seat_setup.kind) <= 30 else f"{seat_setup.kind[:29]}…" for seat_setup in seats
    ]
    names = [kind if seat_setup.player else "you" for kind, seat_setup in zip(kinds, seats, strict=True)]
    if names[0] == names[1]:
        names = [f"{kind} {letter}" for kind, letter in zip(kinds, "AB", strict=True)]
    return seats[0]._replace(name=names[0]), seats[1]._replace(name=names[1])


def fresh_seed() -> str:
    """A random seed."""
    return os.urandom(4).hex()


def read_seed(text: str) -> str:
    """Parse a seed: any printable text."""
    if not text.isprintable() or len(text) > SEEDS_LONGEST:
        raise CliError(f"--seed takes up to {SEEDS_LONGEST} printable characters, not {short(text)}")
    return text


def start_play(settings: PlaySettings, console: Console) -> PlayResult:
    """Play with these settings."""
    first: Seat = 0
    if settings.first == "2" or (
        settings.first == "random" and Random(f"{settings.seed} first").random() < 0.5
    ):
        first = 1
    if settings.games > 1 or settings.rounds:
        return _series(settings, console, first)
    session = _session(settings, console, (settings.seats[first], settings.seats[OTHER[first]]))
    try:
        session.run()
    except Quit:
        return PlayResult(int(session.saver.failed))
    except EOFError:
        return PlayResult(1, input_ended=True)
    return PlayResult(int(session.saver.failed), True, first, session.saver.replay_arguments())


def _series(settings: PlaySettings, console: Console, first: Seat) -> PlayResult:
    """Play a best-of series, or a match of rounds."""
    from numberduels.cli.series import SeriesSession
    from numberduels.play.series import Series

    one, other = settings.seats
    series = Series(
        settings.spec,
        settings.game,
        names=(one.name, other.name),
        seats=(one.kind, other.kind),
        seed=settings.seed,
        rounds=settings.rounds,
        best_of=0 if settings.rounds else settings.games,
        first=first,
        friendly=settings.friendly,
    )
    session = SeriesSession(
        console,
        series,
        settings.seats,
        delay=settings.delay,
        external_options=settings.external_options,
    )
    return session.run()


def _session(settings: PlaySettings, console: Console, seats: tuple[SeatSetup, SeatSetup]) -> Session:
    """The session of one game, dealt, with its players prepared."""
    game, resumed = settings.game, settings.resumed
    if resumed is None:
        game = deal(game, Random(f"{settings.seed} deal"))
        table = replay(game)
    else:
        table = resumed.table
    prepare_players(seats, game, table.start)
    return Session(
        console,
        settings.spec,
        table,
        seats,
        seed=settings.seed,
        delay=settings.delay,
        saver=GameSaver(settings.spec.name, settings.file, settings.external_options),
        begun=resumed and resumed.record,
        swapped=resumed and resumed.record.swapped,
        nimbers=settings.nimbers,
    )
