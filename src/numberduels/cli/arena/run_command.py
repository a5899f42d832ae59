"""`duel arena run`: play a run, or continue one; or say what it would play and ask."""

from __future__ import annotations

import errno
import os
import sys
import time
from typing import TYPE_CHECKING

from numberduels.cli.arena.plan_options import make_plan, plan_parser
from numberduels.cli.arguments import read_count, read_number_between
from numberduels.cli.console import error_reason, print_folded, shell_command
from numberduels.cli.parser import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.game.files import absolute_path
from numberduels.game.formatting import plural, short

if TYPE_CHECKING:
    from numberduels.arena.plan import Plan
    from numberduels.players.chat import AnswerCache, RequestBudget

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
    with GamesProgressBar("playing") as bar:
        try:
            abandoned = run_plan(
                plan,
                folder,
                workers=workers,
                dask=_dask(parsed.executor),
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
            kept = f"{bar.done:,} of {bar.total:,} games kept"
            print(f"Stopped: {kept}, and the same command goes on.", file=sys.stderr, flush=True)
            if plan.models:
                exit_now(exit_status(end))  # their answers are on the way, and nobody waits for them
            return exit_status(end)
    if cache and cache.fault:
        print(f"Some answers are not in the cache: {error_reason(cache.fault)}.", file=sys.stderr)
    if budget.spent and (bar.done < bar.total or abandoned):
        return _tell_spent(budget, bar.done - abandoned, bar.total)
    told = f"{shell_command('arena', 'report', folder)} says what came of it."
    if abandoned:
        games = f"{abandoned:,} of {bar.total:,} games were abandoned, because a player could not be reached"
        why = "".join(f" {short(player, 80)}: {visible(reason)}" for player, reason in reasons.items())
        print_folded(f"{games}.{why} The same command plays them again. {told}\n")
        return 1
    print_folded(f"All games of this run are played. {told}\n")
    return 0


def _budget(text: str | None) -> RequestBudget:
    """The budget that --budget gives."""
    from numberduels.players.chat import RequestBudget

    return RequestBudget(None if text is None else read_number_between("--budget", text, 0, 1e9))


def _tell_spent(budget: RequestBudget, played: int, total: int) -> int:
    """Say why no more requests were sent; returns the exit status."""
    if budget.unpriced:
        raise CliError(
            f"--budget cannot be kept: the answers of {short(budget.unpriced, 80)} have no known cost; say"
            f" the price with --price chat:MODEL=IN,OUT (the server must count tokens, too); {AGAIN}"
        )
    cost = f"The budget of {budget.limit:g} is spent: the answers so far cost {budget.cost:.4g}"
    print_folded(f"{cost}, {played:,} of {total:,} games are played. A larger --budget goes on.\n")
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
    from numberduels.arena.estimate import CHARACTERS, estimate_models

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
        cost = "unknown without --price" if each.cost is None else f"about {each.cost:.4g}"
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
