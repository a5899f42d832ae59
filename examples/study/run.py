"""Run a whole study and write its tables, figures and paper.

    python examples/study/run.py examples/study/demo.toml --out DIR --scripted

The same command continues a study that was stopped. See README.md in this folder.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import ExitStack, nullcontext
from urllib.parse import urlsplit

from scripted_server import serving
from study_config import DECISIONS, GAMES, Study, read_study
from study_figures import draw_figures
from study_files import write_files
from study_paper import write_paper
from study_requests import count_requests
from study_results import read_results
from study_tables import build_tables
from table_files import to_csv, to_latex, to_markdown

from numberduels.arena.plan import Plan
from numberduels.cli.arena.plan_options import make_plan, plan_parser
from numberduels.cli.arena.run_command import run as run_arena
from numberduels.cli.console import error_reason
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.signals import exit_status, raise_on_termination
from numberduels.game.files import absolute_path
from numberduels.game.formatting import plural, short


def main(arguments: list[str]) -> int:
    """Run the command; its exit status. Every error is one line."""
    try:
        with raise_on_termination():
            return _run(arguments)
    except CliError as fault:
        print(f"study: {fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as end:
        print("Stopped: what was finished is kept, and the same command goes on.", file=sys.stderr)
        return exit_status(end)


def _run(arguments: list[str]) -> int:
    parser = Parser("study", "Run a study of several players, and write its tables, figures and paper.")
    parser.prog = "run.py"
    parser.add_argument("config", metavar="CONFIG.toml", help="what is studied; see README.md")
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder of the study")
    parser.add_argument("--dry-run", action="store_true", help="count the requests to models, and stop")
    parser.add_argument("--tables", action="store_true", help="play nothing; write what is saved so far")
    parser.add_argument("--scripted", action="store_true", help="answer without a model, at its base_url")
    parser.add_argument(
        "--cache", metavar="DIR", help="keep the answers of models there, and ask nothing twice"
    )
    parser.add_argument("--force", action="store_true", help="replace files that were changed by hand, too")
    parsed = parser.parse_args(arguments)
    study, text = read_study(parsed.config)
    folder, beside = absolute_path(parsed.out), os.path.dirname(absolute_path(parsed.config))
    runs = {run: study.arguments(run, os.path.join(folder, run), beside) for run in (DECISIONS, GAMES)}
    if parsed.cache is not None:
        for each in runs.values():
            each += ["--cache", absolute_path(parsed.cache)]
    if parsed.dry_run:
        return _count(_plans(runs), folder)
    statuses = [] if parsed.tables else _play(study, runs, scripted=parsed.scripted)
    if any(status > 1 for status in statuses):
        return max(statuses)  # stopped
    command = shlex.join(["python", "examples/study/run.py", os.path.basename(parsed.config), "--out", "DIR"])
    command += " --scripted" if parsed.scripted else ""
    return max([*statuses, _write(study, text, runs, folder, command, force=parsed.force)])


def _plans(runs: Mapping[str, list[str]]) -> dict[str, Plan]:
    return {run: make_plan(plan_parser().parse_args(arguments)) for run, arguments in runs.items()}


def _play(study: Study, runs: Mapping[str, list[str]], *, scripted: bool) -> list[int]:
    """Play both runs, as far as they are not played yet; their exit statuses."""
    statuses = []
    with ExitStack() as stack:
        stack.enter_context(_server(study) if scripted else nullcontext())
        for arguments in runs.values():
            statuses.append(run_arena(arguments))
            if statuses[-1] > 1:
                break
    return statuses


def _server(study: Study) -> ExitStack:
    """The scripted server at the base URL of the study."""
    url = urlsplit(study.base_url)
    if url.hostname != "127.0.0.1" or not url.port:
        raise CliError('--scripted needs base_url = "http://127.0.0.1:PORT/v1" in the configuration')
    stack = ExitStack()
    try:
        stack.enter_context(serving(url.port))
    except OSError as fault:
        reason = error_reason(fault)
        raise CliError(f"the scripted server cannot use port {url.port}: {reason}; name another") from None
    return stack


def _count(plans: Mapping[str, Plan], folder: str) -> int:
    """Print how many games and requests are still to be done."""
    lines = []
    for run, plan in plans.items():
        found = count_requests(plan, os.path.join(folder, run))
        about = "about " if found.is_estimate and found.requests else ""
        lines.append(
            f"{run}: {found.open:,} of {found.total:,} to do, {about}{found.requests:,} requests to models,"
            f" and at most {about}{found.most:,} if answers are refused."
        )
    print("\n".join(lines))
    return 0


def _write(
    study: Study, config: str, runs: Mapping[str, list[str]], folder: str, command: str, *, force: bool
) -> int:
    """Write the tables, the figures and the paper from the saved games."""
    try:
        results = read_results(study, _plans(runs), folder)
    except ValueError as fault:
        raise CliError(f"{short(folder, 200)}: {fault}") from None
    if not (results.decisions.games or results.games.games):
        raise CliError(f"{short(folder, 200)} holds no games yet")
    tables, figures = build_tables(results), draw_figures(results)
    texts = {f"figures/{name}.svg": figure for name, figure in figures.items()}
    for name, table in tables.items():
        texts[f"tables/{name}.md"] = to_markdown(table)
        texts[f"tables/{name}.csv"] = to_csv(table)
        texts[f"tables/{name}.tex"] = to_latex(table, name)
    texts["paper.md"] = write_paper(results, tables, list(figures), config, command)
    try:
        kept = write_files(folder, texts, force=force)
    except OSError as fault:
        raise CliError(f"{short(folder, 200)} cannot be written: {error_reason(fault)}") from None
    if kept:
        told = f"{', '.join(kept)}: changed by hand, so kept as it is; --force replaces it"
        print(f"{told}.", file=sys.stderr)
    counts = f"{plural(len(tables), 'table')} and {plural(len(figures), 'figure')}"
    print(f"{counts} are in {short(folder, 200)}, and paper.md puts them together.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
