"""`duel arena export`: the decisions of runs as data for other programs."""

from __future__ import annotations

from numberduels.cli.arena import reading_runs
from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.arguments import add_force, add_game_names, check_suffix, check_target
from numberduels.cli.console import error_reason, print_folded
from numberduels.cli.progress import ProgressBar
from numberduels.game.files import absolute_path
from numberduels.game.formatting import plural, printable, short

FORMATS = {
    "parquet": "a Parquet file, for pandas, DuckDB and Hugging Face datasets (extra: data)",
    "jsonl": "the same rows as lines of JSON",
}


def run(arguments: list[str]) -> int:
    """Export the decisions of one or several runs."""
    from numberduels.arena.export import COLUMNS, decision_rows
    from numberduels.arena.run_folder import label_players, read_run
    from numberduels.harness.dataset.row_files import write_rows

    parser = Parser("arena export", "Write one row for every decision of one or several runs.")
    parser.add_argument("folders", metavar="DIR", nargs="+")
    add_game_names(parser)
    for name, about in FORMATS.items():
        parser.add_argument(f"--{name}", metavar="FILE", help=about)
    add_force(parser)
    parsed = parser.parse_args(arguments)
    chosen = {name: path for name in FORMATS if (path := getattr(parsed, name)) is not None}
    if not chosen:
        raise CliError("nothing to write: say --parquet or --jsonl and a FILE")
    for name, path in chosen.items():
        _check(name, path, parsed.force)
    with reading_runs(parsed.folders), ProgressBar("reading the games"):
        runs = label_players([read_run(each) for each in parsed.folders])
    for path in chosen.values():
        try:
            with ProgressBar("writing"):
                count = write_rows(path, COLUMNS, decision_rows(runs), force=parsed.force)
        except ValueError as fault:
            raise CliError(str(fault)) from None
        except OSError as fault:
            raise CliError(f"{short(path, 200)} cannot be written: {error_reason(fault)}") from None
        print_folded(f"{plural(count, 'decision')}: {printable(absolute_path(path))}\n")
    return 0


def _check(name: str, path: str, force: bool) -> None:
    """Check the name of a file, and whether it can be written, before the work starts."""
    from numberduels.harness.dataset.row_files import check_format

    flag, suffix = f"--{name}", f".{name}"
    if not path.lower().endswith(suffix):
        check_suffix(flag, path, suffix)
        raise CliError(f"{flag} writes {suffix} files: let the name end with {suffix}, not {short(path, 80)}")
    try:
        check_format(path)
    except ValueError as fault:
        raise CliError(str(fault)) from None
    check_target(path, force)
