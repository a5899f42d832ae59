"""`duel sweep`: solve a game at every size of a range, as a table, a CSV file and a chart."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, fields, replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from numberduels.analysis.solution import solve
from numberduels.cli.arguments import (
    GAME_HELP,
    OPTIONS_OF_THE_GAME,
    add_force,
    add_goal,
    add_options,
    add_progress,
    check_suffix,
    check_target,
    find_game,
    find_game_argument,
    make_game,
    write_file,
)
from numberduels.cli.console import print_folded
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.cli.state_option import add_state, open_state, run_in_steps, saved_at_the_end
from numberduels.cli.winner_table import asked_table, print_table
from numberduels.cli.wrapping import terminal_width
from numberduels.game import options
from numberduels.game.contract import ProgressCallback
from numberduels.game.formatting import csv_text, read_number, short
from numberduels.game.options import declared
from numberduels.game.spec import GameSpec
from numberduels.game.table import deal
from numberduels.solvers import Oracle, TooLarge
from numberduels.solvers.oracles import make_oracle

if TYPE_CHECKING:
    from numberduels.cli.state_file import StateFile

ALTOGETHER = 2_500_000
"""The most positions to search, for one size, or for all sizes of a game whose sizes share one table.

The winners of Restricted Removal from 2 to 150 take about 1,700,000.
"""

WIDE = 66
"""The width of the full table."""

WIDEST = 10_000
"""The most sizes of one sweep."""


@dataclass(frozen=True, slots=True)
class SweepRow:
    """The solution of one size."""

    size: int
    winner: int | None
    winning_first_moves: int | None
    nimber: int | None
    margin: int | None
    positions: int
    seconds: float


EVERY_TARGET = "duel sweep summation-duel --size 1..22 --target all solves every target of every size."


def run(arguments: list[str]) -> int:
    """Solve the start of a game at every size of a range."""
    about = "Say who wins a game from the start, at every size of a range."
    parser = Parser("sweep", about, f"{OPTIONS_OF_THE_GAME.format('sweep')}\n{EVERY_TARGET}")
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--size", metavar="FROM..TO", required=True, help="the sizes, such as 2..100")
    parser.add_argument("--seed", metavar="S", default="0", help="deals the numbers, where they are dealt")
    parser.add_argument("--csv", metavar="FILE", help="also write the table as comma-separated values")
    parser.add_argument("--plot", metavar="FILE.svg", help="also draw the table")
    parser.add_argument("--nimbers", action="store_true", help="also print the nimber of each size")
    parser.add_argument("--winner", action="store_true", help="only who wins, not by how many first moves")
    add_goal(parser)
    add_force(parser)
    add_progress(parser)
    add_state(parser)
    flags = ("--force", "--nimbers", "--progress", "--winner")
    add_options(parser, find_game_argument(arguments, flags), leave_out=("size", "numbers"))
    parsed = parser.parse_args(arguments)
    check_suffix("--csv", parsed.csv or "", ".csv", ".txt")
    check_suffix("--plot", parsed.plot or "", ".svg")
    spec = find_game(parsed.game)
    if all(each.name != "size" for each in declared(spec.rules)):
        raise CliError(f"{spec.name} has no option called size, so it cannot be swept")
    low, high = read_sizes(parsed.size)
    for path in (parsed.csv, parsed.plot):
        check_target(path, parsed.force)
    if parsed.goal == "length":
        from numberduels.cli.sweep_length import sweep_lengths

        if parsed.nimbers or parsed.winner:
            raise CliError("--goal length is not about who wins: leave out --nimbers and --winner")
        return sweep_lengths(spec, parsed, range(low, high + 1))
    if table := asked_table(spec, parsed):
        if parsed.nimbers or parsed.winner:
            option = f"--{table.option} all"
            raise CliError(f"{option} prints winners and nothing else: leave out --nimbers and --winner")
        return print_table(spec, table, range(low, high + 1), parsed)
    with open_state("sweep", parsed, game=spec.name) as state:
        return sweep_winners(spec, parsed, range(low, high + 1), state)


def sweep_winners(spec: GameSpec, parsed: argparse.Namespace, wanted: range, state: StateFile | None) -> int:
    """Solve every size; print a row for each, and write the files that were asked for."""
    rows: list[SweepRow] = []
    family: Oracle[Any, Any] | None = None
    columns = Columns(
        narrow=(terminal_width(sys.stdout) or WIDE) < WIDE,
        moves=not parsed.winner,
        nimbers=parsed.nimbers,
        margins=hasattr(spec.rules, "scores"),
    )
    with suppress(CliError):  # the largest size may be invalid; then each size is solved alone
        family = make_oracle(
            deal(make_game(spec, parsed, size=str(wanted[-1])), Random(f"{parsed.seed} deal")), ALTOGETHER
        )
    if state and family and family.resumable_table:
        state.restore(family.resumable_table)
    known = {row.size: row for row in state.results_as(SweepRow)} if state else {}
    print(format_heading(columns))
    with saved_at_the_end(state, lambda: write_files(spec, parsed, rows)):
        with ProgressBar("solving", lines=parsed.progress) as bar:
            if family:
                asked = {"moves": not parsed.winner, "nimbers": parsed.nimbers}
                bar.estimate = family.estimate_sweep(wanted, **asked)
            for row in sweep(spec, parsed, wanted, family, bar, state, known):
                rows.append(row)
                with bar.printing():
                    print(format_row(row, columns), flush=True)
        if parsed.nimbers and any(row.nimber is None for row in rows):
            print("-: the nimber is not known.")
    return 0


def write_files(spec: GameSpec, parsed: argparse.Namespace, rows: list[SweepRow]) -> None:
    """Write the table and the chart, if they were asked for."""
    if parsed.csv is not None:
        write_file(parsed.csv, to_csv(rows), parsed.force)
    if parsed.plot is not None:
        from numberduels.cli.sweep_svg import draw_sweep

        write_file(parsed.plot, draw_sweep(spec.title, format_settings(spec, parsed), rows), parsed.force)


def sweep(
    spec: GameSpec,
    parsed: argparse.Namespace,
    wanted: range,
    family: Oracle[Any, Any] | None,
    bar: ProgressBar,
    state: StateFile | None,
    known: Mapping[int, SweepRow],
) -> Iterator[SweepRow]:
    """Yield a row for each size; print a line for a size that is invalid or too large, or that is stopped.

    `known` are the rows that the state file holds; new ones are added to it.
    """
    for size in wanted:
        if size in known:
            yield known[size]
            continue
        bar.about = f"solving size {size} of {wanted[-1]}"
        try:
            game = deal(make_game(spec, parsed, size=str(size)), Random(f"{parsed.seed} deal"))
            oracle = family.for_smaller_size(game) if family else None
            row = solve_and_save(size, game, parsed, oracle, bar, state)
        except CliError as fault:
            with bar.printing():
                print_folded(f"{size:>6} no game: {fault}\n")
            continue
        except TooLarge as fault:
            with bar.printing():
                print_folded(f"{size:>6} beyond reach: {fault}. The sweep ends here.\n")
            return
        except KeyboardInterrupt:
            with bar.printing():
                print_folded(f"{size:>6} stopped. The sizes above are complete.\n")
            raise
        yield row


def format_settings(spec: GameSpec, parsed: argparse.Namespace) -> str:
    """The options besides the size, as text."""
    chosen = {each.name: getattr(parsed, each.name, None) for each in options.declared(spec.rules)}
    given = [
        f"{each.name} {chosen[each.name] or each.default}"
        for each in options.declared(spec.rules)
        if each.name != "size" and (chosen[each.name] or each.default)
    ]
    return ", ".join([*given, f"seed {parsed.seed}"] if hasattr(spec.rules, "with_start") else given)


def read_sizes(text: str) -> tuple[int, int]:
    """Parse a range such as 2..100, or one size."""
    low, dots, high = text.partition("..")
    try:
        first = read_number(low)
        last = read_number(high) if dots else first
    except ValueError:
        first, last = 1, 0
    if not 0 < first <= last or last - first >= WIDEST:
        raise CliError(
            f"--size takes a range of at most {WIDEST} sizes from 1 on, such as 2..100, not {short(text)}"
        )
    return first, last


def solve_and_save(
    size: int,
    game: Any,
    parsed: argparse.Namespace,
    oracle: Oracle[Any, Any] | None,
    bar: ProgressBar,
    state: StateFile | None,
) -> SweepRow:
    """Solve one size; with a state file, from where it was stopped, and the row is added to it."""
    if state is None:
        return solve_size(size, game, parsed, oracle, bar.update)
    state.reached()
    table = oracle.resumable_table if oracle else None
    before = state.begin_result(table.visited if table else 0)
    progress = bar.update if table else state.ticking(bar.update)
    row = run_in_steps(state, table, lambda: solve_size(size, game, parsed, oracle, progress))
    row = replace(row, seconds=round(state.seconds, 3))
    if table:
        row = replace(row, positions=table.visited - before)
    state.add_result(list(astuple(row)))
    return row


def solve_size(
    size: int,
    game: Any,
    parsed: argparse.Namespace,
    oracle: Oracle[Any, Any] | None,
    progress: ProgressCallback | None = None,
) -> SweepRow:
    """Solve one size, by this oracle or a new one: who wins, and what else was asked for."""
    solution = solve(game, oracle=oracle, progress=progress, moves=not parsed.winner, nimbers=parsed.nimbers)
    winner = None if solution.winner is None else solution.winner + 1
    winning = len(solution.best) if solution.value == "win" else 0
    return SweepRow(
        size,
        winner,
        None if parsed.winner else winning,
        solution.worth.nimber,
        solution.worth.margin,
        solution.positions,
        round(solution.seconds, 3),
    )


class Columns(NamedTuple):
    """The columns of the table: without positions and seconds if it is narrow."""

    narrow: bool = False
    moves: bool = True
    nimbers: bool = False
    margins: bool = False


def format_heading(columns: Columns) -> str:
    """The column titles."""
    told = "  size   winner" + ("  wins" if columns.narrow else "  winning first moves") * columns.moves
    told += "  nimber" * columns.nimbers + "  margin" * columns.margins
    return told if columns.narrow else f"{told}    positions  seconds"


def format_row(row: SweepRow, columns: Columns) -> str:
    """One row of the table."""
    size, winner, first, nimber, margin, positions, seconds = astuple(row)
    who = "nobody" if winner is None else f"Player {winner}"
    told = f"{size:>6} {who:>8}"
    if columns.moves:
        told += f" {first:>{5 if columns.narrow else 20}}"
    if columns.nimbers:
        told += f" {'-' if nimber is None else nimber:>7}"
    if columns.margins:
        told += f" {margin:>7}"
    return told if columns.narrow else f"{told} {positions:>12,} {seconds:>8.2f}"


def to_csv(rows: list[SweepRow]) -> str:
    """The rows as CSV; unknown values are empty."""
    return csv_text([[each.name for each in fields(SweepRow)], *map(astuple, rows)])
