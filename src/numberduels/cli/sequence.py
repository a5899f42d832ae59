"""`duel sequence`: the integer sequences of the games, as b-files and charts."""

from __future__ import annotations

import sys

from numberduels.analysis.sequences import (
    IntegerSequence,
    UnknownSequence,
    all_sequences,
    b_file_lines,
    find_sequence,
)
from numberduels.cli.arguments import (
    add_force,
    add_progress,
    check_suffix,
    check_target,
    read_count,
    write_file,
)
from numberduels.cli.console import print_folded
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.game.formatting import plural, read_number, short
from numberduels.solvers import TooLarge

ABOUT = """\
Print an integer sequence of a game as a b-file: one line "n a(n)" for each term, below comments that
say what it is, how it is computed and what is proven. Without a name, list the sequences.
"""

LONGEST = 10_000
"""The most terms of one run."""


def run(arguments: list[str]) -> int:
    """List the sequences, or compute the terms of one. The status is 1 if a term is out of reach."""
    parser = Parser("sequence", ABOUT)
    parser.add_argument("name", metavar="NAME", nargs="?", help="the sequence (default: list them)")
    parser.add_argument("indices", metavar="FROM..TO", nargs="?", help="the indices, such as 2..30")
    parser.add_argument("--terms", metavar="N", help="the first N terms")
    parser.add_argument("--plot", metavar="FILE.svg", help="also draw the terms")
    add_force(parser)
    add_progress(parser)
    parsed = parser.parse_args(arguments)
    if parsed.name is None:
        if parsed.terms is not None or parsed.plot is not None:
            raise CliError("--terms and --plot are about one sequence: name it (duel sequence lists them)")
        print_folded(_listed(all_sequences()))
        return 0
    try:
        sequence = find_sequence(parsed.name)
    except UnknownSequence as fault:
        raise CliError(str(fault)) from None
    check_suffix("--plot", parsed.plot or "", ".svg")
    check_target(parsed.plot, parsed.force)
    return _print(
        sequence,
        read_indices(sequence, parsed.indices, parsed.terms),
        parsed.plot,
        parsed.force,
        parsed.progress,
    )


def _print(sequence: IntegerSequence, indices: range, plot: str | None, force: bool, progress: bool) -> int:
    """Print each line as soon as it is known; what is known is also drawn if the rest is out of reach."""
    points: list[tuple[int, int]] = []
    try:
        with ProgressBar(f"computing {sequence.name}", lines=progress) as bar:
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
        if plot is not None and points:
            from numberduels.cli.sequence_svg import draw_sequence

            write_file(plot, draw_sequence(sequence, points), force)
    return 0


def read_indices(sequence: IntegerSequence, indices: str | None, terms: str | None) -> range:
    """The indices that FROM..TO or --terms name; without them those of the sequence."""
    first = sequence.indices.start
    if indices is not None and terms is not None:
        raise CliError("FROM..TO and --terms say the same thing: give one of them")
    if terms is not None:
        return range(first, first + read_count("--terms", terms, 1, LONGEST))
    if indices is None:
        return sequence.indices
    low, dots, high = indices.partition("..")
    try:
        start = read_number(low)
        stop = (read_number(high) if dots else start) + 1
    except ValueError:
        start, stop = 1, 0
    if not first <= start < stop <= start + LONGEST:
        raise CliError(
            f"FROM..TO takes at most {LONGEST} indices from {first} on,"
            f" such as {first}..{first + 9}, not {short(indices)}"
        )
    return range(start, stop)


def _listed(sequences: list[IntegerSequence]) -> str:
    """The sequences with their definitions and their proof status."""
    entries = [f"{each.name}\n    a(n) is {each.definition}.\n    {each.status_text}\n" for each in sequences]
    return "\n".join(entries) + "\nduel sequence NAME prints one of them.\n"
