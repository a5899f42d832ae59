"""Parser: argparse with one-line errors. CliError: an error of the user."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from numberduels.cli.wrapping import fold, terminal_width


class CliError(Exception):
    """The user asked for something impossible. The message is one line."""


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

    def print_help(self, file: object = None) -> None:
        """Print the help and flush it, so that an error of the output is reported."""
        sys.stdout.write(fold(self.format_help(), terminal_width(sys.stdout)))
        sys.stdout.flush()

    def parse_args(  # type: ignore[override]  # nobody here passes a namespace
        self, arguments: Sequence[str]
    ) -> argparse.Namespace:
        """Parse the arguments. The value of an option may begin with a hyphen."""
        joined: list[str] = []
        rest = iter(arguments)
        for each in rest:
            action = self._option_string_actions.get(each)
            value = next(rest, None) if action and action.nargs is None else None
            if value is not None and value.startswith("-") and value not in self._option_string_actions:
                joined.append(f"{each}={value}")
            else:
                joined += [each] if value is None else [each, value]
        return super().parse_args(joined)

    def error(self, message: str) -> NoReturn:
        from numberduels.text import nearest

        unknown = message.partition("unrecognized arguments: --")[2].partition(" ")[0]
        meant = unknown and nearest(f"--{unknown}", self._option_string_actions)
        question = f"; did you mean {meant}?" if meant not in ("", f"--{unknown}") else ""
        raise CliError(f"{message}{question} (see: {self.prog} --help)")
