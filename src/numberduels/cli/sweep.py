"""`duel sweep`: tables. Who wins a game at every size, how long it lasts, or an integer sequence."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from numberduels.analysis.sequences import (
    IntegerSequence,
    Kind,
    Winners,
    WinnerTable,
    all_sequences,
    b_file_lines,
    check_statements,
    find_sequence,
    winner_table_of,
)
from numberduels.analysis.solution import solve
from numberduels.cli.argument_parser import Parser
from numberduels.cli.arguments import (
    OPTIONS_OF_THE_GAME,
    add_force,
    add_options,
    add_out,
    check_outputs,
    find_game_argument,
    make_game,
    typed_spec,
    write_outputs,
)
from numberduels.cli.commands import CliError
from numberduels.cli.console import print_folded
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.cli.wrapping import terminal_width
from numberduels.game import options, registry
from numberduels.game.formatting import csv_text, nearest, plural, read_number, runs, short
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

SEED = "0"
"""The seed if none is given."""

ALL = "all"
"""The value of an option that stands for all its values."""

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
    parser.add_argument("--seed", metavar="S", default=SEED, help="deals the numbers, where they are dealt")
    parser.add_argument("--nimbers", action="store_true", help="also print the nimber of each size")
    parser.add_argument("--winner", action="store_true", help="only who wins, not by how many first moves")
    add_out(parser, "also write the table (.csv) or draw it (.svg)")
    add_force(parser)
    with suppress(CliError):  # it may be a sequence
        add_options(parser, find_game_argument(arguments, parser), leave_out=("size", "numbers"))
    parsed = parser.parse_args(arguments)
    parsed.size = parsed.indices if parsed.size is None else parsed.size
    check_outputs(parsed.out, parsed.force, ".csv", ".svg")
    if parsed.name is None:
        print_folded(_list_sequences())
        return 0
    if parsed.name in (names := [each.name for each in all_sequences()]):
        for option, given in (
            ("--nimbers", parsed.nimbers),
            ("--winner", parsed.winner),
            ("--seed", parsed.seed != SEED),
        ):
            if given:
                raise CliError(f"{option} is for games, and {parsed.name} is a sequence: leave it out")
        sequence = find_sequence(parsed.name)
        first = sequence.indices.start
        indices = read_sizes(parsed.size, first) if parsed.size is not None else sequence.indices
        return _print_sequence(sequence, indices, parsed)
    try:
        spec = typed_spec(parsed.name)
    except registry.UnknownGame as fault:
        meant = nearest(parsed.name, names)
        other = f"or did you mean the sequence {meant}?" if meant else "duel sweep alone lists the sequences"
        raise CliError(f"{fault}; {other}") from None
    if all(each.name != "size" for each in options.declared(spec.rules)):
        raise CliError(f"{spec.name} has no option called size, so it cannot be swept")
    if parsed.size is None:
        raise CliError(f"say which sizes: duel sweep {spec.name} --size FROM..TO, such as --size 2..20")
    sizes = read_sizes(parsed.size)
    table = winner_table_of(spec)
    if not table or getattr(parsed, table.option, None) != ALL:
        return _print_sizes(WinnersBySize(spec, parsed, sizes), sizes, parsed)
    if parsed.nimbers or parsed.winner:
        raise CliError(
            f"--{table.option} all prints winners and nothing else: leave out --nimbers and --winner"
        )
    return _print_values(spec, table, sizes, parsed)


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


def _print_sizes(table: WinnersBySize, sizes: range, parsed: argparse.Namespace) -> int:
    """Solve every size, print a row for each, and write the files, also after Ctrl-C."""
    rows: list[SweepRow] = []
    print(table.heading)
    try:
        with ProgressBar("solving") as bar:
            for size in sizes:
                bar.about = f"solving size {size} of {sizes[-1]}"
                try:
                    row = table.solve(size, bar)
                except CliError as fault:
                    with bar.printing():
                        print_folded(f"{size:>6} no game: {fault}\n")
                    continue
                except TooLarge as fault:
                    with bar.printing():
                        print_folded(f"{size:>6} beyond reach: {fault}. The sweep ends here.\n")
                    break
                except KeyboardInterrupt:
                    with bar.printing():
                        print_folded(f"{size:>6} stopped. The sizes above are complete.\n")
                    raise
                rows.append(row)
                with bar.printing():
                    print(table.format(row), flush=True)
    finally:
        write_outputs(
            parsed, {".csv": lambda: csv_text([SweepRow._fields, *rows]), ".svg": lambda: table.draw(rows)}
        )
    if parsed.nimbers and any(row.nimber is None for row in rows):
        print("-: the nimber is not known.")
    return 0


class SweepRow(NamedTuple):
    """The solution of one size; unknown values are None."""

    size: int
    winner: int | None
    winning_first_moves: int | None
    nimber: int | None
    margin: int | None
    positions: int
    seconds: float


class WinnersBySize:
    """Who wins at each size, and what else was asked for."""

    def __init__(self, spec: GameSpec, parsed: argparse.Namespace, sizes: range) -> None:
        self.spec, self.parsed = spec, parsed
        self.narrow = (terminal_width(sys.stdout) or WIDE) < WIDE
        """Whether there is no room for positions and seconds."""
        self.margins = hasattr(spec.rules, "scores")
        self._family: Oracle[Any, Any] | None = None
        with suppress(CliError):  # the largest size may be invalid; then each size is solved alone
            self._family = make_oracle(self._deal(sizes[-1]), ALTOGETHER)

    def _deal(self, size: int) -> Any:
        return deal(make_game(self.spec, self.parsed, size=str(size)), Random(f"{self.parsed.seed} deal"))

    def solve(self, size: int, bar: ProgressBar) -> SweepRow:
        """Solve one size; sizes that share a table are solved by one oracle."""
        game, moves = self._deal(size), not self.parsed.winner
        oracle = self._family.for_smaller_size(game) if self._family else None
        found = solve(game, oracle=oracle, progress=bar.update, moves=moves, nimbers=self.parsed.nimbers)
        winning = len(found.best) if found.value == "win" else 0
        return SweepRow(
            size,
            None if found.winner is None else found.winner + 1,
            winning if moves else None,
            found.worth.nimber,
            found.worth.margin,
            found.positions,
            round(found.seconds, 3),
        )

    @property
    def heading(self) -> str:
        """The column titles."""
        moves = "  wins" if self.narrow else "  winning first moves"
        told = "  size   winner" + moves * (not self.parsed.winner)
        told += "  nimber" * self.parsed.nimbers + "  margin" * self.margins
        return told if self.narrow else f"{told}    positions  seconds"

    def format(self, row: SweepRow) -> str:
        """One row of the table."""
        size, winner, first, nimber, margin, positions, seconds = row
        who = "nobody" if winner is None else f"Player {winner}"
        told = f"{size:>6} {who:>8}"
        if first is not None:
            told += f" {first:>{5 if self.narrow else 20}}"
        if self.parsed.nimbers:
            told += f" {'-' if nimber is None else nimber:>7}"
        if self.margins:
            told += f" {margin:>7}"
        return told if self.narrow else f"{told} {positions:>12,} {seconds:>8.2f}"

    def draw(self, rows: Sequence[SweepRow]) -> str:
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
            title=f"{self.spec.title}: who wins at each size",
            subtitle=self._settings(),
            description=" ".join(told),
            axis="size",
            columns=[row.size for row in rows],
            panels=[each for each in panels if any(value is not None for value in each.values)],
            classes=[winner_class(value) for value in values],
        ).draw()

    def _settings(self) -> str:
        """The options besides the size, as text."""
        rules = self.spec.rules
        chosen = {
            each.name: getattr(self.parsed, each.name, None) or each.default
            for each in options.declared(rules)
        }
        given = [f"{name} {value}" for name, value in chosen.items() if name != "size" and value]
        return ", ".join([*given, f"seed {self.parsed.seed}"] if hasattr(rules, "with_start") else given)


# All values of an option


def _print_values(spec: GameSpec, table: WinnerTable, sizes: range, parsed: argparse.Namespace) -> int:
    """Compute, print, save and draw the table of these sizes."""
    winners: dict[tuple[int, int], int] = {}
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
        print_folded(_statements(table, winners, solved[-1]))
    if solved:
        from numberduels.analysis.charts import draw_winner_table

        titles = ["size", table.option, "winner", "proven"]
        rows = ([*cell, winner, int(table.proven(cell, winners))] for cell, winner in winners.items())
        write_outputs(
            parsed,
            {
                ".csv": lambda: csv_text([titles, *rows]),
                ".svg": lambda: draw_winner_table(spec.title, table, winners),
            },
        )
    return exit_status(interrupt) if interrupt else 0


def _row(table: WinnerTable, winners: Winners, size: int) -> str:
    """How many values each player wins, how many of them are proven, and those of Player 2."""
    row = {value: winner for (each, value), winner in winners.items() if each == size}
    lost = [value for value, winner in row.items() if winner == 2]
    proven = sum(table.proven((size, value), winners) for value in row)
    figures = f"{size:>6} {len(row):>9} {len(row) - len(lost):>9} {len(lost):>9} {proven:>7}"
    return f"{figures}   {runs(lost) if lost else 'none'}\n"


def _statements(table: WinnerTable, winners: Winners, last: int) -> str:
    """The statements about the table, each with its status and its counterexample."""
    told = []
    for finding in check_statements(table.statements, winners):
        cells = plural(finding.cells, "game")
        if finding.exception:
            size, value = finding.exception
            end = f"False: the first exception is size {size}, {table.option} {value}."
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


# Sequences


def _list_sequences() -> str:
    """The sequences of all games with their definitions and their proof status."""
    entries = [
        f"{each.name}\n    a(n) is {each.definition}.\n    {each.status_text}\n" for each in all_sequences()
    ]
    return "\n".join(entries) + "\nduel sweep NAME prints one of them.\n"


def _print_sequence(sequence: IntegerSequence, indices: range, parsed: argparse.Namespace) -> int:
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
