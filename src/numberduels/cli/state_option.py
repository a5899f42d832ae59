"""The option --state: save a long computation in a file, and go on from there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from numberduels.cli.parser import CliError, Parser
from numberduels.game import options
from numberduels.game.formatting import short

if TYPE_CHECKING:
    from numberduels.cli.state_file import StateFile
    from numberduels.solvers.resumable import SteppedSearch

T = TypeVar("T")

NOT_ASKED = ("csv", "force", "json", "plot", "progress", "state")
"""Options that change where the answer goes, and not the answer."""


def add_state(parser: Parser) -> None:
    """Add --state to a parser."""
    parser.add_argument(
        "--state",
        metavar="FILE",
        help="save the state of the search there, and go on from it if the file is there already",
    )


def open_state(
    command: str, parsed: argparse.Namespace, *, leave_out: Iterable[str] = (), **question: Any
) -> AbstractContextManager[StateFile | None]:
    """The state file that was asked for; None if nobody asked.

    The question is what the command line asks for, but for the options to leave out, and what is given here.
    Options that are not given are no part of it, so that a later version may have more of them.
    """
    if parsed.state is None:
        return nullcontext()
    from numberduels.cli.state_file import StateFile

    if not parsed.state:
        raise CliError("--state takes the name of a file")
    ignored = (*NOT_ASKED, *leave_out)
    given = {name: value for name, value in vars(parsed).items() if value not in (None, False)}
    asked = {name: value for name, value in given.items() if name not in ignored}
    return StateFile(parsed.state, {"command": command, **asked, **question})


def game_options(game: Any) -> list[str]:
    """The names of the options that make a game, which its `repr` says better."""
    return ["rules", *(each.name for each in options.declared(type(game)))]


def run_in_steps(state: StateFile | None, table: SteppedSearch | None, ask: Callable[[], T]) -> T:
    """Ask a question; with a state file and a table that can be saved, step by step."""
    if state is None or table is None:
        return ask()
    from numberduels.solvers.resumable import solve_in_steps

    return solve_in_steps(table, ask, state)


def tell_saved(state: StateFile | None) -> None:
    """After an interrupt: say how to go on."""
    if state is not None and state.saved:
        where = short(state.path, 200)
        print(f"The state is in {where}: the same command goes on from there.", file=sys.stderr)


@contextmanager
def saved_at_the_end(state: StateFile | None, write_files: Callable[[], None]) -> Iterator[None]:
    """Save the state, and write the files of the rows so far, even if the sweep is interrupted.

    An interrupted sweep with a state file writes no other file: the same command will do it at the end.
    """
    stopped = False
    try:
        yield
        if state:
            state.save()
    except KeyboardInterrupt:
        stopped = True
        tell_saved(state)
        raise
    finally:
        if not (state and stopped):
            write_files()
