"""The `duel` command: runs a sub-command and prints every error as one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper

from numberduels import __version__
from numberduels.cli.parser import CliError
from numberduels.cli.signals import exit_status, raise_on_termination

COMMANDS = {
    "play": "play a game: against a friend here, or against the computer",
    "match": "a fair contest: both seats on every deal",
    "puzzle": "find the only move that keeps the win or the draw",
    "review": "judge every move of a saved game",
    "replay": "show a saved game again",
    "games": "list the games",
    "rules": "print the rules of a game",
    "solve": "say who wins a position, and by which moves",
    "sweep": "say who wins at every size of a range",
    "claims": "check what the rule books say about themselves",
    "arena": "find out how well players play: many games, every move judged",
    "serve": "open the games to everybody with a browser",
    "new-game": "write the skeleton of a game of your own",
}
"""The sub-commands. `new-game` is the module `new_game` with a function `run(arguments)`, and so on."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; the user never sees a traceback."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stdout is None:  # the program was started with closed output
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # it stays open until the program ends
    if sys.stderr is None:  # input() would fail without it
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # the terminal may not have every character
    try:
        with raise_on_termination():
            status = _run(arguments)
            sys.stdout.flush()
        return status
    except CliError as fault:
        _complain(str(fault))
        return 2
    except KeyboardInterrupt as end:
        return exit_status(end)
    except SystemExit:  # argparse exits after printing its help
        return 0
    except (MemoryError, RecursionError):
        _complain("that is too large for this machine")
        return 1
    except OSError as fault:
        # The output is closed or full. Without this Python would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(fault, BrokenPipeError):
            _complain(f"the output cannot be written: {fault.strerror or fault}")
        return 1


def _run(arguments: list[str]) -> int:
    from numberduels.cli.console import print_folded, standard_console

    if not arguments:
        console = standard_console()
        if console.interactive:
            from numberduels.cli.menu import menu

            return menu(console)
    if arguments[:1] == ["help"] and len(arguments) > 1:
        arguments = [arguments[1], "--help"]
    command = arguments[0] if arguments else "--help"
    if command in COMMANDS:
        module = import_module(f"numberduels.cli.{command.replace('-', '_')}")
        status: int = module.run(arguments[1:])
        return status
    if command in ("-h", "--help", "help"):
        print_folded(_help())
        return 0
    if command == "--version":
        print(f"duel {__version__}")
        return 0
    raise CliError(_no_command(command))


def _no_command(command: str) -> str:
    from numberduels import registry
    from numberduels.text import nearest, short

    try:
        game = registry.find_spec(command).name
        return f"there is no command {short(command)}; to play that game: duel play {game}"
    except registry.UnknownGame:
        pass
    meant = nearest(command, COMMANDS)
    question = f"; did you mean {meant}? The" if meant else "; the"
    return f"there is no command {short(command)}{question} commands are {', '.join(COMMANDS)}"


def _help() -> str:
    lines = "\n".join(f"  duel {name:<10} {about}" for name, about in COMMANDS.items())
    return (
        "Number Duels: five two-player number games.\n\n"
        f"  duel            in a terminal: a menu that leads to a game\n{lines}\n\n"
        "duel COMMAND --help tells more. A first game: duel play range-war --vs greedy\n"
    )


def _complain(message: str) -> None:
    from numberduels.cli.console import printable
    from numberduels.cli.wrapping import fold, terminal_width

    with suppress(OSError):  # standard error is closed, too
        print(fold(f"duel: {printable(message)}", terminal_width(sys.stderr)), file=sys.stderr)
