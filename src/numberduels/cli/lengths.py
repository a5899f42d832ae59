"""`duel solve` and `duel sweep` with --goal length: how long a game lasts if one player wants it long."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from numberduels.analysis.game_length import (
    METHOD,
    LengthBounds,
    LengthSearch,
    LengthSolution,
    NoConflictGraph,
)
from numberduels.cli.arguments import make_game
from numberduels.cli.console import print_folded
from numberduels.cli.errors import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.game import options
from numberduels.game.formatting import csv_text, enumeration, plural
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.solvers import TooLarge
from numberduels.solvers.game_length import MAX_VERTICES

MAX_POSITIONS = 300_000
"""The most positions to search, about 5 kB each; all sizes of a sweep share one table."""

WANTS = {"long": "wants a long game", "short": "wants a short game"}

# One position


def print_lengths(spec: GameSpec, table: Table[Any, Any], parsed: argparse.Namespace) -> int:
    """Solve a position and print both lengths; an interrupt prints what is known by then."""
    game, state, interrupt = table.game, table.state, None
    try:
        search = LengthSearch(game, MAX_POSITIONS)
        with ProgressBar("solving") as bar:
            search.lengths.progress = bar.update
            solution = search.solve(game, state, moves=not parsed.winner)
    except NoConflictGraph as fault:
        raise CliError(str(fault)) from None
    except TooLarge as fault:
        known = format_lengths(search.known(game, state))
        raise CliError(f"this position is beyond reach: {fault}; so far: {known}") from None
    except KeyboardInterrupt as end:
        solution, interrupt = search.known(game, state), end
    if parsed.json:
        print(json.dumps(report(spec, table, solution)))
    else:
        print_folded(f"{format_length_solution(spec, table, solution)}\n")
    return exit_status(interrupt) if interrupt else 0


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


def by_wish(solution: LengthSolution) -> dict[str, LengthBounds]:
    """The lengths by what the player to move wants."""
    return {"long": solution.long_begins, "short": solution.short_begins}


def format_count(length: LengthBounds, played: int = 0) -> str:
    """The number of moves, or its bounds, with those that are played already.

    >>> format_count(LengthBounds(1, 1)), format_count(LengthBounds(5, 8), 2)
    ('1 move', '7 to 10 moves')
    """
    low, high = played + length.low, played + length.high
    return plural(low, "move") if low == high else f"{low} to {high} moves"


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


# Every size of a range

HEADING = "  size  long begins  short begins    positions  seconds"


class LengthRow(NamedTuple):
    """The lengths of one size, by what the first player wants."""

    size: int
    long_begins: int
    short_begins: int
    positions: int
    seconds: float

    def __str__(self) -> str:
        size, long, short, positions, seconds = self
        return f"{size:>6} {long:>12} {short:>13} {positions:>12,} {seconds:>8.2f}"


def sweep_lengths(spec: GameSpec, parsed: argparse.Namespace, sizes: range, rows: list[LengthRow]) -> None:
    """Solve every size, print a row for each and add it to the rows."""
    if not spec.load("conflicts"):
        raise CliError(str(NoConflictGraph(spec.title)))
    with ProgressBar("solving") as bar:
        for row in solve_sizes(spec, parsed, sizes, bar):
            with bar.printing():
                if not rows:
                    print(HEADING)
                rows.append(row)
                print(row, flush=True)


def solve_sizes(
    spec: GameSpec, parsed: argparse.Namespace, sizes: range, bar: ProgressBar
) -> Iterator[LengthRow]:
    """A row for each size up to the first one that is beyond reach; an invalid size is said and left out."""
    search: LengthSearch | None = None
    for size in sizes:
        try:
            game = make_game(spec, parsed, size=str(size))
            if search is None or size > MAX_VERTICES:
                shared = max(size, min(sizes[-1], MAX_VERTICES))  # one table for all sizes within reach
                search = LengthSearch(make_game(spec, parsed, size=str(shared)), MAX_POSITIONS)
                search.lengths.progress = bar.update
        except CliError as fault:
            with bar.printing():
                print_folded(f"{size:>6} no game: {fault}\n")
            continue
        bar.about = f"solving size {size} of {sizes[-1]}"
        start = game.start(Random(0))
        try:
            found = search.solve(game, start, moves=False)
        except TooLarge as fault:
            known = format_lengths(search.known(game, start))
            with bar.printing():
                print_folded(f"{size:>6} beyond reach: {fault}; so far: {known}. The sweep ends here.\n")
            return
        except KeyboardInterrupt:
            known = format_lengths(search.known(game, start))
            with bar.printing():
                print_folded(f"{size:>6} stopped; so far: {known}.\n")
            raise
        long, short = found.long_begins.low, found.short_begins.low
        yield LengthRow(size, long, short, found.positions, round(found.seconds, 3))


def lengths_to_csv(rows: list[LengthRow]) -> str:
    """The rows as CSV."""
    return csv_text([LengthRow._fields, *rows])


def draw_lengths(title: str, rows: list[LengthRow]) -> str:
    """The rows as a chart."""
    from numberduels.analysis.charts import BarChart, Panel

    panels = [
        Panel("moves if the player who wants a long game begins", [row.long_begins for row in rows]),
        Panel("moves if the player who wants a short game begins", [row.short_begins for row in rows]),
    ]
    sizes = [row.size for row in rows]
    told = []
    for panel in panels:
        pairs = zip(sizes, panel.values, strict=True)
        told.append(f"{panel.name}: {', '.join(f'{size}: {value}' for size, value in pairs)}.")
    return BarChart(
        title=f"{title}: how long the game lasts at each size",
        description=" ".join(told),
        axis="size",
        columns=sizes,
        panels=panels,
    ).draw()
