"""`duel arena run`: play a run, or continue one."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

from numberduels.cli.arena.dry_run import tell_estimate
from numberduels.cli.arena.games_progress import GamesProgressBar
from numberduels.cli.arena.plan_options import make_plan, plan_parser
from numberduels.cli.arguments import read_count, read_number_between
from numberduels.cli.console import error_reason, print_folded, shell_command
from numberduels.cli.parser import CliError
from numberduels.cli.signals import exit_status
from numberduels.game.files import absolute_path
from numberduels.game.formatting import short

if TYPE_CHECKING:
    from numberduels.players.answer_cache import AnswerCache
    from numberduels.players.request_budget import RequestBudget

AGAIN = "what was finished is kept, and the same command goes on"


def run(arguments: list[str]) -> int:
    """Play the games of a run that its folder does not hold yet."""
    from numberduels.arena.formatting import visible
    from numberduels.arena.run import RunAborted, run_plan
    from numberduels.engine.processes import exit_now

    parsed = plan_parser().parse_args(arguments)
    plan = make_plan(parsed)
    if parsed.dry_run:
        return tell_estimate(plan, absolute_path(parsed.out))
    budget, cache = _budget(parsed.budget), _cache(parsed.cache)
    workers = read_count("--workers", parsed.workers, 1, 1_000)
    folder, place = absolute_path(parsed.out), short(parsed.out, 200)
    reasons: dict[str, str] = {}
    with GamesProgressBar("playing") as bar:
        try:
            abandoned = run_plan(
                plan,
                folder,
                workers=workers,
                dask=_dask(parsed.executor),
                progress=bar.update,
                tell_growth=_tell_growth,
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
            if plan.has_models:
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
    from numberduels.players.request_budget import RequestBudget

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
    from numberduels.players.answer_cache import AnswerCache

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


def _tell_growth(added: list[str]) -> None:
    print(f"The run grows: {'; '.join(added)}.", file=sys.stderr)


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
