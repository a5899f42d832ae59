"""`duel arena run --dry-run`: say what a run would do, without a request and without writing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from numberduels.cli.console import error_reason, print_folded
from numberduels.cli.parser import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.game.formatting import plural, short

if TYPE_CHECKING:
    from numberduels.arena.plan import Plan


def tell_estimate(plan: Plan, folder: str) -> int:
    """Print the games of the plan that the folder does not hold yet, and what their models would be asked."""
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
    from numberduels.arena.results_file import GAMES, read_lines

    path = os.path.join(folder, GAMES)
    if not os.path.exists(path):
        return set()
    try:
        ends = {str(line.get("key")): line.get("end") for line in read_lines(path)}
    except (OSError, ValueError) as fault:
        reason = error_reason(fault) if isinstance(fault, OSError) else fault
        raise CliError(f"{short(folder, 200)} cannot be read: {reason}") from None
    return {key for key, end in ends.items() if end != ERROR}
