"""`duel solve --goal length`: how long a game lasts if one player wants it long and the other one short."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numberduels.analysis.game_length import METHOD, Length, LengthSearch, LengthSolution, NoConflictGraph
from numberduels.cli.console import print_folded
from numberduels.cli.parser import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.cli.state_option import game_options, open_state, run_in_steps, tell_saved
from numberduels.game import options
from numberduels.game.formatting import enumeration, plural
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.solvers import TooLarge

if TYPE_CHECKING:
    from numberduels.cli.state_file import StateFile

MAX_POSITIONS = 300_000
"""The most positions to search, about 5 kB each."""

WANTS = {"long": "wants a long game", "short": "wants a short game"}


def print_lengths(spec: GameSpec, table: Table[Any, Any], parsed: argparse.Namespace) -> int:
    """Solve a position and print both lengths; an interrupt prints what is known by then."""
    game, state, interrupt = table.game, table.state, None
    moves = not parsed.winner
    try:
        search = LengthSearch(game, MAX_POSITIONS)
    except NoConflictGraph as fault:
        raise CliError(str(fault)) from None
    with open_state("solve", parsed, leave_out=game_options(game), game=repr(game)) as saved:
        try:
            with ProgressBar("solving", lines=parsed.progress) as bar:
                bar.estimate = search.estimate([state], moves=moves)
                search.lengths.progress = bar.update
                if saved:
                    saved.restore(search)
                solution = solve_with_state(search, saved, lambda: search.solve(game, state, moves=moves))
            if saved:
                saved.save()
        except TooLarge as fault:
            known = format_lengths(search.known(game, state))
            raise CliError(f"this position is beyond reach: {fault}; so far: {known}") from None
        except KeyboardInterrupt as end:
            solution, interrupt = search.known(game, state), end
            tell_saved(saved)
    if parsed.json:
        print(json.dumps(report(spec, table, solution)))
    else:
        print_folded(f"{format_length_solution(spec, table, solution)}\n")
    return exit_status(interrupt) if interrupt else 0


def solve_with_state(
    search: LengthSearch, state: StateFile | None, ask: Callable[[], LengthSolution]
) -> LengthSolution:
    """Ask for a solution; with a state file step by step, and what earlier runs did is counted, too."""
    if state is None:
        return ask()
    before = state.begin_result(search.lengths.visited)
    solution = run_in_steps(state, search.lengths, ask)
    return replace(solution, positions=search.lengths.visited - before, seconds=state.seconds)


def format_length_solution(spec: GameSpec, table: Table[Any, Any], solution: LengthSolution) -> str:
    """The solution as text."""
    game_text = spec.text_for(table.game)
    lines = [game_text.position(solution.state).rstrip()]
    lines.append("One player wants a long game, the other one a short game.")
    for key, length in by_wish(solution).items():
        total = f", {format_count(length, table.ply)} in all" if table.ply else ""
        lines.append(f"If the player to move {WANTS[key]}: {format_count(length)} from here{total}.")
        if length.best:
            lines.append(f"  best: {enumeration([game_text.format_move(move) for move in length.best])}")
    positions = f"By {METHOD}: {solution.positions:,} positions"
    if solution.solved:
        lines.append(f"{positions} in {solution.seconds:.2f} s.")
    else:
        lines += ["The search was stopped; these are the bounds so far.", f"{positions}."]
    return "\n".join(lines)


def format_lengths(solution: LengthSolution) -> str:
    """Both lengths, or their bounds, as one phrase."""
    return ", ".join(
        f"{format_count(length)} if the player to move {WANTS[key]}"
        for key, length in by_wish(solution).items()
    )


def by_wish(solution: LengthSolution) -> dict[str, Length]:
    """The lengths by what the player to move wants."""
    return {"long": solution.long_begins, "short": solution.short_begins}


def report(spec: GameSpec, table: Table[Any, Any], solution: LengthSolution) -> dict[str, Any]:
    """The solution as plain data."""
    game_text = spec.text_for(table.game)
    return {
        "game": spec.name,
        "options": {each.name: getattr(table.game, each.name) for each in options.declared(type(table.game))},
        "goal": "length",
        "played": table.ply,
        "lengths": {
            key: {
                "at_least": length.low,
                "at_most": length.high,
                "best": [game_text.format_move(move) for move in length.best],
            }
            for key, length in by_wish(solution).items()
        },
        "method": METHOD,
        "positions": solution.positions,
        "seconds": round(solution.seconds, 3),
    }


def format_count(length: Length, played: int = 0) -> str:
    """The number of moves, or its bounds, with those that are played already.

    >>> format_count(Length(1, 1)), format_count(Length(5, 5), 2), format_count(Length(5, 8), 2)
    ('1 move', '7 moves', '7 to 10 moves')
    """
    low, high = played + length.low, played + length.high
    return plural(low, "move") if low == high else f"{low} to {high} moves"
