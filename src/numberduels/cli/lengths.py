"""`duel solve` and `duel sweep` with --goal length: how long a game lasts if one player wants it long."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
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
from numberduels.cli.commands import CliError
from numberduels.cli.console import print_folded
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.game import options
from numberduels.game.formatting import enumeration, plural
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


class LengthRow(NamedTuple):
    """The lengths of one size, by what the first player wants."""

    size: int
    long_begins: int
    short_begins: int
    positions: int
    seconds: float


class LengthTable:
    """The lengths at each size, for `duel sweep`; all sizes within reach share one search."""

    fields = LengthRow._fields
    heading = "  size  long begins  short begins    positions  seconds"

    def __init__(self, spec: GameSpec, parsed: argparse.Namespace, sizes: range) -> None:
        if not spec.load("conflicts"):
            raise CliError(str(NoConflictGraph(spec.title)))
        self.spec, self.parsed, self.sizes = spec, parsed, sizes
        self._search: LengthSearch | None = None
        self._game: Any = None

    def solve(self, size: int, bar: ProgressBar) -> LengthRow:
        """Solve one size."""
        self._game = make_game(self.spec, self.parsed, size=str(size))
        if self._search is None or size > MAX_VERTICES:
            shared = max(size, min(self.sizes[-1], MAX_VERTICES))
            self._search = LengthSearch(make_game(self.spec, self.parsed, size=str(shared)), MAX_POSITIONS)
            self._search.lengths.progress = bar.update
        found = self._search.solve(self._game, moves=False)
        long, short = found.long_begins.low, found.short_begins.low
        return LengthRow(size, long, short, found.positions, round(found.seconds, 3))

    def known(self) -> str:
        """The bounds of the size that is being solved."""
        assert self._search
        return f"; so far: {format_lengths(self._search.known(self._game, self._game.start(Random(0))))}"

    def format(self, row: LengthRow) -> str:
        """One row of the table."""
        size, long, short, positions, seconds = row
        return f"{size:>6} {long:>12} {short:>13} {positions:>12,} {seconds:>8.2f}"

    def draw(self, rows: Sequence[LengthRow]) -> str:
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
            title=f"{self.spec.title}: how long the game lasts at each size",
            description=" ".join(told),
            axis="size",
            columns=sizes,
            panels=panels,
        ).draw()
