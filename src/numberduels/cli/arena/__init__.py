"""`duel arena`: play many games between players and report how well they played."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

from numberduels.cli.argument_parser import CliError
from numberduels.cli.commands import SUBCOMMANDS
from numberduels.cli.console import error_reason, print_folded
from numberduels.game.files import absolute_path
from numberduels.game.formatting import nearest, short

ABOUT = "Find out how well players play: many games, both seats, every move judged by a proof."


def run(arguments: list[str]) -> int:
    """Run a command of the arena: `duel arena report` is the module `report_command`, and so on."""
    commands = SUBCOMMANDS["arena"]
    name, *rest = arguments or ["--help"]
    if name in commands:
        module = import_module(f"numberduels.cli.arena.{name}_command")
        status: int = module.run(rest)
        return status
    if name == "merge":
        raise CliError("runs are no longer merged: duel arena report takes several folders")
    if name not in ("-h", "--help"):
        meant = nearest(name, commands)
        question = f"; did you mean {meant}? There" if meant else "; there"
        raise CliError(f"there is no arena {short(name)}{question} are {', '.join(commands)}")
    lines = "".join(f"  duel arena {each:<8} {about}\n" for each, about in commands.items())
    print_folded(
        f"usage: duel arena COMMAND ...\n\n{ABOUT}\n\n{lines}\nduel arena COMMAND --help tells more.\n"
    )
    return 0


@contextmanager
def reading_runs(folders: Sequence[str]) -> Iterator[None]:
    """Turn what goes wrong while the folders are read into errors for the user."""
    try:
        yield
    except OSError as fault:
        place = os.path.dirname(str(fault.filename or ""))
        named = next((each for each in folders if absolute_path(each) == place), None)
        if isinstance(fault, FileNotFoundError) and named is not None:
            raise CliError(f"{short(named, 200)} holds no run") from None
        raise CliError(f"{short(named or folders[0], 200)} cannot be read: {error_reason(fault)}") from None
    except ValueError as fault:
        where = f"{short(folders[0], 200)} cannot be read: " if len(folders) == 1 else ""
        raise CliError(f"{where}{fault}") from None
