"""The `duel` command: runs a sub-command and prints every error as one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from typing import TYPE_CHECKING

from numberduels import __version__
from numberduels.cli.commands import COMMANDS, GROUPS, CliError, CommandDone, load_command, replace_alias
from numberduels.cli.signals import exit_status, raise_on_termination

if TYPE_CHECKING:
    from numberduels.cli.console import Console


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; the user never sees a traceback."""
    arguments = replace_alias(list(sys.argv[1:] if argv is None else argv))
    if sys.stdout is None:  # the program was started with closed output
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # it stays open until the program ends
    if sys.stderr is None:  # input() would fail without it
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # the terminal may not have every character
    try:
        command = _find(arguments)
        with raise_on_termination():
            status = command()
            sys.stdout.flush()
        return status
    except CliError as fault:
        _complain(str(fault))
        return 2
    except KeyboardInterrupt as end:
        return exit_status(end)
    except CommandDone:
        return 0
    except SystemExit as end:  # an installed game, for instance
        reason = f": {end.code}" if isinstance(end.code, str) else ""
        _complain(f"code that is not ours called sys.exit and so ended the program{reason}")
        return end.code if isinstance(end.code, int) and end.code else 1
    except ValueError as fault:
        from numberduels.game.adopted import CannotAdopt

        if not isinstance(fault, CannotAdopt):
            raise
        _complain(str(fault))
        return 1
    except (MemoryError, RecursionError):
        _complain("that is too large for this machine")
        return 1
    except OSError as fault:
        # The output is closed or full. Without this Python would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(fault, BrokenPipeError):
            _complain(f"the output cannot be written: {fault.strerror or fault}")
        return 1


def _find(arguments: list[str]) -> Callable[[], int]:
    """Import what the arguments ask for. A signal may end the process meanwhile: nothing has begun."""
    from numberduels.cli.console import standard_console

    if not arguments or arguments == ["--plain"]:
        console = standard_console()
        if not arguments and can_draw_screens(console):
            from numberduels.tui import run_table

            return run_table
        if console.interactive or arguments:
            from numberduels.cli.menu import menu

            return partial(menu, console)
    if arguments[:1] == ["help"] and len(arguments) > 1:
        arguments = [arguments[1], "--help"]
    command = arguments[0] if arguments else "--help"
    if command in COMMANDS:
        return partial(load_command(command), arguments[1:])
    if command in ("-h", "--help", "help"):
        return partial(_print, _help())
    if command == "--version":
        return partial(_print, f"duel {__version__}\n")
    raise CliError(_no_command(command))


def _print(text: str) -> int:
    from numberduels.cli.console import print_folded

    print_folded(text)
    return 0


def can_draw_screens(console: Console) -> bool:
    """Whether the full-screen table can run: on a terminal that draws, and if Textual is installed."""
    from importlib.util import find_spec

    return console.draws and find_spec("textual") is not None


def _no_command(command: str) -> str:
    from numberduels.game import registry
    from numberduels.game.formatting import nearest, short

    try:
        game = registry.find_spec(command).name
        return f"there is no command {short(command)}; to play that game: duel play {game}"
    except registry.UnknownGame:
        pass
    meant = nearest(command, COMMANDS)
    question = f"; did you mean {meant}? The" if meant else "; the"
    return f"there is no command {short(command)}{question} commands are {', '.join(COMMANDS)}"


def _help() -> str:
    """The commands, in at most 24 lines."""
    lines = [
        f"{'' if place else title:<10} {name:<9} {about}"
        for title, commands in GROUPS.items()
        for place, (name, about) in enumerate(commands.items())
    ]
    return (
        "Number Duels: five games. duel opens the full-screen table; duel --plain asks.\n\n"
        + "\n".join(lines)
        + f"\n\nTry: duel play range-war --vs casual. More: duel COMMAND --help, duel --version\n"
        f"The guide: {_guide()}\n"
    )


def _guide() -> str:
    """Where the documentation is: a release has it inside."""
    inside = os.path.join(os.path.dirname(os.path.dirname(__file__)), "site", "index.html")
    return inside if os.path.exists(inside) else "https://github.com/number-duels/number-duels"


def _complain(message: str) -> None:
    from numberduels.cli.wrapping import fold, terminal_width
    from numberduels.game.formatting import printable

    with suppress(OSError):  # standard error is closed, too
        print(fold(f"duel: {printable(message)}", terminal_width(sys.stderr)), file=sys.stderr)
