"""`duel arena export`: the decisions of runs as data for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.cli.arena import reading_runs
from numberduels.cli.arguments import add_force, add_game_names, check_suffix, check_target, write_file
from numberduels.cli.console import error_reason, print_folded
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.game.files import absolute_path
from numberduels.game.formatting import plural, printable, short

if TYPE_CHECKING:
    from numberduels.arena.run_folder import SavedRun

FORMATS = {
    "--parquet": (".parquet", "a Parquet file, for pandas, DuckDB and Hugging Face datasets (extra: data)"),
    "--jsonl": (".jsonl", "the same rows as lines of JSON"),
    "--inspect": (".json", "an eval log of Inspect; it is about one player"),
}


def run(arguments: list[str]) -> int:
    """Export the decisions of one or several runs."""
    parser = Parser("arena export", "Write one row for every decision of one or several runs.")
    parser.add_argument("folders", metavar="DIR", nargs="+")
    add_game_names(parser)
    for flag, (_, about) in FORMATS.items():
        parser.add_argument(flag, metavar="FILE", help=about)
    parser.add_argument("--player", metavar="WHO", default="", help="only the decisions of this player")
    add_force(parser)
    parsed = parser.parse_args(arguments)
    chosen = {flag: path for flag in FORMATS if (path := getattr(parsed, flag.strip("-"))) is not None}
    if not chosen:
        raise CliError(f"nothing to write: say {', '.join(FORMATS)} and a FILE")
    for flag, path in chosen.items():
        _check(flag, path, parsed.force)
    runs = _read(parsed.folders, parsed.player)
    for flag, path in chosen.items():
        with ProgressBar("writing"):
            count = _write(flag, path, runs, parsed.player, parsed.force)
        print_folded(f"{plural(count, 'decision')}: {printable(absolute_path(path))}\n")
    return 0


def _check(flag: str, path: str, force: bool) -> None:
    """Check the name of a file, and whether it can be written, before the work starts."""
    suffix, _ = FORMATS[flag]
    if not path.lower().endswith(suffix):
        check_suffix(flag, path, suffix)
        raise CliError(f"{flag} writes {suffix} files: let the name end with {suffix}, not {short(path, 80)}")
    if flag == "--parquet":
        from numberduels.harness.dataset.row_files import check_format

        try:
            check_format(path)
        except ValueError as fault:
            raise CliError(str(fault)) from None
    check_target(path, force)


def _read(folders: list[str], player: str) -> tuple[SavedRun, ...]:
    from numberduels.arena.run_folder import label_players, read_run

    with reading_runs(folders), ProgressBar("reading the games"):
        runs = label_players([read_run(each) for each in folders])
    names = {name for each in runs for game in each.games for name in game.players}
    if player and player not in names:
        raise CliError(f"{short(player, 80)} played no game there; there are {', '.join(sorted(names))}")
    return runs


def _write(flag: str, path: str, runs: tuple[SavedRun, ...], player: str, force: bool) -> int:
    from numberduels.arena.export import COLUMNS, decision_rows, inspect_log, only_player
    from numberduels.harness.dataset.row_files import write_rows

    try:
        if flag != "--inspect":
            return write_rows(path, COLUMNS, decision_rows(runs, player), force=force)
        player = player or only_player(runs)
        log = inspect_log(decision_rows(runs, player), player)
    except ValueError as fault:
        raise CliError(str(fault)) from None
    except OSError as fault:
        raise CliError(f"{short(path, 200)} cannot be written: {error_reason(fault)}") from None
    import json

    write_file(path, json.dumps(log, indent=1) + "\n", force)
    return len(log["samples"])
