"""`duel sweep GAME --OPTION all`: who wins for all values of an option at every size, and what is proven."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from numberduels.analysis.winner_table import (
    Cell,
    Finding,
    Kind,
    Winners,
    WinnerTable,
    check_statements,
    winner_table_of,
)
from numberduels.cli.arguments import write_file
from numberduels.cli.console import print_folded
from numberduels.cli.parser import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.cli.state_option import open_state, tell_saved
from numberduels.game.formatting import csv_text, plural, runs
from numberduels.game.spec import GameSpec
from numberduels.solvers import TooLarge

ALL = "all"
"""The value of an option that stands for all its values."""


def asked_table(spec: GameSpec, parsed: argparse.Namespace) -> WinnerTable | None:
    """The table that was asked for by the value `all` of an option; None if nobody asked."""
    table = winner_table_of(spec)
    for name, value in vars(parsed).items():
        if value == ALL and table is not None and table.option == name:
            return table
    return None


def print_table(spec: GameSpec, table: WinnerTable, sizes: range, parsed: argparse.Namespace) -> int:
    """Compute, print, save and draw the table of these sizes."""
    winners: dict[Cell, int] = {}
    interrupt: KeyboardInterrupt | None = None
    if parsed.state is not None and not table.resumable:
        raise CliError(f"--state: the table of all {table.option}s of {spec.title} cannot be saved")
    with open_state("sweep", parsed, game=spec.name) as state:
        try:
            about = f"solving all {table.option}s up to size {sizes[-1]}"
            with ProgressBar(about, lines=parsed.progress) as bar:
                progress = state.ticking(bar.update) if state else bar.update
                table.fill(winners, sizes, progress, state)
            if state:
                state.save()
        except TooLarge as fault:
            raise CliError(f"{fault}; {fault.reach}" if fault.reach else str(fault)) from None
        except KeyboardInterrupt as end:
            interrupt = end
            solved = [size for size in sizes if (size, 1) in winners]
            sizes, left = sizes[: len(solved)], sizes[len(solved) :]
            tell_saved(state)
    if sizes:
        print(f"  size  {table.option + 's':>8}  Player 1  Player 2  proven   Player 2 wins at")
    for size in sizes:
        print_folded(_row(table, winners, size))
    if interrupt:
        above = " The sizes above are complete." if sizes else ""
        print_folded(f"{left[0]:>6} stopped.{above}\n")
    if table.statements and sizes:
        print_folded(f"\n{table.notation}\n")
        print_folded(_statements(check_statements(table.statements, winners), sizes, table.option))
    if interrupt and (state or not sizes):  # with a state file, the same command will write the files
        return exit_status(interrupt)
    if parsed.csv is not None:
        write_file(parsed.csv, to_csv(table, winners), parsed.force)
    if parsed.plot is not None:
        from numberduels.cli.winner_table_svg import draw_table

        write_file(parsed.plot, draw_table(spec.title, table, winners), parsed.force)
    return exit_status(interrupt) if interrupt else 0


def _row(table: WinnerTable, winners: Winners, size: int) -> str:
    """How many values each player wins, how many of them are proven, and those of Player 2."""
    row = {value: winner for (each, value), winner in winners.items() if each == size}
    lost = [value for value, winner in row.items() if winner == 2]
    proven = sum(table.proven((size, value), winners) for value in row)
    figures = f"{size:>6} {len(row):>9} {len(row) - len(lost):>9} {len(lost):>9} {proven:>7}"
    return f"{figures}   {runs(lost) if lost else 'none'}\n"


def _statements(findings: Iterable[Finding], sizes: range, option: str) -> str:
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
            end = f"A guess: no exception among {cells} up to size {sizes[-1]}; larger sizes may have one."
        else:
            end = f"Seen up to size {sizes[-1]}, not proven; {cells} of the table, no exception."
        told.append(f"{finding.statement.text}\n    {end}\n")
    return "".join(told)


def to_csv(table: WinnerTable, winners: Winners) -> str:
    """The table as CSV: a line for each size and value."""
    rows = (
        [size, value, winner, int(table.proven((size, value), winners))]
        for (size, value), winner in winners.items()
    )
    return csv_text([["size", table.option, "winner", "proven"], *rows])
