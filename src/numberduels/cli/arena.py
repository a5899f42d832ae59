"""`duel arena`: play many games between players and report how well they played."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

from numberduels.cli.arguments import add_force, check_suffix, check_target, read_count, write_file
from numberduels.cli.console import error_reason, print_folded, shell_command
from numberduels.cli.external import add_external_options, read_external_settings
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.play import read_seed
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.core import HUMAN
from numberduels.files import absolute_path
from numberduels.table import PLY_LIMIT
from numberduels.text import printable, short

if TYPE_CHECKING:
    from numberduels.arena.plan import Plan
    from numberduels.players.external import ExternalSettings

ABOUT = "Find out how well players play: many games, both seats, every move judged by a proof."

PLAYERS = """\
players: random, greedy, beginner, casual, skilled, expert, perfect, mcts:N; a Python callable
package.module:name; a program process:COMMAND; a language model chat:MODEL.
games: a name and its options, such as range-war:size=12:opening=free or number-snatch:numbers=2+5+7."""


class GamesProgressBar(ProgressBar):
    """A progress bar with the games, their rate and the time left."""

    threaded = False  # the workers are forked while it is visible
    first: int | None = None
    done = total = 0

    def __init__(self, about: str) -> None:
        super().__init__(about)
        self._said = self._began

    def update(self, done: int, total: int) -> None:
        if self.first is None:
            self.first = done  # games of an earlier run do not count for the rate
        self.done, self.total = done, total
        super().update(done, total)
        now = time.monotonic()
        if not self.seen and now - self._said > SELDOM:
            self._said = now
            print(self.note(done, total, now - self._began).strip(), file=sys.stderr, flush=True)

    def note(self, done: int, total: int, seconds: float) -> str:
        assert self.first is not None
        rate = (done - self.first) / seconds
        left = f", {(total - done) / rate:,.0f} s left" if rate else ""
        return f"  {done:,} of {total:,} games, {rate:,.1f} a second{left}   "


SELDOM = 60.0
"""Seconds between two progress lines if standard error is not a terminal."""


def run(arguments: list[str]) -> int:
    """Play a run, or report on one."""
    actions = {"run": _run, "report": _report}
    if not arguments or arguments[0] not in actions:
        if arguments and arguments[0] not in ("-h", "--help"):
            raise CliError(f"there is no arena {short(arguments[0])}; there are run and report")
        print_folded(
            f"usage: duel arena run|report ...\n\n{ABOUT}\n\n"
            "  duel arena run --help      play a run, or go on with one\n"
            "  duel arena report --help   say what came of it\n"
        )
        return 0
    return actions[arguments[0]](arguments[1:])


def _run(arguments: list[str]) -> int:
    from numberduels.arena.run import RunAborted, run_plan
    from numberduels.arena.workers import exit_now

    parsed = _parser().parse_args(arguments)
    plan = _plan(parsed)
    workers = read_count("--workers", parsed.workers, 1, 1_000)
    folder, place = absolute_path(parsed.out), short(parsed.out, 200)
    with GamesProgressBar("playing") as bar:
        try:
            abandoned = run_plan(
                plan, folder, workers=workers, dask=_dask(parsed.executor), progress=bar.update
            )
        except RunAborted as fault:
            raise CliError(f"{fault}; {AGAIN}") from None
        except ValueError as fault:
            raise CliError(f"{place}: {fault}") from None
        except OSError as fault:
            again = f"; {AGAIN}" if bar.done else ""
            raise CliError(f"{place} cannot be written: {error_reason(fault)}{again}") from None
        except KeyboardInterrupt as end:
            bar.clear()
            kept = f"{bar.done:,} of {bar.total:,} games kept"
            print(f"Stopped: {kept}, and the same command goes on.", file=sys.stderr, flush=True)
            if plan.has_models:
                exit_now(exit_status(end))  # their answers are on the way, and nobody waits for them
            return exit_status(end)
    told = f"{shell_command('arena', 'report', folder)} says what came of it."
    if abandoned:
        games = f"{abandoned:,} of {bar.total:,} games were abandoned, because a player could not be reached"
        print_folded(f"{games}. The same command plays them again. {told}\n")
        return 1
    print_folded(f"All games of this run are played. {told}\n")
    return 0


AGAIN = "what was finished is kept, and the same command goes on"


ASKED = (
    ("--players", "LIST", "", "who plays, parted by commas"),
    ("--games", "LIST", "", "which games (default: all, as in the books)"),
    ("--rounds", "N", "10", "deals or openings that each pair plays, in both seats (default: 10)"),
    ("--seed", "S", "0", "the same seed gives the same games (default: 0)"),
    ("--against", "LIST", "", "the players meet these, and not each other"),
    ("--positions", "N", None, "judge N single decisions in each game instead"),
    ("--opening", "N", "2", "first moves that are drawn, where nothing is dealt (default: 2)"),
    (
        "--limit",
        "N",
        None,
        f"moves after which a game is unfinished (default: {PLY_LIMIT} if it need not end)",
    ),
    ("--workers", "N", str(os.cpu_count() or 1), "processes (default: one for each core)"),
    ("--executor", "dask://HOST:PORT", "", "play on a Dask cluster instead"),
)
"""The options of a run."""


def _parser() -> Parser:
    parser = Parser("arena run", ABOUT, PLAYERS)
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder that keeps the run")
    for flag, metavar, default, about in ASKED:
        parser.add_argument(flag, metavar=metavar, default=default, help=about)
    parser.add_argument(
        "--player",
        metavar="WHO",
        action="append",
        default=[],
        help="one more, if its name has a comma",
    )
    add_external_options(parser, many=True)
    return parser


def _plan(parsed: argparse.Namespace) -> Plan:
    from numberduels import registry
    from numberduels.arena.plan import Plan, read_game
    from numberduels.arena.run import check_players

    positions = 0 if parsed.positions is None else read_count("--positions", parsed.positions, 1, 100_000)
    against = _listed(parsed.against)
    if positions and against:
        raise CliError("--positions asks about single decisions, without an opponent: leave out --against")
    players = (*_listed(parsed.players), *parsed.player)
    if len(players) < (1 if against or positions else 2):
        raise CliError(
            "--players takes two or more, such as perfect,random; with --against or --positions, one"
        )
    terms = _noted(read_external_settings(parsed))
    for names in (players, against):
        _known(names, terms)
    try:
        games = tuple(read_game(text)[0] for text in _listed(parsed.games) or registry.names())
    except (ValueError, registry.UnknownGame) as fault:
        hint = "; numbers are parted by +" if "=" in parsed.games else ""
        raise CliError(f"{fault}{hint}") from None
    _once("game", games)
    plan = Plan(
        players,
        games,
        rounds=read_count("--rounds", parsed.rounds, 1, 1_000_000),
        seed=read_seed(parsed.seed),
        against=against,
        positions=positions,
        opening=read_count("--opening", parsed.opening, 0, 20),
        limit=None if parsed.limit is None else read_count("--limit", parsed.limit, 1, 100_000),
        terms=terms,
    )
    try:
        with ProgressBar("getting ready"):
            check_players(plan)
    except ValueError as fault:
        raise CliError(str(fault)) from None
    for game in games if positions else ():
        _enough(plan, game)
    return plan


def _known(names: tuple[str, ...], terms: ExternalSettings) -> None:
    """Check that every name is a player and none is repeated."""
    from numberduels.players import make_player

    _once("player", names)
    for name in names:
        if name == HUMAN:
            raise CliError("nobody sits at the keyboard in the arena: duel play is for that")
        try:
            make_player(name, terms)
        except ValueError as fault:
            hint = "; a name with a comma goes to --player" if any(char in name for char in "'\"()") else ""
            raise CliError(f"{fault}{hint}") from None


def _once(what: str, names: tuple[str, ...]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise CliError(f"the {what} {short(name, 80)} is named twice")


def _noted(terms: ExternalSettings) -> ExternalSettings:
    """The settings with the base URL from the options or the environment."""
    from dataclasses import replace

    from numberduels.players.endpoint import BASE_URL

    return replace(terms, base_url=terms.base_url or os.environ.get(BASE_URL, ""))


def _enough(plan: Plan, game: str) -> None:
    """Report a game with fewer positions than requested."""
    with ProgressBar("looking for positions"):
        found = plan.count_positions(game)
    if not found:
        raise CliError(f"no position of {game} was found in which a wrong move exists")
    if found < plan.positions:
        print(f"{game}: only {found} positions in which a wrong move exists were found.", file=sys.stderr)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _dask(text: str) -> str:
    if not text:
        return ""
    scheme, _, place = text.partition("://")
    if scheme != "dask" or not place:
        raise CliError(f"--executor takes dask://HOST:PORT, not {short(text)}")
    try:
        import distributed  # noqa: F401  # to say it early
    except ModuleNotFoundError:
        raise CliError(
            "distributed is not installed; the arena needs it for this: pip install 'numberduels[arena]'"
        ) from None
    return f"tcp://{place}"


def _report(arguments: list[str]) -> int:
    from numberduels.arena.page import BEGINS, render_page
    from numberduels.arena.report import read_report
    from numberduels.arena.results_file import own_file
    from numberduels.arena.text_report import render_text

    parser = Parser("arena report", "Say what came of a run, from its saved games alone.")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--html", metavar="FILE", help="where the page goes (default: DIR/report.html)")
    add_force(parser)
    parsed = parser.parse_args(arguments)
    check_suffix("--html", parsed.html or "", ".html", ".htm")
    check_target(parsed.html, parsed.force)
    folder = absolute_path(parsed.folder)
    try:
        with ProgressBar("reading the games"):
            told = read_report(folder)
    except FileNotFoundError:
        raise CliError(f"{short(parsed.folder, 200)} holds no run") from None
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(parsed.folder, 200)} cannot be read: {error_reason(fault)}") from None
    if parsed.html is None:  # a report in the folder of its run is brought up to date
        try:
            path = own_file(folder, "report.html")
        except OSError as fault:
            raise CliError(f"{short(parsed.folder, 200)}: {fault}; say --html FILE") from None
        write_file(path, render_page(told), parsed.force, begins=BEGINS)
    else:
        path = absolute_path(parsed.html)
        write_file(path, render_page(told), parsed.force)
    if parsed.json:
        import json

        print(json.dumps(told.data(), indent=1))
    else:
        print_folded(f"{render_text(told)}\nEvery game, move by move: {printable(path)}\n")
    return 0
