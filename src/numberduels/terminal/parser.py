"""Reading the command line: argparse whose faults are one line for a person."""

from __future__ import annotations

import argparse
import os
from typing import NoReturn


class Fault(Exception):
    """Something is wrong with what was asked for: one line, for the person who asked."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, found without the module that argparse would load for it."""

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            width = 80
        super().__init__(prog, width=max(width - 2, 40))


class Parser(argparse.ArgumentParser):
    """A parser that raises Fault instead of printing its usage and exiting."""

    def __init__(self, command: str, about: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=f"duel {command}",
            description=about,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=_Help,
        )

    def print_help(self, file: object = None) -> None:
        """Print the help at once, so that a fault of the output is met while it can be told."""
        print(self.format_help(), end="", flush=True)

    def error(self, message: str) -> NoReturn:
        raise Fault(f"{message} (see: {self.prog} --help)")
