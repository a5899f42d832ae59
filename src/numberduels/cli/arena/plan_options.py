"""The options of `duel arena run`, and the plan that they give."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from numberduels.cli.arena import ABOUT
from numberduels.cli.arguments import read_count
from numberduels.cli.external import add_external_options, read_external_settings
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.play import read_seed
from numberduels.cli.progress import ProgressBar
from numberduels.game.adopted import allow, is_adopted, split_text
from numberduels.game.contract import HUMAN
from numberduels.game.formatting import short, split_list

if TYPE_CHECKING:
    from numberduels.arena.plan import Plan
    from numberduels.players.external import ExternalSettings

PLAYERS = """\
players: random, greedy, beginner, casual, skilled, expert, perfect, mcts:N; a Python callable
package.module:name; a program process:COMMAND, or process2:COMMAND if it is to be started once
for many games; a language model chat:MODEL.
games: a name and its options, such as range-war:size=12:opening=free or number-snatch:numbers=2+5+7,
or a game of another library, such as openspiel:hex(board_size=3)."""

ASKED = (
    ("--players", "LIST", "", "who plays, parted by commas"),
    ("--games", "LIST", "", "which games (default: all, as in the books)"),
    ("--rounds", "N", "10", "deals or openings that each pair plays, in both seats (default: 10)"),
    ("--seed", "S", "0", "the same seed gives the same games (default: 0)"),
    ("--against", "LIST", "", "the players meet these, and not each other"),
    ("--positions", "N", None, "judge N single decisions in each game instead"),
    ("--samples", "N", "1", "with --positions: answers to each position (default: 1)"),
    ("--vary", "LIST", None, "play each model under every combination of legal,reasoning,disguise,board"),
    ("--budget", "COST", None, "send no more requests to models when their cost reaches this"),
    ("--cache", "DIR", "", "keep the answers of models there, and send no request twice"),
    ("--workers", "N", str(os.cpu_count() or 1), "processes (default: one for each core)"),
    ("--executor", "dask://HOST:PORT", "", "play on a Dask cluster instead"),
)
"""The options of a run."""


def plan_parser() -> Parser:
    """The parser of `duel arena run`."""
    parser = Parser("arena run", ABOUT, PLAYERS)
    parser.add_argument("--out", metavar="DIR", help="the folder that keeps the run")
    for flag, metavar, default, about in ASKED:
        parser.add_argument(flag, metavar=metavar, default=default, help=about)
    parser.add_argument(
        "--player",
        metavar="WHO",
        action="append",
        default=[],
        help="one more, if its name has a comma",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be played and asked, and do nothing"
    )
    parser.add_argument(
        "--show-prompt", action="store_true", help="print what each model is sent first, and do nothing"
    )
    add_external_options(parser, many=True)
    return parser


def make_plan(parsed: argparse.Namespace) -> Plan:
    """The plan that the options describe; CliError if players or games are unknown or do not fit."""
    from numberduels.arena.plan import Plan
    from numberduels.arena.run import check_players
    from numberduels.game import registry
    from numberduels.game.notation import read_game
    from numberduels.players.model_options import BASE_URL

    positions = 0 if parsed.positions is None else read_count("--positions", parsed.positions, 1, 100_000)
    against = split_list(parsed.against)
    if positions and against:
        raise CliError("--positions asks about single decisions, without an opponent: leave out --against")
    players = (*split_list(parsed.players), *parsed.player)
    if len(players) < (1 if against or positions or parsed.show_prompt else 2):
        raise CliError(
            "--players takes two or more, such as perfect,random; with --against or --positions, one"
        )
    samples = read_count("--samples", parsed.samples, 1, 1_000)
    if samples > 1 and not positions:
        raise CliError("--samples asks several times about single decisions: say --positions N, too")
    terms = read_external_settings(parsed).for_players((*players, *against))
    terms = replace(terms, base_url=terms.base_url or os.environ.get(BASE_URL, ""))  # kept with the run
    players, against = _varied(parsed, players, against, terms)
    for names in (players, against):
        _known(names, terms, without_models=parsed.dry_run or parsed.show_prompt)
    try:
        texts = split_list(parsed.games) or tuple(registry.names())
        for text in filter(is_adopted, texts):
            allow(split_text(text)[0])
        games = tuple(read_game(text)[0] for text in texts)
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
        terms=terms,
        samples=samples,
    )
    if parsed.show_prompt:
        if not plan.models:
            raise CliError("--show-prompt is for language models, and there is none among the players")
        return plan
    if not positions and not any(plan.pairs()):
        raise CliError("variants of one model do not meet each other: name an opponent, too")
    try:
        with ProgressBar("getting ready"):
            check_players(plan, without_models=parsed.dry_run)
    except ValueError as fault:
        raise CliError(str(fault)) from None
    for game in games if positions else ():
        _enough(plan, game)
    return plan


def _varied(
    parsed: argparse.Namespace, players: tuple[str, ...], against: tuple[str, ...], terms: ExternalSettings
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The players and the fixed opponents, in which every model has become its variants."""
    from numberduels.players.external import FACTORS, MODEL, read_factors, vary

    if parsed.vary is None:
        return players, against
    try:
        factors = read_factors(parsed.vary)
    except ValueError as fault:
        raise CliError(str(fault)) from None
    for factor in factors:
        if getattr(terms, factor) != FACTORS[factor][0]:
            raise CliError(f"--vary {factor} has all its values already: leave out the option that sets one")
    if not any(name.startswith(MODEL) for name in (*players, *against)):
        raise CliError("--vary is for language models, and there is none among the players")

    def variants(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(variant for name in names for variant in vary(name, factors))

    return variants(players), variants(against)


def _known(names: tuple[str, ...], terms: ExternalSettings, *, without_models: bool) -> None:
    """Check that every name is a player and none is repeated; a model may need variables that are not set."""
    from numberduels.players import make_player

    _once("player", names)
    for name in names:
        if name == HUMAN:
            raise CliError("nobody sits at the keyboard in the arena: duel play is for that")
        try:
            if not (without_models and name.startswith("chat:")):
                make_player(name, terms)
        except ValueError as fault:
            hint = "; a name with a comma goes to --player" if any(char in name for char in "'\"()") else ""
            raise CliError(f"{fault}{hint}") from None


def _once(what: str, names: tuple[str, ...]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise CliError(f"the {what} {short(name, 80)} is named twice")


def _enough(plan: Plan, game: str) -> None:
    """Report a game with fewer positions than requested."""
    with ProgressBar("looking for positions"):
        found = plan.count_positions(game)
    if not found:
        raise CliError(f"no position of {game} was found in which a wrong move exists")
    if found < plan.positions:
        print(f"{game}: only {found} positions in which a wrong move exists were found.", file=sys.stderr)
