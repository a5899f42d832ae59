"""`duel sweep --goal length`: how long a game lasts at every size of a range."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from numberduels.analysis.game_length import LengthSearch, NoConflictGraph
from numberduels.cli.arguments import make_game, write_file
from numberduels.cli.console import print_folded
from numberduels.cli.parser import CliError
from numberduels.cli.progress import ProgressBar
from numberduels.cli.solve_length import format_lengths, solve_with_state
from numberduels.cli.state_option import open_state, saved_at_the_end
from numberduels.game.formatting import csv_text
from numberduels.game.spec import GameSpec
from numberduels.solvers import TooLarge
from numberduels.solvers.game_length import MAX_VERTICES

if TYPE_CHECKING:
    from numberduels.cli.state_file import StateFile

MAX_POSITIONS = 300_000
"""The most positions to search for all sizes together; they share one table."""

HEADING = "  size  long begins  short begins    positions  seconds"


class LengthRow(NamedTuple):
    """The lengths of one size, by what the first player wants."""

    size: int
    long_begins: int
    short_begins: int
    positions: int
    seconds: float


def sweep_lengths(spec: GameSpec, parsed: argparse.Namespace, sizes: range) -> int:
    """Solve every size; print a row for each, and write the files that were asked for."""
    if not spec.load("conflicts"):
        raise CliError(str(NoConflictGraph(spec.title)))
    rows: list[LengthRow] = []
    with (
        open_state("sweep", parsed, game=spec.name) as state,
        saved_at_the_end(state, lambda: write_files(spec, parsed, rows)),
        ProgressBar("solving", lines=parsed.progress) as bar,
    ):
        for row in solve_sizes(spec, parsed, sizes, bar, state):
            with bar.printing():
                if not rows:
                    print(HEADING)
                rows.append(row)
                print(format_row(row), flush=True)
    return 0


def write_files(spec: GameSpec, parsed: argparse.Namespace, rows: list[LengthRow]) -> None:
    """Write the table and the chart, if they were asked for."""
    if parsed.csv is not None:
        write_file(parsed.csv, to_csv(rows), parsed.force)
    if parsed.plot is not None:
        from numberduels.cli.length_svg import draw_lengths

        write_file(parsed.plot, draw_lengths(spec.title, rows), parsed.force)


def solve_sizes(
    spec: GameSpec, parsed: argparse.Namespace, sizes: range, bar: ProgressBar, state: StateFile | None
) -> Iterator[LengthRow]:
    """A row for each size up to the first one that is beyond reach; an invalid size is said and left out."""
    search: LengthSearch | None = None
    known = {row.size: row for row in state.results_as(LengthRow)} if state else {}
    for size in sizes:
        try:
            game = make_game(spec, parsed, size=str(size))
            if search is None or size > MAX_VERTICES:
                shared = max(size, min(sizes[-1], MAX_VERTICES))  # one table for all sizes within reach
                search = LengthSearch(make_game(spec, parsed, size=str(shared)), MAX_POSITIONS)
                bar.estimate = search.estimate(_starts(spec, parsed, range(size, shared + 1)))
                if state and not state.restored:
                    state.restore(search)
        except CliError as fault:
            with bar.printing():
                print_folded(f"{size:>6} no game: {fault}\n")
            continue
        if size in known:
            yield known[size]
            continue
        bar.about = f"solving size {size} of {sizes[-1]}"
        row = solve_size(search, size, game, bar, state)
        if row is None:
            return
        yield row


def _starts(spec: GameSpec, parsed: argparse.Namespace, sizes: range) -> Iterator[Any]:
    for size in sizes:
        yield make_game(spec, parsed, size=str(size)).start(Random(0))


def solve_size(
    search: LengthSearch, size: int, game: Any, bar: ProgressBar, state: StateFile | None
) -> LengthRow | None:
    """The row of one size; None, after a line about it, if it is beyond reach or the user stops."""
    start = game.start(Random(0))
    try:
        if state:
            state.reached()
        search.lengths.progress = bar.update
        solution = solve_with_state(search, state, lambda: search.solve(game, start, moves=False))
    except TooLarge as fault:
        known = format_lengths(search.known(game, start))
        with bar.printing():
            print_folded(f"{size:>6} beyond reach: {fault}; so far: {known}. The sweep ends here.\n")
        return None
    except KeyboardInterrupt:
        known = format_lengths(search.known(game, start))
        with bar.printing():
            print_folded(f"{size:>6} stopped; so far: {known}.\n")
        raise
    long, short = solution.long_begins.low, solution.short_begins.low
    row = LengthRow(size, long, short, solution.positions, round(solution.seconds, 3))
    if state:
        state.add_result(list(row))
    return row


def format_row(row: LengthRow) -> str:
    """One row of the table."""
    size, long, short, positions, seconds = row
    return f"{size:>6} {long:>12} {short:>13} {positions:>12,} {seconds:>8.2f}"


def to_csv(rows: list[LengthRow]) -> str:
    """The rows as CSV."""
    return csv_text([LengthRow._fields, *rows])
