"""`duel play`: one game or a match of several, from the command line to the last word."""

from __future__ import annotations

import argparse
import os
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from numberduels import registry
from numberduels.cli.arguments import (
    add_options,
    check_seats,
    find_chair,
    find_game,
    get_ready,
    load_text,
    made_game,
    named_game,
    read_count,
    read_delay,
    read_names,
    read_ply,
)
from numberduels.cli.console import Console, reason, standard
from numberduels.cli.external import SWITCHES, add_terms, read_terms, typed_terms
from numberduels.cli.parser import Fault, Parser
from numberduels.cli.saving import Keeper
from numberduels.cli.session import HUMAN, Chair, Left, Session
from numberduels.core import OTHER, RandomStart, Seat
from numberduels.spec import GameSpec
from numberduels.table import Table
from numberduels.text import short

if TYPE_CHECKING:
    from numberduels.files import GameFile
    from numberduels.record import Record

ABOUT = """\
Play a game. Each seat is taken by a human or by a computer player:
  human         somebody at this keyboard
"""
SEEDS_LONGEST = 100
FLAGS = ("--no-color", "--force", "--friendly", *SWITCHES)
"""The options that take no value."""


class Resumed(NamedTuple):
    """A saved game that goes on."""

    table: Table[Any, Any]
    record: Record


class Plan(NamedTuple):
    """What is to be played: a game (or a saved one, at some move), who sits where, and how often."""

    spec: GameSpec
    game: Any
    chairs: tuple[Chair, Chair]
    seed: str
    first: str = "1"
    games: int = 1
    delay: float = 0.0
    resumed: Resumed | None = None
    file: GameFile | None = None
    """Where the game is saved, if that was asked for."""
    terms: tuple[str, ...] = ()
    """The options about programs and models, as they were typed."""
    friendly: bool = False
    """Whether a series of games allows hints, values and undo; a single game does."""


def run(arguments: list[str]) -> int:
    """Play as the command line asks."""
    parsed = _parser(named_game(arguments, FLAGS)).parse_args(arguments)
    if parsed.resume is not None:
        plan = _resumption(parsed)
    elif parsed.game is None:
        raise Fault(f"say which game: duel play GAME, one of {', '.join(registry.names())}")
    else:
        plan = _beginning(find_game(parsed.game), parsed)
    return carry_out(plan, standard(colour=not parsed.no_color))


def _parser(spec: GameSpec | None) -> Parser:
    from numberduels.players import KINDS

    kinds = "".join(f"  {kind:<13} {about}\n" for kind, (_, about) in KINDS.items())
    parser = Parser("play", ABOUT + kinds, "duel play GAME --help also lists the options of that game.")
    parser.add_argument("game", metavar="GAME", nargs="?", help=", ".join(registry.names()))
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
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--ply", metavar="N", help="with --resume: from the position after N moves")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    add_options(parser, spec)
    add_terms(parser)
    return parser


def _beginning(spec: GameSpec, parsed: argparse.Namespace) -> Plan:
    """The plan of a new game."""
    if parsed.ply is not None:
        raise Fault("--ply goes with --resume")
    game = made_game(spec, parsed)
    names = read_names(parsed.names) if parsed.names is not None else ("", "")
    if parsed.first not in ("1", "2", "random"):
        raise Fault(f"--first takes 1, 2 or random, not {short(parsed.first)}")
    games = read_count("--best-of", parsed.best_of, 1, 999)
    if games % 2 == 0:
        raise Fault(f"--best-of takes an odd number, not {games}: an even number of games can end level")
    chairs = chairs_of(parsed, (HUMAN, HUMAN), names)
    if games > 1 and names == ("", ""):
        chairs = named_chairs(chairs)
    if games > 1 and parsed.save:
        raise Fault("--save writes one game: leave out --best-of, or save each at the prompt")
    seed = fresh_seed() if parsed.seed is None else read_seed(parsed.seed)
    return Plan(
        spec,
        game,
        chairs,
        seed,
        parsed.first,
        games,
        read_delay(parsed.delay),
        file=_file(parsed, spec),
        terms=typed_terms(parsed),
        friendly=parsed.friendly,
    )


def _resumption(parsed: argparse.Namespace) -> Plan:
    """The plan of a game that goes on."""
    if parsed.game or parsed.best_of != "1" or parsed.first != "1":
        raise Fault("--resume goes on with one game as it was saved: leave out GAME, --first and --best-of")
    record, text = load_text(parsed.resume)
    ply = read_ply(parsed.ply, record)
    table = record.table(ply)
    if table.outcome or (record.resigned is not None and ply == len(record.moves)):
        raise Fault("that game is over; --ply N goes on from the position after N moves")
    names = read_names(parsed.names) if parsed.names is not None else record.names
    check_seats(parsed.resume, record.seats, (parsed.p1, parsed.p2 if parsed.vs is None else parsed.vs))
    return Plan(
        record.spec,
        record.game,
        chairs_of(parsed, record.seats, names),
        record.seed if parsed.seed is None else read_seed(parsed.seed),
        delay=read_delay(parsed.delay),
        resumed=Resumed(table, record),
        file=_file(parsed, record.spec, text if ply == len(record.moves) else None),
        terms=typed_terms(parsed),
    )


