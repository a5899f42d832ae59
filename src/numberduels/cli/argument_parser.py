"""Parser: argparse with one-line errors."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from numberduels.cli.commands import CliError as CliError
from numberduels.cli.commands import CommandDone
from numberduels.cli.console import print_folded
from numberduels.cli.wrapping import terminal_width


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. argparse would import shutil to find that width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=(terminal_width(sys.stdout) or 80) - 2)


class Parser(argparse.ArgumentParser):
    """A parser that raises CliError instead of printing its usage and exiting."""

    def __init__(self, command: str, about: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=f"duel {command}",
            description=about,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=_Help,
        )

    def is_flag(self, option: str) -> bool:
        """Whether this option takes no value."""
        action = self._option_string_actions.get(option)
        return action is not None and action.nargs == 0

    def print_help(self, file: object = None) -> None:
        """Print the help, folded, and flush it, so that an error of the output is reported."""
        print_folded(self.format_help())

    def parse_args(  # type: ignore[override]  # nobody here passes a namespace
        self, arguments: Sequence[str]
    ) -> argparse.Namespace:
        """Parse the arguments."""
        if _inspecting:
            raise _ParserFound(self)
        return super().parse_args(arguments)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """End the command after its help; argparse calls it with a message only from `error`."""
        raise CommandDone

    def error(self, message: str) -> NoReturn:
        from numberduels.game.formatting import nearest

        unknown = message.partition("unrecognized arguments: --")[2].partition(" ")[0].partition("=")[0]
        # Without the hyphens, which would make all short options similar.
        meant = unknown and nearest(unknown, (each[2:] for each in self._option_string_actions))
        question = f"; did you mean --{meant}?" if meant not in ("", unknown) else ""
        raise CliError(f"{message}{question} (see: {self.prog} --help)")


class _ParserFound(BaseException):
    """Carries a parser out of the command that has made it."""

    def __init__(self, parser: Parser) -> None:
        super().__init__()
        self.parser = parser


_inspecting: list[bool] = []
"""Not empty while `parser_of` wants a parser instead of parsed arguments."""


def parser_of(run: Callable[[list[str]], int], *arguments: str) -> Parser | None:
    """The parser that a command makes for these arguments, for the reference; the command does nothing.

    None if the command cannot run in this installation.
    """
    _inspecting.append(True)
    try:
        run(list(arguments))
    except _ParserFound as found:
        return found.parser
    except CliError:
        return None
    finally:
        _inspecting.pop()
    return None
