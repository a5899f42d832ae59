"""`duel arena run`: play a run, or continue one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from numberduels.cli.arena.games_progress import GamesProgressBar
from numberduels.cli.arena.plan_options import make_plan, plan_parser
from numberduels.cli.arguments import read_count, read_number_between
from numberduels.cli.console import error_reason, print_folded, shell_command
from numberduels.cli.parser import CliError
from numberduels.cli.signals import exit_status
from numberduels.files import absolute_path
from numberduels.text import short

if TYPE_CHECKING:
    from numberduels.arena.budget import Budget
    from numberduels.arena.plan import Plan

AGAIN = "what was finished is kept, and the same command goes on"


def run(arguments: list[str]) -> int:
    """Play the games of a run that its folder does not hold yet."""
    from numberduels.arena.run import RunAborted, run_plan
    from numberduels.arena.workers import exit_now

    parsed = plan_parser().parse_args(arguments)
    plan = make_plan(parsed)
    budget = _budget(parsed.budget, plan)
    workers = read_count("--workers", parsed.workers, 1, 1_000)
    folder, place = absolute_path(parsed.out), short(parsed.out, 200)
    with GamesProgressBar("playing") as bar:
        try:
            abandoned = run_plan(
                plan,
                folder,
                workers=workers,
                dask=_dask(parsed.executor),
                progress=bar.update,
                tell_growth=_tell_growth,
                budget=budget,
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
    if budget.spent and bar.done < bar.total:
        cost = f"The budget of {budget.limit:g} is spent: the games so far cost {budget.cost:.4g}"
        print_folded(f"{cost}, {bar.done:,} of {bar.total:,} are played. A larger --budget goes on.\n")
        return 1
    told = f"{shell_command('arena', 'report', folder)} says what came of it."
    if abandoned:
        games = f"{abandoned:,} of {bar.total:,} games were abandoned, because a player could not be reached"
        print_folded(f"{games}. The same command plays them again. {told}\n")
        return 1
    print_folded(f"All games of this run are played. {told}\n")
    return 0


def _budget(text: str | None, plan: Plan) -> Budget:
    """The budget that --budget gives; says which prices it lacks."""
    from numberduels.arena.budget import Budget

    if text is None:
        return Budget()
    limit = read_number_between("--budget", text, 0, 1e9)
    models = [name for name in (*plan.players, *plan.against) if name.startswith("chat:")]
    unknown = [name for name in models if plan.terms.cost(name.removeprefix("chat:"), 1, 1) is None]
    if unknown:
        names = ", ".join(short(name, 60) for name in unknown)
        print(
            f"--budget: no price is known for {names}, so only a cost that the server reports counts;"
            " --price chat:MODEL=IN,OUT says it.",
            file=sys.stderr,
        )
    return Budget(limit)


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
