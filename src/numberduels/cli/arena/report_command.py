"""`duel arena report`: the tables and the page of a run."""

from __future__ import annotations

from numberduels.cli.arguments import add_force, check_suffix, check_target, write_file
from numberduels.cli.console import error_reason, print_folded
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.progress import ProgressBar
from numberduels.files import absolute_path
from numberduels.text import printable, short


def run(arguments: list[str]) -> int:
    """Report on a run from its saved games."""
    from numberduels.arena.page import BEGINS, render_page
    from numberduels.arena.report import read_report
    from numberduels.arena.results_file import own_file
    from numberduels.arena.text_report import render_text

    parser = Parser("arena report", "Say what came of a run, from its saved games alone.")
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--html", metavar="FILE", help="where the page goes (default: DIR/report.html)")
    add_force(parser)
    parsed = parser.parse_args(arguments)
    check_suffix("--html", parsed.html or "", ".html", ".htm")
    check_target(parsed.html, parsed.force)
    folder = absolute_path(parsed.folder)
    try:
        with ProgressBar("reading the games"):
            told = read_report(folder)
    except FileNotFoundError:
        raise CliError(f"{short(parsed.folder, 200)} holds no run") from None
    except (OSError, ValueError) as fault:
        raise CliError(f"{short(parsed.folder, 200)} cannot be read: {error_reason(fault)}") from None
    if parsed.html is None:  # a report in the folder of its run is brought up to date
        try:
            path = own_file(folder, "report.html")
        except OSError as fault:
            raise CliError(f"{short(parsed.folder, 200)}: {fault}; say --html FILE") from None
        write_file(path, render_page(told), parsed.force, begins=BEGINS)
    else:
        path = absolute_path(parsed.html)
        write_file(path, render_page(told), parsed.force)
    if parsed.json:
        import json

        print(json.dumps(told.data(), indent=1))
    else:
        print_folded(f"{render_text(told)}\nEvery game, move by move: {printable(path)}\n")
    return 0
