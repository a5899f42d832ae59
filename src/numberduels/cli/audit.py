"""`duel audit`: is an environment any good?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from numberduels.cli.argument_parser import Parser
from numberduels.cli.arguments import read_count, read_number_between, refusing
from numberduels.cli.console import print_folded
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.game.adopted import allow, is_adopted, split_text

if TYPE_CHECKING:
    from numberduels.audit.report import Budget
    from numberduels.audit.run import Audit

ABOUT = """\
Audit an environment: checks of its rules, rewards, seeds, spaces and observations, each with an example
where it fails; then, by the solver where it reaches, who wins, how long games are, how many decisions
matter, and how far players of all levels get.

GAME is one of ours, such as range-war:size=6, or openspiel:NAME(parameters), pettingzoo:NAME_vN or
python:FILE.py:NAME, which runs the code of that file.

The exit status is 0 if no check failed, 1 if one failed, and 2 for bad usage. A check that cannot be made
says so and is not counted as passed."""

OPTIONS = (
    ("--positions", "N", "100000", "the most positions to solve"),
    ("--games", "N", "20", "games for each check and for each player"),
    ("--plies", "N", "2000", "moves after which a game is endless"),
    ("--seconds", "S", "60", "time for the checks, for the solver and for the players, each"),
    ("--seed", "N", "0", "the first seed of the games"),
)


def run(arguments: list[str]) -> int:
    """Audit a game and print what was found."""
    parser = Parser("audit", ABOUT)
    parser.add_argument("game", metavar="GAME", help="what to audit, as described above")
    for flag, metavar, default, about in OPTIONS:
        parser.add_argument(flag, metavar=metavar, default=default, help=f"{about} (default: {default})")
    parser.add_argument("--json", action="store_true", help="print the report as data")
    parsed = parser.parse_args(arguments)
    from numberduels.audit.report import Budget

    audit = _prepared(
        parsed.game,
        Budget(
            positions=read_count("--positions", parsed.positions, 1, 100_000_000),
            games=read_count("--games", parsed.games, 1, 100_000),
            plies=read_count("--plies", parsed.plies, 1, 1_000_000),
            seconds=read_number_between("--seconds", parsed.seconds, 0.1, 1_000_000),
            seed=read_count("--seed", parsed.seed, 0, 2**31 - 1),
        ),
    )
    interrupt: KeyboardInterrupt | None = None
    try:
        with ProgressBar("auditing", "steps") as bar:

            def tell(what: str, done: int, total: int) -> None:
                bar.about = what
                bar.update(done, total)

            audit.run(tell)
    except KeyboardInterrupt as end:
        interrupt = end
    if parsed.json:
        print(json.dumps(audit.report.data(), indent=1))
    else:
        from numberduels.audit.report import render_text

        print_folded(render_text(audit.report))
    if interrupt:
        return exit_status(interrupt)
    return 1 if audit.report.failed else 0


def _prepared(text: str, budget: Budget) -> Audit:
    from numberduels.audit.run import Audit
    from numberduels.game.adopted.interface import CannotAdopt, NotChecked
    from numberduels.game.registry import UnknownGame

    if is_adopted(text):
        allow(split_text(text)[0])
    with refusing("", UnknownGame, CannotAdopt, NotChecked):
        return Audit(text, budget)