def _file(parsed: argparse.Namespace, spec: GameSpec, text: str | None = None) -> GameFile | None:
    """Where the game is to be saved: in the file of --save, or else in the one that it goes on from.

    The text is what that file holds; without one, the game does not go on from its end.
    """
    if not parsed.save and text is None:
        return None
    from numberduels import files

    path = parsed.save or parsed.resume
    resumes = text is not None and files.expanded(path) == files.expanded(parsed.resume)
    file = files.GameFile(spec.name, path, holds=text if resumes else None, force=parsed.force)
    if parsed.save:
        try:
            file.check()
        except OSError as fault:
            raise Fault(f"{short(path, 200)} cannot be written: {reason(fault)}") from None
    return file


def chairs_of(
    parsed: argparse.Namespace, default: tuple[str, str], names: tuple[str, str]
) -> tuple[Chair, Chair]:
    """Who sits down, by what the command line says of --p1, --p2 and --vs."""
    if parsed.vs is not None and parsed.p2 is not None:
        raise Fault("--vs and --p2 both name the second seat: leave one out")
    second = parsed.vs if parsed.vs is not None else parsed.p2
    terms = read_terms(parsed)
    return (
        find_chair(default[0] if parsed.p1 is None else parsed.p1, names[0], terms),
        find_chair(default[1] if second is None else second, names[1], terms),
    )


def named_chairs(chairs: tuple[Chair, Chair]) -> tuple[Chair, Chair]:
    """The chairs with names: in a match the seats change, so somebody must be somebody."""
    kinds = [chair.kind if len(chair.kind) <= 30 else f"{chair.kind[:29]}…" for chair in chairs]
    names = [kind if chair.player else "you" for kind, chair in zip(kinds, chairs, strict=True)]
    if names[0] == names[1]:
        names = [f"{kind} {letter}" for kind, letter in zip(kinds, "AB", strict=True)]
    return chairs[0]._replace(name=names[0]), chairs[1]._replace(name=names[1])


def fresh_seed() -> str:
    """A seed that nobody has chosen."""
    return os.urandom(4).hex()


def read_seed(text: str) -> str:
    """A seed: any text that a record can hold."""
    if not text.isprintable() or len(text) > SEEDS_LONGEST:
        raise Fault(f"--seed takes up to {SEEDS_LONGEST} printable characters, not {short(text)}")
    return text


def carry_out(plan: Plan, console: Console) -> int:
    """Play the plan and return the exit status."""
    first: Seat = 0
    if plan.first == "2" or (plan.first == "random" and Random(f"{plan.seed} first").random() < 0.5):
        first = 1
    if plan.games > 1:
        return _series(plan, console, first)
    session = _session(plan, console, (plan.chairs[first], plan.chairs[OTHER[first]]))
    try:
        session.run()
    except Left:
        return 0
    except EOFError:
        return 1
    return 1 if plan.file and plan.file.fault else 0


def _series(plan: Plan, console: Console, first: Seat) -> int:
    """Play several games."""
    from numberduels.cli.series import Playing
    from numberduels.series import Series

    one, other = plan.chairs
    series = Series(
        plan.game,
        names=(one.name, other.name),
        seats=(one.kind, other.kind),
        seed=plan.seed,
        best_of=plan.games,
        first=first,
        friendly=plan.friendly,
    )
    return Playing(console, series, plan.chairs, delay=plan.delay, terms=plan.terms).run()


def _session(plan: Plan, console: Console, chairs: tuple[Chair, Chair]) -> Session:
    """The session of one game, with its numbers dealt and its players ready."""
    game, resumed = plan.game, plan.resumed
    if resumed is None:
        start = game.start(Random(f"{plan.seed} deal"))
        game = game.with_start(start) if isinstance(game, RandomStart) else game
        table = Table(game, start)
    else:
        table = resumed.table
    get_ready(chairs, game, table.start)
    return Session(
        console,
        plan.spec,
        table,
        chairs,
        seed=plan.seed,
        delay=plan.delay,
        keeper=Keeper(plan.spec.name, plan.file, plan.terms),
        begun=resumed and resumed.record,
        swapped=resumed and resumed.record.swapped,
    )
