"""`duel arena merge`: several runs in one folder."""

from __future__ import annotations

from numberduels.cli.arena.run_folders import reading_runs
from numberduels.cli.arguments import add_game_names
from numberduels.cli.console import error_reason, print_folded, shell_command
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.game.files import absolute_path
from numberduels.game.formatting import plural, short


def run(arguments: list[str]) -> int:
    """Merge runs into a new folder."""
    from numberduels.arena.merge import check_run, merge_runs

    parser = Parser(
        "arena merge",
        "Put the games of several runs into one new folder, each game once. Every line is checked."
        " Runs that contradict each other are refused.",
    )
    parser.add_argument("folders", metavar="DIR", nargs="+")
    add_game_names(parser)
    parser.add_argument("--out", metavar="DIR", required=True, help="the new folder")
    parsed = parser.parse_args(arguments)
    out = absolute_path(parsed.out)
    with reading_runs(parsed.folders), ProgressBar("checking the games") as bar:
        runs = [check_run(each, bar.update) for each in parsed.folders]
    try:
        count = merge_runs(runs, out)
    except ValueError as fault:
        raise CliError(str(fault)) from None
    except OSError as fault:
        raise CliError(f"{short(parsed.out, 200)} cannot be written: {error_reason(fault)}") from None
    print_folded(
        f"{plural(count, 'game')} merged. {shell_command('arena', 'report', out)} says what came of them.\n"
    )
    return 0
