"""`duel sweep`: tables. Who wins a game at every size, how long it lasts, or an integer sequence."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from numberduels.analysis.sequences import all_sequences, find_sequence
from numberduels.analysis.solution import solve
from numberduels.cli.arguments import (
    OPTIONS_OF_THE_GAME,
    add_force,
    add_goal,
    add_options,
    add_out,
    check_outputs,
    find_game_argument,
    make_game,
    typed_spec,
    write_outputs,
)
from numberduels.cli.console import print_folded
from numberduels.cli.declared_tables import asked_table, list_sequences, print_sequence, print_table
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.cli.wrapping import terminal_width
from numberduels.game import options, registry
from numberduels.game.formatting import csv_text, nearest, read_number, short
from numberduels.game.spec import GameSpec
from numberduels.game.table import deal
from numberduels.solvers import Oracle, TooLarge, make_oracle

ALTOGETHER = 2_500_000
"""The most positions to search, for one size, or for all sizes of a game whose sizes share one table.

The winners of Restricted Removal from 2 to 150 take about 1,700,000.
"""

WIDE = 66
"""The width of the full table."""

MOST_SIZES = 10_000
"""The most sizes of one sweep, and the most terms of a sequence."""

ABOUT = """\
Say who wins a game from the start, at every size of a range; or print the terms of an integer sequence,
with its proof status. Without a name, list the sequences."""

EVERY_TARGET = "duel sweep summation-duel --size 1..22 --target all solves every target of every size."


def run(arguments: list[str]) -> int:
    """Print a table, and write it to files."""
    parser = Parser("sweep", ABOUT, f"{OPTIONS_OF_THE_GAME.format('sweep')}\n{EVERY_TARGET}")
    parser.add_argument("name", metavar="GAME|SEQUENCE", nargs="?", help="a game or a sequence")
    parser.add_argument(
        "indices", metavar="FROM..TO", nargs="?", help=argparse.SUPPRESS
    )  # as `duel sequence` took them
    parser.add_argument(
        "--size", metavar="FROM..TO", help="the sizes, or the indices of a sequence, such as 2..100"
    )
    parser.add_argument("--seed", metavar="S", default="0", help="deals the numbers, where they are dealt")
    parser.add_argument("--nimbers", action="store_true", help="also print the nimber of each size")
    parser.add_argument("--winner", action="store_true", help="only who wins, not by how many first moves")
    add_goal(parser)
    add_out(parser, "also write the table (.csv) or draw it (.svg)")
    add_force(parser)
    with suppress(CliError):  # it may be a sequence
        named = find_game_argument(arguments, ("--force", "--nimbers", "--winner"))
        add_options(parser, named, leave_out=("size", "numbers"))
    parsed = parser.parse_args(arguments)
    parsed.size = parsed.size or parsed.indices
    check_outputs(parsed.out, parsed.force, ".csv", ".svg")
    if parsed.name is None:
        print_folded(list_sequences())
        return 0
    if parsed.name in (names := [each.name for each in all_sequences()]):
        sequence = find_sequence(parsed.name)
        first = sequence.indices.start
        indices = read_sizes(parsed.size, first) if parsed.size is not None else sequence.indices
        return print_sequence(sequence, indices, parsed)
    try:
        spec = typed_spec(parsed.name)
    except registry.UnknownGame as fault:
        meant = nearest(parsed.name, names)
        raise CliError(f"{fault}; or did you mean the sequence {meant}?" if meant else str(fault)) from None
    if all(each.name != "size" for each in options.declared(spec.rules)):
        raise CliError(f"{spec.name} has no option called size, so it cannot be swept")
    return _sweep_game(spec, parsed, read_sizes(parsed.size or ""))


def _sweep_game(spec: GameSpec, parsed: argparse.Namespace, sizes: range) -> int:
    """The table that was asked for: of winners, of all values of an option, or of lengths."""
    table = asked_table(spec, parsed)
    if (table or parsed.goal == "length") and (parsed.nimbers or parsed.winner):
        what = (
            f"--{table.option} all prints winners and nothing else"
            if table
            else "--goal length is not about who wins"
        )
        raise CliError(f"{what}: leave out --nimbers and --winner")
    if table:
        return print_table(spec, table, sizes, parsed)
    if parsed.goal == "length":
        from numberduels.cli.lengths import LengthRow, draw_lengths, lengths_to_csv, sweep_lengths

        lengths: list[LengthRow] = []
        try:
            sweep_lengths(spec, parsed, sizes, lengths)
        finally:  # also after Ctrl-C
            write_outputs(
                parsed,
                {".csv": lambda: lengths_to_csv(lengths), ".svg": lambda: draw_lengths(spec.title, lengths)},
            )
        return 0
    rows: list[SweepRow] = []
    try:
        sweep_winners(spec, parsed, sizes, rows)
    finally:
        write_outputs(
            parsed,
            {".csv": lambda: csv_text([SweepRow._fields, *rows]), ".svg": lambda: draw(spec, parsed, rows)},
        )
    return 0


def read_sizes(text: str, first: int = 1) -> range:
    """Parse a range such as 2..100, or one size.

    >>> read_sizes("2..4"), read_sizes("7")
    (range(2, 5), range(7, 8))
    """
    low, dots, high = text.partition("..")
    try:
        start = read_number(low)
        last = read_number(high) if dots else start
    except ValueError:
        start, last = 1, 0
    if not first <= start <= last < start + MOST_SIZES:
        raise CliError(
            f"--size takes a range of at most {MOST_SIZES} sizes from {first} on,"
            f" such as {first}..{first + 9}, not {short(text)}"
        )
    return range(start, last + 1)


class SweepRow(NamedTuple):
    """The solution of one size; unknown values are None."""

    size: int
    winner: int | None
    winning_first_moves: int | None
    nimber: int | None
    margin: int | None
    positions: int
    seconds: float


def sweep_winners(spec: GameSpec, parsed: argparse.Namespace, sizes: range, rows: list[SweepRow]) -> None:
    """Solve every size, print a row for each and add it to the rows."""
    columns = Columns(
        narrow=(terminal_width(sys.stdout) or WIDE) < WIDE,
        moves=not parsed.winner,
        nimbers=parsed.nimbers,
        margins=hasattr(spec.rules, "scores"),
    )
    print(columns.heading())
    with ProgressBar("solving") as bar:
        for row in solve_sizes(spec, parsed, sizes, bar):
            rows.append(row)
            with bar.printing():
                print(columns.format(row), flush=True)
    if parsed.nimbers and any(row.nimber is None for row in rows):
        print("-: the nimber is not known.")


def solve_sizes(
    spec: GameSpec, parsed: argparse.Namespace, sizes: range, bar: ProgressBar
) -> Iterator[SweepRow]:
    """Yield a row for each size; print a line for a size that is invalid or too large, or that is stopped."""

    def dealt(size: int) -> Any:
        return deal(make_game(spec, parsed, size=str(size)), Random(f"{parsed.seed} deal"))

    family: Oracle[Any, Any] | None = None
    with suppress(CliError):  # the largest size may be invalid; then each size is solved alone
        family = make_oracle(dealt(sizes[-1]), ALTOGETHER)
    for size in sizes:
        bar.about = f"solving size {size} of {sizes[-1]}"
        try:
            game = dealt(size)
            oracle = family.for_smaller_size(game) if family else None
            row = solve_size(size, game, parsed, oracle, bar)
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


def solve_size(
    size: int, game: Any, parsed: argparse.Namespace, oracle: Oracle[Any, Any] | None, bar: ProgressBar
) -> SweepRow:
    """Solve one size, by this oracle or a new one: who wins, and what else was asked for."""
    found = solve(game, oracle=oracle, progress=bar.update, moves=not parsed.winner, nimbers=parsed.nimbers)
    winning = len(found.best) if found.value == "win" else 0
    return SweepRow(
        size,
        None if found.winner is None else found.winner + 1,
        None if parsed.winner else winning,
        found.worth.nimber,
        found.worth.margin,
        found.positions,
        round(found.seconds, 3),
    )


class Columns(NamedTuple):
    """The columns of the table: without positions and seconds if it is narrow."""

    narrow: bool = False
    moves: bool = True
    nimbers: bool = False
    margins: bool = False

    def heading(self) -> str:
        """The column titles."""
        told = "  size   winner" + ("  wins" if self.narrow else "  winning first moves") * self.moves
        told += "  nimber" * self.nimbers + "  margin" * self.margins
        return told if self.narrow else f"{told}    positions  seconds"

    def format(self, row: SweepRow) -> str:
        """One row of the table."""
        size, winner, first, nimber, margin, positions, seconds = row
        who = "nobody" if winner is None else f"Player {winner}"
        told = f"{size:>6} {who:>8}"
        if self.moves:
            told += f" {first:>{5 if self.narrow else 20}}"
        if self.nimbers:
            told += f" {'-' if nimber is None else nimber:>7}"
        if self.margins:
            told += f" {margin:>7}"
        return told if self.narrow else f"{told} {positions:>12,} {seconds:>8.2f}"


def draw(spec: GameSpec, parsed: argparse.Namespace, rows: list[SweepRow]) -> str:
    """The rows as a chart."""
    from numberduels.analysis.charts import BarChart, Panel, winner_class

    values = [{1: 1, 2: -1, None: 0}[row.winner] for row in rows]
    panels = [
        Panel("winner", values, {1: "Player 1", 0: "nobody", -1: "Player 2"}),
        Panel("winning first moves", [row.winning_first_moves for row in rows]),
        Panel("nimber", [row.nimber for row in rows]),
        Panel("margin for Player 1", [row.margin for row in rows]),
    ]
    told = []
    for winner, name in ((1, "Player 1 wins"), (2, "Player 2 wins"), (None, "nobody wins")):
        sizes = [str(row.size) for row in rows if row.winner == winner]
        if sizes:
            told.append(f"{name} at {len(sizes)} of {len(rows)} sizes: {', '.join(sizes)}.")
    return BarChart(
        title=f"{spec.title}: who wins at each size",
        subtitle=format_settings(spec, parsed),
        description=" ".join(told),
        axis="size",
        columns=[row.size for row in rows],
        panels=[each for each in panels if any(value is not None for value in each.values)],
        classes=[winner_class(value) for value in values],
    ).draw()


def format_settings(spec: GameSpec, parsed: argparse.Namespace) -> str:
    """The options besides the size, as text."""
    chosen = {
        each.name: getattr(parsed, each.name, None) or each.default for each in options.declared(spec.rules)
    }
    given = [f"{name} {value}" for name, value in chosen.items() if name != "size" and value]
    return ", ".join([*given, f"seed {parsed.seed}"] if hasattr(spec.rules, "with_start") else given)
