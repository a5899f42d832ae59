"""`duel arena run`: play a run, or continue one; or say what it would play and ask."""

from __future__ import annotations

import argparse
import errno
import os
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from numberduels.cli.arena import ABOUT
from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.arguments import read_count, read_number_between, read_seed
from numberduels.cli.console import error_reason, print_folded, shell_command
from numberduels.cli.progress import ProgressBar
from numberduels.cli.seats import add_external_options, read_external_settings
from numberduels.cli.signals import exit_status
from numberduels.game.adopted import allow, is_adopted, split_text
from numberduels.game.contract import HUMAN
from numberduels.game.files import absolute_path
from numberduels.game.formatting import plural, short, split_list

if TYPE_CHECKING:
    from numberduels.arena.plan import Plan
    from numberduels.players.chat import AnswerCache, RequestBudget
    from numberduels.players.external import ExternalSettings

SELDOM = 60.0
"""Seconds between two lines about the progress, if standard error is not a terminal."""

AGAIN = "what was finished is kept, and the same command goes on"


class GamesProgressBar(ProgressBar):
    """A progress bar that counts games; without a terminal it prints a line now and then."""

    threaded = False  # the workers are forked while it is visible
    done = total = 0

    def __init__(self, about: str) -> None:
        super().__init__(about, "games")
        self._said = time.monotonic()

    def update(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        super().update(done, total)
        now = time.monotonic()
        if not self.seen and now - self._said >= SELDOM:
            self._said = now
            print(f"{self.about}: {done:,} of {total:,} games", file=sys.stderr, flush=True)


def run(arguments: list[str]) -> int:
    """Play the games of a run that its folder does not hold yet."""
    from numberduels.arena.cells import visible
    from numberduels.arena.run import RunAborted, run_plan
    from numberduels.engine.processes import exit_now

    parsed = plan_parser().parse_args(arguments)
    plan = make_plan(parsed)
    if parsed.show_prompt:
        return _show_prompt(plan)
    if not parsed.out:
        raise CliError("say with --out DIR which folder keeps the run")
    folder, place = absolute_path(parsed.out), short(parsed.out, 200)
    if parsed.dry_run:
        return _tell_estimate(plan, folder)
    budget, cache = _budget(parsed.budget), _cache(parsed.cache)
    workers = read_count("--workers", parsed.workers, 1, 1_000)
    reasons: dict[str, str] = {}
    kind = "decisions" if plan.positions else "games"
    with GamesProgressBar("playing") as bar:
        try:
            abandoned = run_plan(
                plan,
                folder,
                workers=workers,
                progress=bar.update,
                tell_growth=lambda added: print(f"The run grows: {'; '.join(added)}.", file=sys.stderr),
                tell_unreached=reasons.setdefault,
                budget=budget,
                cache=cache,
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
            kept = f"{bar.done:,} of {bar.total:,} {kind} kept"
            print(f"Stopped: {kept}, and the same command goes on.", file=sys.stderr, flush=True)
            if plan.models:
                exit_now(exit_status(end))  # their answers are on the way, and nobody waits for them
            return exit_status(end)
    if cache and cache.fault:
        print(f"Some answers are not in the cache: {error_reason(cache.fault)}.", file=sys.stderr)
    if budget.spent and (bar.done < bar.total or abandoned):
        return _tell_spent(budget, bar.done - abandoned, f"{bar.total:,} {kind}")
    told = f"{shell_command('arena', 'report', folder)} says what came of it."
    if abandoned:
        games = f"{abandoned:,} of {bar.total:,} {kind} were abandoned, because a player could not be reached"
        why = "".join(f" {short(player, 80)}: {visible(reason)}" for player, reason in reasons.items())
        print_folded(f"{games}.{why} The same command plays them again. {told}\n")
        return 1
    print_folded(f"All {kind} of this run are {'judged' if plan.positions else 'played'}. {told}\n")
    return 0


def _budget(text: str | None) -> RequestBudget:
    """The budget that --budget gives."""
    from numberduels.players.chat import RequestBudget

    return RequestBudget(None if text is None else read_number_between("--budget", text, 0, 1e9))


def _tell_spent(budget: RequestBudget, played: int, total: str) -> int:
    """Say why no more requests were sent; returns the exit status."""
    if budget.unpriced:
        raise CliError(
            f"--budget cannot be kept: the answers of {short(budget.unpriced, 80)} have no known cost; name"
            f" the price in the file of --model-options (the server must count tokens, too); {AGAIN}"
        )
    cost = f"The budget of {budget.limit:g} is spent: the answers so far cost {budget.cost:.4g}"
    print_folded(f"{cost}, {played:,} of {total} are played. A larger --budget goes on.\n")
    return 1


def _cache(text: str) -> AnswerCache | None:
    """The cache of answers that --cache names; its folder is made."""
    from numberduels.players.chat import AnswerCache

    if not text:
        return None
    folder = absolute_path(text)
    try:
        os.makedirs(folder, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as fault:
        raise CliError(f"--cache {short(text, 200)} cannot be written: {error_reason(fault)}") from None
    return AnswerCache(folder)


def _show_prompt(plan: Plan) -> int:
    """Print what each model of the plan is sent at the first decision of the run in each game."""
    from numberduels.game.table import Table
    from numberduels.players.conversation import Conversation
    from numberduels.players.external import read_variant, variant_settings

    for name in plan.models:
        settings = variant_settings(read_variant(name), plan.terms)
        for text in plan.games:
            game, start, moves = plan.opening_of(text, 1)
            table = Table(game, start, moves)
            try:
                messages = Conversation(game, settings).question(table.state, table.played, len(moves))
            except ValueError as fault:  # the game has no disguise
                raise CliError(str(fault)) from None
            if len(plan.models) * len(plan.games) > 1:
                print(f"# {name}, {text}\n")
            print("\n\n".join(f"[{message['role']}]\n{message['content']}" for message in messages))
    return 0


def _tell_estimate(plan: Plan, folder: str) -> int:
    """Print the games that the folder does not hold yet, and what their models would be asked."""
    from numberduels.arena.plan import CHARACTERS, estimate_models

    done = _finished(folder)
    scheduled = list(plan.schedule())
    waiting = [game for game in scheduled if game.key not in done]
    kind = "decision" if plan.positions else "game"
    print_folded(
        f"{plural(len(scheduled), kind)} in all, {len(scheduled) - len(waiting):,} of them played already.\n"
    )
    try:
        with ProgressBar("estimating"):
            models = estimate_models(plan, waiting)
    except ValueError as fault:
        raise CliError(str(fault)) from None
    for each in models:
        cost = "unknown without a price in --model-options" if each.cost is None else f"about {each.cost:.4g}"
        print_folded(
            f"{each.player}: {plural(each.games, kind)}, about {plural(each.requests, 'request')} (at most"
            f" {each.most_requests:,} if every answer has to be repeated), about {each.tokens_in:,} tokens in"
            f" and {each.tokens_out:,} out ({each.answer_tokens:,} an answer); cost: {cost}.\n"
        )
    costs = [each.cost for each in models if each.cost is not None]
    if len(models) > 1 and len(costs) == len(models):
        print_folded(f"All models together cost about {sum(costs):.4g}.\n")
    if models:
        print_folded(
            "The estimate takes the real prompts of sampled games with random moves, and"
            f" {CHARACTERS} characters for a token. The length of answers is assumed: models that reason at"
            " length need many times more. "
        )
    print_folded("No request was sent and nothing was written.\n")
    return 0


def _finished(folder: str) -> set[str]:
    """The keys of the games that the folder holds and that were not abandoned."""
    from numberduels.arena.results import ERROR
    from numberduels.arena.run_folder import GAMES, read_lines

    path = os.path.join(folder, GAMES)
    if not os.path.exists(path):
        return set()
    try:
        ends = {str(line.get("key")): line.get("end") for line in read_lines(path)}
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(folder, 200)} cannot be read: {error_reason(fault)}") from None
    return {key for key, end in ends.items() if end != ERROR}


# The plan that the options describe

PLAYERS = """\
players: random, greedy, beginner, casual, skilled, expert, perfect, mcts:N; a Python callable
package.module:name; a program process:COMMAND, or process2:COMMAND if it is to be started once
for many games; a language model chat:MODEL.
games: a name and its options, such as range-war:size=12:opening=free or number-snatch:numbers=2+5+7,
or a game of another library, such as openspiel:hex(board_size=3)."""

ASKED = (
    ("--players", "LIST", "", "who plays, parted by commas; a comma in quotes or brackets is part of a name"),
    ("--games", "LIST", "", "which games (default: all, as in the books)"),
    ("--rounds", "N", "10", "deals or openings that each pair plays, in both seats (default: 10)"),
    ("--seed", "S", "0", "the same seed gives the same games (default: 0)"),
    ("--against", "LIST", "", "the players meet these, and not each other"),
    ("--positions", "N", None, "judge N single decisions in each game instead"),
    ("--vary", "LIST", None, "play each model under every combination of legal,reasoning,disguise,board"),
    ("--budget", "COST", None, "send no more requests to models when their cost reaches this"),
    ("--cache", "DIR", "", "keep the answers of models there, and send no request twice"),
    ("--workers", "N", str(os.cpu_count() or 1), "processes (default: one for each core)"),
)
"""The options of a run."""


def plan_parser() -> Parser:
    """The parser of `duel arena run`."""
    parser = Parser("arena run", ABOUT, PLAYERS)
    parser.add_argument("--out", metavar="DIR", help="the folder that keeps the run")
    for flag, metavar, default, about in ASKED:
        parser.add_argument(flag, metavar=metavar, default=default, help=about)
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
    from numberduels.game.registry import read_game
    from numberduels.players.model_options import BASE_URL

    positions = 0 if parsed.positions is None else read_count("--positions", parsed.positions, 1, 100_000)
    against = split_list(parsed.against)
    if positions and against:
        raise CliError("--positions asks about single decisions, without an opponent: leave out --against")
    players = split_list(parsed.players)
    if len(players) < (1 if against or positions or parsed.show_prompt else 2):
        raise CliError(
            "--players takes two or more, such as perfect,random; with --against or --positions, one"
        )
    terms = read_external_settings(parsed).for_players((*players, *against))
    if any(name.startswith("chat:") for name in (*players, *against)):
        terms = replace(terms, base_url=os.environ.get(BASE_URL, ""))  # kept with the run
    players, against = _varied(parsed, players, against, terms)
    _once("player", players)
    _once("player", against)
    if HUMAN in (*players, *against):
        raise CliError("nobody sits at the keyboard in the arena: duel play is for that")
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
        print(
            f"{game}: only {plural(found, 'position')} in which a wrong move exists"
            f" {'was' if found == 1 else 'were'} found.",
            file=sys.stderr,
        )
