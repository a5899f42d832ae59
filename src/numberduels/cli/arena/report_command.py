"""`duel arena report`: the tables and the page of a run."""

from __future__ import annotations

from numberduels.cli.arena import reading_runs
from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.arguments import add_force, add_game_names, check_suffix, check_target, write_file
from numberduels.cli.console import print_folded
from numberduels.cli.progress import ProgressBar
from numberduels.game.files import absolute_path
from numberduels.game.formatting import printable, short


def run(arguments: list[str]) -> int:
    """Report on a run from its saved games."""
    from numberduels.arena.page import BEGINS, render_page
    from numberduels.arena.report import read_report
    from numberduels.arena.results import COUNT, FAILURES
    from numberduels.arena.run_folder import own_file
    from numberduels.arena.tables import render_text

    parser = Parser("arena report", "Say what came of one or several runs, from their saved games alone.")
    parser.add_argument("folders", metavar="DIR", nargs="+")
    add_game_names(parser)
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument(
        "--html", metavar="FILE", help="where the page goes (default for one DIR: DIR/report.html)"
    )
    parser.add_argument(
        "--failures",
        metavar="|".join(FAILURES),
        default=COUNT,
        help=f"decisions without a legal move: count them as lost, or leave them out (default: {COUNT})",
    )
    add_force(parser)
    parsed = parser.parse_args(arguments)
    if parsed.failures not in FAILURES:
        raise CliError(f"--failures takes {' or '.join(FAILURES)}, not {short(parsed.failures)}")
    check_suffix("--html", parsed.html or "", ".html", ".htm")
    check_target(parsed.html, parsed.force)
    with reading_runs(parsed.folders), ProgressBar("reading the games"):
        told = read_report(*parsed.folders, failures=parsed.failures)
    path = absolute_path(parsed.html or "")
    if parsed.html is not None:
        write_file(path, render_page(told), parsed.force)
    elif len(parsed.folders) == 1:  # a report in the folder of its run is brought up to date
        try:
            path = own_file(absolute_path(parsed.folders[0]), "report.html")
        except OSError as fault:
            raise CliError(f"{short(parsed.folders[0], 200)}: {fault}; say --html FILE") from None
        write_file(path, render_page(told), parsed.force, begins=BEGINS)
    if parsed.json:
        import json

        print(json.dumps(told.data(), indent=1))
    else:
        page = f"Every game, move by move: {printable(path)}" if path else "--html FILE writes every game."
        print_folded(f"{render_text(told)}\n{page}\n")
    return 0
