"""Reading the command line: argparse whose faults are one line for a person."""

from __future__ import annotations

import argparse
from typing import NoReturn


class Fault(Exception):
    """Something is wrong with what was asked for: one line, for the person who asked."""


class Parser(argparse.ArgumentParser):
    """A parser that raises Fault instead of printing its usage and exiting."""

    def __init__(self, command: str, about: str, epilog: str | None = None) -> None:
        super().__init__(
            prog=f"duel {command}",
            description=about,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        raise Fault(f"{message} (see: {self.prog} --help)")
