"""Tables that a game declares, for `duel sweep`: all values of an option at every size, and sequences.

Both say what is proven.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from numberduels.analysis.sequences import (
    Cell,
    CheckedStatement,
    IntegerSequence,
    Kind,
    Winners,
    WinnerTable,
    all_sequences,
    b_file_lines,
    check_statements,
    winner_table_of,
)
from numberduels.cli.arguments import write_outputs
from numberduels.cli.console import print_folded
from numberduels.cli.errors import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.game.formatting import csv_text, plural, runs
from numberduels.game.spec import GameSpec
from numberduels.solvers import TooLarge

ALL = "all"
"""The value of an option that stands for all its values."""

# All values of an option


def asked_table(spec: GameSpec, parsed: argparse.Namespace) -> WinnerTable | None:
    """The table that was asked for by the value `all` of an option; None if nobody asked."""
    table = winner_table_of(spec)
    return table if table is not None and getattr(parsed, table.option, None) == ALL else None


def print_table(spec: GameSpec, table: WinnerTable, sizes: range, parsed: argparse.Namespace) -> int:
    """Compute, print, save and draw the table of these sizes."""
    winners: dict[Cell, int] = {}
    interrupt: KeyboardInterrupt | None = None
    try:
        with ProgressBar(f"solving all {table.option}s up to size {sizes[-1]}") as bar:
            table.fill(winners, sizes, bar.update)
    except TooLarge as fault:
        raise CliError(f"{fault}; {fault.reach}" if fault.reach else str(fault)) from None
    except KeyboardInterrupt as end:
        interrupt = end
    solved = [size for size in sizes if (size, 1) in winners]
    if solved:
        print(f"  size  {table.option + 's':>8}  Player 1  Player 2  proven   Player 2 wins at")
    for size in solved:
        print_folded(_row(table, winners, size))
    if interrupt:
        above = " The sizes above are complete." if solved else ""
        print_folded(f"{sizes[len(solved)]:>6} stopped.{above}\n")
    if table.statements and solved:
        print_folded(f"\n{table.notation}\n")
        print_folded(_statements(check_statements(table.statements, winners), solved[-1], table.option))
    if solved:
        write_outputs(
            parsed,
            {".csv": lambda: table_to_csv(table, winners), ".svg": lambda: _draw_table(spec, table, winners)},
        )
    return exit_status(interrupt) if interrupt else 0


def _row(table: WinnerTable, winners: Winners, size: int) -> str:
    """How many values each player wins, how many of them are proven, and those of Player 2."""
    row = {value: winner for (each, value), winner in winners.items() if each == size}
    lost = [value for value, winner in row.items() if winner == 2]
    proven = sum(table.proven((size, value), winners) for value in row)
    figures = f"{size:>6} {len(row):>9} {len(row) - len(lost):>9} {len(lost):>9} {proven:>7}"
    return f"{figures}   {runs(lost) if lost else 'none'}\n"


def _statements(findings: Iterable[CheckedStatement], last: int, option: str) -> str:
    """The statements about the table, each with its status and its counterexample."""
    told = []
    for finding in findings:
        cells = plural(finding.cells, "game")
        if finding.exception:
            size, value = finding.exception
            end = f"False: the first exception is size {size}, {option} {value}."
        elif not finding.cells:
            end = "It says nothing about the sizes of this table."
        elif finding.statement.kind is Kind.THEOREM:
            end = f"Proven; {cells} of the table, no exception."
        elif finding.statement.kind is Kind.GUESS:
            end = f"A guess: no exception among {cells} up to size {last}; larger sizes may have one."
        else:
            end = f"Seen up to size {last}, not proven; {cells} of the table, no exception."
        told.append(f"{finding.statement.text}\n    {end}\n")
    return "".join(told)


def table_to_csv(table: WinnerTable, winners: Winners) -> str:
    """The table as CSV: a line for each size and value."""
    rows = (
        [size, value, winner, int(table.proven((size, value), winners))]
        for (size, value), winner in winners.items()
    )
    return csv_text([["size", table.option, "winner", "proven"], *rows])


def _draw_table(spec: GameSpec, table: WinnerTable, winners: Winners) -> str:
    from numberduels.analysis.charts import draw_winner_table

    return draw_winner_table(spec.title, table, winners)


# Sequences


def list_sequences() -> str:
    """The sequences of all games with their definitions and their proof status."""
    entries = [
        f"{each.name}\n    a(n) is {each.definition}.\n    {each.status_text}\n" for each in all_sequences()
    ]
    return "\n".join(entries) + "\nduel sweep NAME prints one of them.\n"


def print_sequence(sequence: IntegerSequence, indices: range, parsed: argparse.Namespace) -> int:
    """Print a b-file, each line `n a(n)` as soon as it is known; the status is 1 if one is out of reach."""
    points: list[tuple[int, int]] = []
    try:
        with ProgressBar(f"computing {sequence.name}") as bar:
            for line in b_file_lines(sequence, indices, bar.update):
                with bar.printing():
                    sys.stdout.write(line)
                    sys.stdout.flush()
                if not line.startswith("#"):
                    n, term = map(int, line.split())
                    points.append((n, term))
                    bar.about = f"computing {sequence.name}, after n = {n}"
    except TooLarge as fault:
        reach = f"; {fault.reach}" if fault.reach else ""
        print(f"duel: the next term is out of reach: {fault}{reach}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"duel: stopped: {len(points)} of {plural(len(indices), 'term')} computed", file=sys.stderr)
        raise
    finally:
        if points:
            write_outputs(
                parsed,
                {
                    ".csv": lambda: csv_text([["n", "term"], *points]),
                    ".svg": lambda: _draw_sequence(sequence, points),
                },
            )
    return 0


def _draw_sequence(sequence: IntegerSequence, points: list[tuple[int, int]]) -> str:
    from numberduels.analysis.charts import BarChart, Panel

    indices, terms = zip(*points, strict=True)
    return BarChart(
        title=f"{sequence.name}, n from {indices[0]} to {indices[-1]}",
        subtitle=sequence.definition,
        description=f"a(n) is {sequence.definition}: {', '.join(map(str, terms))}.",
        axis="n",
        columns=indices,
        panels=[Panel("a(n)", terms)],
    ).draw()
